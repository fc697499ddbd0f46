"use strict";

/* What models were sent in a turn, and what came back: requests on the left, answers beside them. */
const ROLE_SIGNS = { system: "system", user: "user", assistant: "assistant", tool: "tool result" };

class MessagesView {
  constructor(raw, { data, base }) {
    Object.assign(this, { raw, data, base, calls: new Map(raw.calls.map((call) => [call.number, call])) });
  }

  /* The places of all messages that a call sent, in order. */
  sent(call) {
    return call.kept ? [...this.sent(this.calls.get(call.after)).slice(0, call.kept), ...call.messages] : call.messages;
  }

  turn(item) {
    if (item.final) return this.empty("The episode is over: no model was asked.");
    const calls = this.raw.calls.filter((call) => call.turn === item.turn.turn);
    if (!calls.length) {
      return this.empty(this.raw.calls.length ? "No model was called in this turn." : "No model was called: all parts of this agent decide in the process of the run. Or the run is older than the record of calls.");
    }
    const last = new Map(calls.map((call) => [call.role, call.number]));
    return el("div.calls", {}, calls.map((call) => this.call(call, item.turn, last.get(call.role) === call.number)));
  }

  empty(words) {
    return el("p.empty", {}, words);
  }

  call(call, turn, deciding) {
    const failed = call.attempts[call.attempts.length - 1].problem;
    return el("section.card.call", { "aria-label": `Call ${call.number + 1}` },
      el("header.line", {}, el("span.kind", {}, call.role), el("b", {}, call.model), el("span.quiet", {}, `call ${call.number + 1}`),
        Object.entries(call.options).filter(([name]) => name !== "model").map(([name, value]) => el("span.badge", {}, `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)),
        el("span.verdict", { class: failed || call.unread ? "bad" : "good" }, failed ? "✕ no answer" : call.unread ? "✕ could not be read" : "✓ read")),
      el("div.exchange", {},
        el("div.request", {}, el("h4", {}, "Request"), this.request(call)),
        el("div.response", {}, call.attempts.map((one, i) => this.attempt(one, call.attempts.length > 1 ? `Attempt ${i + 1}` : "Answer")),
          call.unread && el("div.unread", { role: "note" }, el("b", {}, "Could not be read"), el("p.wording", {}, call.unread)),
          !call.unread && !failed && deciding && ["planner", "main agent"].includes(call.role) && turn.moves.length > 0 && el("div.readas", {}, el("b", {}, "Read as"),
            el("ol.moves", {}, turn.moves.map((move) => el("li", {}, move.env && el("span.where", {}, move.env), move.words)))))));
  }

  request(call) {
    if (!call.whole) return el("p.quiet", {}, "What was sent and answered was not kept: the run was made with --messages none.");
    const value = (place) => this.raw.values[place];
    const before = this.sent(call).slice(0, call.kept);
    const tools = call.tools === null ? [] : value(call.tools);
    return [
      before.length > 0 && lazily("details.kept", `${plural(before.length, "message")} as in call ${call.after + 1}`, () => before.map((place) => this.message(value(place)))),
      call.messages.map((place) => this.message(value(place))),
      Object.entries(call.given).map(([name, place]) => this.given(name, value(place))),
      tools.length > 0 && lazily("details.tools", plural(tools.length, "tool"), () => tools.map(({ function: tool }) =>
        lazily("details.tool", [el("code", {}, tool.name), el("span.quiet", {}, (tool.description || "").split("\n")[0])], () => el("pre", {}, JSON.stringify(tool.parameters, null, 2))))),
      call.schema !== null && lazily("details.tools", "schema of the reply", () => el("pre", {}, JSON.stringify(value(call.schema), null, 2))),
    ];
  }

  message(message) {
    if (message.missing) return el("div.missing", {}, message.missing);
    const parts = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content || [];
    return el("article.message-part", { class: message.role, "aria-label": message.role },
      el("div.sender", {}, ROLE_SIGNS[message.role] || message.role, message.tool_call_id && el("span.quiet", {}, ` to ${message.tool_call_id}`)),
      el("div.content", {}, parts.map((part) => this.part(part)),
        (message.tool_calls || []).map((call) => calling(call.function.name, call.function.arguments, call.id))));
  }

  /* What a request without messages is about: texts to embed, or a sound to transcribe. */
  given(name, what) {
    if (what.missing) return el("div.missing", {}, what.missing);
    return el("article.message-part", { "aria-label": name },
      el("div.sender", {}, name, Array.isArray(what) && el("span.quiet", {}, ` ${plural(what.length, "text")}`)),
      el("div.content", {}, Array.isArray(what) ? el("ol.texts", {}, what.map((text) => el("li", {}, long(text, 300)))) : this.capture(what)));
  }

  part(part) {
    if (part.type === "text") return part.text ? long(part.text, 900) : null;
    for (const value of Object.values(part)) {
      const media = value && typeof value === "object" && Object.values(value).find((one) => one && one.digest);
      if (!media) continue;
      const more = Object.entries(value).filter(([, one]) => one !== media).map(([name, one]) => `${name} ${one}`);
      return this.capture(media, more);
    }
    return el("pre", {}, JSON.stringify(part, null, 2));
  }

  capture(media, more = []) {
    return el("figure.capture", {}, pictured(this.base, { ...media, source: "a message", media: { ...media, kind: media.media } }),
      el("figcaption.quiet", {}, [media.type, media.size && media.size.join("×"), media.end > media.start && seconds(media.end - media.start), ...more].filter(Boolean).join(" · ")));
  }

  attempt(one, title) {
    const { usage, reply } = one;
    const cost = usage.cost === null ? "price unknown" : `$${usage.cost.toFixed(usage.cost && usage.cost < 0.001 ? 6 : 4)}`;
    return el("div.answer", { class: one.problem ? "bad" : "" },
      el("div.line", {}, el("h4", {}, title), one.replayed && el("span.badge", {}, "from the cassette"), reply.finish && el("span.badge", { title: "finish reason" }, reply.finish)),
      el("dl.figures", {}, [["in", usage.tokens_in.toLocaleString("en")], ["out", usage.tokens_out.toLocaleString("en")], ["cost", cost], ["time", wall(usage.seconds)]].map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
      one.dropped.length > 0 && el("p.quiet", {}, `not sent: ${one.dropped.join(", ")}`),
      one.problem && el("p.wording.problem", {}, one.problem),
      reply.reasoning && lazily("details.reasoning", "reasoning", () => el("p.wording", {}, reply.reasoning)),
      reply.text && long(reply.text, 1500),
      (reply.calls || []).map(([name, given]) => calling(name, given)),
      one.raw && lazily("details.tools", `raw answer, ${plural(one.raw.length, "character")}`, () => el("pre", {}, pretty(one.raw))));
  }
}

/* A tool call: its name, and its arguments one by one where they are JSON. */
function calling(name, text, id) {
  let given = null;
  try {
    given = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const rows = given && typeof given === "object" && !Array.isArray(given) ? Object.entries(given) : null;
  return el("div.calling", { class: rows ? "" : "bad" }, el("code", {}, name), id && el("span.quiet", {}, id),
    rows ? rows.length > 0 && el("dl.pairs", {}, rows.map(([key, value]) => [el("dt", {}, key), el("dd", {}, typeof value === "string" ? value : JSON.stringify(value))])) : el("pre", {}, text));
}

/* Details whose content is made when they are opened. */
function lazily(spec, title, make) {
  const box = el(spec, {}, el("summary", {}, title));
  box.addEventListener("toggle", () => { if (box.open && box.children.length === 1) add(box, [make()]); });
  return box;
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return text;
  }
}

/* A text; of a long one, its beginning until it is asked for. */
function long(text, most) {
  if (text.length <= 1.2 * most) return el("p.wording", {}, text);
  const words = el("p.wording", {}, `${text.slice(0, most)}…`);
  const all = `all ${text.length.toLocaleString("en")} characters`;
  const more = el("button.more", { type: "button", "aria-expanded": "false", onclick: () => {
    const open = more.getAttribute("aria-expanded") === "false";
    more.setAttribute("aria-expanded", String(open));
    more.textContent = open ? "less" : all;
    words.textContent = open ? text : `${text.slice(0, most)}…`;
  } }, all);
  return el("div", {}, words, more);
}
