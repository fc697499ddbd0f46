"use strict";

/* Episodes by a tag, by how they ended or by the cause of their failure. */

/* What episodes can be told apart by, each with how many episodes have which value: names with two values or more. */
function facetsOf(episodes) {
  const found = new Map();
  for (const { facets } of episodes) {
    for (const [name, values] of Object.entries(facets)) {
      if (!found.has(name)) found.set(name, new Map());
      const counts = found.get(name);
      for (const value of values) counts.set(value, (counts.get(value) || 0) + 1);
    }
  }
  const tells = (counts) => counts.size <= 60 && Array.from(counts.values()).some((count) => count < episodes.length);
  return new Map(Array.from(found).filter(([, counts]) => tells(counts)));
}

/* The values of an episode by which it is grouped: of a tag with several values, it stands in the group of each. */
function groupsOf(index, episode, by) {
  if (by === "run") return [index.runs[episode.run].label];
  if (by === "task") return [episode.task];
  const values = episode.facets[by] || [];
  return values.length ? values : ["—"];
}

/* Whether it is known how an episode came out: not if a person would have to say, if it was cut off, or while it is being
   played. Rates of success count these alone, as those of the tables do. */
const isTold = ({ mark: kind }) => !["unjudged", "cut", "going"].includes(kind);

const inOrder = (a, b) => (a === "—") - (b === "—") || a.localeCompare(b, "en", { numeric: true });

/* Groups of episodes, [value, places in `index.episodes`], in the order of their values. */
function grouped(index, shown, by) {
  const groups = new Map();
  for (const i of shown) {
    for (const value of groupsOf(index, index.episodes[i], by)) {
      if (!groups.has(value)) groups.set(value, []);
      groups.get(value).push(i);
    }
  }
  return Array.from(groups).sort(([a], [b]) => inOrder(a, b));
}

/* The 95 % interval of a share by Wilson, in percent. */
function wilson(solved, tried) {
  const z = 1.959963984540054;
  const share = solved / tried;
  const middle = (share + (z * z) / (2 * tried)) / (1 + (z * z) / tried);
  const half = (z / (1 + (z * z) / tried)) * Math.sqrt((share * (1 - share)) / tried + (z * z) / (4 * tried * tried));
  return [100 * Math.max(0, middle - half), 100 * Math.min(1, middle + half)];
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const tokensOf = ({ spent }) => Object.values(spent).reduce((sum, [, read, written]) => sum + read + written, 0);
const costOf = ({ spent }) => Object.values(spent).reduce((sum, [, , , cost]) => (sum === null || cost === null ? null : sum + cost), 0);
const secondsOf = ({ spent }) => Object.values(spent).reduce((sum, row) => sum + row[4], 0);
const dollars = (cost) => (cost === null ? "unknown" : cost ? `$${cost.toFixed(4)}` : "$0");

/* The card of the first page that groups the episodes: one row a group, whose button shows its episodes. */
function groupCard(index, names, by, group, narrow) {
  if (!names.length) return null;
  const chips = el("div.group-names", { role: "group", "aria-label": "Group by" }, names.map((name) =>
    el("button", { type: "button", "data-by": name, "aria-pressed": String(name === by), onclick: () => group(name === by ? "" : name) }, name)));
  const rows = by ? grouped(index, index.episodes.keys(), by) : [];
  const heads = ["solved", "SR % [95 %]", "steps", "tokens", "cost", "seconds"];
  return el("section.card.groups", { "aria-label": "Groups" }, el("h3", {}, by ? `Episodes by ${by}` : "Group the episodes by"), chips,
    rows.length > 0 && el("div.scroll", {}, el("table.grid", {},
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, by), heads.map((name) => el("th.figure", { scope: "col" }, name)))),
      el("tbody", {}, rows.map(([value, places]) => {
        const episodes = places.map((i) => index.episodes[i]);
        const judged = episodes.filter(isTold).length;
        const solved = episodes.filter((one) => one.mark === "solved").length;
        const share = judged ? solved / judged : 0;
        // One episode shows nothing of how episodes differ.
        const interval = judged > 1 ? wilson(solved, judged).map((end) => end.toFixed(1)).join(", ") : "—";
        const costs = episodes.map(costOf);
        const cells = [
          el("button.share", { type: "button", style: { "--share": percent(share) }, class: !judged ? "untold" : share === 1 ? "all" : share === 0 ? "none" : "some", title: `show the episodes of ${by} ${value}`, onclick: () => narrow(by, value) }, `${solved}/${judged}`),
          judged ? `${(100 * share).toFixed(1)} [${interval}]` : "—",
          mean(episodes.map((one) => one.steps)).toFixed(1), Math.round(mean(episodes.map(tokensOf))).toLocaleString("en"),
          costs.includes(null) ? "unknown" : dollars(mean(costs)), wall(mean(episodes.map(secondsOf))),
        ];
        return el("tr", {}, el("td.words.label.head", {}, value), cells.map((cell, i) => el("td.figure", { "data-name": heads[i] }, cell)));
      })))),
    rows.length > 0 && el("p.footnotes", {}, "95 % intervals by Wilson, which take the episodes as independent; steps, tokens, cost and seconds of the machine: mean an episode", by !== "run" && by !== "task" && index.episodes.some((one) => (one.facets[by] || []).length > 1) && "; an episode with several values counts in the group of each"));
}

/* What each part took, of one episode or of all of a run. */
function spentTable(columns) {
  const parts = Array.from(new Set(columns.flatMap(({ spent }) => Object.keys(spent))));
  if (!parts.length) return null;
  const cells = (row) => (row ? [row[0] ? row[0].toLocaleString("en") : "·", row[0] ? `${row[1].toLocaleString("en")} + ${row[2].toLocaleString("en")}` : "·", row[0] || row[3] === null ? dollars(row[3]) : "·", wall(row[4])] : ["", "", "", ""]);
  const several = columns.length > 1;
  return el("div.scroll", {}, el("table.spent", {},
    el("thead", {}, el("tr", {}, several && el("th", { scope: "col" }, "run"), el("th", { scope: "col" }, "part"), ["calls", "tokens in + out", "cost", "time"].map((name) => el("th.figure", { scope: "col" }, name)))),
    el("tbody", {}, columns.map(({ label, spent }) => parts.filter((part) => spent[part]).map((part, i) => el("tr", {}, several && el("th", { scope: "row" }, i ? "" : label), el("th", { scope: "row" }, part), cells(spent[part]).map((text) => el("td.figure", {}, text))))))));
}

/* What all episodes of each run took together. */
function spentByRun(index) {
  return index.runs.map(({ label }, run) => {
    const spent = {};
    for (const episode of index.episodes) {
      if (episode.run !== run) continue;
      for (const [part, [calls, read, written, cost, time]] of Object.entries(episode.spent)) {
        const row = (spent[part] ||= [0, 0, 0, 0, 0]);
        row[0] += calls; row[1] += read; row[2] += written; row[4] += time;
        row[3] = row[3] === null || cost === null ? null : row[3] + cost;
      }
    }
    return { label, spent };
  });
}
