"use strict";

/* One episode: its header, the list of its steps, and the step that is looked at. */
const RESULTS = {
  done: ["✓", "done"], control: ["✓", "carried out"], rejected: ["✕", "rejected"], not_found: ["?", "not found"],
  malformed: ["✕", "unreadable reply"], denied: ["✕", "refused by the guard"], skipped: ["–", "skipped"], vetoed: ["–", "vetoed"],
};

const FAILED = ["rejected", "not_found", "malformed", "denied"];

/* Of a step in a recording, whether what was predicted is what was done then: its judge says so. */
function resultOf({ step, changes, first }) {
  if (!step.recorded) return RESULTS[step.result] || ["·", step.result];
  if (changes.some((change) => change.completed)) return ["✓", "as recorded"];
  return first ? ["✕", step.predicted ? "not as recorded" : (RESULTS[step.result] || ["", "nothing was proposed"])[1]] : ["·", "a move of the script"];
}

/* What can be looked at, in order: each step, a turn in which nothing was proposed, and the end. */
function itemsOf(data) {
  const turns = new Map(data.turns.map((turn) => [turn.turn, turn]));
  const blank = (turn) => ({ turn, looks: {}, thought: "", notes: [], told: [], recalled: [], gated: [], expected: [], moves: [], perceived: {}, usage: {}, seconds: 0 });
  const items = data.steps.map((step) => ({ id: String(step.step), turn: turns.get(step.turn) || blank(step.turn), step, changes: step.changes }));
  const taken = new Set(data.steps.map((step) => step.turn));
  for (const turn of data.turns) if (!taken.has(turn.turn)) items.push({ id: `turn${turn.turn}`, turn, changes: [] });
  items.sort((a, b) => a.turn.turn - b.turn.turn || (a.step && b.step ? a.step.step - b.step.step : 0));
  items.forEach((item, i) => { item.first = !i || items[i - 1].turn !== item.turn; });
  if (data.final) items.push({ id: "end", final: data.final, changes: data.final.changes, first: true });
  return items;
}

/* From so many on, moves that were made again and again stand in one line of the list. */
const REPEATS = 3;

const waiting = ({ executed, proposed }) => (executed || proposed || { json: {} }).json.kind === "wait";

/* Whether two items that follow each other are the same move, with nothing between them that one would look for. */
function again(a, b) {
  if (a.final || b.final || !a.step !== !b.step || [a, b].some((item) => missed(item) || item.changes.some((change) => change.completed))) return false;
  if (!a.step) return true;
  return a.step.env === b.step.env && kindOf(a) === kindOf(b) && (wordsOf(a) === wordsOf(b) || (waiting(a.step) && waiting(b.step)));
}

const programOf = (item) => item && item.step && item.step.program && item.step.program.words ? item.step.program : null;

/* The last of the steps that follow this one and are further parts of the same move of the planner. */
function programEnd(items, from) {
  let to = from;
  while (items[to + 1] && items[to + 1].turn === items[from].turn && (programOf(items[to + 1]) || {}).part > 0) to += 1;
  return to;
}

/* The lines of the list, each with the first and the last of its items: one line an item, of repeated moves one for all;
   below that one, where it is in `open`, those of its moves. A program of verbs has a line of its own above its verbs,
   which are folded where it is in `open`. */
function linesOf(items, open) {
  const lines = [];
  for (let from = 0, to; from < items.length; from = to + 1) {
    to = programOf(items[from]) ? programEnd(items, from) : from;
    if (to > from) {
      lines.push({ from, to, folds: true, program: programOf(items[from]), open: !open.has(from) });
      if (!open.has(from)) for (let i = from; i <= to; i++) lines.push({ from: i, to: i, inside: true });
      continue;
    }
    while (to + 1 < items.length && again(items[to], items[to + 1])) to += 1;
    const folds = to - from + 1 >= REPEATS;
    if (folds) lines.push({ from, to, folds, open: open.has(from) });
    if (!folds || open.has(from)) for (let i = from; i <= to; i++) lines.push({ from: i, to: i, inside: folds });
  }
  return lines;
}

