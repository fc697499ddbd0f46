"use strict";

/* The lanes of a timeline: only what is in sight exists, and marks that would lie on one another are one with a count. */
const LANE_GAP = 9;
const NICE = [1, 2, 5];

/* A distance between ticks, in seconds, that is at least so many pixels. */
function tickStep(perSecond, least) {
  for (let power = -3; ; power++) for (const nice of NICE) if (nice * 10 ** power * perSecond >= least) return nice * 10 ** power;
}

/* A time on the ruler. */
function clock(time, step) {
  const digits = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3;
  const size = Math.abs(time);
  if (size < 100) return `${time.toFixed(digits).replace(/^-(0(\.0+)?)$/, "$1")} s`;
  const rest = (size % 60).toFixed(digits).padStart(digits ? digits + 3 : 2, "0");
  return `${time < 0 ? "−" : ""}${Math.floor(size / 60)}:${rest}`;
}

class Lanes {
  constructor(box, data, base, { seek, choose, shown }) {
    Object.assign(this, { box, data, base, seek, choose, shown, from: data.from, to: data.end, time: data.from, chosen: null, drawn: new Map(), due: 0, width: 1 });
    this.ruler = el("div.ruler", {});
    this.names = el("div.names");
    this.tracks = el("div.tracks");
    this.past = el("div.past");
    this.head = el("div.playhead", { role: "slider", tabindex: 0, "aria-label": "Playhead, seconds on the world's clock", "aria-valuemin": data.start.toFixed(2), "aria-valuemax": data.end.toFixed(2) });
    this.area = el("div.area", {}, this.ruler, this.tracks, this.head);
    put(box, this.names, this.area);
    this.head.addEventListener("keydown", (event) => this.nudge(event));
    this.area.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.drag();
    new ResizeObserver(() => this.measure()).observe(this.area);
  }

  /* Show these lanes, and of their events those for which `wanted` holds. */
  lay(lanes, wanted) {
    this.drawn.clear();
    this.tracks.replaceChildren(this.past);
    this.names.replaceChildren(el("div.corner"));
    let before = null;
    this.rows = lanes.map((lane) => {
      const events = wanted ? lane.events.filter(wanted) : lane.events;
      const track = el("div.track", { class: `lane-${lane.name} ${lane.env !== before ? "head" : ""}`, style: { height: `${lane.height}px` } });
      this.names.append(el("div.name", { class: lane.env !== before ? "head" : "", style: { height: `${lane.height}px` }, title: `${lane.env || "agent"}: ${plural(lane.events.length, "event")}` },
        lane.env !== before && el("b", {}, lane.env || "agent"), el("span", {}, lane.title)));
      before = lane.env;
      this.tracks.append(track);
      return { lane, track, events };
    });
    this.draw();
  }

  measure() {
    const width = this.area.clientWidth;
    if (width && width !== this.width) {
      this.width = width;
      this.draw();
    }
  }

  x(time) { return ((time - this.from) / (this.to - this.from)) * this.width; }

  at(x) { return this.from + (x / this.width) * (this.to - this.from); }

  look(from, to) {
    const { start, end } = this.data;
    const margin = 0.03 * (to - from);
    const whole = end - start;
    const length = Math.min(Math.max(to - from, 0.05), whole * 1.1);
    from = Math.min(Math.max(from, start - Math.max(margin, 0.03 * whole)), Math.max(start - margin, end + 0.06 * length - length));
    Object.assign(this, { from, to: from + length });
    this.draw();
  }

  zoom(factor, around = this.time) {
    if (around < this.from || around > this.to) around = (this.from + this.to) / 2;
    const length = Math.max(0.05, (this.to - this.from) * factor);
    const share = (around - this.from) / (this.to - this.from);
    this.look(around - share * length, around + (1 - share) * length);
  }

  pan(share) {
    const by = share * (this.to - this.from);
    this.look(this.from + by, this.to + by);
  }

