"use strict";

/* A step in eight lines: what was seen, heard, recalled, thought, asked for, pointed at, executed and judged. Each line
   has its words and, as a text, all that it says, by which two runs are told apart. */
const GLANCE = ["seen", "heard", "recalled", "thought", "asked", "pointed", "executed", "judged"];
const GLANCE_NAMES = { asked: "asked for", pointed: "pointed at" };
const BY_EAR = /transcript|sound|speech|heard|audio/;

function glanceOf(item, looks, tally) {
  const { turn, step, changes } = item;
  const envs = Object.entries(looks);
  const many = envs.length > 1;
  const of = (env, words) => (many && env ? `${env}: ${words}` : words);
  const join = (parts, between = "; ") => parts.filter(Boolean).join(between);
  const told = turn ? turn.told.filter(({ source }) => BY_EAR.test(source)) : [];
  const lines = {};
  const line = (name, words, says = words, sign = "") => { lines[name] = { words, says: JSON.stringify(says), sign }; };

  line("seen", join(envs.map(([env, look]) => {
    const { app, title } = look.context || {};
    return of(env, join([app, title !== app && title, look.elements ? plural(look.elements.count, "element") : look.absent.elements && "no elements", !look.screenshot && "no screenshot"], ", ") || "a screenshot");
  })), envs.map(([env, look]) => [env, look.screenshot || "", look.elements ? look.elements.digest : ""]));
  line("heard", join([...told.map((note) => of(note.env, `“${note.text}”`)), ...envs.map(([env, { audio }]) =>
    audio && audio.end > audio.start && of(env, audio.wave === "" ? `${(audio.end - audio.start).toFixed(1)} s of silence` : `${(audio.end - audio.start).toFixed(1)} s of sound`))]) || unheard(envs),
  [told.map((note) => [note.env, note.text]), envs.map(([env, { audio }]) => (audio && audio.wave ? [env, audio.digest] : ""))]);
  const recalled = turn ? turn.recalled || [] : [];
  if (turn) line("recalled", join([...new Set(recalled.map((part) => part.role))].map((role) => `${role}: ${counted(recalled.filter((part) => part.role === role))}`)),
    recalled.map(({ role, env, source, text, media: clip }) => [role, env, source, text || "", clip ? clip.digest : ""]));
  if (turn) line("thought", turn.thought);
  if (step) {
    const [said, made] = [step.recorded ? step.predicted : step.proposed, step.executed];
    line("asked", said ? of(step.env, said.words) : "nothing that could be read", said && [step.env, said.json]);
    line("pointed", join(step.pointed.map((found, i) => {
      const verdict = step.pointing[i];
      return join([verdict && verdict.right !== null && (verdict.right ? "✓" : "✕"), `(${found.x.toFixed(3)}, ${found.y.toFixed(3)})`, verdict && verdict.hit && `hit ${verdict.hit.words}`, found.grounder && `by ${found.grounder}`], " ");
    })), step.pointed.map(({ x, y }) => [x, y]), step.pointing.some(({ right }) => right === false) ? "bad" : "");
    const [sign, title] = resultOf(item);
    line("executed", join([made ? made.words : "nothing", `${sign} ${title}`], " "), [made && made.json, step.result], ["rejected", "not_found", "malformed", "denied", "wrong"].includes(kindOf(item)) ? "bad" : "");
  } else if (turn) {
    line("asked", "nothing", "");
    line("executed", "nothing", "");
  }
  const fresh = changes.map(({ node, completed, progress, reason }) => join([`${node} ${reachedWords({ completed, progress }, Boolean(item.final && item.final.failed))}`, reason], ": "));
  line("judged", join([tally && `${tally} reached`, fresh.length > 0 && `now ${join(fresh)}`], "; "), changes.map(({ node, completed, progress }) => [node, completed, progress]), changes.some(({ completed }) => completed) ? "good" : "");
  return lines;
}

/* Why nothing was heard: nothing sounds, or sound is withheld or not there. */
function unheard(envs) {
  const reasons = envs.map(([, look]) => look.absent.audio).filter(Boolean);
  return reasons.length ? `nothing: ${reasons[0]}` : envs.length ? "nothing" : "";
}

/* A click on a line shows all of it. `differing`: names of the lines that are marked. */
function glancePane(lines, differing = new Set()) {
  return el("dl.glance", {}, GLANCE.filter((name) => lines[name]).map((name) => {
    const { words, sign } = lines[name];
    const row = el("div", { class: `${sign} ${differing.has(name) ? "differs" : ""}`, "data-line": name, title: words.length > 60 ? words : null, onclick: () => row.classList.toggle("whole") },
      el("dt", {}, GLANCE_NAMES[name] || name), el("dd", {}, words || el("span.quiet", {}, "nothing")));
    return row;
  }));
}
