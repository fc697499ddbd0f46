"use strict";

/* The judges' graph after a step: one row a rank, edges between, what this step changed stands out. When the episode is
   over, what was judged and not reached is missed. */
function judged(nodes, edges, changes, over = false) {
  const state = new Map(nodes.map((node) => [node.name, { progress: 0, reason: "", completed: false }]));
  for (const change of changes) state.set(change.node, change);
  const before = new Map(nodes.map((node) => [node.name, []]));
  for (const [a, b] of edges) before.get(b).push(a);
  for (const [name, entry] of state) {
    const open = before.get(name).every((other) => state.get(other).completed);
    state.set(name, { ...entry, name: entry.completed ? "completed" : !open ? "waiting" : over ? "missed" : "evaluating" });
  }
  return state;
}

/* How far a sub-goal came, in words. */
function reachedWords({ completed, progress }, over) {
  if (completed) return "reached";
  return over && progress === 0 ? "not reached" : `${Math.round(100 * progress)} %`;
}

function ranks(nodes, edges) {
  const rank = new Map(nodes.map((node) => [node.name, 0]));
  const after = new Map(nodes.map((node) => [node.name, []]));
  const left = new Map(nodes.map((node) => [node.name, 0]));
  for (const [a, b] of edges) { after.get(a).push(b); left.set(b, left.get(b) + 1); }
  const ready = nodes.map((node) => node.name).filter((name) => !left.get(name));
  for (const name of ready) {
    for (const next of after.get(name)) {
      rank.set(next, Math.max(rank.get(next), rank.get(name) + 1));
      left.set(next, left.get(next) - 1);
      if (!left.get(next)) ready.push(next);
    }
  }
  const rows = [];
  for (const node of nodes) (rows[rank.get(node.name)] ||= []).push(node);
  return rows.filter(Boolean);
}

function graph(nodes, edges, changes, fresh, over = false) {
  const state = judged(nodes, edges, changes, over);
  const moved = new Set(fresh.map((change) => change.node));
  const chips = new Map();
  const rows = ranks(nodes, edges).map((row) => el("div.rank", { class: row.length > 1 ? "many" : "" }, row.map((node) => {
    const { name, progress, reason } = state.get(node.name);
    const chip = el(`div.node.${name}`, {
      class: moved.has(node.name) ? "moved" : "", "data-node": node.name, "data-state": name,
      title: [name, reason, node.when === "end" && "judged at the end"].filter(Boolean).join(" · "),
      style: { "--progress": percent(name === "completed" ? 1 : progress) },
    }, el("span.state", {}, { completed: "✓", evaluating: "◌", waiting: "·", missed: "✕" }[name]), el("span.what", {}, node.name),
    node.env && el("span.where", {}, node.env), node.when === "end" && el("span.where", {}, "at the end"));
    chips.set(node.name, chip);
    return chip;
  })));
  const lines = svg("svg", { class: "edges", width: 0, height: 0 });
  const box = el("div.graph", {}, lines, rows);
  const connect = () => {
    if (!box.isConnected) return;
    lines.replaceChildren();
    // As tall as the nodes need, which it must not itself add to.
    lines.setAttribute("height", 0);
    lines.setAttribute("width", box.clientWidth);
    lines.setAttribute("height", box.scrollHeight);
    for (const [a, b] of edges) {
      const [from, to] = [chips.get(a), chips.get(b)];
      const [x0, y0] = [from.offsetLeft + from.offsetWidth / 2, from.offsetTop + from.offsetHeight];
      const [x1, y1] = [to.offsetLeft + to.offsetWidth / 2, to.offsetTop];
      const half = (y1 - y0) / 2;
      lines.append(svg("path", { d: `M${x0} ${y0}C${x0} ${y0 + half} ${x1} ${y1 - half} ${x1} ${y1}`, class: state.get(a).completed ? "passed" : "" }));
    }
  };
  new ResizeObserver(connect).observe(box);
  return el("div", {}, box, fresh.length > 0 && el("ul.changes", {}, fresh.map((change) => el("li", {},
    el("b", {}, change.node), ` ${reachedWords(change, over)}`,
    change.reason && el("span.quiet", {}, ` — ${change.reason}`)))));
}
