"use strict";

/* Elements are made from text nodes and properties only: nothing that a run wrote is ever parsed as HTML. */
function el(spec, props, ...children) {
  const [tag, ...classes] = spec.split(".");
  const node = document.createElement(tag || "div");
  if (classes.length) node.className = classes.join(" ");
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, v] of Object.entries(value)) node.style.setProperty(key, v);
    else if (name === "class") node.classList.add(...value.split(" ").filter(Boolean));
    else node.setAttribute(name, value === true ? "" : value);
  }
  add(node, children);
  return node;
}

function add(node, children) {
  for (const child of children.flat(9)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    node.append(child);
  }
  return node;
}

function put(node, ...children) {
  node.querySelectorAll("audio").forEach((audio) => audio.pause());
  node.replaceChildren();
  return add(node, children);
}

function svg(tag, props, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(props || {})) node.setAttribute(name, value);
  return add(node, children);
}

const percent = (share) => `${100 * share}%`;
const seconds = (value) => `${value.toFixed(value < 100 ? 2 : 1)} s`;
const wall = (value) => (value < 1 ? `${(1000 * value).toFixed(value < 0.001 ? 3 : value < 0.01 ? 1 : 0)} ms` : `${value.toFixed(1)} s`);
const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

const MARKS = { solved: "✓", failed: "✕", void: "∅", unjudged: "?", cut: "…", going: "▸", missed: "missed" };
/* The order of episodes if failed ones come first. */
const FAILED_FIRST = ["failed", "cut", "void", "unjudged", "going", "solved"];
const MARK_TITLES = {
  solved: "solved", failed: "failed", void: "void: a device or a model was lost", unjudged: "unjudged: only a person can say whether it was solved", cut: "interrupted before its end", going: "being played now", missed: "a described place was pointed at wrongly",
};

const seedTitle = ({ instance, trial }) => `instance ${instance}, trial ${trial}`;

/* How many described places of an episode were missed, where that can be told; null for none. */
function aim({ told, right }) {
  if (!(right < told)) return null;
  return [" · ", el("span.aim", { title: `${right} of ${told} described places pointed at rightly` }, `${told - right} of ${told} missed`)];
}

function mark(kind) {
  return el(`span.mark.${kind}`, { title: MARK_TITLES[kind] }, MARKS[kind]);
}
