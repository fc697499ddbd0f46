"use strict";

/* What is looked at is in the address: #run/episode/step/view, so that every step can be linked; behind a question mark
   how the episodes are ordered and grouped and which are listed: #?first=failed&only=void&by=level&is=app:mail. */
(() => {
  const index = JSON.parse(document.getElementById("index").textContent);
  const at = (id) => document.getElementById(id);
  const sizes = new Map();
  const loader = new Loader(index.folder, (file) => sizes.get(file) || 0);
  let facets = new Map();
  let groupings = [];
  let surveyed = "";
  let lines = [];
  let shown = index.episodes.map((_, i) => i);
  let wanted = { number: -1, id: "", view: "" };
  let page = null;
  let busy = false;
  let writing = 0;
  let written = null;
  let standing = location.hash;
  let outcome = "";
  let failedFirst = false;
  let by = "";
  let only = [];
  const folded = new Set();

  const places = new Map(index.episodes.map((episode, i) => [`${episode.run}/${episode.key}`, i]));

  function address({ number, id, view }) {
    const episode = index.episodes[number];
    const listing = new URLSearchParams([...(failedFirst ? [["first", "failed"]] : []), ...(outcome ? [["only", outcome]] : []), ...(by ? [["by", by]] : []), ...only.map(({ name, value }) => ["is", `${name}:${value}`])]).toString();
    return (episode ? `#${episode.run}/${encodeURIComponent(episode.key)}${id || view ? `/${id}` : ""}${view ? `/${view.split("~").map(encodeURIComponent).join("~")}` : ""}` : "#") + (listing && `?${listing}`);
  }

  function addressed() {
    let parts = [];
    try {
      parts = location.hash.slice(1).split("?")[0].split("/").map(decodeURIComponent);
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
    }
    const [run, key, id, view] = parts;
    const number = places.get(`${run}/${key}`);
    return number === undefined ? { number: -1, id: "", view: "" } : { number, id: id || "", view: /^(time(~\d+)?|map|messages|beside(~.+)?)$/.test(view) ? view : "" };
  }

  /* Take over from the address how the episodes are listed; whether that changed anything. */
  function relist() {
    survey();
    const listing = new URLSearchParams(location.hash.split("?")[1] || "");
    const told = [listing.get("first") === "failed", listing.get("only") in MARKS ? listing.get("only") : "", groupings.includes(listing.get("by")) ? listing.get("by") : ""];
    const is = listing.getAll("is").map((text) => ({ name: text.split(":")[0], value: text.slice(text.indexOf(":") + 1) })).filter(({ name, value }) => facets.has(name) && facets.get(name).has(value));
    if (JSON.stringify([...told, is]) === JSON.stringify([failedFirst, outcome, by, only])) return false;
    [failedFirst, outcome, by] = told;
    only = is;
    at("by").value = by;
    filter();
    return true;
  }

  /* List them in another way: no visit that can be gone back to, but in the address. */
  function list(change) {
    change();
    filter();
    clearTimeout(writing);
    write(true);
    if (wanted.number < 0) show();
  }

  const orderFailed = () => list(() => { failedFirst = !failedFirst; });

  const groupBy = (name) => list(() => { by = name; folded.clear(); at("by").value = name; });

  const rows = new Rows(at("episodes"), 50, (i) => (lines[i].group === undefined ? entryRow(lines[i].number) : groupRow(lines[i])), (i) => {
    const { group, number } = lines[i];
    if (group !== undefined) return list(() => { if (!folded.delete(group)) folded.add(group); });
    go(number, "", true);
    document.body.classList.remove("open");
  });

  function entryRow(number) {
    const episode = index.episodes[number];
    return el("div.entry", {}, mark(episode.mark),
      el("div.lines", { title: episode.text }, el("div.line", {}, el("b", {}, episode.task)),
        el("div.line.quiet", {}, el("span", { title: seedTitle(episode) }, `#${episode.instance}.${episode.trial}`), index.runs.length > 1 ? [" · ", index.runs[episode.run].label, aim(episode)] : [aim(episode), " · ", episode.text])),
      el("div.lines.right", {}, el("b", {}, `${episode.completed}/${episode.total}`), el("span.quiet", {}, plural(episode.steps, "step"))));
  }

  function groupRow({ group, places }) {
    const counted = places.filter((i) => isTold(index.episodes[i]));
    const solved = counted.filter((i) => index.episodes[i].mark === "solved").length;
    return el("div.entry.group", { "aria-expanded": String(!folded.has(group)), title: folded.has(group) ? "show its episodes" : "fold" }, el("span.sign", {}, folded.has(group) ? "▸" : "▾"),
      el("div.lines", {}, el("div.line", {}, el("b", {}, group)), el("div.line.quiet", {}, by)),
      el("div.lines.right", {}, el("b", {}, `${solved}/${counted.length}`), el("span.quiet", {}, "solved")));
  }

  const lineOf = (number) => lines.findIndex((line) => line.number === number);

  /* Look at something else. A visit that can be gone back to is written into the address at once; of a held key only
     the last one, because browsers refuse to note too many in a row. */
  function go(number, id, visit, view = wanted.view.startsWith("beside") && number === wanted.number ? wanted.view : wanted.view.split("~")[0]) {
    if (number !== wanted.number) rows.select(lineOf(number));
    wanted = { number, id: id || "", view: number < 0 ? "" : view };
    clearTimeout(writing);
    if (visit) write();
    else writing = setTimeout(write, 150, true);
    show();
  }

  /* The browser tells of a new address later, perhaps when the next step is already looked at: route() must know ours.
     Whoever has gone back in the meantime is not overruled. */
  function write(replace) {
    if (replace && location.hash !== standing) return;
    written = address(wanted);
    if (replace) location.replace(written);
    else location.hash = written;
    standing = location.hash;
  }

  function step(by) {
    if (!page || page.number !== wanted.number || !page.items.length) return;
    const to = Math.min(Math.max(page.index + by, 0), page.items.length - 1);
    if (to !== page.index) go(page.number, page.items[to].id);
  }

  function episode(by) {
    if (!shown.length) return;
    const now = shown.indexOf(wanted.number);
    const to = shown[now < 0 ? 0 : Math.min(Math.max(now + by, 0), shown.length - 1)];
    if (to !== wanted.number) go(to);
  }

  /* The next or previous step that was pointed wrong, in this episode or the nearest one in the list that has any. */
  function miss(by) {
    const items = page && page.number === wanted.number ? page.items : [];
    for (let i = items.length && page.index + by; i >= 0 && i < items.length; i += by) {
      if (missed(items[i])) return go(page.number, items[i].id);
    }
    for (let i = shown.indexOf(wanted.number) + by; i >= 0 && i < shown.length; i += by) {
      const { miss: first } = index.episodes[shown[i]];
      if (first) return go(shown[i], first);
    }
  }

  async function show() {
    if (busy) return;
    busy = true;
    try {
      for (let drawn = null; drawn !== wanted; await draw(drawn)) drawn = wanted;
    } finally {
      busy = false;
    }
  }

  async function draw({ number, id, view }) {
    const about = index.episodes[number];
    at("brand").toggleAttribute("aria-current", !about);
    if (!about) {
      page = null;
      return overview(at("main"), index, narrow, failedFirst, groupCard(index, groupings, by, groupBy, (name, value) => (name === "run" || name === "task" ? narrow(name === "task" ? value : "", name === "run" ? index.runs.findIndex(({ label }) => label === value) : "") : narrowTo(name, value))));
    }
    if (!page || page.number !== number || page.file !== about.file) {
      const inspecting = Boolean(page && page.number === number && page.inspecting);
      page = null;
      let data;
      try {
        data = await loader.load(about.file);
      } catch (error) {
        return put(at("main"), el("p.empty", {}, error.message));
      }
      document.body.dataset.notKept = index.runs[about.run].notKept || "";
      page = new EpisodePage(at("main"), about, index.runs[about.run], data, (other, kind, visit) => go(number, other ?? wanted.id, visit, kind), (kind) => loader.load(about.file, kind), others(number));
      Object.assign(page, { number, file: about.file, inspecting });
    }
    return page.show(page.find(id), step, view);
  }

  /* What an episode can be compared with, by the address of each: "1~mail#0.0". */
  function others(number) {
    const told = (i) => ({ entry: index.episodes[i], run: index.runs[index.episodes[i].run], called: calledBeside(index, i) });
    const choices = candidates(index, number).slice(0, 200).map((i) => [`${index.episodes[i].run}~${index.episodes[i].key}`, calledBeside(index, i)]);
    const read = async (address) => {
      const other = places.get(address.replace("~", "/"));
      return { ...told(other), data: await loader.load(index.episodes[other].file), mine: told(number) };
    };
    return { choices, read };
  }

  function route() {
    const there = addressed();
    standing = location.hash;
    if ((location.hash || "#") === written) return;
    written = null;
    if (relist() && there.number < 0 && wanted.number < 0) show();
    if (there.number === wanted.number && there.id === wanted.id && there.view === wanted.view) return;
    clearTimeout(writing);
    wanted = there;
    rows.select(lineOf(there.number));
    show();
  }

  function filter() {
    survey();
    const words = at("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const [run, task] = [at("run").value, at("task").value];
    const counts = { "": 0, solved: 0, failed: 0, void: 0, unjudged: 0, cut: 0, going: 0, missed: 0 };
    shown = [];
    index.episodes.forEach((episode, i) => {
      if ((run && episode.run !== Number(run)) || (task && episode.task !== task)) return;
      if (!only.every(({ name, value }) => (episode.facets[name] || []).includes(value))) return;
      const text = `${episode.key} ${episode.text}`.toLowerCase();
      if (!words.every((word) => text.includes(word))) return;
      counts[""] += 1;
      counts[episode.mark] += 1;
      if (episode.miss) counts.missed += 1;
      if (!outcome || episode.mark === outcome || (outcome === "missed" && episode.miss)) shown.push(i);
    });
    if (failedFirst) shown.sort((a, b) => FAILED_FIRST.indexOf(index.episodes[a].mark) - FAILED_FIRST.indexOf(index.episodes[b].mark));
    lines = [];
    if (by) {
      for (const [group, members] of grouped(index, shown, by)) {
        lines.push({ group, places: members });
        if (!folded.has(group)) for (const number of members) lines.push({ number });
      }
      shown = Array.from(new Set(lines.filter(({ group }) => group === undefined).map(({ number }) => number)));
    } else lines = shown.map((number) => ({ number }));
    put(at("only"), only.map(({ name, value }) => el("button", { type: "button", title: "show all again", onclick: () => list(() => { only = only.filter((one) => one.name !== name || one.value !== value); }) }, `${name}: ${value} ×`)));
    at("failed").setAttribute("aria-pressed", String(failedFirst));
    put(at("marks"), Object.entries(counts).filter(([kind, count]) => !kind || count || kind === outcome).map(([kind, count]) =>
      el("button", { type: "button", "data-mark": kind || "all", "aria-pressed": String(kind === outcome), title: kind ? MARK_TITLES[kind] : "all", onclick: () => list(() => { outcome = kind; }) },
        kind ? MARKS[kind] : "all", ` ${count}`)));
    rows.show(lines.length, lineOf(wanted.number));
  }

  function narrow(task, run) {
    at("task").value = task;
    at("run").value = run;
    only = [];
    outcome = "";
    filter();
    if (shown.length) go(shown[0], "", true);
  }

  /* To the first episode of a group. */
  function narrowTo(name, value) {
    if (value !== "—" && !only.some((one) => one.name === name && one.value === value)) only = [...only, { name, value }];
    filter();
    const first = grouped(index, shown, name).find(([group]) => group === value);
    if (first) go(first[1][0], "", true);
  }

  function choices(select, all, options) {
    put(select, el("option", { value: "" }, all), options.map(([value, text]) => el("option", { value }, text)));
    select.hidden = options.length < 2;
    select.addEventListener("change", filter);
  }

  /* What the episodes can be told apart and grouped by. The lists are made anew only where that has changed, as on a page
     that follows a run. */
  function survey() {
    sizes.clear();
    for (const { file, steps } of index.episodes) sizes.set(file, steps);
    facets = facetsOf(index.episodes);
    const ends = ["cause", "ended by"];
    groupings = [...ends.filter((name) => facets.has(name)), ...(index.runs.length > 1 ? ["run"] : []), ...(new Set(index.episodes.map(({ task }) => task)).size > 1 ? ["task"] : []), ...Array.from(facets.keys()).filter((name) => !ends.includes(name))];
    const found = JSON.stringify([groupings, Array.from(facets, ([name, counts]) => [name, Array.from(counts)])]);
    if (found === surveyed) return;
    surveyed = found;
    put(at("facet"), el("option", { value: "" }, "any end, cause and tag"), Array.from(facets, ([name, counts]) =>
      el("optgroup", { label: name }, Array.from(counts).sort(([a], [b]) => inOrder(a, b)).map(([value, count]) =>
        el("option", { value: `${name}\n${value}` }, `${name}: ${value} (${count})`)))));
    at("facet").hidden = !facets.size;
    put(at("by"), el("option", { value: "" }, "not grouped"), groupings.map((name) => el("option", { value: name }, `by ${name}`)));
    at("by").hidden = !groupings.length;
    at("by").value = by;
  }

  /* What is chosen in the list of facets narrows further. */
  function narrowBy() {
    const [name, value] = at("facet").value.split("\n");
    at("facet").value = "";
    list(() => { if (name && !only.some((one) => one.name === name && one.value === value)) only = [...only, { name, value }]; });
  }

  function keys(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || at("zoom").open) return;
    if (at("help").open && event.key !== "?") return;
    const field = event.target.closest("input, select, textarea, audio");
    if (event.key === "Escape" && field) return field.blur();
    if (field) return;
    const playing = page && page.number === wanted.number && page.view === "time";
    if (playing && page.timeline.key(event)) return event.preventDefault();
    const view = (name) => { if (page) go(page.number, wanted.id, true, wanted.view.split("~")[0] === name ? "" : name); };
    const act = {
      ArrowLeft: () => step(-1), ArrowRight: () => step(1), ArrowUp: () => episode(-1), ArrowDown: () => episode(1),
      x: () => orderFailed(), e: () => { if (page) page.unfold(); }, "?": () => help(), i: () => { if (page && page.number === wanted.number) page.inspect(); }, b: () => view("beside"), d: () => { if (page && page.view === "beside" && page.beside && page.beside.first >= 0) page.jump(page.beside.first); }, c: () => view("messages"), t: () => view("time"), g: () => view("map"), m: () => miss(1), M: () => miss(-1), Home: () => step(-Infinity), End: () => step(Infinity), "/": () => at("search").focus(), Escape: () => go(-1, "", true),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  function score() {
    const counts = { solved: 0, failed: 0, void: 0, unjudged: 0, cut: 0 };
    for (const { mark: kind } of index.episodes) if (kind in counts) counts[kind] += 1;
    const parts = Object.entries(counts).filter(([, count]) => count);
    const several = index.runs.length > 1;
    const ended = index.episodes.filter((episode) => episode.mark !== "going").length;
    put(at("score"), several ? el("span.quiet", {}, `${index.runs.length} runs, ${plural(index.episodes.length, "episode")}`) : [el("span.bar", {}, parts.map(([kind, count]) => el(`span.${kind}`, { style: { "flex-grow": count } }))),
      el("span", {}, `${counts.solved} of ${ended.toLocaleString("en")}`, el("span.long", {}, " episodes"), " solved")],
      counts.void > 0 && el("span.quiet", {}, `${counts.void} void`), counts.unjudged > 0 && el("span.quiet", {}, `${counts.unjudged} unjudged`), counts.cut > 0 && el("span.quiet", {}, `${counts.cut} cut off`));
  }

  /* Offer what the episodes have, and nothing else. */
  function offer() {
    at("failed").hidden = new Set(index.episodes.map((episode) => episode.mark)).size < 2;
    at("miss").hidden = !index.episodes.some((episode) => episode.miss);
  }

  /* A page that is served while its run goes on is told here what is new; what is looked at stays. */
  window.omnipilotRenew = async ({ episodes, whole }) => {
    for (const entry of episodes) {
      const place = `${entry.run}/${entry.key}`;
      if (places.has(place)) index.episodes[places.get(place)] = entry;
      else places.set(place, index.episodes.push(entry) - 1);
    }
    Object.assign(index, whole);
    const [tasks, task] = [Array.from(new Set(index.episodes.map((one) => one.task)), (name) => [name, name]), at("task").value];
    if (tasks.length >= at("task").options.length) {
      choices(at("task"), "all tasks", tasks);
      at("task").value = task;
      at("selects").hidden = at("run").hidden && at("task").hidden;
    }
    offer();
    const [list, scrolled] = [at("episodes").scrollTop, Array.from(document.querySelectorAll("#main *")).filter((node) => node.scrollTop > 0).map((node) => [node.id ? `#${node.id}` : `.${Array.from(node.classList).join(".")}`, node.scrollTop])];
    score();
    filter();
    at("episodes").scrollTop = list;
    const heard = Array.from(document.querySelectorAll("#main audio, #main video")).some((one) => !one.paused);
    const stale = page ? index.episodes[page.number].file !== page.file && !heard : whole || wanted.number >= 0;
    if (!stale) return;
    wanted = { ...wanted };
    await show();
    for (const [where, top] of scrolled) {
      const node = where !== "." && document.querySelector(`#main ${where}`);
      if (node) node.scrollTop = top;
    }
  };

  choices(at("run"), "all runs", index.runs.map((run, i) => [i, run.label]));
  choices(at("task"), "all tasks", Array.from(new Set(index.episodes.map((e) => e.task)), (task) => [task, task]));
  at("facet").addEventListener("change", narrowBy);
  at("by").addEventListener("change", () => groupBy(at("by").value));
  at("keys").addEventListener("click", help);
  at("selects").hidden = at("run").hidden && at("task").hidden;
  at("brand").addEventListener("click", (event) => { event.preventDefault(); go(-1, "", true); });
  at("failed").addEventListener("click", orderFailed);
  at("search").addEventListener("input", filter);
  at("drawer").addEventListener("click", () => document.body.classList.toggle("open"));
  at("main").addEventListener("click", () => document.body.classList.remove("open"));
  addEventListener("keydown", keys);
  addEventListener("hashchange", route);
  offer();
  score();
  if (!relist()) filter();
  wanted = addressed();
  rows.select(lineOf(wanted.number));
  show();
})();
