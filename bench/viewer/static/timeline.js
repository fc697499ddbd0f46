"use strict";

/* Drawn, because not every machine has a font with such signs. */
const ICONS = {
  play: [["M4 2.5L13 8L4 13.5z", "solid"]], pause: [["M4 3H6.5V13H4zM9.5 3H12V13H9.5z", "solid"]],
  previous: [["M3.5 3V13"], ["M12.5 3L5.5 8L12.5 13z", "solid"]], next: [["M12.5 3V13"], ["M3.5 3L10.5 8L3.5 13z", "solid"]],
  sound: [["M2 6H4.5L8 3V13L4.5 10H2z", "solid"], ["M10.5 5.5Q12 8 10.5 10.5M12.5 3.5Q15.5 8 12.5 12.5", "on"], ["M10.5 6L14.5 10M14.5 6L10.5 10", "off"]],
};
/* A value of an event's details in words. */
const said = (value) => (Array.isArray(value) ? value.map(said).join(", ") : value !== null && typeof value === "object" ? Object.entries(value).map(([name, one]) => `${name} ${said(one)}`).join(", ") : value === true ? "yes" : value === false ? "no" : String(value));
const icon = (name) => svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, ICONS[name].map(([d, kind]) => svg("path", { d, class: kind || "" })));

/* An episode on one time axis: the devices' screens at the playhead, lanes of events, a list of them, and the chosen one. */
class TimelineView {
  constructor(raw, { data, items, base, choose }) {
    Object.assign(this, { data, items, base, chooseItem: choose, chosen: null, at: "", hidden: new Set(), words: [] });
    this.time = new TimelineData(raw, data);
    this.starts = items.map((item) => ({ item, start: this.startOf(item) }));
    this.player = new Player(this.time, base, () => this.moved(), () => this.stated());
    this.root = el("div.timeline", { "aria-label": "Timeline" });
    this.build();
    new MutationObserver(() => { if (!this.root.isConnected && this.player.playing) this.player.stop(); }).observe(document.getElementById("main"), { childList: true, subtree: true });
    this.filter();
    const { zero, start, end } = this.time;
    if (zero !== null) this.lanes.look(zero - 0.12 * (end - zero), end + 0.04 * (end - zero));
    else this.lanes.look(start, end + 0.04 * (end - start));
  }

  startOf(item) {
    if (item.final) return this.time.end;
    if (item.step) return item.step.start;
    return Math.max(...Object.values(item.turn.looks).map((look) => look.time), this.time.from);
  }