/* "Wait 5 s × 48"; of waits that are not equally long, how long they are together. */
function repeatedWords(items) {
  if (new Set(items.map(wordsOf)).size === 1) return `${wordsOf(items[0])} × ${items.length}`;
  const total = items.reduce((sum, { step }) => sum + ((step.executed || step.proposed).json.seconds ?? 1), 0);
  return `Wait × ${items.length}, ${Number(total.toFixed(1))} s in all`;
}

/* What a step is coloured by: its result, or in a recording whether the prediction was right. */
function kindOf(item) {
  return item.step.recorded ? { "✓": "right", "✕": "wrong" }[resultOf(item)[0]] || "forced" : item.step.result;
}

const missed = (item) => Boolean(item.step) && item.step.pointing.some((one) => one.right === false);

/* One line for each place that the grounder was asked for. */
function pointingLines({ pointing }) {
  return pointing.map(({ right, target, asked, hit, why }) => {
    if (right === null) return el("div.aimed.untold", {}, el("b", {}, "?"), el("span", {}, `“${target}”: cannot be told whether it was pointed right: ${why}`));
    const found = why ? `: ${why}` : right ? "" : `, hit ${hit ? hit.words : "nothing"}`;
    return el("div.aimed", { class: right ? "right" : "wrong" }, el("b", {}, right ? "✓ pointed right" : why ? "✕ missed" : "✕ pointed wrong"),
      el("span", {}, `asked for ${asked.words}${found}`));
  });
}

function wordsOf(item) {
  if (item.final) return "The end";
  if (!item.step) return "Nothing was proposed";
  const { executed, proposed, grounded } = item.step;
  const said = executed && (!grounded || item.step.recorded) ? executed : proposed;
  return said ? said.words : "The reply could not be read";
}

/* An expectation in words: "title: Inbox", "field the To field: Ada". */
const expected = ({ kind, what, value }) => [[kind, what].filter(Boolean).join(" "), value].filter(Boolean).join(": ");

const VIEWS = [["", "Steps", ""], ["messages", "Messages", "c"], ["time", "Timeline", "t"], ["map", "Map", "g"], ["beside", "Beside", "b"]];

/* The environment in which a step acts. */
function actingOf(step, envs) {
  return step.env || (envs.length === 1 && step.result !== "control" ? envs[0] : "");
}

/* What was seen, by environment: what the turn began with, and the fresh look of a step. */
function looksOf(item) {
  if (item.final) return item.final.looks;
  const looks = { ...item.turn.looks };
  if (item.step && item.step.look) looks[actingOf(item.step, Object.keys(looks))] = item.step.look;
  return looks;
}

/* "2 of 4 sub-goals" after an item; "" without judges. */
function tallyOf(items, index, nodes) {
  if (!nodes.length) return "";
  const reached = new Set();
  for (let i = 0; i <= index; i++) for (const change of items[i].changes) if (change.completed) reached.add(change.node);
  return `${reached.size} of ${plural(nodes.length, "sub-goal")}`;
}

class EpisodePage {
  /* `load` reads more of the episode, by kind ("-timeline"); `others`: what it can be compared with, {choices, read}. */
  constructor(root, entry, run, data, go, load, others) {
    Object.assign(this, { entry, run, data, go, load, others, inspecting: false, items: itemsOf(data), index: -1, view: "", images: new Map(), open: new Set(), reading: new Set() });
    this.lines = linesOf(this.items, this.open);
    this.stage = el("section");
    this.stage.id = "stage";
    this.list = el("div.rows", { role: "listbox", "aria-label": "Steps" });
    this.list.id = "steps";
    this.list.style.setProperty("--rows", this.lines.length);
    this.tabs = el("div.views", { role: "group", "aria-label": "View" }, VIEWS.map(([view, title, key]) =>
      el("button", { type: "button", "data-view": view || "step", title: key ? `${title} (${key})` : title, onclick: () => this.go(undefined, view, true) }, title)));
    this.tabs.lastChild.hidden = !others.choices.length;
    put(root, this.head(), el("div.split", {}, this.list, this.stage));
    this.rows = new Rows(this.list, 32, (i) => this.row(this.lines[i]), (i) => (this.lines[i].folds ? this.unfold(this.lines[i].from) : go(this.items[this.lines[i].from].id)));
  }

