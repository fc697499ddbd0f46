"use strict";

/* The first page: the conclusion, the tables, tasks against runs, and what each run was. */
function overview(root, index, narrow, failedFirst, groups) {
  const spent = spentTable(spentByRun(index));
  put(root, el("div.overview", {},
    index.conclusion.length > 0 && el("section.card.conclusion", { "aria-label": "Conclusion" }, index.conclusion.map((text) => el("p", {}, text))),
    index.tables.map((table) => el("section.card", {}, grid(table))),
    groups,
    index.sections.map(comparison),
    spent && el("section.card", { "aria-label": "Cost" }, el("h3", {}, "Cost, tokens and time by part"), spent),
    el("section.card", {}, el("h3", {}, "Tasks"), matrix(index, narrow, failedFirst)),
    el("section.card", {}, el("h3", {}, index.runs.length > 1 ? "Runs (what differs stands out)" : "Run"), about(index.runs))));
}

/* A figure is a picture, not a part of the page: nothing in it can run, and its style is its own. */
function comparison({ title, words, svg, tables }) {
  return el("section.card", {}, el("h3", {}, title),
    words.map((text) => el("p", {}, text)),
    svg && el("div.scroll", { tabindex: 0 }, el("img.figure-file", { alt: `${title}: the figures of the table below`, src: `data:image/svg+xml,${encodeURIComponent(svg)}` })),
    tables.map(grid));
}

/* One column a run, one row a fact. */
function about(runs) {
  const facts = runs.map((run) => new Map(run.facts));
  const names = new Set(facts.flatMap((fact) => Array.from(fact.keys())));
  return el("div.scroll", {}, el("table.about", {},
    el("thead", {}, el("tr", {}, el("th"), runs.map((run) => el("th", { scope: "col" }, run.label)))),
    el("tbody", {}, Array.from(names, (name) => {
      const values = facts.map((fact) => fact.get(name) || "");
      return el("tr", { class: new Set(values).size > 1 ? "differs" : "" }, el("th", { scope: "row" }, name), values.map((value) => el("td", {}, value)));
    }))));
}

/* On a phone each row is a block: what it is of, then its figures with their names; the style sheet does that. What is
   the same in all rows stands once below them. */
function grid(table) {
  const same = table.columns.map((_, i) => i < table.labels && table.rows.every((row) => row[i] === table.rows[0][i]));
  const side = (i) => [table.left[i] ? "words" : "figure", i < table.labels && "label", same[i] && "same", i === same.indexOf(false) && "head"].filter(Boolean).join(" ");
  const heading = (name, i) => el("th", { class: side(i), scope: "col" },
    table.meanings[i] ? el("abbr", { title: table.meanings[i] }, name) : name);
  const once = table.rows.length > 0 && table.columns.map((name, i) => same[i] && `${name} ${table.rows[0][i]}`).filter(Boolean);
  return [el("div.scroll", {}, el("table.grid", {},
    el("thead", {}, el("tr", {}, table.columns.map(heading))),
    el("tbody", {}, table.rows.map((row) => el("tr", {}, row.map((cell, i) => el("td", { class: `${side(i)} ${cell && cell !== "·" ? "" : "blank"}`, "data-name": table.columns[i] }, cell))))))),
  once && once.length > 0 && el("p.once.quiet", {}, once.join(" · ")),
  table.notes.length > 0 && el("ul.footnotes", {}, table.notes.map((note) => el("li", {}, note)))];
}

/* One row a task, one column a run: solved of tried; a cell shows its episodes. */
function matrix(index, narrow, failedFirst) {
  const cells = new Map();
  const tasks = new Set();
  for (const entry of index.episodes) {
    const id = JSON.stringify([entry.task, entry.run]);
    if (entry.mark === "going") continue;
    tasks.add(entry.task);
    if (!cells.has(id)) cells.set(id, { tried: 0, solved: 0, void: 0, unjudged: 0 });
    const cell = cells.get(id);
    cell.tried += 1;
    if (entry.mark in cell) cell[entry.mark] += 1;
  }
  const solved = (task) => {
    const mine = index.runs.map((_, i) => cells.get(JSON.stringify([task, i]))).filter(Boolean);
    return mine.reduce((sum, cell) => sum + cell.solved, 0) / mine.reduce((sum, cell) => sum + cell.tried, 0);
  };
  const listed = Array.from(tasks);
  if (failedFirst) listed.sort((a, b) => solved(a) - solved(b));
  return el("div.scroll", {}, el("table.matrix", {},
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "task"), index.runs.map((run) => el("th.figure", { scope: "col", title: run.name }, index.runs.length > 1 ? run.label : "solved")))),
    el("tbody", {}, listed.map((task) => el("tr", {}, el("th", { scope: "row" }, task), index.runs.map((run, i) => {
      const cell = cells.get(JSON.stringify([task, i]));
      if (!cell) return el("td");
      const judged = cell.tried - cell.unjudged;
      const share = judged ? cell.solved / judged : 0;
      return el("td.figure", {}, el("button.share", {
        type: "button", style: { "--share": percent(share) }, class: !judged ? "untold" : share === 1 ? "all" : share === 0 ? "none" : "some",
        title: `show the episodes of ${task}`, onclick: () => narrow(task, i),
      }, judged > 0 && `${cell.solved}/${judged}`, cell.unjudged > 0 && el("span.quiet", {}, ` ${MARKS.unjudged}${cell.unjudged}`), cell.void > 0 && el("span.quiet", {}, ` ∅${cell.void}`)));
    }))))));
}