  build() {
    const { time } = this;
    const button = (label, words, act, more) => el("button", { type: "button", "aria-label": words, title: words, onclick: act, ...more }, label);
    this.screens = new Map(time.envs.map((env) => [env, this.device(env)]));
    this.playButton = button(icon("play"), "Play (Space)", () => this.player.toggle(), { class: "play" });
    this.clock = el("output.clock", { "aria-live": "off" });
    this.speed = el("select", { "aria-label": "Speed", onchange: () => { this.player.faster(this.speed.selectedIndex - Player.SPEEDS.indexOf(this.player.speed)); } },
      Player.SPEEDS.map((speed) => el("option", { value: speed, selected: speed === 1 }, `${speed}×`)));
    this.search = el("input", { type: "search", placeholder: "Search events", "aria-label": "Search events", oninput: () => this.filter() });
    this.found = el("span.quiet.found-count", { role: "status" });
    this.chips = el("div.chips", { role: "group", "aria-label": "Lanes" });
    this.laneBox = el("div.lanes");
    this.lanes = new Lanes(this.laneBox, time, this.base, {
      seek: (to) => this.player.seek(to), choose: (events) => this.pick(events), shown: (from, to) => this.strip.show(from, to),
    });
    this.strip = new Strip(time, (middle) => { const half = (this.lanes.to - this.lanes.from) / 2; this.lanes.look(middle - half, middle + half); });
    this.listBox = el("div.rows.list", { role: "listbox", "aria-label": "Events", tabindex: 0 });
    this.list = new Rows(this.listBox, 44, (i) => this.row(this.listed[i]), (i) => this.choose(this.listed[i]));
    this.listBox.addEventListener("keydown", (event) => this.listKeys(event));
    this.details = el("div.event-details", { "aria-live": "polite" });
    const past = time.zero !== null && el("span.quiet.prologue", {}, `${plural(time.pastTurns, "turn")} of the past before it`);
    put(this.root,
      el("div.stagehands", {},
        el("div.devices", {}, [...this.screens.values()].map((one) => one.figure)),
        el("div.transport", { role: "toolbar", "aria-label": "Playback" },
          button(icon("previous"), "Previous event (,)", () => this.next(-1)), this.playButton, button(icon("next"), "Next event (.)", () => this.next(1)),
          this.clock, this.speed, past, el("span.space"),
          button("−", "Zoom out (−)", () => this.lanes.zoom(2)), button("+", "Zoom in (+)", () => this.lanes.zoom(0.5)),
          time.zero !== null && button("Episode", "Show the episode (0)", () => this.fit(false), { class: "wide" }), button("All", "Show everything (f)", () => this.fit(true), { class: "wide" })),
        this.chips, this.strip.box, this.laneBox,
        el("p.quiet.help", {}, "drag to pan · ", el("kbd", {}, "ctrl"), "+wheel or pinch to zoom · ruler to seek · ", el("kbd", {}, "Space"), " play · ", el("kbd", {}, ","), el("kbd", {}, "."), " events · ", el("kbd", {}, "["), el("kbd", {}, "]"), " speed")),
      el("aside.beside", { "aria-label": "Events" }, el("section.card.chosen-card", { "aria-label": "The chosen event" }, this.details),
        el("section.card.list-card", {}, el("div.line.finding", {}, this.search, this.found), this.listBox)));
    const there = new Map(time.lanes.map((lane) => [lane.name, lane.title]));
    this.kinds = LANE_ORDER.filter((name) => there.has(name)).map((name) => [name, there.get(name)]);
    this.describe(null);
    this.stated();
    this.moved();
  }

  device(env) {
    const image = el("img", { alt: `the screen of ${env}` });
    const frame = el("div.frame", {}, image);
    const title = el("span.quiet.where-now");
    const mute = el("button.mute", { type: "button", "aria-pressed": "false", "aria-label": `Mute ${env}`, title: `Mute ${env}`, onclick: () => this.player.mute(env) }, icon("sound"));
    frame.addEventListener("click", () => { if (one.size && image.src) zoom(frame, one.size); });
    const figure = el("figure.screen", { "data-env": env }, el("figcaption", {}, el("b", {}, env), title, this.time.sounds.get(env).length > 0 && mute), frame);
    const one = { figure, frame, image, title, mute, digest: "", size: null, mark: null };
    image.onerror = () => frame.classList.add("lost");
    image.onload = () => frame.classList.remove("lost");
    return one;
  }

  /* What is shown of the lanes and listed: after a word of the search or a chip. */
  filter() {
    this.words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const visible = this.time.lanes.filter((lane) => !this.hidden.has(lane.name) && !this.hidden.has(`env ${lane.env}`));
    const wanted = this.words.length ? (event) => this.matches(event) : null;
    const inSight = new Set(visible);
    this.listed = this.time.events.filter((event) => inSight.has(event.lane) && (!wanted || wanted(event)));
    const devices = this.time.envs.length > 1 ? this.time.envs.map((env) => [`env ${env}`, env]) : [];
    put(this.chips, [...devices, ...this.kinds].map(([key, title]) => el("button", {
      type: "button", class: key.startsWith("env ") ? "device" : "", "data-key": key, "aria-pressed": String(!this.hidden.has(key)), onclick: () => {
        if (!this.hidden.delete(key)) this.hidden.add(key);
        const again = [...this.chips.children].findIndex((chip) => chip.dataset.key === key);
        this.filter();
        this.chips.children[again].focus();
      },
    }, title)));
    this.found.textContent = this.words.length ? `${this.listed.length.toLocaleString("en")} of ${this.time.events.length.toLocaleString("en")}` : plural(this.listed.length, "event");
    this.lanes.lay(visible, wanted);
    this.strip.count(this.listed);
    this.list.show(this.listed.length, this.listed.indexOf(this.chosen));
    if (!this.chosen) this.list.reveal(Math.max(0, after(this.listed, this.player.time) - 1));
  }

