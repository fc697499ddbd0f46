"use strict";

/* What else was seen and heard of an environment: sound, motion, context, and what was withheld. */
function channels(base, env, look, granted) {
  const said = look.context || {};
  const same = (said.app || "").toLowerCase() === (said.title || "").toLowerCase();
  const lines = [!same && said.app, said.title].filter(Boolean).join(" · ");
  return el("div.channel", { "data-env": env },
    el("h4", {}, env || "screen"),
    lines && el("div.context", {}, lines),
    said.url && el("div.url", { title: said.url }, said.url),
    said.tabs && said.tabs.length > 1 && el("ol.tabs", {}, said.tabs.map((tab, i) => el("li", { class: i === said.tab ? "now" : "" }, tab))),
    look.audio && look.audio.end > look.audio.start && sound(base, look.audio),
    look.video && look.video.frames.length > 1 && motion(base, look.video),
    look.elements && el("div.quiet", {}, plural(look.elements.count, "element"), look.elements.truncated && " (cut short)"),
    withheld(look, granted));
}

/* What is absent, and what was captured for this report but not granted: agents see less than is shown here. */
function withheld(look, granted) {
  const said = Object.entries(look.absent).map(([name, reason]) => `no ${name}: ${why(name, reason, granted)}`);
  for (const name of ["screenshot", "elements", "video", "audio", "context"]) {
    const role = name in look && ["agent", "planner"].find((other) => granted[other] && !granted[other].includes(name));
    if (role) said.push(`${name}: not shown to the ${role}`);
  }
  return said.length > 0 && el("div.withheld", {}, said.map((text) => el("span.badge", {}, text)));
}

/* In words. Where the run grants it to the agent, nothing is ablated, whatever the environment called it. */
function why(name, reason, granted) {
  if (reason !== "unasked" && !(reason === "ablated" && granted.agent && granted.agent.includes(name))) return reason;
  return granted.planner && !granted.planner.includes(name) ? "not shown to the planner" : "not requested";
}

const span = (clip) => `${clip.start.toFixed(2)} – ${seconds(clip.end)}`;

function sound(base, clip) {
  return el("div.sound", {},
    el("div.line", {}, el("span.name", {}, "Sound"), el("span.quiet", {}, span(clip)),
      clip.wave === "" && el("span.badge", {}, "silent"), clip.wave == null && el("span.badge", {}, nowhere("sound")), clip.wave && wave(clip.wave)),
    clip.wave !== "" && el("audio", { controls: true, preload: "none", src: media(base, clip.digest, "wav") }));
}

/* Peaks, one hexadecimal digit each. */
function wave(digits) {
  const d = Array.from(digits, (digit, i) => {
    const tall = 0.5 + (7.5 * parseInt(digit, 16)) / 15;
    return `M${2 * i + 1} ${8 - tall}V${8 + tall}`;
  }).join("");
  return svg("svg", { class: "wave", viewBox: `0 0 ${2 * digits.length} 16`, preserveAspectRatio: "none" }, svg("path", { d }));
}

/* A flip-book: pictures are asked for only once it is opened, one at a time. */
function motion(base, clip) {
  const frames = clip.frames;
  const box = el("details.motion", {}, el("summary", {}, el("span.name", {}, "Motion"),
    el("span.quiet", {}, `${span(clip)} · ${plural(frames.length, "frame")}`)));
  if (!frames.length) return box;
  let timer = 0;
  const image = el("img", { alt: "a frame of the clip" });
  const when = el("span.quiet");
  const slider = el("input", { type: "range", min: 0, max: frames.length - 1, value: 0, "aria-label": "Frame" });
  const button = el("button", { type: "button", "aria-label": "Play" }, "▶");
  const show = (i) => {
    slider.value = i;
    image.src = media(base, frames[i][1], "png");
    when.textContent = seconds(frames[i][0]);
  };
  const stop = () => { clearTimeout(timer); timer = 0; button.textContent = "▶"; };
  const play = (i) => {
    if (i >= frames.length || !box.isConnected) return stop();
    show(i);
    const end = i + 1 < frames.length ? frames[i + 1][0] : clip.end;
    timer = setTimeout(play, Math.max(20, 1000 * (end - frames[i][0])), i + 1);
  };
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  button.addEventListener("click", () => {
    if (timer) return stop();
    button.textContent = "❚❚";
    play(Number(slider.value) + 1 < frames.length ? Number(slider.value) : 0);
  });
  box.addEventListener("toggle", () => { if (box.open && !image.src) show(0); else if (!box.open) stop(); });
  box.append(image, el("div.line", {}, button, slider, when));
  return box;
}
