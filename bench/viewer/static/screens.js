"use strict";

/* Screenshots with what was done drawn over them. All places are shares of the screen's sides. */
const media = (base, digest, kind) => `${base}${encodeURIComponent(digest.slice(0, 2))}/${encodeURIComponent(digest)}.${kind}`;

function screen(base, env, look, options) {
  const [width, height] = look.size;
  const acting = options.acting === env;
  const frame = el("div.frame", { style: { "aspect-ratio": `${width} / ${height}` } });
  if (look.screenshot) {
    frame.append(picture(base, env, look, options.images));
  } else {
    frame.append(missing(`No screenshot: ${look.absent.screenshot || "not recorded"}`));
  }
  if (options.read && options.read[env]) frame.append(...readBoxes(options.read[env]));
  if (acting && options.drawn) frame.append(...overlay(options.drawn, width / height, options.result));
  if (look.screenshot) frame.addEventListener("click", () => zoom(frame, look.size));
  return el("figure.screen", {
    class: acting ? "acting" : "", "data-env": env,
    style: { "--aspect": width / height, "--share": Math.sqrt(width / height) * (acting ? 1.5 : 1), "--width": `${width}px`, "--height": `${height}px` },
  }, el("figcaption", {},
    el("b", {}, env || "screen"), acting && el("span.badge.on", {}, options.fresh ? "acts · new screenshot" : "acts"),
    el("span.quiet", {}, `t = ${seconds(look.time)}`), el("span.quiet.size", {}, `${width}×${height}`)), frame);
}

/* One picture an environment for the whole episode: the last one stays until the next is there, so nothing flickers. */
function picture(base, env, look, images) {
  const image = images.get(env) || el("img", { alt: `the screen of ${env}` });
  images.set(env, image);
  const source = media(base, look.screenshot, "png");
  if (image.getAttribute("src") !== source) image.src = source;
  image.onerror = () => image.replaceWith(missing(nowhere("picture")));
  return image;
}

/* Why a capture's file is not there: the run says so if it kept none on purpose. */
function nowhere(what) {
  return document.body.dataset.notKept || `This ${what}'s file is not in the run's media folder.`;
}

function missing(text) {
  return el("div.missing", {}, text);
}

const area = ([left, top, right, bottom]) => ({ left: percent(left), top: percent(top), width: percent(right - left), height: percent(bottom - top) });

function overlay(drawn, aspect, result) {
  const judged = drawn.judged || [];
  /* The grounder's own box of what it pointed at rightly would only double the one that was asked for. */
  const parts = drawn.boxes.slice(judged.length && judged.every(({ right }) => right) ? judged.length : 0).map((box) => el("div.found", { style: area(box) }));
  const bad = !["done", "control"].includes(result);
  const points = drawn.points;
  const verdict = ([x, y]) => judged.find(({ point }) => point && point[0] === x && point[1] === y);
  for (const { right, box, point } of judged) {
    const [left, top, end, bottom] = box;
    if (!right && point) parts.push(gap(point, [(left + end) / 2, (top + bottom) / 2]));
    parts.push(el("div.asked", { class: `${right ? "right" : "wrong"} ${top < 0.04 ? "low" : ""} ${left > 0.8 ? "end" : ""}`, style: area(box) },
      el("span", {}, right ? "✓" : point ? "asked for" : "✕ not found")));
  }
  if (drawn.line) {
    const path = points.map(([x, y], i) => `${i ? "L" : "M"}${x} ${y}`).join("");
    parts.push(svg("svg", { class: "line", viewBox: "0 0 1 1", preserveAspectRatio: "none" },
      svg("path", { d: path, class: "under" }), svg("path", { d: path, class: "over" })));
    const [[x0, y0], [x1, y1]] = points.slice(-2);
    parts.push(pin("head", x1, y1, Math.atan2(y1 - y0, (x1 - x0) * aspect)));
  }
  if (drawn.direction) {
    const [x, y] = points[0] || [0.5, 0.5];
    parts.push(pin("arrow", x, y, { right: 0, down: 0.5, left: 1, up: -0.5 }[drawn.direction] * Math.PI));
  }
  const aimed = (plain, [x, y]) => {
    const told = verdict([x, y]);
    parts.push(pin(told ? (told.right ? `${plain.split(".")[0]}.right` : "miss") : plain, x, y, 0));
  };
  for (const point of drawn.meant) aimed("meant", point);
  for (const point of drawn.line ? points.slice(0, 1) : points) aimed(bad ? "point.bad" : "point", point);
  return parts;
}

/* From where it was pointed to what was asked for. */
function gap([x0, y0], [x1, y1]) {
  const d = `M${x0} ${y0}L${x1} ${y1}`;
  return svg("svg", { class: "gap", viewBox: "0 0 1 1", preserveAspectRatio: "none" },
    svg("path", { d, class: "under" }), svg("path", { d, class: "over" }));
}

const SHAPES = {
  miss: "M-10 -10L10 10M-10 10L10 -10",
  point: "M-14 0H-4M4 0H14M0 -14V-4M0 4V14M-9 0A9 9 0 1 0 9 0A9 9 0 1 0 -9 0",
  meant: "M-9 0A9 9 0 1 0 9 0A9 9 0 1 0 -9 0",
  head: "M-12 -8L0 0L-12 8",
  arrow: "M14 0H44M35 -8L44 0L35 8",
};

/* A mark of fixed size on the page, whatever the picture's: its middle is the place. */
function pin(kind, x, y, turn) {
  const d = SHAPES[kind.split(".")[0]];
  return el(`div.pin.${kind}`, { style: { left: percent(x), top: percent(y) }, "data-x": x, "data-y": y },
    svg("svg", { viewBox: "-48 -48 96 96", width: 96, height: 96 },
      svg("g", { transform: `rotate(${(turn * 180) / Math.PI})` },
        svg("path", { d, class: "dark" }), svg("path", { d, class: "light" }), svg("path", { d, class: "ink" }))));
}

function zoom(frame, [width, height]) {
  const dialog = document.getElementById("zoom");
  const copy = frame.cloneNode(true);
  const scale = Math.min((0.94 * innerWidth) / width, (0.92 * innerHeight) / height, 3);
  copy.style.width = `${width * scale}px`;
  put(dialog, copy);
  dialog.onclick = () => dialog.close();
  dialog.onclose = () => { if (history.state && history.state.zoomed) history.back(); };
  dialog.showModal();
  history.pushState({ zoomed: true }, "");
}

/* An enlarged picture is a visit of its own, without an address: the browser's Back closes it and nothing else. */
addEventListener("popstate", () => document.getElementById("zoom").close());
/* The page was loaded anew while a picture was enlarged: it is not any more. */
if (history.state && history.state.zoomed) history.back();
