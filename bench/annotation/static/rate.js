"use strict";
const QUESTIONS = {completion: "How much of the task was completed?", logic: "How logical was the way?"};
let data, at = 0, begun = Date.now(), said = {}, asked = "completion", wrong = "", saving = false;
const $ = (id) => document.getElementById(id);
const now = () => data.trajectories[at];

function open(number) {
  at = Math.max(0, Math.min(data.trajectories.length - 1, number));
  begun = Date.now();
  said = now().rated ? {completion: now().rated.completion, logic: now().rated.logic} : {};
  asked = "completion";
  wrong = "";
  $("trail").replaceChildren(...now().steps.map((step, place) => el("figure", {},
    ...step.pictures.map((picture) => el("img", {src: picture.src, alt: `Screen of the ${picture.env}, ${place + 1}`, loading: "lazy"})),
    el("figcaption", {}, el("b", {textContent: place + 1 < now().steps.length ? `${place + 1} ` : ""}), step.words))));
  $("trail").scrollLeft = 0;
  draw();
}

function draw() {
  const count = data.trajectories.filter((one) => one.rated).length;
  $("place").textContent = `Trajectory ${at + 1} of ${data.trajectories.length}`;
  $("done").textContent = `${count} rated`;
  $("who").textContent = `rated by ${data.rater}`;
  $("ask").replaceChildren(
    el("div", {}, el("h2", {textContent: "Instruction"}), el("p", {className: "instruction", textContent: now().instruction})),
    ...Object.entries(QUESTIONS).map(([name, words]) => el("div", {className: asked === name ? "asked" : ""},
      el("p", {className: "question", textContent: words}),
      el("div", {className: "tens"}, ...data.tens.map((value) => {
        const button = el("button", {type: "button", textContent: value, title: `${value} %`, onclick: () => answer(name, value)});
        button.dataset.of = name;
        button.setAttribute("aria-pressed", String(said[name] === value));
        return button;
      })))),
    el("nav", {}, el("button", {type: "button", textContent: "Back", disabled: at === 0, onclick: () => open(at - 1)}),
      el("button", {type: "button", className: "main", textContent: at + 1 < data.trajectories.length ? "Save and go on" : "Save", onclick: save})),
    el("p", {className: "wrong", textContent: wrong}),
    el("p", {className: "keys", textContent: "Keys: 0 to 9 for 0 to 90 %, t for 100 %, ↑ ↓ the other question, Enter saves, ← → other trajectory. Judge by the instruction and what you see; what the agent or the judges said of the end is not shown."}));
}

function answer(name, value) {
  said[name] = value;
  asked = name === "completion" && said.logic === undefined ? "logic" : name;
  draw();
}

async function save() {
  if (saving) return;
  if (said.completion === undefined || said.logic === undefined) { wrong = "Answer both questions."; return draw(); }
  saving = true;
  try {
    now().rated = await send("ratings", {episode: now().id, ...said, seconds: Math.round((Date.now() - begun) / 100) / 10});
  } catch (error) { wrong = error.message; return draw(); } finally { saving = false; }
  if (at + 1 < data.trajectories.length) return open(at + 1);
  wrong = "";
  draw();
  $("ask").append(el("p", {id: "all", textContent: "Saved. That was the last one."}));
}

addEventListener("keydown", (event) => {
  if (!data || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.tagName === "BUTTON" && (event.key === "Enter" || event.key === " ")) return;
  const number = event.key === "t" ? 10 : /^[0-9]$/.test(event.key) ? Number(event.key) : -1;
  if (number >= 0) return answer(asked, 10 * number);
  if (event.key === "ArrowUp" || event.key === "ArrowDown") { event.preventDefault(); asked = asked === "logic" ? "completion" : "logic"; return draw(); }
  if (event.key === "Enter") return void save();
  if (event.key === "ArrowLeft") return open(at - 1);
  if (event.key === "ArrowRight") return open(at + 1);
});
fetch("trajectories").then((reply) => reply.json()).then((found) => { data = found; open(Math.max(0, data.trajectories.findIndex((one) => !one.rated))); });
