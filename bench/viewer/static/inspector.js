"use strict";

/* The elements of the screens: a box for each over the picture, a list, and everything about the one that is chosen. */
class Inspector {
  constructor(raw) {
    this.items = raw.items;
    this.screens = new Map(raw.screens);
    this.pane = el("section.card.inspector", { "aria-label": "Element inspector" });
  }

  /* Lay boxes over the frames of a step. `lists`: by environment, the digest of its elements; `aimed`: by environment,
     {point: [x, y], id}: where it was pointed, and the id of the element that was hit, if that is known. */
  show(frames, lists, aimed) {
    this.entries = [];
    for (const [env, frame] of frames) {
      const found = (this.screens.get(lists.get(env)) || []).map((place) => this.items[place]);
      const entries = found.map((element, i) => ({ env, element, number: i + 1, box: el("div.element", { style: area(element.box) }), aimed: false }));
      for (const { point, id } of aimed.get(env) || []) {
        const hit = (id && entries.find(({ element }) => element.id === id)) || under(entries, point);
        if (hit) hit.aimed = true;
      }
      for (const entry of entries) {
        entry.box.classList.toggle("aimed", entry.aimed);
        entry.box.dataset.number = entry.number;
      }
      frame.append(...entries.map((entry) => entry.box));
      frame.classList.add("inspected");
      const at = (event) => {
        const { left, top, width, height } = frame.getBoundingClientRect();
        return under(entries, [(event.clientX - left) / width, (event.clientY - top) / height]);
      };
      frame.addEventListener("mousemove", (event) => this.light(at(event)));
      frame.addEventListener("mouseleave", () => this.light(null));
      frame.addEventListener("click", (event) => {
        event.stopImmediatePropagation();
        this.choose(at(event));
      }, { capture: true });
      this.entries.push(...entries);
    }
    this.chosen = this.lit = null;
    this.describe();
    if (this.entries.length) this.choose(this.entries.find((entry) => entry.aimed) || null);
  }

  light(entry) {
    if (entry === this.lit) return;
    if (this.lit) this.mark(this.lit, "lit", false);
    this.lit = entry;
    if (entry) this.mark(entry, "lit", true);
    this.tell(entry || this.chosen);
  }

  choose(entry) {
    if (this.chosen) this.mark(this.chosen, "chosen", false);
    this.chosen = entry;
    if (entry) {
      this.mark(entry, "chosen", true);
      const { row } = entry;
      row.parentNode.scrollTop = row.offsetTop - row.parentNode.offsetTop - 40;
    }
    this.tell(entry);
  }

  mark({ box, row }, name, on) {
    box.classList.toggle(name, on);
    row.classList.toggle(name, on);
  }

  describe() {
    const several = new Set(this.entries.map(({ env }) => env)).size > 1;
    this.facts = el("div.facts");
    for (const entry of this.entries) {
      const { env, element, number, aimed } = entry;
      entry.row = el("button.element-row", { type: "button", onclick: () => this.choose(entry), onmouseenter: () => this.light(entry), onmouseleave: () => this.light(null), onfocus: () => this.tell(entry) },
        el("span.number", {}, number), several && el("span.where", {}, env), el("span.kind", {}, element.role), el("span.name", {}, element.name || "without a name"), aimed && el("span.badge.on", {}, "pointed at"));
    }
    put(this.pane, el("h3", {}, `Elements: ${this.entries.length}`), this.facts,
      this.entries.length ? el("div.element-list", {}, this.entries.map((entry) => entry.row)) : el("p.quiet", {}, "This screen came without elements."));
    this.tell(null);
  }

  tell(entry) {
    if (!entry) return put(this.facts, el("p.quiet", {}, this.entries.length ? "Point at an element on the screen, or choose one in the list." : ""));
    const { env, element, number, aimed } = entry;
    const [left, top, right, bottom] = element.box;
    const facts = { role: element.role, name: element.name, value: element.value, states: (element.states || []).join(", "), id: element.id, source: element.source || "tree", confidence: element.confidence === undefined ? "" : element.confidence.toFixed(2),
      box: `${left.toFixed(3)}, ${top.toFixed(3)} – ${right.toFixed(3)}, ${bottom.toFixed(3)}`, place: `number ${number} on ${env || "the screen"}` };
    put(this.facts, aimed && el("div", {}, el("span.badge.on", {}, "pointed at")), el("dl.pairs", {}, Object.entries(facts).filter(([, value]) => value).map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])));
  }
}

/* The element in front at a point: of those around it the smallest, of equals the last, which is drawn on top. */
function under(entries, [x, y]) {
  const size = ({ element: { box: [left, top, right, bottom] } }) => (right - left) * (bottom - top);
  let best = null;
  for (const entry of entries) {
    const [left, top, right, bottom] = entry.element.box;
    if (x >= left && x <= right && y >= top && y <= bottom && (!best || size(entry) <= size(best))) best = entry;
  }
  return best;
}
