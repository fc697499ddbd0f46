"use strict";

/* The runs of a folder; what changes is asked for every two seconds. A row is made once, so that what has the focus
   keeps it. */
(() => {
  const rows = new Map();
  const states = { going: "going on", paused: "paused", finished: "finished", stopped: "stopped", unreadable: "cannot be read" };
  const order = ["going", "paused"];

  function make(run) {
    const [bar, counts, state, when] = [el("span.bar"), el("span.counts"), el("span.badge"), el("span.quiet.when")];
    const name = el("a", { href: `run/${run.id}/` }, run.name);
    const about = el("span.quiet");
    const node = el("article.card.run", {}, el("div.line", {}, name, state), about, el("div.line.how", {}, bar, counts, when));
    return { node, bar, counts, state, when, about };
  }

  function fill({ node, bar, counts, state, when, about }, run) {
    const done = Object.values(run.marks).reduce((sum, count) => sum + count, 0);
    node.dataset.state = run.state;
    put(state, states[run.state]);
    put(about, run.why || [run.suite, run.planner].filter(Boolean).join(" · "), run.interfered && " · a person interfered");
    put(bar, ["solved", "failed", "void", "unjudged"].filter((kind) => run.marks[kind]).map((kind) => el(`span.${kind}`, { style: { "flex-grow": run.marks[kind] }, title: `${run.marks[kind]} ${kind}` })),
      run.planned > done && el("span.waiting", { style: { "flex-grow": run.planned - done }, title: `${run.planned - done} left` }));
    put(counts, `${done.toLocaleString("en")} of ${run.planned.toLocaleString("en")}`, run.marks.solved > 0 && `, ${run.marks.solved.toLocaleString("en")} solved`, run.marks.void > 0 && `, ${run.marks.void} void`);
    put(when, run.left !== null && run.left !== undefined ? `about ${lasting(run.left)} left` : run.started ? `begun ${new Date(1000 * run.started).toLocaleString()}` : "");
  }

  async function look() {
    try {
      const reply = await fetch("runs");
      if (!reply.ok) throw new Error(await reply.text());
      const { folder, runs } = await reply.json();
      put(document.getElementById("folder"), folder);
      put(document.getElementById("told"));
      runs.sort((a, b) => order.includes(b.state) - order.includes(a.state) || (b.started || 0) - (a.started || 0));
      for (const run of runs) {
        if (!rows.has(run.id)) rows.set(run.id, make(run));
        fill(rows.get(run.id), run);
      }
      const root = document.getElementById("runs");
      const nodes = runs.map((run) => rows.get(run.id).node);
      const here = Array.from(root.children);
      if (nodes.length !== here.length || nodes.some((node, i) => node !== here[i])) root.replaceChildren(...nodes);
      if (!runs.length) put(root, el("p.empty", {}, "There is no run here yet; one that begins is shown at once."));
    } catch (error) {
      put(document.getElementById("told"), `not followed any more: ${error.message}`);
    }
    setTimeout(look, 2000);
  }

  look();
})();
