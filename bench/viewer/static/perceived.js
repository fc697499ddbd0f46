"use strict";

/* What was read from a turn's screenshots in place of the trees: boxes over the pictures, kind by kind, and a list. */
const READ_KINDS = ["text", "icon", "colour"];

/* One box for each element; hidden until its kind is shown, or its line in the list is pointed at. */
const readBoxes = ({ items }) => items.map(({ kind, box }) => el(`div.read.of-${kind}`, { style: area(box) }));

/* `shown`: the kinds whose boxes are shown, kept from step to step; `frames`: by environment, a picture with boxes. */
function perceivedPane(perceived, shown, frames) {
  const many = Object.keys(perceived).length > 1;
  const show = () => frames.forEach((frame) => READ_KINDS.forEach((kind) => frame.classList.toggle(`show-${kind}`, shown.has(kind))));
  show();
  return section("Read from the screenshot", Object.entries(perceived).map(([env, found]) => {
    const frame = frames.get(env);
    const lines = found.items.map((one, i) => readLine(one, frame && frame.querySelectorAll(".read")[i]));
    const chips = READ_KINDS.map((kind) => [kind, found.items.filter((one) => one.kind === kind).length]).filter(([, count]) => count);
    return el("div.perceived", { "data-env": env }, many && el("h4", {}, env),
      el("div.chips", { role: "group", "aria-label": "Boxes on the screenshot" }, chips.map(([kind, count]) => el(`button.of-${kind}`, {
        type: "button", "data-kind": kind, "aria-pressed": String(shown.has(kind)), title: `show or hide the boxes of ${plural(count, kind)}`,
        onclick: () => {
          if (!shown.delete(kind)) shown.add(kind);
          show();
          document.querySelectorAll(`.perceived .chips .of-${kind}`).forEach((chip) => chip.setAttribute("aria-pressed", String(shown.has(kind))));
        },
      }, plural(count, kind)))),
      el("div.quiet.took", {}, readCost(found)),
      !frame && el("div.quiet", {}, "The picture above was taken later in the turn; boxes are shown where the turn begins."),
      lines.length > 0 ? el("ol.read-list", {}, lines) : el("div.quiet", {}, "nothing was found"),
      found.elements.truncated && el("div.quiet", {}, "The list was cut short."));
  }));
}

function readLine({ kind, name, confidence }, box) {
  const light = (on) => box && box.classList.toggle("lit", on);
  return el("li", { onmouseenter: () => light(true), onmouseleave: () => light(false) },
    el(`span.dot.of-${kind}`, { title: kind }), el("span.name", { title: name }, name || "without a name"),
    confidence !== undefined && el("span.quiet", { title: "how sure the source is" }, confidence.toFixed(2)));
}

/* "texts 250 ms, regions 12 ms; 1 call, 15 tokens": nothing of a screen that had been read before. */
function readCost({ seconds, usage }) {
  const took = Object.entries(seconds).map(([name, value]) => `${name} ${wall(value)}`).join(", ");
  const tokens = (usage.tokens_in || 0) + (usage.tokens_out || 0);
  const asked = usage.calls > 0 && `${plural(usage.calls, "call")}, ${plural(tokens, "token")}${usage.cost ? `, $${usage.cost.toFixed(4)}` : ""}`;
  return [took, asked].filter(Boolean).join("; ") || "as it was read before: the screen had not changed";
}
