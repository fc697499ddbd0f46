"use strict";
// Elements, and players of what was heard and seen in motion. Texts of recordings are set as text, never as HTML.
const el = (tag, props = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children.filter((one) => one !== null && one !== undefined));
  return node;
};

// Plays the frames of a film in the place of a picture, on one clock with its sound; then the picture is back.
function framePlayer(frames, seconds, sound, picture) {
  const still = picture.getAttribute("src");
  let timer = 0;
  const show = (src) => { if (picture.getAttribute("src") !== src) picture.src = src; };
  const stop = () => { clearInterval(timer); timer = 0; picture.classList.remove("playing"); show(still); };
  return () => {
    if (timer) return stop();
    const begun = performance.now();
    picture.classList.add("playing");
    timer = setInterval(() => {
      if (!picture.isConnected) return stop();
      const at = sound && !sound.paused ? sound.currentTime : (performance.now() - begun) / 1000;
      if (at >= seconds) return stop();
      show((frames.filter(([when]) => when <= at + 1e-6).pop() || frames[0])[1]);
    }, 40);
  };
}

// The clips of a screen; its `toggle` plays sound and film together, and stops them.
function clipsOf(screen, named, picture) {
  const sound = screen.sound ? el("audio", {controls: true, preload: "metadata", src: screen.sound}) : null;
  const video = screen.film ? el("video", {controls: true, preload: "metadata", src: screen.film, muted: Boolean(sound)}) : null;
  const play = screen.frames && picture ? framePlayer(screen.frames, screen.seconds || 0, sound, picture) : null;
  if (!sound && !video && !play) return null;
  const toggle = () => {
    if (sound) { if (sound.paused) { sound.currentTime = 0; sound.play().catch(() => {}); } else sound.pause(); }
    if (video) { if (video.paused) { video.currentTime = 0; video.play().catch(() => {}); } else video.pause(); }
    if (play) play();
  };
  const film = play ? el("button", {type: "button", className: "film", textContent: "▶ film", title: "Plays in the place of the picture", onclick: toggle}) : null;
  const box = el("div", {className: "clips"}, video, el("div", {className: "sound choices"}, named ? el("span", {className: "quiet", textContent: screen.env}) : null, film, sound));
  box.toggle = toggle;
  return box;
}

const send = async (path, values) => {
  const reply = await fetch(path, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(values)});
  if (!reply.ok) throw new Error(await reply.text());
  return reply.json();
};