  /* Keep a time in sight; while it plays, turn the page when it comes to the end. */
  reveal(time, playing) {
    const length = this.to - this.from;
    if (time >= this.from && time <= this.to - (playing ? 0.05 : 0) * length) return;
    const lead = playing && time > this.from ? 0.1 : 0.3;
    this.look(time - lead * length, time + (1 - lead) * length);
  }

  move(time, playing) {
    this.time = time;
    this.head.setAttribute("aria-valuenow", time.toFixed(2));
    this.head.setAttribute("aria-valuetext", seconds(time));
    this.reveal(time, playing);
    this.place();
  }

  place() {
    const x = this.x(this.time);
    this.head.style.transform = `translateX(${x}px)`;
    this.head.hidden = x < -1 || x > this.width + 1;
  }

  select(event) {
    this.chosen = event;
    this.draw();
  }

  draw() {
    if (!this.due) this.due = requestAnimationFrame(() => { this.due = 0; this.paint(); });
  }

  paint() {
    if (!this.rows || this.width < 2) return;
    const perSecond = this.width / (this.to - this.from);
    this.ticks(perSecond);
    if (this.data.zero !== null) Object.assign(this.past.style, { left: `${this.x(this.data.start)}px`, width: `${Math.max(0, this.x(this.data.zero) - this.x(this.data.start))}px` });
    this.past.hidden = this.data.zero === null || this.x(this.data.zero) < 0;
    const kept = new Set();
    for (const row of this.rows) this.track(row, perSecond, kept);
    for (const [key, mark] of this.drawn) {
      if (kept.has(key)) continue;
      mark.node.remove();
      this.drawn.delete(key);
    }
    this.place();
    this.shown(this.from, this.to);
  }

  ticks(perSecond) {
    const step = tickStep(perSecond, 76);
    const marks = [];
    for (let n = Math.ceil(this.from / step - 1e-9); n * step <= this.to; n++) {
      const time = n * step;
      marks.push(el("span.tick", { class: time < 0 ? "before" : "", style: { left: `${this.x(time)}px` } }, clock(time, step)));
    }
    this.ruler.replaceChildren(...marks);
    this.tracks.style.setProperty("--tick", `${step * perSecond}px`);
    this.tracks.style.setProperty("--first", `${this.x(Math.ceil(this.from / step) * step)}px`);
  }

  track({ lane, track, events }, perSecond, kept) {
    const first = after(events, this.from - lane.longest - 120 / perSecond);
    const marks = [];
    const gap = { screen: 26, video: 14, audio: 4 }[lane.name] || LANE_GAP;
    for (let i = Math.max(0, first - 1); i < events.length && events[i].start <= this.to; i++) {
      const event = events[i];
      const x = this.x(event.start);
      const last = marks[marks.length - 1];
      if (last && x - last.x < Math.max(gap, lane.name === "screen" ? last.wide + 2 : 0)) {
        last.events.push(event);
        continue;
      }
      const wide = lane.name === "screen" && event.size ? Math.min(80, ((lane.height - 6) * event.size[0]) / event.size[1]) : 0;
      marks.push({ event, x, wide, events: [event] });
    }
    marks.forEach((mark, i) => {
      const room = (i + 1 < marks.length ? marks[i + 1].x : this.width + 200) - mark.x - 2;
      const long = Math.max(...mark.events.map((event) => event.end)) - mark.event.start;
      const length = long * perSecond;
      if (mark.x + Math.max(length, room) < -20) return;
      const key = `${mark.event.i}`;
      kept.add(key);
      let known = this.drawn.get(key);
      if (!known) {
        known = { node: this.node(mark.event, lane), count: 0, strips: 0 };
        this.drawn.set(key, known);
        track.append(known.node);
      }
      this.update(known, mark, lane, room, length);
    });
  }

