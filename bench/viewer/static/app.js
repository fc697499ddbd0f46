"use strict";

/* What is looked at is in the address: #run/episode/step, so that every step can be linked; behind a question mark how
   the episodes are ordered and which are listed: #?first=failed&only=void. */
(() => {
  const index = JSON.parse(document.getElementById("index").textContent);
  const at = (id) => document.getElementById(id);
  const loaded = new Map();
  const played = new Map();
  const exchanged = new Map();
  const kept = 8;
  let shown = index.episodes.map((_, i) => i);
  let wanted = { number: -1, id: "", view: "" };
  let page = null;
  let busy = false;
  let writing = 0;
  let written = null;
  let outcome = "";
  let failedFirst = false;

  const places = new Map(index.episodes.map((episode, i) => [`${episode.run}/${episode.key}`, i]));

  function address({ number, id, view }) {
    const episode = index.episodes[number];
    const listing = new URLSearchParams({ ...(failedFirst && { first: "failed" }), ...(outcome && { only: outcome }) }).toString();
    return (episode ? `#${episode.run}/${encodeURIComponent(episode.key)}${id || view ? `/${id}` : ""}${view ? `/${view}` : ""}` : "#") + (listing && `?${listing}`);
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
    return number === undefined ? { number: -1, id: "", view: "" } : { number, id: id || "", view: /^(time(~\d+)?|map|messages)$/.test(view) ? view : "" };
  }

  /* Take over from the address how the episodes are listed; whether that changed anything. */
  function relist() {
    const listing = new URLSearchParams(location.hash.split("?")[1] || "");
    const [first, only] = [listing.get("first") === "failed", listing.get("only") in MARKS ? listing.get("only") : ""];
    if (first === failedFirst && only === outcome) return false;
    [failedFirst, outcome] = [first, only];
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

  const rows = new Rows(at("episodes"), 50, (i) => {
    const episode = index.episodes[shown[i]];
    return el("div.entry", {}, mark(episode.mark),
      el("div.lines", { title: episode.text }, el("div.line", {}, el("b", {}, episode.task)),
        el("div.line.quiet", {}, el("span", { title: seedTitle(episode) }, `#${episode.instance}.${episode.trial}`), index.runs.length > 1 ? [" · ", index.runs[episode.run].label, aim(episode)] : [aim(episode), " · ", episode.text])),
      el("div.lines.right", {}, el("b", {}, `${episode.completed}/${episode.total}`), el("span.quiet", {}, plural(episode.steps, "step"))));
  }, (i) => { go(shown[i], "", true); document.body.classList.remove("open"); });

  /* Look at something else. A visit that can be gone back to is written into the address at once; of a held key only
     the last one, because browsers refuse to note too many in a row. */
  function go(number, id, visit, view = wanted.view.split("~")[0]) {
    if (number !== wanted.number) rows.select(shown.indexOf(number));
    wanted = { number, id: id || "", view: number < 0 ? "" : view };
    clearTimeout(writing);
    if (visit) write();
    else writing = setTimeout(write, 150, true);
    show();
  }

  /* The browser tells of a new address later, perhaps when the next step is already looked at: route() must know ours. */
  function write(replace) {
    written = address(wanted);
    if (replace) location.replace(written);
    else location.hash = written;
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
      return overview(at("main"), index, narrow, failedFirst);
    }
    if (!page || page.number !== number) {
      page = null;
      let data;
      try {
        data = await load(about.file);
      } catch (error) {
        return put(at("main"), el("p.empty", {}, error.message));
      }
      page = new EpisodePage(at("main"), about, index.runs[about.run], data, (other, kind, visit) => go(number, other ?? wanted.id, visit, kind), () => load(about.file, played, "-timeline"), () => load(about.file, exchanged, "-messages"));
      page.number = number;
    }
    return page.show(page.find(id), step, view);
  }

  /* A script tag, because a page on the disk may not fetch. */
  window.omnipilotEpisode = (number, data) => loaded.set(number, data);
  window.omnipilotTimeline = (number, data) => played.set(number, data);
  window.omnipilotMessages = (number, data) => exchanged.set(number, data);

  function load(number, cache = loaded, kind = "") {
    if (cache.has(number)) return Promise.resolve(cache.get(number));
    return new Promise((resolve, reject) => {
      const file = `${index.folder}/${number}${kind}.js`;
      const script = el("script", { src: file });
      script.onload = () => {
        script.remove();
        const data = cache.get(number);
        for (const old of cache.keys()) if (cache.size > kept && old !== number) cache.delete(old);
        if (data) resolve(data); else reject(new Error(`${file} is not this report's; write the report again`));
      };
      script.onerror = () => reject(new Error(`${file} cannot be read; it must lie beside this page`));
      document.head.append(script);
    });
  }

  function route() {
    const there = addressed();
    if ((location.hash || "#") === written) return;
    written = null;
    if (relist() && there.number < 0 && wanted.number < 0) show();
    if (there.number === wanted.number && there.id === wanted.id && there.view === wanted.view) return;
    clearTimeout(writing);
    wanted = there;
    rows.select(shown.indexOf(there.number));
    show();
  }

  function filter() {
    const words = at("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const [run, task] = [at("run").value, at("task").value];
    const [facet, value] = at("facet").value.split("\n");
    const counts = { "": 0, solved: 0, failed: 0, void: 0, unjudged: 0, cut: 0, missed: 0 };
    shown = [];
    index.episodes.forEach((episode, i) => {
      if ((run && episode.run !== Number(run)) || (task && episode.task !== task)) return;
      if (facet && !(episode.facets[facet] || []).includes(value)) return;
      const text = `${episode.key} ${episode.text}`.toLowerCase();
      if (!words.every((word) => text.includes(word))) return;
      counts[""] += 1;
      counts[episode.mark] += 1;
      if (episode.miss) counts.missed += 1;
      if (!outcome || episode.mark === outcome || (outcome === "missed" && episode.miss)) shown.push(i);
    });
    if (failedFirst) shown.sort((a, b) => FAILED_FIRST.indexOf(index.episodes[a].mark) - FAILED_FIRST.indexOf(index.episodes[b].mark));
    at("failed").setAttribute("aria-pressed", String(failedFirst));
    put(at("marks"), Object.entries(counts).filter(([kind, count]) => !kind || count || kind === outcome).map(([kind, count]) =>
      el("button", { type: "button", "data-mark": kind || "all", "aria-pressed": String(kind === outcome), title: kind ? MARK_TITLES[kind] : "all", onclick: () => list(() => { outcome = kind; }) },
        kind ? MARKS[kind] : "all", ` ${count}`)));
    rows.show(shown.length, shown.indexOf(wanted.number));
  }

  function narrow(task, run) {
    at("task").value = task;
    at("run").value = run;
    at("facet").value = "";
    outcome = "";
    filter();
    if (shown.length) go(shown[0], "", true);
  }

  function choices(select, all, options) {
    put(select, el("option", { value: "" }, all), options.map(([value, text]) => el("option", { value }, text)));
    select.hidden = options.length < 2;
    select.addEventListener("change", filter);
  }

  /* One list for everything else that episodes can be told apart by: a group each for what has two values or more. */
  function facets(select) {
    const found = new Map();
    for (const { facets: of } of index.episodes) {
      for (const [name, values] of Object.entries(of)) {
        if (!found.has(name)) found.set(name, new Map());
        const counts = found.get(name);
        for (const value of values) counts.set(value, (counts.get(value) || 0) + 1);
      }
    }
    const tells = (counts) => counts.size <= 60 && Array.from(counts.values()).some((count) => count < index.episodes.length);
    const many = Array.from(found).filter(([, counts]) => tells(counts));
    put(select, el("option", { value: "" }, "any end, cause and tag"), many.map(([name, counts]) =>
      el("optgroup", { label: name }, Array.from(counts).sort(([a], [b]) => a.localeCompare(b)).map(([value, count]) =>
        el("option", { value: `${name}\n${value}` }, `${name}: ${value} (${count})`)))));
    select.hidden = !many.length;
    select.addEventListener("change", filter);
  }

  function keys(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || at("zoom").open) return;
    const field = event.target.closest("input, select, textarea, audio");
    if (event.key === "Escape" && field) return field.blur();
    if (field) return;
    const playing = page && page.number === wanted.number && page.view === "time";
    if (playing && page.timeline.key(event)) return event.preventDefault();
    const view = (name) => { if (page) go(page.number, wanted.id, true, wanted.view.split("~")[0] === name ? "" : name); };
    const act = {
      ArrowLeft: () => step(-1), ArrowRight: () => step(1), ArrowUp: () => episode(-1), ArrowDown: () => episode(1),
      x: () => orderFailed(), e: () => { if (page) page.unfold(); }, c: () => view("messages"), t: () => view("time"), g: () => view("map"), m: () => miss(1), M: () => miss(-1), Home: () => step(-Infinity), End: () => step(Infinity), "/": () => at("search").focus(), Escape: () => go(-1, "", true),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  function score() {
    const counts = { solved: 0, failed: 0, void: 0, unjudged: 0, cut: 0 };
    for (const episode of index.episodes) counts[episode.mark] += 1;
    const parts = Object.entries(counts).filter(([, count]) => count);
    const several = index.runs.length > 1;
    const ended = index.episodes.filter((episode) => episode.mark !== "going").length;
    put(at("score"), several ? el("span.quiet", {}, `${index.runs.length} runs, ${plural(index.episodes.length, "episode")}`) : [el("span.bar", {}, parts.map(([kind, count]) => el(`span.${kind}`, { style: { "flex-grow": count } }))),
      el("span", {}, `${counts.solved} of ${ended.toLocaleString("en")}`, el("span.long", {}, " episodes"), " solved")],
      counts.void > 0 && el("span.quiet", {}, `${counts.void} void`), counts.unjudged > 0 && el("span.quiet", {}, `${counts.unjudged} unjudged`), counts.cut > 0 && el("span.quiet", {}, `${counts.cut} cut off`));
  }

  /* A page that is served while its run goes on is told here what is new; what is looked at stays. */
  window.omnipilotRenew = async ({ episodes, whole }) => {
    const shownFile = page && index.episodes[page.number].file;
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
    at("failed").hidden = new Set(index.episodes.map((episode) => episode.mark)).size < 2;
    const [list, scrolled] = [at("episodes").scrollTop, Array.from(document.querySelectorAll("#main *")).filter((node) => node.scrollTop > 0).map((node) => [node.id ? `#${node.id}` : `.${Array.from(node.classList).join(".")}`, node.scrollTop])];
    score();
    filter();
    at("episodes").scrollTop = list;
    const heard = Array.from(document.querySelectorAll("#main audio, #main video")).some((one) => !one.paused);
    const stale = page ? index.episodes[page.number].file !== shownFile && !heard : whole && wanted.number < 0;
    if (!stale) return;
    page = null;
    wanted = { ...wanted };
    await show();
    for (const [where, top] of scrolled) {
      const node = where !== "." && document.querySelector(`#main ${where}`);
      if (node) node.scrollTop = top;
    }
  };

  choices(at("run"), "all runs", index.runs.map((run, i) => [i, run.label]));
  choices(at("task"), "all tasks", Array.from(new Set(index.episodes.map((e) => e.task)), (task) => [task, task]));
  facets(at("facet"));
  at("selects").hidden = at("run").hidden && at("task").hidden;
  at("brand").addEventListener("click", (event) => { event.preventDefault(); go(-1, "", true); });
  at("failed").addEventListener("click", orderFailed);
  at("failed").hidden = new Set(index.episodes.map((episode) => episode.mark)).size < 2;
  at("search").addEventListener("input", filter);
  at("drawer").addEventListener("click", () => document.body.classList.toggle("open"));
  at("main").addEventListener("click", () => document.body.classList.remove("open"));
  addEventListener("keydown", keys);
  addEventListener("hashchange", route);
  at("miss").hidden = !index.episodes.some((episode) => episode.miss);
  score();
  if (!relist()) filter();
  wanted = addressed();
  rows.select(shown.indexOf(wanted.number));
  show();
})();
