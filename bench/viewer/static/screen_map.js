"use strict";

/* The map of screens: one column a step from where each device began, one box a page, arrows for ways between them. */
function screenMap({ nodes, edges }, visits, visit) {
  if (!nodes.length) return el("p.empty", {}, "No screen said which page it is.");
  const known = new Map(nodes.map((node) => [node.id, node]));
  const ways = edges.filter((edge) => known.has(edge.from) && known.has(edge.to));
  const boxes = new Map();
  const told = el("section.card.map-told", { "aria-live": "polite" });
  const lines = svg("svg", { class: "ways", width: 0, height: 0 });
  const envs = [...new Set(nodes.map((node) => node.env || ""))];
  const most = Math.max(...nodes.map((node) => node.visits || 1));
  let chosen = null;
  const choose = (node) => {
    chosen = node.id;
    for (const [id, box] of boxes) box.setAttribute("aria-pressed", String(id === chosen));
    describe(node);
    connect();
  };
  const groups = envs.map((env) => el("div.map-env", {}, envs.length > 1 || env ? el("h4", {}, env || "screen") : null,
    el("div.columns", {}, columns(nodes.filter((node) => (node.env || "") === env), ways).map((column) => el("div.column", {}, column.map((node) => {
      const box = el("button.place", { type: "button", "aria-pressed": "false", "data-node": node.id, style: { "--much": percent((node.visits || 0) / most) }, onclick: () => choose(node) },
        el("span.app", {}, node.app || node.title || node.id), node.app && node.title && node.title !== node.app && el("span.page", {}, node.title),
        el("span.quiet", {}, plural(node.visits || 0, "visit")));
      boxes.set(node.id, box);
      return box;
    }))))));
  const field = el("div.map-field", {}, lines, groups);
  const link = (id) => el("button.jump", { type: "button", onclick: () => choose(known.get(id)) }, [known.get(id).app, known.get(id).title].filter(Boolean).join(" · ") || id);
  const way = (edge, id) => el("li", {}, edge.action || "…", el("span.quiet", {}, id === edge.to ? " to " : " from "), link(id), edge.count > 1 && el("span.quiet", {}, ` × ${edge.count}`));
  const describe = (node) => {
    const out = ways.filter((edge) => edge.from === node.id);
    const into = ways.filter((edge) => edge.to === node.id && edge.from !== node.id);
    const seen = visits(node);
    put(told, el("div.line", {}, node.env && el("span.where", {}, node.env), el("b", {}, node.app || node.id), node.title && node.title !== node.app && el("span", {}, node.title)),
      el("p.quiet", {}, plural(node.visits || 0, "visit"), Number.isFinite(node.last) && `, the last at ${seconds(node.last)}`),
      seen.length > 0 && el("div.line.seen", {}, seen.slice(0, 24).map((event) => el("button.jump", { type: "button", title: "show it on the timeline", onclick: () => visit(event) }, seconds(event.start)))),
      out.length > 0 && [el("h4", {}, "From here"), el("ul", {}, out.map((edge) => way(edge, edge.to)))],
      into.length > 0 && [el("h4", {}, "How it was reached"), el("ul", {}, into.map((edge) => way(edge, edge.from)))]);
  };
  const connect = () => {
    if (!field.isConnected) return;
    lines.replaceChildren(svg("defs", {}, svg("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { d: "M0 0L8 4L0 8z" }))));
    lines.setAttribute("width", 0);
    lines.setAttribute("height", 0);
    lines.setAttribute("width", field.scrollWidth);
    lines.setAttribute("height", field.scrollHeight);
    const origin = field.getBoundingClientRect();
    const bounds = (id) => {
      const box = boxes.get(id).getBoundingClientRect();
      return { left: box.left - origin.left + field.scrollLeft, top: box.top - origin.top + field.scrollTop, width: box.width, height: box.height };
    };
    const pairs = new Map();
    for (const edge of ways) {
      const key = JSON.stringify([edge.from, edge.to]);
      if (edge.from !== edge.to) pairs.set(key, [...(pairs.get(key) || []), edge]);
    }
    for (const same of pairs.values()) {
      const [{ from, to }] = same;
      const [a, b] = [bounds(from), bounds(to)];
      const lit = chosen === from || chosen === to;
      let d;
      if (b.left > a.left + a.width - 4) {
        const [x0, y0, x1, y1] = [a.left + a.width, a.top + 0.4 * a.height, b.left, b.top + 0.4 * b.height];
        const bend = Math.max(14, (x1 - x0) / 2);
        d = `M${x0} ${y0}C${x0 + bend} ${y0} ${x1 - bend} ${y1} ${x1 - 2} ${y1}`;
      } else {
        const down = b.left > a.left - 4 && b.top > a.top;
        const [x0, y0] = [a.left + 0.35 * a.width, down ? a.top + a.height : a.top + a.height];
        const [x1, y1] = [b.left + 0.65 * b.width, down ? b.top : b.top + b.height];
        const low = down ? (y0 + y1) / 2 : Math.max(y0, y1) + 22;
        d = `M${x0} ${y0}C${x0} ${low} ${x1} ${low} ${x1} ${y1}`;
      }
      lines.append(svg("path", { d, class: `way ${lit ? "lit" : ""}`, "marker-end": "url(#tip)", "stroke-width": 1 + Math.min(2, Math.log2(same.reduce((sum, edge) => sum + (edge.count || 1), 0)) / 2) },
        svg("title", {}, same.map((edge) => edge.action || "…").join("\n"))));
    }
  };
  new ResizeObserver(connect).observe(field);
  const most_visited = nodes.reduce((best, node) => ((node.visits || 0) > (best.visits || 0) ? node : best), nodes[0]);
  describe(most_visited);
  chosen = most_visited.id;
  boxes.get(chosen).setAttribute("aria-pressed", "true");
  return el("div.map", {}, el("p.quiet", {}, `${plural(nodes.length, "page")} and ${plural(ways.length, "way")} between them, as the agent found them`), el("div.map-split", {}, field, told));
}

/* Pages by how many ways they are from the first one. */
function columns(nodes, edges) {
  const ids = new Map(nodes.map((node) => [node.id, node]));
  const rank = new Map();
  for (const first of nodes) {
    if (rank.has(first.id)) continue;
    rank.set(first.id, 0);
    const due = [first.id];
    while (due.length) {
      const id = due.shift();
      for (const { from, to } of edges) {
        if (from !== id || rank.has(to) || !ids.has(to)) continue;
        rank.set(to, rank.get(id) + 1);
        due.push(to);
      }
    }
  }
  const out = [];
  for (const node of nodes) (out[rank.get(node.id)] ||= []).push(node);
  return out.filter(Boolean);
}
