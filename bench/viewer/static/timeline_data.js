"use strict";

/* The lanes of a timeline, from top to bottom: name, title, kinds, height. The first ones exist once a device. */
const DEVICE_LANES = [
  ["screen", "Screens", ["screen"], 50], ["video", "Film", ["video"], 38], ["motion", "Motion", ["motion"], 22],
  ["audio", "Sound", ["audio"], 32], ["heard", "Heard", ["sound", "transcript"], 22], ["text", "Read", ["text"], 22],
  ["context", "Place", ["context", "page"], 22], ["action", "Actions", ["action", "outcome", "write"], 22],
];
const AGENT_LANES = [
  ["thought", "Thoughts", ["thought", "note", "told", "summary"], 22], ["anchor", "Anchors", ["anchor"], 22], ["check", "Checks", ["check"], 22],
  ["gate", "Gate", ["gate"], 22], ["goal", "Sub-goals", ["goal"], 22],
];
const LANE_ORDER = [...DEVICE_LANES, ...AGENT_LANES, ["other"]].map(([name]) => name);
const EVENT_WORDS = {
  screen: "screen", audio: "sound", video: "film", context: "place", page: "page", text: "read", sound: "heard", transcript: "speech", motion: "motion",
  thought: "thought", note: "note", told: "told", action: "action", outcome: "outcome", write: "write-back", anchor: "anchor", check: "check",
  summary: "summary", gate: "gate", goal: "sub-goal",
};
const kindWords = (kind) => EVENT_WORDS[kind] || kind;

/* Where in sorted starts the first one after a time is. */
function after(events, time) {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle].start <= time) low = middle + 1; else high = middle;
  }
  return low;
}

/* Whether an expectation held, or a medium was sent: "good", "bad", or "" for what has no verdict. */
function verdictOf({ kind, detail = {}, text = "" }) {
  if (kind === "goal") return "good";
  if (kind === "gate") return detail.sent === undefined ? "" : detail.sent ? "good" : "held";
  if (kind === "outcome") return "bad";
  if (kind === "action") return ["rejected", "not_found", "malformed", "denied"].includes(detail.result) ? "bad" : "";
  return kind === "check" ? { kept: "good", violated: "bad" }[detail.status] || "" : "";
}

/* An event in one line. */
function eventText(event) {
  if (event.text) return event.text;
  if (["screen", "page"].includes(event.kind)) return [event.app, event.page].filter(Boolean).join(" · ") || (event.detail && event.detail.id) || "a new screen";
  const length = `${(event.end - event.start).toFixed(2)} s`;
  return event.kind === "audio" ? `sound of ${length}` : event.kind === "video" ? `film of ${length}` : kindWords(event.kind);
}

class TimelineData {
  constructor(raw, data) {
    this.events = raw.events;
    this.events.forEach((event, i) => { event.i = i; });
    this.start = Math.min(0, raw.start);
    this.end = Math.max(raw.end, this.start + 0.1);
    const past = this.events.filter((event) => event.turn < 0);
    this.zero = past.length ? this.began(past) : null;
    this.from = this.zero === null ? this.start : this.zero;
    this.pastTurns = new Set(past.map((event) => event.turn)).size;
    this.envs = [...new Set(this.events.map((event) => event.env).filter(Boolean))];
    this.lanes = this.laid();
    this.pictures = new Map(this.envs.map((env) => [env, this.shown(env)]));
    this.sounds = new Map(this.envs.map((env) => [env, this.events.filter((event) => event.kind === "audio" && event.env === env)]));
    this.given = this.givings(data.turns);
  }

  /* Where the past ends: a clip of the first turn may reach back into it. */
  began(past) {
    const clips = new Set(["audio", "video", "sound", "transcript", "motion", "gate"]);
    const first = this.events.find((event) => event.turn >= 0 && !clips.has(event.kind));
    return first ? first.start : past[past.length - 1].end;
  }

  /* A lane an environment and kind that has anything in it. What belongs to no device, and anchors, are the agent's. */
  laid() {
    const lanes = new Map();
    const named = new Map([...DEVICE_LANES, ...AGENT_LANES].flatMap((lane) => lane[2].map((kind) => [kind, lane])));
    const shared = new Set(AGENT_LANES.map(([name]) => name));
    for (const event of this.events) {
      const [name, title, , height] = named.get(event.kind) || ["other", "Other", [], 22];
      const env = shared.has(name) || name === "other" ? "" : event.env;
      const key = `${env}/${name}`;
      if (!lanes.has(key)) lanes.set(key, { key, env, name, title, height, events: [], longest: 0 });
      const lane = lanes.get(key);
      lane.events.push(event);
      lane.longest = Math.max(lane.longest, event.end - event.start);
      event.lane = lane;
    }
    const devices = [...this.envs, ""];
    return [...lanes.values()].sort((a, b) => devices.indexOf(a.env) - devices.indexOf(b.env) || LANE_ORDER.indexOf(a.name) - LANE_ORDER.indexOf(b.name));
  }

  /* What the screen of a device showed: screenshots, and the frames of films between them. */
  shown(env) {
    const pictures = [];
    let size = null;
    for (const event of this.events) {
      if (event.env !== env) continue;
      if (event.kind === "screen") {
        size = event.size || size;
        pictures.push({ start: event.start, digest: event.media.digest, size });
      } else if (event.kind === "video") for (const [start, digest] of event.frames || []) pictures.push({ start, digest, size });
    }
    const first = pictures.find((picture) => picture.size);
    for (const picture of pictures) picture.size ||= first ? first.size : [16, 10];
    return pictures.sort((a, b) => a.start - b.start);
  }

  picture(env, time) {
    const pictures = this.pictures.get(env) || [];
    return pictures[Math.max(0, after(pictures, time + 1e-6) - 1)] || null;
  }

  clip(env, time) {
    const clips = this.sounds.get(env) || [];
    const i = after(clips, time) - 1;
    return i >= 0 && clips[i].end > time ? clips[i] : null;
  }

  nextClip(env, time) {
    const clips = this.sounds.get(env) || [];
    return clips[after(clips, time)] || null;
  }

  /* Which part of what was recalled each event is. */
  givings(turns) {
    const given = new Map();
    for (const turn of turns) {
      for (const part of turn.recalled || []) {
        const event = this.find(part);
        if (!event) continue;
        if (!given.has(event.i)) given.set(event.i, []);
        given.get(event.i).push({ turn: turn.turn, role: part.role, why: part.why || "" });
      }
    }
    return given;
  }

  /* The event that a recalled part is of: by its turn and kind, then its words or its time. */
  find(part) {
    this.byTurn ||= this.grouped();
    const kind = { screenshot: "screen", texts: "text" }[part.source] || part.source;
    const near = (this.byTurn.get(part.turn) || []).filter((event) => event.env === part.env && event.kind === kind);
    const same = (event) => Math.abs(Math.max(0, event.start) - Math.max(0, part.time)) < 0.002 || Math.abs(event.start - part.time) < 0.002;
    return near.find((event) => part.text && (event.text || "").trim() === part.text.trim()) || near.find(same) ||
      near.find((event) => part.media && event.media && event.media.digest === part.media.digest) || (near.length === 1 ? near[0] : null);
  }

  grouped() {
    const groups = new Map();
    for (const event of this.events) {
      if (!groups.has(event.turn)) groups.set(event.turn, []);
      groups.get(event.turn).push(event);
    }
    return groups;
  }

  sightings(name) {
    return this.events.filter((event) => event.kind === "anchor" && event.detail && event.detail.name === name);
  }
}
