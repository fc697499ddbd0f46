"use strict";
// Elements, and players of what was heard and seen in motion. Texts of recordings are set as text, never as HTML.
const el = (tag, props = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children.filter((one) => one !== null && one !== undefined));
  return node;
};

// Draws the frames of a film, each at its time, on one clock with its sound.
function framePlayer(frames, seconds, sound, label) {
  const image = el("img", {className: "film", alt: `Film of ${label}`, src: frames[0][1]});
  let timer = 0, at = 0;
  const show = (time) => {
    const frame = frames.filter(([when]) => when <= time + 1e-6).pop() || frames[0];
    if (image.getAttribute("src") !== frame[1]) image.src = frame[1];
  };
  const stop = () => { clearInterval(timer); timer = 0; };
  image.play = () => {
    if (timer) return stop();
    const begun = performance.now();
    timer = setInterval(() => {
      at = sound && !sound.paused ? sound.currentTime : (performance.now() - begun) / 1000;
      show(at);
      if (at >= seconds) stop();
    }, 40);
  };
  image.title = "Click to play";
  image.onclick = () => image.play();
  return image;
}

// The clips of a screen; Space plays the first sound and film.
function clipsOf(screen, named) {
  const sound = screen.sound ? el("audio", {controls: true, preload: "metadata", src: screen.sound}) : null;
  let film = null;
  if (screen.film) film = el("video", {controls: true, preload: "metadata", src: screen.film, muted: Boolean(sound)});
  else if (screen.frames && screen.frames.length) film = framePlayer(screen.frames, screen.seconds || 0, sound, screen.env);
  if (!sound && !film) return null;
  const box = el("div", {className: "clips"}, film, el("div", {className: "sound"}, named ? el("span", {className: "quiet", textContent: screen.env}) : null, sound));
  box.toggle = () => {
    if (sound && !sound.paused) { sound.pause(); if (film && film.pause) film.pause(); return; }
    if (sound) { sound.currentTime = 0; sound.play().catch(() => {}); }
    if (film) { if (film.tagName === "VIDEO") film.currentTime = 0; const begun = film.play(); if (begun && begun.catch) begun.catch(() => {}); }
  };
  return box;
}

const send = async (path, values) => {
  const reply = await fetch(path, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(values)});
  if (!reply.ok) throw new Error(await reply.text());
  return reply.json();
};