  matches(event) {
    event.haystack ||= `${eventText(event)} ${kindWords(event.kind)} ${event.env} ${event.app || ""} ${event.page || ""} ${event.detail ? Object.values(event.detail).filter((one) => typeof one !== "object").join(" ") : ""}`.toLowerCase();
    return this.words.every((word) => event.haystack.includes(word));
  }

  row(event) {
    return el("div.event-row", { class: verdictOf(event), id: `event-${event.i}` },
      el("span.when", {}, seconds(event.start)), el("div.lines", {}, el("div.line", {}, el("span.kind", {}, kindWords(event.kind)), event.env && el("span.where", {}, event.env), event.turn < 0 && el("span.badge", {}, "past")),
        el("div.said", { title: eventText(event).slice(0, 400) }, eventText(event).slice(0, 200))));
  }

  listKeys(event) {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey || !this.listed.length) return;
    event.preventDefault();
    event.stopPropagation();
    const to = Math.min(Math.max(this.listed.indexOf(this.chosen) + by, 0), this.listed.length - 1);
    this.choose(this.listed[to]);
  }

  /* A mark in a lane: the event, or of many under one mark the next one; where there is room, they come apart. */
  pick(events) {
    const i = events.indexOf(this.chosen);
    const span = events[events.length - 1].start - events[0].start;
    if (events.length > 1 && i < 0 && span * this.lanes.width / (this.lanes.to - this.lanes.from) > 1 && span > 0.02) this.lanes.look(events[0].start - 0.2 * span, events[0].start + 1.4 * span);
    this.choose(events[(i + 1) % events.length]);
  }

  choose(event, quiet) {
    this.chosen = event;
    this.describe(event);
    this.lanes.select(event);
    this.list.select(this.listed.indexOf(event));
    this.listBox.setAttribute("aria-activedescendant", `event-${event.i}`);
    if (!quiet) this.player.seek(event.start);
    const card = this.details.parentElement.getBoundingClientRect();
    if (card.top > innerHeight - 60) this.details.parentElement.scrollIntoView({ block: "nearest" });
  }

  next(by) {
    if (!this.listed.length) return;
    const now = this.listed.indexOf(this.chosen);
    const to = now >= 0 && Math.abs(this.chosen.start - this.player.time) < 1e-6 ? now + by : by > 0 ? after(this.listed, this.player.time) : after(this.listed, this.player.time - 1e-6) - 1;
    this.choose(this.listed[Math.min(Math.max(to, 0), this.listed.length - 1)]);
  }

  fit(all) {
    const from = all ? this.time.start : this.time.from;
    this.lanes.look(from - 0.01 * (this.time.end - from), this.time.end + 0.02 * (this.time.end - from));
    if (this.player.time < this.lanes.from) this.player.seek(from);
  }

  stated() {
    const { player } = this;
    if (!this.playButton) return;
    this.playButton.replaceChildren(icon(player.playing ? "pause" : "play"));
    this.playButton.setAttribute("aria-label", player.playing ? "Pause (Space)" : "Play (Space)");
    this.speed.value = String(player.speed);
    for (const [env, { mute }] of this.screens) {
      mute.setAttribute("aria-pressed", String(player.muted.has(env)));
    }
  }

  moved() {
    const now = this.player.time;
    this.clock.textContent = `${seconds(now)} / ${seconds(this.time.end)}`;
    for (const [env, one] of this.screens) this.paint(env, one, now);
    if (this.lanes && this.root.isConnected) this.lanes.move(now, this.player.playing);
    const near = this.listed && !this.chosen ? Math.max(0, after(this.listed, now) - 1) : -1;
    if (near !== this.near) this.list.reveal(this.near = near);
    const item = this.itemAt(now);
    if (item && item.id !== this.at && this.root.isConnected) {
      this.at = item.id;
      this.chooseItem(item.id);
    }
  }

  itemAt(time) {
    const i = after(this.starts, time + 1e-6) - 1;
    return i >= 0 ? this.starts[i].item : this.starts[0] && this.starts[0].item;
  }

  /* The step list moved: go where its step is, unless it moved because we did. */
  follow(item) {
    if (!item || item.id === this.at) return;
    this.at = item.id;
    this.player.seek(this.startOf(item));
  }

  paint(env, one, now) {
    const picture = this.time.picture(env, now);
    if (picture && picture.digest !== one.digest) {
      one.digest = picture.digest;
      one.size = picture.size;
      const [width, height] = picture.size;
      one.frame.style.setProperty("aspect-ratio", `${width} / ${height}`);
      one.figure.style.setProperty("--aspect", width / height);
      one.image.src = media(this.base, picture.digest, "png");
    }
    const acting = this.items.find(({ step }) => step && step.env === env && step.drawn && step.start <= now + 1e-6 && now < Math.max(step.end, step.start + 0.25));
    if (acting !== one.mark) {
      one.mark = acting;
      one.frame.querySelectorAll(":scope > :not(img)").forEach((mark) => mark.remove());
      const [width, height] = one.size || [1, 1];
      if (acting) one.frame.append(...overlay(acting.step.drawn, width / height, acting.step.result));
      one.figure.classList.toggle("acting", Boolean(acting));
    }
    const places = this.places(env);
    const place = places[after(places, now + 1e-6) - 1];
    const said = acting ? acting.step.executed && acting.step.executed.words : place ? eventText(place) : "";
    if (one.title.textContent !== (said || "")) one.title.textContent = said || "";
  }

  places(env) {
    this.placesOf ||= new Map();
    if (!this.placesOf.has(env)) this.placesOf.set(env, this.time.events.filter((event) => event.kind === "context" && event.env === env));
    return this.placesOf.get(env);
  }

  /* Everything about one event. */
  describe(event) {
    if (!event) return put(this.details, el("p.quiet", {}, "Choose an event on a lane or in the list."));
    const item = this.items.find((other) => (event.step === undefined ? other.turn && other.turn.turn === event.turn : other.step && other.step.step === event.step));
    const when = event.end > event.start ? `${event.start.toFixed(2)} – ${seconds(event.end)}` : seconds(event.start);
    const detail = Object.entries(event.detail || {}).filter(([, value]) => value !== null && value !== "" && !(typeof value === "object" && JSON.stringify(value).length > 600));
    const given = this.time.given.get(event.i) || [];
    const shows = (turn) => this.items.find((other) => other.turn && other.turn.turn === turn);
    put(this.details,
      el("div.line.origin", {}, el("span.kind", { class: verdictOf(event) }, kindWords(event.kind)), event.env && el("span.where", {}, event.env), el("span.quiet", {}, when), el("span.quiet", {}, event.turn < 0 ? `turn ${event.turn}, before the episode` : `turn ${event.turn + 1}`)),
      event.text && folded(event.text),
      (event.app || event.page) && event.kind !== "context" && el("div.quiet", {}, [event.app, event.page].filter(Boolean).join(" · ")),
      this.mediaOf(event),
      detail.length > 0 && el("dl.pairs", {}, detail.map(([name, value]) => [el("dt", {}, name.replaceAll("_", " ")), el("dd", {}, said(value))])),
      event.kind === "anchor" && event.detail && event.detail.name && this.sighted(event),
      given.length > 0 && el("div.given-to", {}, el("h4", {}, "Given from memory"), el("ul", {}, given.slice(0, 30).map(({ turn, role, why }) => el("li", {},
        el("button.jump", { type: "button", onclick: () => { const to = shows(turn); if (to) this.chooseItem(to.id, ""); } }, `turn ${turn + 1}`), ` to ${role}`, why && el("span.quiet", {}, `: ${why}`))),
      given.length > 30 && el("li.quiet", {}, `and ${given.length - 30} more`))),
      el("div.line", {}, item && el("button.jump", { type: "button", onclick: () => this.chooseItem(item.id, "") }, item.step ? "Open the step" : "Open the turn"), event.modality && el("span.badge", { title: "what a role must be granted to recall it" }, event.modality)));
  }

  sighted(event) {
    const all = this.time.sightings(event.detail.name);
    const from = Math.max(0, all.indexOf(event) - 15);
    const near = all.slice(from, from + 30);
    const rest = (count, side) => count > 0 && el("li.quiet", {}, `${count} ${side}`);
    return el("div.given-to", {}, el("h4", {}, plural(all.length, "sighting")), el("ul", {}, rest(from, "before"), near.map((one) => el("li", {},
      one === event ? el("b", {}, seconds(one.start)) : el("button.jump", { type: "button", onclick: () => this.choose(one) }, seconds(one.start)),
      ` ${[one.env, one.app, one.page].filter(Boolean).join(" · ")}`, one.detail && one.detail.value !== undefined && el("span.quiet", {}, `: ${one.detail.value}`))), rest(all.length - from - near.length, "after")));
  }

  mediaOf(event) {
    const { base } = this;
    const clip = event.media;
    if (clip && clip.kind === "audio") {
      const bounds = event.kind === "audio" ? "" : `#t=${Math.max(0, event.start - clip.start).toFixed(3)},${(event.end - clip.start).toFixed(3)}`;
      return el("div.sound", {}, event.wave && el("div.line", {}, wave(event.wave)), el("audio", { controls: true, preload: "none", src: media(base, clip.digest, "wav") + bounds }));
    }
    if (event.kind === "video" && event.frames) {
      const film = motion(base, { start: event.start, end: event.end, frames: event.frames });
      film.open = true;
      return film;
    }
    if (!event.env || !["screen", "motion", "text", "anchor", "check", "context", "write", "action", "video"].includes(event.kind)) return null;
    const picture = this.time.picture(event.env, event.start);
    if (!picture || (event.kind !== "screen" && !event.place)) return null;
    const [width, height] = picture.size;
    const place = event.place && (Array.isArray(event.place) ? event.place : [event.place.left, event.place.top, event.place.right, event.place.bottom]);
    const frame = el("div.frame", { style: { "aspect-ratio": `${width} / ${height}`, "max-width": `${Math.min(280, (220 * width) / height)}px` }, onclick: () => zoom(frame, picture.size) },
      el("img", { alt: `the screen of ${event.env} at ${seconds(event.start)}`, src: media(base, picture.digest, "png") }), place && el("div.found", { style: area(place) }));
    return frame;
  }

  /* Keys of this view; true if one was meant. */
  key(event) {
    if (event.key === " " && event.target.closest("button, summary, a")) return false;
    const act = {
      " ": () => this.player.toggle(), ",": () => this.next(-1), ".": () => this.next(1), "+": () => this.lanes.zoom(0.5), "=": () => this.lanes.zoom(0.5), "-": () => this.lanes.zoom(2),
      0: () => this.fit(false), f: () => this.fit(true), "[": () => this.player.faster(-1), "]": () => this.player.faster(1), "/": () => this.search.focus(),
      PageDown: () => this.lanes.pan(0.5), PageUp: () => this.lanes.pan(-0.5),
    }[event.key];
    if (act) act();
    return Boolean(act);
  }
}
