/* Asks what is open twice a second, and sends what the person says. */
const at = (id) => document.getElementById(id);
let shown = 0;

function put(parent, rows) {
  parent.replaceChildren(...rows);
}

function word(tag, text, kind = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  made.className = kind;
  return made;
}

function show({ question, past }) {
  at("question").hidden = question === null;
  at("idle").hidden = question !== null;
  if (question !== null) {
    at("left").textContent = `${Math.ceil(question.left)} s left`;
    if (question.number !== shown) {
      shown = question.number;
      hold();
      at("env").textContent = question.env;
      at("move").textContent = question.move;
      at("rule").textContent = question.rule;
      at("why").textContent = question.why ? `: ${question.why}` : "";
      put(at("facts"), Object.entries(question.facts).filter(([, value]) => !Array.isArray(value) || value.length > 0).flatMap(([name, value]) => [word("dt", name), word("dd", Array.isArray(value) ? value.join(", ") : String(value))]));
      document.title = "Approve? · omnipilot";
    }
  } else {
    shown = 0;
    document.title = "Approve · omnipilot";
  }
  at("answers").hidden = past.length === 0;
  put(at("past"), past.map(({ env, move, said }) => {
    const row = document.createElement("li");
    row.append(word("span", said, said === "allowed" ? "allowed" : "refused"), word("span", `${env}: ${move}`));
    return row;
  }));
}

/* A click that was meant for the question before is none for this one. */
function hold() {
  const buttons = [at("refuse"), at("allow")];
  for (const one of buttons) one.disabled = true;
  setTimeout(() => { for (const one of buttons) one.disabled = false; }, 700);
}

async function answer(allow) {
  const sent = await fetch("answer", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ number: shown, allow }) });
  at("status").textContent = sent.ok ? "" : await sent.text();
  await look();
}

async function look() {
  try {
    const found = await fetch("question");
    if (!found.ok) throw new Error();
    show(await found.json());
    if (at("status").textContent === "the run has ended") at("status").textContent = "";
  } catch {
    at("question").hidden = true;
    at("status").textContent = "the run has ended";
  }
}

at("refuse").addEventListener("click", () => answer(false));
at("allow").addEventListener("click", () => answer(true));
setInterval(look, 500);
look();
