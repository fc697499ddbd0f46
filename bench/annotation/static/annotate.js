"use strict";
let data, episode, at = 0, begun = Date.now(), answer = {}, mended = null, wrong = "", clips = [], saving = false;
const $ = (id) => document.getElementById(id);
const atEnd = () => at >= episode.total;
const pictureOf = (place) => $("screens").children[place].querySelector("img");
const isTyping = (node) => ["INPUT", "SELECT", "TEXTAREA"].includes(node.tagName);

function show(next, step) {
  episode = next;
  data.episodes[episode.number].done = episode.done;
  at = Math.max(0, Math.min(step, episode.second ? episode.total : episode.steps.length - 1));
  begun = Date.now();
  wrong = "";
  mended = null;
  if (!atEnd()) {
    const now = episode.steps[at], old = episode.second ? now.second : now.first;
    answer = old ? {decided: old.decided, which: old.which, by: [...old.by]} : {decided: "", which: episode.second ? now.first.which : "", by: []};
    if (episode.second) mended = {primitive: now.action.primitive, text: now.action.text, box: now.action.box && [...now.action.box]};
  }
  drawScreens();
  // Made once a step, so that answering does not stop what is being played.
  const shown = episode.steps[at];
  clips = episode.second && !atEnd() ? shown.screens.map((screen, place) => clipsOf(screen, shown.screens.length > 1, pictureOf(place))).filter(Boolean) : [];
  draw();
}

// Where somebody goes on: the first step without an answer of this pass.
const nextStep = () => {
  if (!episode.second) return episode.steps.length - 1;
  const open = episode.steps.findIndex((step) => !step.second);
  return open < 0 ? episode.total : open;
};

async function openEpisode(number) {
  const reply = await fetch(`episodes/${Math.max(0, Math.min(data.episodes.length - 1, number))}`);
  episode = await reply.json();
  show(episode, nextStep());
}

function draw() {
  $("place").textContent = `Episode ${episode.number + 1} of ${data.episodes.length}`;
  $("pass").textContent = atEnd() ? "the whole episode" : `${episode.second ? "second pass: with sound and film" : "first pass: still picture and history"}, step ${at + 1} of ${episode.total}`;
  $("done").textContent = `${data.episodes.filter((one) => one.done).length} episodes labelled`;
  $("who").textContent = `labelled by ${data.rater}`;
  $("ask").replaceChildren(
    el("div", {}, el("h2", {textContent: "Instruction"}), el("p", {className: "instruction", textContent: episode.instruction})),
    ...(atEnd() ? wholeEpisode() : stepQuestion()).filter(Boolean),
    el("p", {className: "wrong", textContent: wrong}));
  drawStrip();
  fit();
}

function drawScreens() {
  const step = episode.steps[Math.min(at, episode.steps.length - 1)];
  $("screens").replaceChildren(...step.screens.map((screen, place) => {
    if (!screen.picture) return el("figure", {className: "screen"}, el("figcaption", {textContent: `${screen.env}: no picture`}));
    const picture = el("div", {className: "picture"}, el("img", {src: screen.picture, alt: `Screen of the ${screen.env} at step ${at + 1}`, draggable: false}));
    picture.style.aspectRatio = `${screen.size[0]} / ${screen.size[1]}`;
    if (place === 0 && mended && !atEnd()) drawBox(picture, screen.size, step.action.point);
    return el("figure", {className: "screen", style: `flex: ${place ? "0 1" : "0 0"} auto`}, el("figcaption", {textContent: screen.env}), el("div", {className: "frame"}, picture));
  }));
}

// The first screen, in the second pass that of the step's device, is as large as its place allows, the others share what is left.
function fit() {
  const narrow = innerWidth <= 800;
  const step = episode.steps[Math.min(at, episode.steps.length - 1)];
  const room = $("screens"), shapes = step.screens.map((screen) => screen.size[0] / screen.size[1]);
  const wide = room.clientWidth - 14 * (shapes.length - 1), high = narrow ? 460 : Math.max(160, room.clientHeight - 26);
  const first = Math.min(high, wide * (shapes.length > 1 && !narrow ? .7 : 1) / shapes[0]);
  const rest = shapes.slice(1).reduce((sum, one) => sum + one, 0);
  [...document.querySelectorAll("#screens .picture")].forEach((picture, place) => {
    const left = narrow ? room.clientWidth / shapes[place] : (wide - first * shapes[0]) / rest;
    const tall = place ? Math.min(high, left) : first;
    picture.style.height = `${tall}px`;
    picture.style.width = `${tall * shapes[place]}px`;
  });
}

