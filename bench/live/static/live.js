"use strict";

/* Above the page of a run that goes on: what each worker does, and what a person can do about it. The server is asked
   for what is new; rows are made once and their text changes, so that what has the focus keeps it. */
(() => {
  const index = JSON.parse(document.getElementById("index").textContent);
  const at = (id) => document.getElementById(id);
  const units = { turns: "turns", actions: "actions", tokens: "tokens", seconds: "seconds", cost: "USD", working: "seconds of work" };
  const workers = new Map();
  const voids = new Map();
  let version = index.version;
  let live = index.live;

  const dot = el("span.dot");
  const state = el("b.state");
  const progress = el("span.progress");
  const told = el("span.told", { role: "status" });
  const pause = el("button.control", { type: "button", id: "pause", onclick: () => send({ action: live.paused ? "resume" : "pause" }) });
  const more = el("button.control", { type: "button", id: "more", "aria-expanded": "false", "aria-controls": "live-more", title: "what each worker does (l)", onclick: () => unfold() }, "Workers");
  const playing = el("div.workers", { "aria-label": "Workers" });
  const nobody = el("p.quiet");
  const idle = el("p.quiet");
  const places = el("table.endpoints");
  const placesCard = el("section.part", {}, el("h3", {}, "Endpoints"), places);
  const lost = el("div.voids", { "aria-label": "Void episodes" });
  const lostCard = el("section.part", {}, el("h3", {}, "Void episodes"), lost);
  const budget = el("input", { type: "number", min: "0", step: "any", "aria-label": "Budget of the run in USD", placeholder: "USD" });
  const budgetForm = el("form.raise", { onsubmit: (event) => { event.preventDefault(); send({ action: "raise", limit: "budget", value: Number(budget.value) }); } },
    el("span.quiet", {}, "Budget of the run"), budget, el("button.control", { type: "submit" }, "Raise"));
  const acts = el("ol.acts");
  const actsCard = el("section.part", {}, el("h3", {}, "What people did"), acts);
  const body = el("div", { id: "live-more", hidden: true }, el("section.part", {}, el("h3", {}, "Workers"), playing, idle, nobody, budgetForm), placesCard, lostCard, actsCard);
  const root = el("aside", { id: "live", "aria-label": "The run as it goes on" }, el("div.line.now", {}, dot, state, progress, told, el("span.buttons", {}, pause, more)), body);

  function unfold(open = body.hidden) {
    body.hidden = !open;
    more.setAttribute("aria-expanded", String(open));
  }

  /* An act of a person is taken by the run, not by this page: it is said that it was asked, and shown once it is done. */
  async function send(command) {
    put(told, "asked …");
    try {
      const reply = await fetch("commands", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(command) });
      if (!reply.ok) throw new Error(await reply.text());
      await look();
    } catch (error) {
      put(told, error.message);
    }
  }

  /* What cannot be undone is asked for twice. */
  function twice(text, again, act) {
    let timer = 0;
    const button = el("button.control", { type: "button", onclick: () => {
      if (button.classList.toggle("sure")) {
        put(button, again);
        timer = setTimeout(() => { button.classList.remove("sure"); put(button, text); }, 4000);
        return;
      }
      clearTimeout(timer);
      put(button, text);
      act();
    } }, text);
    return button;
  }

  function worker({ key, attempt, limits }) {
    const [words, how] = [el("span.words"), el("span.quiet")];
    const names = Object.keys(limits);
    const limit = el("select", { "aria-label": `Limit of ${key}` }, names.map((name) => el("option", { value: name }, units[name] || name)));
    const value = el("input", { type: "number", min: "0", step: "any", "aria-label": `New limit of ${key}` });
    const suggest = () => { value.value = 2 * limits[limit.value] || ""; };
    limit.addEventListener("change", suggest);
    suggest();
    const raise = el("form.raise", { onsubmit: (event) => { event.preventDefault(); send({ action: "raise", key, limit: limit.value, value: Number(value.value) }); } }, limit, value, el("button.control", { type: "submit" }, "Raise"));
    const node = el("div.worker", { "data-key": key }, el("div.what", {}, el("a", { href: `#0/${encodeURIComponent(key)}` }, key), attempt > 1 && el("span.badge", {}, `attempt ${attempt}`), how, words),
      el("div.acts-on", {}, names.length > 0 && raise, twice("Cancel", "Really cancel?", () => send({ action: "cancel", key }))));
    return { node, words, how };
  }

  function fill({ words, how }, { words: text, turn, steps, seconds: running, since, quiet, waits, host, limits }) {
    const silent = quiet === null ? since : quiet;
    put(words, waits || text, silent !== null && silent >= 2 && el("span.quiet", {}, `, silent for ${lasting(silent)}`));
    const of = limits.turns ? ` of ${limits.turns}` : "";
    put(how, `turn ${turn}${of} · ${plural(steps, "step")} · for ${lasting(running)}${host ? ` · on ${host}` : ""}`);
  }

  /* Workers without an episode, by what they do. */
  function idleWords(waiting) {
    const count = (doing) => waiting.filter((one) => one.doing === doing).length;
    const [starts, waits, ends] = ["starts", "waits", "ends"].map(count);
    return [starts > 0 && `${plural(starts, "worker")} starting`, waits > 0 && `${plural(waits, "worker")} without an episode`, ends > 0 && `${plural(ends, "worker")} leaving an episode`].filter(Boolean).join(" · ");
  }

  function endpoint({ base, in_flight: flying, waiting, window: most, rpm, tpm }) {
    const paces = [rpm && `${rpm.toLocaleString("en")} requests`, tpm && `${tpm.toLocaleString("en")} tokens`].filter(Boolean);
    return el("tr", {}, el("th", { scope: "row" }, base), el("td", {}, String(flying)), el("td", {}, most === null ? "any number" : String(most)), el("td", {}, String(waiting)), el("td", {}, paces.length ? paces.join(", ") : "not limited"));
  }

  const costs = () => live.paid > 0 && ` · $${live.paid.toFixed(2)} spent${live.expected === null || !live.left_episodes ? "" : `, about $${live.expected.toFixed(2)} in all`}`;
  const timeLeft = () => (live.left !== null ? ` · about ${lasting(live.left)} left` : live.going && !live.paused && live.left_episodes > 0 && " · time left unknown until an episode ends");

  function voided({ key, why }) {
    return { node: el("div.worker", { "data-key": key }, el("div.what", {}, el("a", { href: `#0/${encodeURIComponent(key)}` }, key), el("span.words", {}, why)),
      el("div.acts-on", {}, el("button.control", { type: "button", onclick: () => send({ action: "requeue", key }) }, "Play again"))) };
  }

  /* Make the rows that are new, and remove those that are over. */
  function rows(box, known, items, id, make, update) {
    const now = new Set(items.map(id));
    for (const [name, { node }] of known) if (!now.has(name)) { node.remove(); known.delete(name); }
    for (const item of items) {
      if (!known.has(id(item))) { known.set(id(item), make(item)); box.append(known.get(id(item)).node); }
      if (update) update(known.get(id(item)), item);
    }
  }

  function draw() {
    const players = live.workers.filter(({ turn }) => turn !== undefined);
    const others = live.workers.filter(({ turn }) => turn === undefined);
    root.dataset.state = live.paused ? "paused" : live.going ? "going" : "over";
    put(state, live.paused ? (players.length ? "pausing" : "paused") : live.going ? "going on" : live.done < live.planned ? "stopped" : "finished");
    put(progress, `${live.done.toLocaleString("en")} of ${live.planned.toLocaleString("en")} done · ${live.solved.toLocaleString("en")} solved`, live.void > 0 && ` · ${live.void} void`,
      timeLeft(), costs(), live.unpriced > 0 && ` · price of ${plural(live.unpriced, "call")} unknown`);
    const asked = live.asked.length;
    put(told, asked > 0 && (live.going ? `asked: ${live.asked.map(({ action, key }) => [action, key].filter(Boolean).join(" ")).join(", ")} …` : `${plural(asked, "request")} for the next start`));
    put(pause, live.paused ? "Go on" : "Pause");
    pause.title = live.paused ? "begin episodes again" : "begin no further episode; those that workers have are played to their end";
    pause.hidden = !live.going;
    budgetForm.hidden = !live.going || !(live.paid > 0);
    rows(playing, workers, players, ({ key, attempt }) => `${key} ${attempt}`, worker, fill);
    put(idle, idleWords(others));
    const heads = ["Endpoint", "In flight", "At most", "Waiting", "A minute at most"];
    put(places, el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))), el("tbody", {}, live.endpoints.map(endpoint)));
    placesCard.hidden = !live.endpoints.length;
    put(nobody, !live.workers.length && (live.going ? "No episode is being played." : "The run is not going on. The command that began it goes on with it."));
    rows(lost, voids, live.voids, ({ key }) => key, voided);
    lostCard.hidden = !live.voids.length;
    actsCard.hidden = !live.acts.length;
    put(acts, live.acts.map(({ wall: when, who, words, refused }) => el("li", { class: refused ? "refused" : "" }, el("span.quiet", {}, new Date(1000 * when).toLocaleTimeString()), ` ${who} ${words}`)));
  }

  async function look() {
    const reply = await fetch(`new?since=${version}`);
    if (!reply.ok) throw new Error(await reply.text());
    const fresh = await reply.json();
    // Another run in the place of this one: nothing that is shown here is of it.
    if (fresh.live.begun !== live.begun) return location.reload();
    live = fresh.live;
    version = fresh.version;
    draw();
    if (fresh.episodes.length || fresh.whole) await window.omnipilotRenew(fresh);
  }

  async function follow() {
    try {
      await look();
    } catch (error) {
      put(told, `not followed any more: ${error.message}`);
    }
    setTimeout(follow, live.going ? 1000 : 4000);
  }

  addEventListener("keydown", (event) => {
    if (event.key !== "l" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    event.preventDefault();
    unfold();
    if (!body.hidden) pause.focus();
  });
  document.body.classList.add("live");
  at("top").prepend(el("a.home", { href: "../../", title: "all runs of this folder", "aria-label": "All runs" }, "‹"));
  at("top").after(root);
  draw();
  setTimeout(follow, 1000);
})();
