"use strict";

/* What each role was given from memory in a turn, in the order in which it was given. */
const MEDIA_FILES = { image: "png", audio: "wav", video: "json" };

function recalledPane(base, turn, find, visit) {
  const parts = turn.recalled || [];
  if (!parts.length) return null;
  const roles = [...new Set(parts.map((part) => part.role))];
  return section("Recalled", roles.map((role) => {
    const given = parts.filter((part) => part.role === role);
    return el("details.recall", { open: given.length <= 12 || role === "planner" },
      el("summary", {}, el("b", {}, role), ` was given ${counted(given)} from memory`),
      el("ol.parts", { "aria-label": `Given to ${role}`, tabindex: 0 }, given.map((part) => recalledPart(base, turn, part, find, visit))));
  }));
}

/* "3 texts, 1 picture and 1 sound". */
function counted(parts) {
  const counts = new Map();
  for (const part of parts) {
    const name = part.media ? { image: "picture", audio: "sound", video: "film" }[part.media.kind] || "file" : "text";
    counts.set(name, (counts.get(name) || 0) + 1);
  }
  const words = Array.from(counts, ([name, count]) => plural(count, name));
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}` : words.join("");
}

const ago = (turns) => (turns > 0 ? `${plural(turns, "turn")} ago` : "this turn");

function recalledPart(base, turn, part, find, visit) {
  const when = `${seconds(part.time)}, ${ago(turn.turn - part.turn)}`;
  const link = find && find(part);
  return el("li.part", {},
    el("div.origin", {}, el("span.kind", {}, part.source), part.env && el("span.where", {}, part.env),
      link ? el("button.jump", { type: "button", title: "show it on the timeline", onclick: () => visit(link) }, when) : el("span.quiet", {}, when)),
    part.text && folded(part.text),
    part.media && pictured(base, part),
    part.why && el("div.why", {}, el("span.quiet", {}, "because: "), part.why));
}

/* A picture, a sound or a film, in place. */
function pictured(base, part) {
  const { kind, digest, start, end } = part.media;
  if (kind === "image" || kind === "jpeg") {
    const image = el("img.given", { alt: `what ${part.source} showed`, loading: "lazy", decoding: "async", src: media(base, digest, kind === "jpeg" ? "jpg" : "png") });
    image.onerror = () => image.replaceWith(missing(nowhere("picture")));
    image.addEventListener("click", () => zoom(el("div.frame", {}, image.cloneNode()), [image.naturalWidth, image.naturalHeight]));
    return image;
  }
  if (kind === "audio") return sound(base, { digest, start, end, wave: part.wave });
  if (kind === "video") return part.frames && part.frames.length ? motion(base, { start, end, frames: part.frames }) : missing(nowhere("film"));
  return el("span.quiet", {}, kind);
}

/* A long text shows its beginning until it is asked for. */
function folded(text) {
  if (text.length <= 220) return el("p.wording", {}, text);
  const words = el("p.wording", {}, `${text.slice(0, 200)}…`);
  const more = el("button.more", { type: "button", "aria-expanded": "false", onclick: () => {
    const open = more.getAttribute("aria-expanded") === "false";
    more.setAttribute("aria-expanded", String(open));
    more.textContent = open ? "less" : `all ${text.length.toLocaleString("en")} characters`;
    words.textContent = open ? text : `${text.slice(0, 200)}…`;
  } }, `all ${text.length.toLocaleString("en")} characters`);
  return el("div", {}, words, more);
}