  node(event, lane) {
    const node = el("div.event", { class: `kind-${lane.name} ${verdictOf(event)}`, title: `${kindWords(event.kind)}${event.env ? ` · ${event.env}` : ""} · ${seconds(event.start)}\n${eventText(event).slice(0, 400)}` });
    if (lane.name === "screen") node.append(el("img", { alt: "", loading: "lazy", decoding: "async", draggable: "false", src: media(this.base, event.media.digest, "png") }));
    else if (lane.name === "audio") node.append(event.wave ? wave(event.wave) : el("span.label", {}, "?"));
    else if (lane.name !== "video") node.append(el("span.label", {}, eventText(event).slice(0, 160)));
    return node;
  }

  update(known, { event, x, wide, events }, lane, room, length) {
    const { node } = known;
    const count = events.length;
    node.style.left = `${x}px`;
    known.events = events;
    node.mark = known;
    if (wide) node.style.width = `${wide}px`;
    else if (lane.name === "audio") node.style.width = `${Math.max(3, length)}px`;
    else if (lane.name === "video") this.strip(known, event, Math.max(12, Math.min(length, 4000)), lane);
    else {
      node.style.minWidth = `${Math.max(6, Math.min(length, room))}px`;
      node.style.maxWidth = `${Math.max(6, room)}px`;
      node.classList.toggle("tiny", room < 26);
    }
    /* A label stays in sight while its event's beginning is not. */
    node.style.setProperty("--hidden", `${Math.max(0, Math.min(-x, Math.max(0, (wide || length || room) - 40)))}px`);
    node.classList.toggle("chosen", this.chosen !== null && events.includes(this.chosen));
    node.classList.toggle("linked", this.chosen !== null && this.chosen.kind === "anchor" && !events.includes(this.chosen) && events.some((one) => one.kind === "anchor" && one.detail && one.detail.name === (this.chosen.detail || {}).name));
    if (count !== known.count) {
      known.count = count;
      if (known.badge) known.badge.remove();
      known.badge = count > 1 && room > 16 ? el("span.count", {}, String(count)) : null;
      if (known.badge) node.append(known.badge);
    }
  }

  strip(known, event, length, lane) {
    known.node.style.width = `${length}px`;
    const frames = event.frames || [];
    const [wide, tall] = (this.data.picture(event.env, event.start) || { size: [16, 10] }).size;
    const thumb = Math.max(16, ((lane.height - 8) * wide) / tall);
    const count = Math.max(1, Math.min(frames.length, Math.floor(length / thumb), 60));
    if (count === known.strips) return;
    known.strips = count;
    known.node.querySelectorAll("img").forEach((image) => image.remove());
    const images = Array.from({ length: count }, (_, i) => frames[Math.floor(((i + 0.5) * frames.length) / count)]).filter(Boolean);
    known.node.prepend(...images.map(([, digest]) => el("img", { alt: "", loading: "lazy", decoding: "async", draggable: "false", src: media(this.base, digest, "png") })));
  }

