"use strict";

/* The keys of the page, as the help shows them. */
const KEYS = [
  ["Anywhere", [["?", "this help"], ["↑ ↓", "the previous and next episode"], ["/", "search"], ["x", "failed episodes first, and back"], ["Esc", "out of a field, or back to the tables"]]],
  ["In an episode", [["← →", "the previous and next step"], ["Home End", "the first step, and the end"], ["m M", "the next and previous step that was pointed wrong"], ["e", "show or fold repeated moves"], ["i", "inspect the elements of the screens"]]],
  ["Views", [["c", "messages"], ["t", "timeline"], ["g", "map"], ["b", "beside another run"], ["d", "beside: the first difference"]]],
  ["On the timeline", [["Space", "play and pause"], [", .", "the previous and next event"], ["+ −", "zoom"], ["PageUp PageDown", "move along the axis"], ["0 f", "the episode, everything"], ["[ ]", "slower, faster"]]],
];

function help() {
  const dialog = document.getElementById("help");
  if (dialog.open) return dialog.close();
  put(dialog, el("h2", {}, "Keys"), el("div.key-groups", {}, KEYS.map(([title, keys]) => el("section", {}, el("h3", {}, title),
    el("dl", {}, keys.map(([names, does]) => [el("dt", {}, names.split(" ").map((name) => el("kbd", {}, name))), el("dd", {}, does)]))))));
  dialog.onclick = () => dialog.close();
  dialog.showModal();
}