function drawBox(picture, size, point) {
  if (point) picture.append(el("i", {className: "point", style: `left:${100 * point[0] / size[0]}%;top:${100 * point[1] / size[1]}%`}));
  if (!mended.box) return;
  const frame = el("div", {className: "box"});
  const place = () => {
    const [left, top, right, bottom] = mended.box;
    Object.assign(frame.style, {left: `${100 * left / size[0]}%`, top: `${100 * top / size[1]}%`, width: `${100 * (right - left) / size[0]}%`, height: `${100 * (bottom - top) / size[1]}%`});
  };
  const move = (x, y, dx, dy) => {
    const box = [...mended.box];
    box[x] = Math.round(Math.max(0, Math.min(size[0], box[x] + dx)));
    box[y] = Math.round(Math.max(0, Math.min(size[1], box[y] + dy)));
    if (box[2] - box[0] >= 2 && box[3] - box[1] >= 2) mended.box = box;
    place();
  };
  for (const [x, y, name] of [[0, 1, "upper left"], [2, 1, "upper right"], [0, 3, "lower left"], [2, 3, "lower right"]]) {
    const corner = el("button", {type: "button", ariaLabel: `${name} corner`, style: `left:${x ? 100 : 0}%;top:${y === 3 ? 100 : 0}%`});
    corner.onpointerdown = (event) => {
      event.preventDefault();
      corner.focus();
      corner.setPointerCapture(event.pointerId);
      const from = [...mended.box], scale = size[0] / picture.clientWidth;
      corner.onpointermove = (to) => {
        mended.box = [...from];
        move(x, y, (to.clientX - event.clientX) * scale, (to.clientY - event.clientY) * scale);
      };
      corner.onpointerup = () => { corner.onpointermove = null; };
    };
    corner.onkeydown = (event) => {
      const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      move(x, y, step[0] * (event.shiftKey ? 10 : 1), step[1] * (event.shiftKey ? 10 : 1));
    };
    frame.append(corner);
  }
  place();
  picture.append(frame);
}

function drawStrip() {
  const places = episode.steps.map((step, number) => {
    const level = (episode.levels[number] || "").replace("AV-", "");
    const done = level || ((episode.second ? step.second : step.first) ? "answered" : "");
    const shot = step.screens.find((screen) => screen.picture);
    const button = el("button", {type: "button", title: `Step ${number + 1}`, onclick: () => show(episode, number)},
      shot ? el("img", {src: shot.picture, alt: "", loading: "lazy"}) : null, el("span", {className: level, textContent: `${number + 1} ${done}`}));
    button.setAttribute("aria-current", String(number === at));
    return button;
  });
  $("strip").replaceChildren(...places);
  const current = $("strip").querySelector("[aria-current=true]");
  const history = $("history");
  if (history) history.scrollTop = history.scrollHeight;
  if (current) current.scrollIntoView({block: "nearest", inline: "nearest"});
}

const choice = (key, words, pressed, choose) => {
  const button = el("button", {type: "button", onclick: choose}, el("kbd", {textContent: key}), ` ${words}`);
  button.setAttribute("aria-pressed", String(pressed));
  return button;
};

function stepQuestion() {
  const step = episode.steps[at], asked = episode.second || !step.first;
  const parts = [];
  if (at) parts.push(el("div", {}, el("h2", {textContent: "What was done so far"}), el("ol", {id: "history"}, ...episode.steps.slice(0, at).map((one) => el("li", {textContent: one.action.words})))));
  if (episode.second) {
    parts.push(el("div", {}, el("h2", {textContent: "Sound and film since the step before"}), ...(clips.length ? clips : [el("p", {className: "quiet", textContent: "There is none."})])));
    parts.push(el("div", {}, el("h2", {textContent: "What was done"}), el("p", {textContent: step.action.words})));
  }
  if (!asked) return [...parts, el("p", {className: "quiet", textContent: `Your first answer was “${step.first.decided}”${step.first.which ? `: ${step.first.which}` : ""}. It stands, since what was done has been shown.`})];
  const which = el("input", {type: "text", id: "which", value: answer.which, maxLength: 500, placeholder: "The action, in words (may be left out)", oninput: (event) => { answer.which = event.target.value; }});
  parts.push(el("div", {className: "asked"},
    el("p", {className: "question", textContent: episode.second ? "With sound and film: is it decided?" : "By this picture and the history alone: is the right action decided?"}),
    el("div", {className: "choices"}, ...[["y", "yes", "Yes"], ["g", "guess", "Guess"], ["n", "no", "No"]].map(([key, value, words]) => choice(key, words, answer.decided === value, () => decide(value)))),
    el("label", {htmlFor: "which", className: "question", textContent: "Which action?"}), which,
    episode.second ? el("p", {className: "question", textContent: "What decided it?"}) : null,
    episode.second ? el("div", {className: "choices"}, ...data.channels.map((name, number) => choice(number + 1, name, answer.by.includes(name), () => turn(name)))) : null));
  parts.push(el("nav", {}, el("button", {type: "button", textContent: "Back", disabled: at === 0, onclick: () => show(episode, at - 1)}), el("button", {type: "button", className: "main", textContent: "Save and go on", onclick: save})));
  if (episode.second) parts.push(el("div", {}, el("h2", {textContent: "Correct what was done"}), actionFields()));
  parts.push(keys(episode.second ? "y g n decided · 1 to 4 by what · w which · Space plays · p primitive · t text · Enter saves · ← back · corners move with the arrow keys" : "y g n decided · w which · Enter saves · ← back · [ ] other episode"));
  return parts;
}