  head() {
    const { entry, run, data } = this;
    return el("header.episode", {},
      el("div.line", {}, mark(entry.mark), el("b", {}, entry.task), el("span.quiet", { title: seedTitle(entry) }, `#${entry.instance}.${entry.trial}`),
        el("span.quiet", {}, run.label),
        data.attempt > 1 && el("span.badge", {}, `attempt ${data.attempt}`),
        this.tags(), this.tabs),
      this.instruction(),
      el("div.line.results", {}, el(`span.outcome.${entry.mark}`, {}, data.outcome.words),
        data.outcome.detail && el("span.quiet", {}, data.outcome.detail),
        data.outcome.cause && el("span.badge.cause", { title: data.outcome.why }, `cause: ${data.outcome.cause}`), el("dl.numbers", {}, data.numbers.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))))));
  }

  /* Few tags stand beside the task; more of them would push what was done off the screen. */
  tags() {
    const tags = Object.entries(this.data.tags).filter(([, value]) => value).map(([name, value]) => el("span.badge", { title: name }, `${name}: ${value}`));
    return tags.length > 3 ? el("details.tagged", {}, el("summary.badge", {}, plural(tags.length, "tag")), el("div.line", {}, tags)) : tags;
  }

  /* Of a long instruction, its first lines until it is asked for. */
  instruction() {
    const words = el("h1", {}, this.data.instruction || "(no instruction)");
    const more = el("button.more", { type: "button", "aria-expanded": "false", hidden: true, onclick: () => {
      const whole = words.classList.toggle("whole");
      more.setAttribute("aria-expanded", String(whole));
      more.textContent = whole ? "less" : "whole instruction";
    } }, "whole instruction");
    new ResizeObserver(() => { if (!words.classList.contains("whole")) more.hidden = words.scrollHeight <= words.clientHeight + 1; }).observe(words);
    return [words, more];
  }

  /* Show or fold the moves of a line of repeated ones; without a line, of the one that is looked at. */
  unfold(from) {
    const at = from ?? this.lines.find((line) => line.folds && line.from <= this.index && this.index <= line.to)?.from;
    if (at === undefined) return;
    if (!this.open.delete(at)) this.open.add(at);
    this.lines = linesOf(this.items, this.open);
    this.list.style.setProperty("--rows", this.lines.length);
    this.rows.show(this.lines.length, this.line());
    const { to } = this.lines.find((line) => line.folds && line.from === at);
    if (from !== undefined && (this.index < at || this.index > to)) this.go(this.items[at].id, undefined, false);
  }

  /* The line of the item that is looked at: its own, or that of the repeated moves that it is folded into. */
  line() {
    return this.lines.findIndex((line) => !(line.folds && line.open) && line.from <= this.index && this.index <= line.to);
  }

  row({ from, to, folds, program, open, inside }) {
    const item = this.items[from];
    if (!folds) return this.single(item, inside);
    const items = this.items.slice(from, to + 1);
    const [first, last] = [item, this.items[to]].map(({ step }) => step && step.step + 1);
    const words = program ? `${program.words}: ${items.length} steps` : repeatedWords(items);
    const where = program ? program.env || item.step.env : item.step && item.step.env;
    return el("div.step.folds", { class: `${item.step ? kindOf(this.items[to]) : "none"} first`, "aria-expanded": String(open), title: `${words}${program ? ", one move of the planner" : ""}: ${open ? "fold" : "show each"} (e)` },
      el("span.number.range", {}, first ? `${first}–${last}` : ""), el("span.sign", {}, open ? "▾" : "▸"),
      where && el("span.where", {}, where), el("span.words", {}, words),
      !open && items.some((one) => this.parts(one)) && el("span.miss.parting", { title: "the first step that differs is among them" }, "≠"),
      program && !open && items.some(({ changes }) => changes.some((change) => change.completed)) && el("span.flag", { title: "a sub-goal was reached" }, "⚑"));
  }

  single(item, inside) {
    const step = item.step;
    const [sign, title] = step ? resultOf(item) : item.final ? ["■", "the end"] : ["–", "nothing"];
    return el("div.step", { class: `${step ? kindOf(item) : "none"} ${item.first ? "first" : ""} ${inside ? "inside" : ""}` },
      el("span.number", {}, step ? String(step.step + 1) : ""), el("span.sign", { title }, sign),
      step && step.env && el("span.where", {}, step.env), el("span.words", { title: wordsOf(item) }, wordsOf(item)),
      this.parts(item) && el("span.miss.parting", { title: "the first step that differs" }, "≠"),
      missed(item) && el("span.miss", { title: "a described place was pointed at wrongly" }, "miss"),
      item.changes.some((change) => change.completed) && el("span.flag", { title: "a sub-goal was reached" }, "⚑"));
  }

  /* Whether an item is where the episode that it was last compared with goes another way. */
  parts(item) {
    return Boolean(this.beside) && item === this.items[this.beside.first];
  }

  find(id) {
    return Math.max(0, this.items.findIndex((item) => item.id === id));
  }

  async show(index, move, view = "") {
    this.index = index;
    const item = this.items[index];
    for (const tab of this.tabs.children) tab.setAttribute("aria-pressed", String(tab.dataset.view === (view.split("~")[0] || "step")));
    if (!item) return put(this.stage, el("p.empty", {}, "This attempt left no steps."));
    if (this.rows.count !== this.lines.length) this.rows.show(this.lines.length, this.line());
    else this.rows.select(this.line());
    if (view === "messages") return this.messages(item, index, move);
    if (view.startsWith("beside")) return this.compare(index, view.split("~").slice(1).join("~"));
    if (view) return this.other(item, view);
    this.view = "";
    this.stage.className = "";
    const looks = looksOf(item);
    const base = this.run.media;
    const envs = Object.keys(looks);
    const options = item.step ? { acting: actingOf(item.step, envs), drawn: item.step.drawn, result: item.step.result, fresh: Boolean(item.step.look) } : {};
    options.images = this.images;
    const perceived = item.turn ? item.turn.perceived : {};
    /* Boxes belong to the picture that was read: that with which the turn began. */
    options.read = Object.fromEntries(Object.entries(perceived).filter(([env]) => looks[env] && looks[env].screenshot === item.turn.looks[env].screenshot));
    const screens = new Map(envs.map((env) => [env, screen(base, env, looks[env], options)]));
    const frames = new Map(Object.keys(options.read).map((env) => [env, screens.get(env).querySelector(".frame")]));
    const seen = this.items.slice(0, index + 1).flatMap((other) => other.changes);
    const tally = tallyOf(this.items, index, this.data.nodes);
    const inspector = this.inspecting && await this.inspector(looks, perceived, screens, item);
    put(this.stage,
      this.headline(item, index, move),
      el("div.stage", {},
        el("div.judges", {}, this.data.nodes.length > 0 && section(`Judges: ${tally} reached`, graph(this.data.nodes, this.data.edges, seen, item.changes, Boolean(item.final && item.final.failed)))),
        el("div.screens", {}, [...screens.values()]),
        inspector && el("div.inspecting", {}, inspector),
        el("div.at-a-glance", {}, section("At a glance", glancePane(glanceOf(item, looks, tally)))),
        el("div.details", {},
          item.final && this.data.outcome.cause && section("Why it failed", el("div.line", {}, el("span.badge.cause", {}, this.data.outcome.cause), el("span.reason", {}, this.data.outcome.why))),
          item.final && Object.keys(this.data.spent).length > 0 && section("Cost, tokens and time by part", spentTable([{ label: "", spent: this.data.spent }])),
          item.turn && this.thought(item),
          Object.keys(perceived).length > 0 && perceivedPane(perceived, this.reading, frames),
          item.turn && recalledPane(base, item.turn, (part) => part, (part) => this.toEvent(part)),
          envs.length > 0 && section("Seen and heard", envs.map((env) => channels(base, env, looks[env], this.run.granted))),
          item.turn && this.costs(item),
          item.turn && this.forking(item.turn.turn))));
    this.stage.scrollTop = 0;
  }

  /* The command that plays the episode again up to this turn and goes on with another part; to be copied. */
  forking(turn) {
    const { entry, run } = this;
    const quoted = (text) => (/^[\w./#:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
    const which = [entry.instance && `--instance ${entry.instance}`, entry.trial && `--trial ${entry.trial}`].filter(Boolean);
    const words = ["omnipilot fork", quoted(run.folder), quoted(entry.task), `--turn ${turn + 1}`, ...which, "--planner NAME --times 3"].join(" ");
    const copy = el("button.copy", { type: "button", title: "copy the command", onclick: () => {
      navigator.clipboard?.writeText(words).then(() => { copy.textContent = "copied"; }, () => {});
    } }, "copy");
    return section("Go on another way from here", el("div.line.command", {}, el("code", {}, words), copy),
      el("p.quiet", {}, "writes a page on which the forks stand beside this episode"));
  }

  /* Boxes of all elements over the screens, and the card that tells of one. Where no tree was seen, what was read. */
  async inspector(looks, perceived, screens, item) {
    let raw = { screens: [], items: [] };
    if (Object.values(looks).some((look) => look.elements) || Object.keys(perceived).length) {
      try {
        raw = await this.load("-elements");
      } catch (error) {
        return el("p.empty", {}, error.message);
      }
    }
    const inspector = new Inspector(raw);
    const [frames, lists, aimed] = [new Map(), new Map(), new Map()];
    const acting = item.step ? actingOf(item.step, Object.keys(looks)) : "";
    for (const [env, look] of Object.entries(looks)) {
      frames.set(env, screens.get(env).querySelector(".frame"));
      const list = look.elements || (perceived[env] || {}).elements;
      if (list) lists.set(env, list.digest);
      if (env === acting) aimed.set(env, item.step.drawn.points.map((point, i) => ({ point, id: (item.step.pointing[i] && item.step.pointing[i].hit || {}).id })));
    }
    inspector.show(frames, lists, aimed);
    return inspector.pane;
  }

  inspect() {
    this.inspecting = this.view !== "" || !this.inspecting;
    this.go(this.items[this.index].id, "");
  }

  /* Beside another episode of the task; `chosen` is its address, "" for the likeliest one. */
  async compare(index, chosen) {
    const { choices, read } = this.others;
    const address = choices.some(([value]) => value === chosen) ? chosen : choices.length ? choices[0][0] : "";
    this.view = "beside";
    this.stage.className = "beside-stage";
    if (!address) return put(this.stage, el("p.empty", {}, "No other episode on this page is of the same task: write one page of several runs, with omnipilot report RUN OTHER."));
    if (!this.beside || this.beside.chosen !== address) {
      let other;
      try {
        other = await read(address);
      } catch (error) {
        return put(this.stage, el("p.empty", {}, error.message));
      }
      const pages = [{ ...other.mine, data: this.data, items: this.items, images: new Map() }, { ...other, items: itemsOf(other.data), images: new Map() }];
      this.beside = new BesideView(pages, choices, address, (value) => this.go(undefined, `beside~${value}`, true), (at) => this.jump(at));
      this.rows.paint(true);
    }
    put(this.stage, this.beside.draw(index));
    this.stage.scrollTop = 0;
  }

  jump(at) {
    this.go((this.items[at] || this.items[this.items.length - 1]).id, undefined, true);
  }

  async messages(item, index, move) {
    if (!this.conversation) {
      let raw = { calls: [], values: [] };
      if (this.data.calls) {
        try {
          raw = await this.load("-messages");
        } catch (error) {
          return put(this.stage, el("p.empty", {}, error.message));
        }
      }
      this.conversation = new MessagesView(raw, { data: this.data, base: this.run.media });
    }
    this.view = "messages";
    this.stage.className = "messages";
    put(this.stage, this.headline(item, index, move), this.conversation.turn(item));
    this.stage.scrollTop = 0;
  }

  /* The timeline, or the map; `view` may name an event of the timeline: "time~12". */
  async other(item, view) {
    const [name, event] = view.split("~");
    const raw = await this.timelineRaw();
    if (!raw.events) return put(this.stage, el("p.empty", {}, raw.message));
    this.timeline ||= new TimelineView(raw, { data: this.data, items: this.items, base: this.run.media, choose: (id, other = "time") => this.go(id, other) });
    if (this.view !== name) {
      this.view = name;
      this.stage.className = name;
      put(this.stage, name === "map" ? this.map(raw) : this.timeline.root);
      this.stage.scrollTop = 0;
    }
    if (name === "map") return;
    const chosen = event && this.timeline.time.events[Number(event)];
    if (chosen && chosen !== this.timeline.chosen) this.timeline.choose(chosen);
    else if (!chosen) this.timeline.follow(item);
  }

  async timelineRaw() {
    try {
      return await this.load("-timeline");
    } catch (error) {
      return { message: error.message };
    }
  }

  map(raw) {
    if (!raw.map) return el("p.empty", {}, "There is no map: no screen said which page it is.");
    const visits = (node) => this.timeline.time.events.filter((event) => (event.kind === "page" ? event.detail.id === node.id : event.kind === "context" && event.env === node.env && (event.app || "") === node.app && (event.page || "") === node.title));
    const pictured = (node) => {
      const last = visits(node).pop();
      const picture = last && this.timeline.time.picture(last.env, last.start);
      return picture && media(this.run.media, picture.digest, "png");
    };
    return screenMap(raw.map, visits, (event) => this.go(undefined, `time~${event.i}`, true), pictured);
  }

  /* From what was recalled to the event that it is of. */
  async toEvent(part) {
    const raw = await this.timelineRaw();
    if (!raw.events) return;
    this.timeline ||= new TimelineView(raw, { data: this.data, items: this.items, base: this.run.media, choose: (id, other = "time") => this.go(id, other) });
    const event = this.timeline.time.find(part);
    this.go(undefined, event ? `time~${event.i}` : "time", true);
  }

  headline(item, index, move) {
    const step = item.step;
    const total = this.items.length;
    const button = (id, label, by, off) => el("button", { type: "button", id, "aria-label": label, disabled: off, onclick: () => move(by) }, by < 0 ? "←" : "→");
    const nav = el("div.nav", {}, button("previous", "Previous step", -1, index === 0),
      el("span.quiet", { id: "place" }, `${index + 1} / ${total}`), button("next", "Next step", 1, index + 1 === total));
    if (!step) {
      const words = item.final ? `The end: ${this.data.outcome.words}` : "Nothing was proposed in this turn";
      return el("div.headline", {}, nav, el("div.doing", {}, el("div.executed", {}, words)), this.inspectButton());
    }
    const [sign, title] = resultOf(item);
    const [proposed, executed] = [step.proposed, step.executed].map((said) => (said ? said.words : ""));
    const invalid = FAILED.includes(step.result);
    return el("div.headline", {}, nav, el("div.doing", {},
      el("div.executed", {}, step.env && el("span.where", {}, step.env), wordsOf(item),
        el(`span.result.${kindOf(item)}`, {}, `${sign} ${title}`), !step.counts && !invalid && el("span.badge", { title: "not one of the A actions" }, "not counted")),
      step.recorded && el("div.quiet.proposed", {}, `predicted: ${step.predicted ? step.predicted.words : "nothing that could be carried out"}`,
        proposed && step.predicted && proposed !== step.predicted.words && ` (asked for: ${proposed})`),
      !step.recorded && executed && proposed !== executed && el("div.quiet", { class: step.grounded ? "grounded" : "proposed" },
        step.grounded ? `executed: ${executed}` : `proposed, and not executed: ${proposed || "nothing readable"}`),
      this.program(item, index),
      pointingLines(step),
      step.guard && el("div.message.guard", { class: step.guard.passed ? "" : "invalid" }, step.guard.words,
        el("dl.facts", {}, Object.entries(step.guard.facts).flatMap(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]))),
      step.message && (!step.guard || step.guard.passed) && el("div.message", { class: invalid ? "invalid" : "" }, step.message)), this.inspectButton());
  }

  inspectButton() {
    return this.view === "" && el("button.inspect", { type: "button", "aria-pressed": String(this.inspecting), title: "inspect the elements of the screens (i)", onclick: () => this.inspect() }, "Elements");
  }

  /* Which move of the planner a step of a program is a part of. */
  program(item, index) {
    const program = programOf(item);
    if (!program) return null;
    const from = index - program.part;
    const parts = programEnd(this.items, from) - from + 1;
    return el("div.quiet.program", {}, parts > 1 ? `part ${program.part + 1} of ${parts} of the planner's move: ` : "for the planner's move: ", program.env && el("span.where", {}, program.env), program.words);
  }

  thought(item) {
    const { turn, step } = item;
    /* The parts of a program are one move. */
    const made = this.data.steps.filter((other) => other.turn === turn.turn && !(other.program && other.program.part > 0));
    const nth = step ? made.filter((other) => other.step <= step.step).length - 1 : -1;
    const done = made.length;
    return section(`Turn ${turn.turn + 1}`,
      turn.thought ? el("p.thought", {}, turn.thought) : el("p.quiet", {}, "no thought was given"),
      turn.told.length > 0 && el("details.told", { open: turn.told.some((note) => note.source === "transcript") }, el("summary", {}, `The planner was told: ${[...new Set(turn.told.map((note) => note.source))].join(", ")}`),
        turn.told.map((note) => el("p", {}, note.env && el("span.where", {}, note.env), el("span.quiet", {}, `${note.source} `), note.text))),
      turn.gated && turn.gated.length > 0 && el("ul.gated", { "aria-label": "What the gate let through" }, turn.gated.map((one) => el("li", { class: one.sent ? "good" : "held" },
        one.env && el("span.where", {}, one.env), `${one.modality} ${one.sent ? "sent" : "withheld"}`, one.why && el("span.quiet", {}, `: ${one.why}`)))),
      turn.expected && turn.expected.length > 0 && el("ul.expected", { "aria-label": "Expected" }, turn.expected.map((one) => el("li", {}, one.env && el("span.where", {}, one.env), el("span.quiet", {}, "expects "), expected(one)))),
      turn.notes.length > 0 && el("ul.notes", {}, turn.notes.map((note) => el("li", {}, note))),
      turn.moves.length > 1 && el("ol.moves", {}, repeatedMoves(turn.moves, done).map(({ from, to, made, never }) => el("li", { value: from + 1, class: from <= nth && nth <= to ? "now" : never ? "never" : "" },
        made.env && el("span.where", {}, made.env), made.words, to > from && ` × ${to - from + 1}`, never && el("span.quiet", {}, " — not reached")))));
  }

  costs({ turn, step }) {
    const usage = (name, used) => used && used.calls > 0 && [`${name}`, `${plural(used.calls, "call")}, ${(used.tokens_in || 0).toLocaleString("en")} in + ${(used.tokens_out || 0).toLocaleString("en")} out tokens, ${wall(used.seconds || 0)}${used.cost ? `, $${used.cost.toFixed(4)}` : ""}`];
    const rows = [
      step && ["world clock", span(step)],
      ["deciding", `${wall(turn.seconds)} for the turn`], usage("planner", turn.usage),
      step && usage("grounding", step.usage),
      step && step.seconds.env !== undefined && ["environment", wall(step.seconds.env)],
      step && step.seconds.judge !== undefined && ["judges", wall(step.seconds.judge)],
      step && step.pointed.length > 0 && ["pointed at", step.pointed.map((found) =>
        `“${found.target}” → (${found.x.toFixed(3)}, ${found.y.toFixed(3)})${found.grounder ? ` by ${found.grounder}` : ""}`).join("; ")],
    ].filter(Boolean);
    return section("Times and cost", el("dl.pairs", {}, rows.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
      step && el("details.raw", {}, el("summary", {}, "Raw actions"), el("pre", {}, JSON.stringify(
        { proposed: step.proposed && step.proposed.json, executed: step.executed && step.executed.json,
          ...(step.recorded ? { predicted: step.predicted && step.predicted.json } : {}) }, null, 2))));
  }
}

/* The moves of a turn, equal ones that follow each other together; `done`: how many of them were carried out. */
function repeatedMoves(moves, done) {
  const lines = [];
  moves.forEach((made, i) => {
    const last = lines[lines.length - 1];
    if (last && last.made.words === made.words && last.made.env === made.env && last.never === i >= done) last.to = i;
    else lines.push({ from: i, to: i, made, never: i >= done });
  });
  return lines;
}

function section(title, ...children) {
  return el("section.card", {}, el("h3", {}, title), children);
}
