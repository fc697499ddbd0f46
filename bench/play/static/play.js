// What the person does goes to the server as it came: raw events with the times of one clock. The server alone makes
// verbs of them; this page only decides when a gesture is over, by the server's own thresholds.

const $ = (id) => document.getElementById(id);
const tab = (sessionStorage.tab ??= crypto.randomUUID?.() ?? String(Math.random()));
const clock = () => (performance.timeOrigin + performance.now()) / 1000;
const MARGIN = 0.04; // seconds: a gesture that might still go on is sent this much after its threshold
const NAMES = { " ": "space", Escape: "esc", ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };
const BUTTONS = ["left", "middle", "right", "back", "forward"];
const HELD = ["ctrl", "alt", "shift", "meta"];

let state = { phase: "waiting", version: "" };
let pending = [];
let timer = 0;
let down = null;
let active = "";
let playing = null;
let shownAt = 0;

function make(tag, className = "", text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function say(text, bad = false) {
  $("status").textContent = text;
  $("status").classList.toggle("bad", bad);
}

async function send(path, values) {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ tab, version: state.version, ...values });
  const answer = await fetch(path, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

// ------------------------------------------------------------------------------------------------ the state of things

async function follow() {
  for (;;) {
    try {
      const answer = await fetch(`state?tab=${encodeURIComponent(tab)}&after=${state.version}`);
      if (!answer.ok) throw new Error(await answer.text());
      const found = await answer.json();
      if (String(found.version) === String(state.version) && found.phase === state.phase) continue;
      state = found;
      show();
      if (state.phase === "over") return;
    } catch (error) {
      state = { phase: "gone", version: "" };
      show();
      return;
    }
  }
}

function show() {
  const { phase } = state;
  const turn = phase === "turn" || phase === "busy";
  document.body.classList.toggle("busy", phase === "busy");
  for (const id of ["task", "devices", "actions"]) $(id).hidden = !turn;
  $("message").hidden = turn;
  $("here").hidden = phase !== "elsewhere";
  $("telling").hidden = phase !== "instruction";
  $("player").textContent = state.player ? `player: ${state.player}` : "";
  $("says").textContent = {
    elsewhere: "This task is open in another window. One window plays at a time.",
    gone: "The program that records this has ended. What was finished is kept; start the same command again to go on.",
    instruction: "",
  }[phase] ?? state.words ?? "";
  if (phase === "turn") showTurn();
  else if (phase === "busy") say("…");
  else stopPlaying();
  document.body.dataset.phase = phase;
  document.body.dataset.version = state.version;
}

function showTurn() {
  stopPlaying();
  pending = [];
  down = null;
  shownAt = performance.now();
  say("");
  $("instruction").textContent = state.instruction;
  $("intent").textContent = state.intent;
  $("told").replaceChildren(...state.told.map((text) => make("li", "", text)));
  const left = [];
  if (state.left.turns !== undefined) left.push(`${state.left.turns} turns left`);
  if (state.left.actions !== undefined) left.push(`${state.left.actions} actions left`);
  $("count").textContent = [`task ${state.task} · turn ${state.turn}`, ...left].join(" · ");
  $("answer").hidden = !state.control.includes("answer");
  $("ask").hidden = !state.control.includes("ask_user");
  const names = state.envs.map((env) => env.name);
  if (!names.includes(active)) active = names[0] ?? "";
  const held = [...$("devices").children].map((one) => one.dataset.env);
  if (held.join("\n") !== names.join("\n")) {
    $("devices").replaceChildren(...state.envs.map(makeDevice));
    $("devices").style.setProperty("--wide", state.envs.reduce((sum, env) => sum + env.size[0] / env.size[1], 0));
  }
  for (const [at, env] of state.envs.entries()) fill($("devices").children[at], env);
  mark();
  if ($("auto").checked) state.envs.forEach(playBack);
}

function makeDevice(env) {
  const device = make("section", "device");
  device.dataset.env = env.name;
  const screen = make("div", "screen");
  screen.tabIndex = 0;
  screen.setAttribute("aria-label", `Screen of ${env.name}`);
  device.append(make("div", "caption"), screen, make("div", "under"));
  screen.addEventListener("pointerdown", (event) => touch(event, env.name, screen));
  screen.addEventListener("pointermove", (event) => slide(event, env.name, screen));
  screen.addEventListener("pointerup", (event) => lift(event, env.name, screen));
  screen.addEventListener("pointercancel", () => { down = null; pending = []; });
  screen.addEventListener("wheel", (event) => turnWheel(event, env.name, screen), { passive: false });
  screen.addEventListener("keydown", (event) => press(event));
  screen.addEventListener("paste", (event) => paste(event));
  screen.addEventListener("focus", () => { active = env.name; mark(); });
  for (const name of ["contextmenu", "auxclick", "dragstart"]) screen.addEventListener(name, (event) => event.preventDefault());
  return device;
}

function fill(device, env) {
  device.style.setProperty("--ratio", env.size[0] / env.size[1]);
  const [caption, screen, under] = device.children;
  device.dataset.platform = env.platform;
  const parts = [make("b", "", env.name)];
  if (env.platform !== env.name) parts.push(make("span", "badge", env.platform));
  if (env.sound) {
    const button = make("button", "sound", `♪ sound ${env.sound.seconds.toFixed(1)} s · hear`);
    button.addEventListener("click", () => playBack({ ...env, film: null }));
    parts.push(button);
  }
  if (env.film) {
    const button = make("button", "film", `▶ moved ${env.film.seconds.toFixed(1)} s · watch`);
    button.addEventListener("click", () => playBack(env));
    parts.push(button);
  }
  caption.replaceChildren(...parts);
  if (env.picture) {
    const picture = screen.querySelector("img.now") ?? make("img", "now");
    picture.alt = "";
    picture.draggable = false;
    picture.src = env.picture;
    screen.replaceChildren(picture);
  } else screen.replaceChildren(make("p", "none", `No picture of this screen: ${env.absent}`));
  under.replaceChildren(...buttonsOf(env));
}

function buttonsOf(env) {
  const made = [];
  const button = (text, event) => {
    const one = make("button", "", text);
    one.dataset.does = event.text;
    one.addEventListener("click", () => control({ env: env.name, ...event }));
    made.push(one);
  };
  if (env.kinds.includes("system")) for (const name of ["back", "home", "recents"]) button(name, { kind: "system", text: name });
  if (env.kinds.includes("browser")) for (const name of ["back", "forward", "reload"]) button(name, { kind: "browser", text: name });
  if (env.apps.length) {
    const apps = make("select", "apps");
    apps.setAttribute("aria-label", `Open an app on ${env.name}`);
    apps.append(new Option("open app …", ""), ...env.apps.map((name) => new Option(name, name)));
    apps.addEventListener("change", () => { if (apps.value) control({ env: env.name, kind: "app", text: apps.value }); });
    made.push(apps);
  }
  if (env.kinds.includes("open_url")) {
    const form = make("form");
    const url = make("input", "url");
    url.placeholder = "address";
    url.setAttribute("aria-label", `Address to open on ${env.name}`);
    form.append(url);
    form.addEventListener("submit", (event) => { event.preventDefault(); if (url.value) control({ env: env.name, kind: "url", text: url.value }); });
    made.push(form);
  }
  return made;
}

function mark() {
  for (const device of $("devices").children) device.children[1].classList.toggle("active", device.dataset.env === active);
}

// ------------------------------------------------------------------------------------- what sounded and moved since

function playBack(env) {
  const device = [...$("devices").children].find((one) => one.dataset.env === env.name);
  const screen = device.children[1];
  playing ??= { sounds: [], films: [] };
  if (env.sound) {
    const sound = new Audio(env.sound.url);
    sound.play().catch(() => say("press “hear” beside the device: this browser plays no sound by itself yet"));
    playing.sounds.push(sound);
  }
  if (!env.film) return;
  const film = make("img");
  film.alt = "";
  const words = make("div", "past", "what moved since your last turn; click to skip");
  screen.replaceChildren(film, words);
  const began = performance.now();
  const one = { screen, env };
  playing.films.push(one);
  let at = -1;
  const step = () => {
    if (!playing?.films.includes(one)) return;
    const passed = (performance.now() - began) / 1000;
    let next = at;
    while (next + 1 < env.film.frames.length && env.film.frames[next + 1][0] <= passed) next += 1;
    if (next !== at) film.src = env.film.frames[(at = next)][1];
    if (passed >= env.film.seconds) return endFilm(one);
    requestAnimationFrame(step);
  };
  step();
}

function endFilm(one) {
  playing.films = playing.films.filter((other) => other !== one);
  const now = make("img", "now");
  now.alt = "";
  now.src = one.env.picture;
  one.screen.replaceChildren(now);
}

function stopPlaying() {
  playing?.sounds.forEach((sound) => sound.pause());
  for (const film of [...(playing?.films ?? [])]) endFilm(film);
  playing = null;
}

// ----------------------------------------------------------------------------------------------------- raw events

const ready = () => state.phase === "turn";
const heldOf = (event) => {
  if (event.getModifierState?.("AltGraph")) return event.shiftKey ? ["shift"] : [];
  return HELD.filter((name) => event[`${name}Key`]);
};

function placeOf(event, screen) {
  const box = screen.getBoundingClientRect();
  const edge = (box.width - screen.clientWidth) / 2; // the border
  const inside = (at, size) => Math.min(1, Math.max(0, at / size));
  return [
    inside(event.clientX - box.left - edge, screen.clientWidth), inside(event.clientY - box.top - edge, screen.clientHeight),
  ];
}

function add(event) {
  pending.push({ time: clock(), ...event });
}

function later(seconds) {
  clearTimeout(timer);
  timer = setTimeout(flush, (seconds + MARGIN) * 1000);
}

function touch(event, env, screen) {
  event.preventDefault();
  screen.focus({ preventScroll: true });
  if (!ready() || down !== null) return;
  if (playing?.films.some((film) => film.screen === screen)) return stopPlaying();
  clearTimeout(timer);
  const phone = state.envs.find((one) => one.name === env).platform === "phone";
  if (phone && event.button !== 0) return say("a finger has no buttons: use the left one");
  down = { id: event.pointerId, button: phone ? "touch" : BUTTONS[event.button] ?? "left" };
  screen.setPointerCapture(event.pointerId);
  add({ kind: "down", env, at: placeOf(event, screen), button: down.button, keys: phone ? [] : heldOf(event) });
}

function slide(event, env, screen) {
  if (down?.id !== event.pointerId) return;
  add({ kind: "move", env, at: placeOf(event, screen), button: down.button });
}

function lift(event, env, screen) {
  if (down?.id !== event.pointerId) return;
  add({ kind: "up", env, at: placeOf(event, screen), button: down.button });
  down = null;
  later(state.thresholds.double);
}

function turnWheel(event, env, screen) {
  event.preventDefault();
  if (!ready() || down !== null) return;
  const notch = event.deltaMode === 0 ? 100 : 3; // pixels, or lines
  add({ kind: "wheel", env, at: placeOf(event, screen), across: event.deltaX / notch, down: event.deltaY / notch });
  later(state.thresholds.wheel);
}

function press(event) {
  if (event.isComposing || event.key === "Process" || event.key === "Dead" || event.key === "F12") return;
  const held = heldOf(event);
  const chord = held.some((name) => name !== "shift");
  if (chord && held.includes("shift") && event.key.toLowerCase() === "v") return; // a text from outside: see paste
  event.preventDefault();
  if (!ready() || down !== null || ["Control", "Alt", "Shift", "Meta", "AltGraph"].includes(event.key)) return;
  stopPlaying();
  const written = [...event.key].length === 1;
  const key = NAMES[event.key] ?? event.key.toLowerCase();
  add({ kind: "key", env: active, keys: [...held, key], text: written && !chord ? event.key : "" });
  preview();
  if (event.key === "Enter" && !event.shiftKey) flush();
  else if (written && !chord) later(state.thresholds.typing);
  else later(pendingText() ? state.thresholds.typing : state.thresholds.double);
}

// Ctrl+V is the device's own; Ctrl+Shift+V brings a text from outside.
function paste(event) {
  event.preventDefault();
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (!text || !ready()) return;
  add({ kind: "text", env: active, text });
  preview();
  later(state.thresholds.typing);
}

function pendingText() {
  let text = "";
  for (const event of pending) {
    if (event.kind !== "key" && event.kind !== "text") continue;
    if (event.keys?.join("+") === "backspace") text = text.slice(0, -1);
    else if (event.keys?.join("+") === "shift+enter") text += "\n";
    else text += event.text;
  }
  return text;
}

function preview() {
  const device = [...$("devices").children].find((one) => one.dataset.env === active);
  const text = pendingText();
  device.querySelector(".typing")?.remove();
  if (text) device.children[1].append(make("div", "past typing", `${text}▏ · sent after a pause, or with Enter`));
}

function control(event) {
  if (!ready()) return;
  stopPlaying();
  add(event);
  flush();
}

async function flush() {
  clearTimeout(timer);
  if (!ready() || down !== null || !pending.length) return;
  const events = pending;
  pending = [];
  try {
    await send("events", { events });
  } catch (error) {
    say(error.message, true);
  }
  for (const one of document.querySelectorAll(".typing")) one.remove();
}

// ------------------------------------------------------------------------------------------------- around the screens

$("waiting").addEventListener("submit", (event) => {
  event.preventDefault();
  control({ kind: "wait", seconds: Number($("seconds").value) });
});
$("saying").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = $("words").value.trim();
  if (!text) return say("type the words first", true);
  $("words").value = "";
  control({ kind: event.submitter?.id === "ask" ? "ask" : "answer", text });
});
$("success").addEventListener("click", () => control({ kind: "done", text: "success" }));
$("failure").addEventListener("click", () => control({ kind: "done", text: "failure" }));
$("stop").addEventListener("click", () => send("stop", {}).catch((error) => say(error.message, true)));
$("here").addEventListener("click", () => send("here", {}).catch((error) => say(error.message, true)));
$("telling").addEventListener("submit", (event) => {
  event.preventDefault();
  send("instruction", { text: $("aim").value }).catch((error) => { $("says").textContent = error.message; });
});
setInterval(() => {
  if (!ready()) return;
  const seconds = Math.floor((performance.now() - shownAt) / 1000);
  $("clock").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} on this turn`;
}, 500);

follow();