const keys = (words) => el("p", {className: "keys", textContent: `Keys: ${words}`});

function actionFields() {
  const kinds = el("select", {id: "primitive", onchange: (event) => { mended.primitive = event.target.value; }}, ...data.primitives.map((name) => el("option", {value: name, textContent: name, selected: name === mended.primitive})));
  const text = el("input", {type: "text", id: "text", value: mended.text, oninput: (event) => { mended.text = event.target.value; }});
  const target = mended.box
    ? el("button", {type: "button", textContent: "Remove", onclick: () => { mended.box = null; drawScreens(); draw(); }})
    : el("button", {type: "button", textContent: "Draw one", onclick: () => { const [w, h] = episode.steps[at].screens[0].size; mended.box = [w * .4, h * .4, w * .6, h * .6].map(Math.round); drawScreens(); draw(); }});
  return el("div", {className: "fields"}, el("label", {htmlFor: "primitive", textContent: "Primitive"}), kinds, el("label", {htmlFor: "text", textContent: "Exact text"}), text, el("span", {textContent: "Target"}), el("div", {className: "choices"}, target));
}

function wholeEpisode() {
  return [
    el("div", {}, el("h2", {textContent: "Level, by the rule"}), el("p", {id: "level", textContent: episode.level || "not every step has its second answer"})),
    el("div", {className: "asked"}, el("p", {className: "question", textContent: "What does the episode ask for most?"}), el("div", {className: "choices"}, ...data.dimensions.map((name, number) => choice(number + 1, name, episode.dimension === name, () => say(name))))),
    el("nav", {}, el("button", {type: "button", textContent: "Back", onclick: () => show(episode, at - 1)}), el("button", {type: "button", className: "main", textContent: "Next episode", disabled: !episode.done, onclick: () => goOn()})),
    keys("1 to 5 dimension · Enter next episode · ← back"),
    episode.done && data.episodes.every((one) => one.done) ? el("p", {id: "all", textContent: "All episodes are labelled. You may close this page."}) : null,
  ];
}

function decide(value) { answer.decided = value; draw(); }
function turn(name) { answer.by = answer.by.includes(name) ? answer.by.filter((one) => one !== name) : [...answer.by, name]; draw(); }
async function say(dimension) {
  try { show(await send("dimension", {episode: episode.id, dimension}), episode.total); } catch (error) { wrong = error.message; draw(); }
}

const isMended = () => {
  const old = episode.steps[at].action;
  return mended && (mended.primitive !== old.primitive || mended.text !== old.text || JSON.stringify(mended.box) !== JSON.stringify(old.box));
};

async function save() {
  if (saving) return;
  if (!answer.decided) { wrong = "Say whether it is decided."; return draw(); }
  if (episode.second && answer.decided !== "no" && !answer.by.length) { wrong = "Say what decided it."; return draw(); }
  const where = {episode: episode.id, step: at};
  saving = true;
  try {
    if (episode.second && isMended()) await send("correction", {...where, ...mended});
    const before = episode.second;
    episode = await send(before ? "second" : "first", {...where, ...answer, seconds: Math.round((Date.now() - begun) / 100) / 10});
    show(episode, before ? at + 1 : episode.second ? 0 : at + 1);
  } catch (error) { wrong = error.message; draw(); } finally { saving = false; }
}

function goOn() {
  if (!episode.done) return;
  const next = data.episodes.findIndex((one) => !one.done);
  openEpisode(next < 0 ? episode.number + 1 : next);
}

addEventListener("resize", () => episode && fit());
addEventListener("keydown", (event) => {
  if (!episode || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isTyping(event.target)) {
    if (event.key === "Escape") event.target.blur();
    if (event.key !== "Enter") return;
    event.target.blur();
  } else if (event.target.tagName === "BUTTON" && (event.key === "Enter" || event.key === " ")) return;
  const number = Number(event.key) - 1, done = () => event.preventDefault();
  if (event.key === "Enter") { done(); return atEnd() ? goOn() : (episode.second || !episode.steps[at].first) && save(); }
  if (event.key === "ArrowLeft") return show(episode, at - 1);
  if (event.key === "ArrowRight") return show(episode, Math.min(at + 1, nextStep()));
  if (event.key === "[") return openEpisode(episode.number - 1);
  if (event.key === "]") return openEpisode(episode.number + 1);
  if (atEnd()) { if (data.dimensions[number]) say(data.dimensions[number]); return; }
  const decided = {y: "yes", g: "guess", n: "no"}[event.key];
  if (decided) return decide(decided);
  if (event.key === "w" && $("which")) { done(); return $("which").focus(); }
  if (!episode.second) return;
  if (data.channels[number]) return turn(data.channels[number]);
  if (event.key === " " && clips.length) { done(); clips.forEach((one) => one.toggle()); }
  if (event.key === "p") { done(); $("primitive").focus(); }
  if (event.key === "t") { done(); $("text").focus(); }
});
fetch("recording").then((reply) => reply.json()).then((found) => { data = found; openEpisode(Math.max(0, data.episodes.findIndex((one) => !one.done))); });