  nudge(event) {
    const length = this.to - this.from;
    const by = { ArrowLeft: -0.01, ArrowRight: 0.01, PageDown: -0.25, PageUp: 0.25 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.seek(this.time + by * length);
  }

  wheel(event) {
    const over = event.target.closest(".ruler");
    if (event.ctrlKey || event.metaKey || over) {
      event.preventDefault();
      this.zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.008), this.at(event.clientX - this.area.getBoundingClientRect().left));
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      this.pan((event.deltaX || event.deltaY) / this.width);
    }
  }

  /* One pointer pans, or on the ruler seeks; two zoom; a click chooses what is there, or seeks. */
  drag() {
    const down = new Map();
    let start = null;
    const left = () => this.area.getBoundingClientRect().left;
    const begin = () => {
      const xs = Array.from(down.values(), (one) => one.x);
      start = { from: this.from, to: this.to, x: xs.reduce((a, b) => a + b, 0) / xs.length, spread: Math.abs(xs[0] - (xs[1] ?? xs[0])) };
    };
    this.area.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      const scrub = Boolean(event.target.closest(".ruler, .playhead"));
      down.set(event.pointerId, { x: event.clientX - left(), at: event.clientX, moved: false, scrub, target: event.target });
      begin();
      if (scrub) {
        this.area.setPointerCapture(event.pointerId);
        this.seek(this.at(event.clientX - left()));
      }
    });
    this.area.addEventListener("pointermove", (event) => {
      const one = down.get(event.pointerId);
      if (!one) return;
      one.x = event.clientX - left();
      if (!one.moved && Math.abs(event.clientX - one.at) > 4) {
        one.moved = true;
        this.area.setPointerCapture(event.pointerId);
      }
      if (one.scrub) return this.seek(this.at(one.x));
      if (!one.moved && down.size < 2) return;
      this.area.classList.add("dragged");
      const xs = Array.from(down.values(), (other) => other.x);
      const length = start.to - start.from;
      const now = xs.reduce((a, b) => a + b, 0) / xs.length;
      const factor = down.size > 1 && start.spread > 10 ? start.spread / Math.max(10, Math.abs(xs[0] - xs[1])) : 1;
      const anchor = start.from + (start.x / this.width) * length;
      const from = anchor - (now / this.width) * length * factor;
      this.look(from, from + length * factor);
    });
    const end = (event) => {
      const one = down.get(event.pointerId);
      down.delete(event.pointerId);
      if (down.size) begin(); else this.area.classList.remove("dragged");
      if (!one || one.moved || one.scrub || event.type !== "pointerup") return;
      const node = one.target.closest(".event");
      if (node && node.mark) this.choose(node.mark.events);
      else this.seek(this.at(one.x));
    };
    this.area.addEventListener("pointerup", end);
    this.area.addEventListener("pointercancel", end);
  }
}

/* The whole time in one strip. A long past before the episode takes no more than half of it. */
class Strip {
  constructor(data, looked) {
    Object.assign(this, { data, looked });
    this.bars = svg("path", { class: "bars" });
    this.window = el("div.window");
    this.box = el("div.strip", { role: "img", "aria-label": "The whole episode and the part of it that is shown" },
      svg("svg", { viewBox: "0 0 400 20", preserveAspectRatio: "none" }, svg("rect", { class: "past", x: 0, y: 0, height: 20, width: 400 * this.share(data.zero ?? data.start) }), this.bars), this.window);
    const to = (event) => {
      const bounds = this.box.getBoundingClientRect();
      this.looked(this.time((event.clientX - bounds.left) / bounds.width));
    };
    this.box.addEventListener("pointerdown", (event) => { this.box.setPointerCapture(event.pointerId); to(event); });
    this.box.addEventListener("pointermove", (event) => { if (this.box.hasPointerCapture(event.pointerId)) to(event); });
  }

  get half() {
    const { start, zero, end } = this.data;
    return zero === null ? 0 : Math.min(0.5, (zero - start) / (end - start));
  }

  share(time) {
    const { start, zero, end } = this.data;
    if (zero === null) return (time - start) / (end - start);
    return time < zero ? (this.half * (time - start)) / (zero - start || 1) : this.half + ((1 - this.half) * (time - zero)) / (end - zero || 1);
  }

  time(share) {
    const { start, zero, end } = this.data;
    if (zero === null) return start + share * (end - start);
    return share < this.half ? start + (share / this.half) * (zero - start) : zero + ((share - this.half) / (1 - this.half)) * (end - zero);
  }

  count(events) {
    const bins = new Array(200).fill(0);
    for (const event of events) bins[Math.min(199, Math.max(0, Math.floor(200 * this.share(event.start))))] += 1;
    const most = Math.max(1, ...bins);
    this.bars.setAttribute("d", bins.map((count, i) => (count ? `M${2 * i + 1} 20V${20 - 2 - 17 * Math.sqrt(count / most)}` : "")).join(""));
  }

  show(from, to) {
    const [a, b] = [from, to].map((time) => Math.min(1, Math.max(0, this.share(time))));
    this.window.style.left = percent(a);
    this.window.style.width = percent(b - a);
  }
}
