"use strict";

/* Two episodes side by side, step by step, and where they part. */

/* Lines of a step that are what the agent itself says and remembers: two agents differ in them from the first step on,
   even where they do the same. */
const OWN_WORDS = new Set(["thought", "recalled", "asked"]);

/* Episodes of the same task, the likeliest to be compared first: the same instance and trial in another run. */
function candidates(index, number) {
  const one = index.episodes[number];
  const near = (i) => {
    const other = index.episodes[i];
    return 4 * (other.instance !== one.instance) + 2 * (other.run === one.run) + (other.trial !== one.trial);
  };
  const found = [];
  index.episodes.forEach((other, i) => { if (i !== number && other.task === one.task) found.push(i); });
  return found.sort((a, b) => near(a) - near(b) || a - b);
}

/* "rules #0.1, a fork from turn 4". */
function calledBeside(index, number) {
  const { run, instance, trial } = index.episodes[number];
  const { label, forked } = index.runs[run];
  return `${label} #${instance}.${trial}${forked ? `, a fork from turn ${forked.turn + 1}` : ""}`;
}

class BesideView {
  /* `pages`: two of {entry, run, data, items, called}; `choices`: [address, words] of what can stand beside. */
  constructor(pages, choices, chosen, choose, jump) {
    Object.assign(this, { pages, choices, chosen, choose, jump });
    this.firsts = new Map();
    const most = Math.max(...pages.map(({ items }) => items.length));
    for (let i = 0; i < most && this.firsts.size < GLANCE.length; i++) {
      for (const name of this.differing(i)) if (!this.firsts.has(name)) this.firsts.set(name, i);
    }
    const seen = Array.from(this.firsts).filter(([name]) => !OWN_WORDS.has(name)).map(([, i]) => i);
    this.first = seen.length ? Math.min(...seen) : -1;
  }

  glance(page, i) {
    const item = page.items[i];
    return item ? glanceOf(item, looksOf(item)) : {};
  }

  /* Names of the lines in which the two differ at a step. */
  differing(i) {
    const [a, b] = this.pages.map((page) => this.glance(page, i));
    return GLANCE.filter((name) => (a[name] ? a[name].says : "") !== (b[name] ? b[name].says : ""));
  }

  draw(i) {
    const differing = new Set(this.differing(i));
    const select = el("select", { "aria-label": "Compare with", onchange: () => this.choose(select.value) },
      this.choices.map(([value, words]) => el("option", { value, selected: value === this.chosen }, words)));
    const parted = Array.from(this.firsts).sort(([, a], [, b]) => a - b);
    return el("div.beside-view", {},
      el("div.card.parting", {},
        el("div.line", {}, el("label", {}, "beside ", select),
          this.first < 0 ? el("b", {}, "Seen, heard, pointed at, executed and judged alike in every step.") : el("button.first-difference", { type: "button", title: "the first step that differs (d)", "aria-pressed": String(i === this.first), onclick: () => this.jump(this.first) }, `≠ first difference: step ${this.first + 1}`)),
        parted.length > 0 && el("div.line.firsts", { "aria-label": "The first step in which each differs" }, el("span.quiet", {}, "differs from step"), parted.map(([name, at]) =>
          el("button", { type: "button", "data-first": name, "aria-pressed": String(at === i), onclick: () => this.jump(at) }, `${GLANCE_NAMES[name] || name} ${at + 1}`)))),
      el("div.pair", {}, this.pages.map((page) => this.column(page, i, differing))));
  }

  column(page, i, differing) {
    const item = page.items[i];
    const head = el("header.line", {}, mark(page.entry.mark), el("b", {}, page.called), el("span.quiet", {}, page.data.outcome.words, ` · ${page.entry.completed}/${page.entry.total}`));
    if (!item) return el("section.column-of", { "aria-label": page.called }, head, el("p.empty", {}, `It had ended after ${plural(page.items.length, "step")}.`));
    const looks = looksOf(item);
    const envs = Object.keys(looks);
    const options = item.step ? { acting: actingOf(item.step, envs), drawn: item.step.drawn, result: item.step.result, fresh: Boolean(item.step.look) } : {};
    options.images = page.images;
    return el("section.column-of", { "aria-label": page.called }, head,
      el("div.what", {}, item.step ? wordsOf(item) : item.final ? `The end: ${page.data.outcome.words}` : "Nothing was proposed"),
      el("div.screens", {}, envs.map((env) => screen(page.run.media, env, looks[env], options))),
      glancePane(glanceOf(item, looks, tallyOf(page.items, i, page.data.nodes)), differing));
  }
}
