"use strict";

/* The first page: the tables, tasks against runs, and what each run was. */
function overview(root, index, narrow) {
  put(root, el("div.overview", {},
    index.tables.map((table) => el("section.card", {}, grid(table))),
    index.sections.map(comparison),
    el("section.card", {}, el("h3", {}, "Tasks"), matrix(index, narrow)),
    el("section.card", {}, el("h3", {}, index.runs.length > 1 ? "Runs (what differs stands out)" : "Run"), about(index.runs))));
}

/* A figure is a picture, not a part of the page: nothing in it can run, and its style is its own. */
function comparison({ title, words, svg, tables }) {
  return el("section.card", {}, el("h3", {}, title),
    words.map((text) => el("p", {}, text)),
    svg && el("img.figure-file", { alt: `${title}: the figures of the table below`, src: `data:image/svg+xml,${encodeURIComponent(svg)}` }),
    tables.map(grid));
}

/* One column a run, one row a fact. */
function about(runs) {
  const facts = runs.map((run) => new Map(run.facts));
  const names = new Set(facts.flatMap((fact) => Array.from(fact.keys())));
  return el("div.scroll", {}, el("table.about", {},
    el("thead", {}, el("tr", {}, el("th"), runs.map((run) => el("th", { scope: "col" }, run.label)))),
    el("tbody", {}, Array.from(names, (name) => {
      const values = facts.map((fact) => fact.get(name) || "");
      return el("tr", { class: new Set(values).size > 1 ? "differs" : "" }, el("th", { scope: "row" }, name), values.map((value) => el("td", {}, value)));
    }))));
}

function grid(table) {
  const side = (i) => (table.left[i] ? "" : "figure");
  const heading = (name, i) => el("th", { class: side(i), scope: "col" },
    table.meanings[i] ? el("abbr", { title: table.meanings[i] }, name) : name);
  return [el("div.scroll", {}, el("table", {},
    el("thead", {}, el("tr", {}, table.columns.map(heading))),
    el("tbody", {}, table.rows.map((row) => el("tr", {}, row.map((cell, i) => el("td", { class: side(i) }, cell))))))),
  table.notes.length > 0 && el("ul.footnotes", {}, table.notes.map((note) => el("li", {}, note)))];
}

/* One row a task, one column a run: solved of tried; a cell shows its episodes. */
function matrix(index, narrow) {
  const cells = new Map();
  const tasks = new Set();
  for (const entry of index.episodes) {
    const id = JSON.stringify([entry.task, entry.run]);
    tasks.add(entry.task);
    if (!cells.has(id)) cells.set(id, { tried: 0, solved: 0, void: 0, unjudged: 0 });
    const cell = cells.get(id);
    cell.tried += 1;
    if (entry.mark in cell) cell[entry.mark] += 1;
  }
  return el("div.scroll", {}, el("table.matrix", {},
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "task"), index.runs.map((run) => el("th.figure", { scope: "col", title: run.name }, run.label)))),
    el("tbody", {}, Array.from(tasks, (task) => el("tr", {}, el("th", { scope: "row" }, task), index.runs.map((run, i) => {
      const cell = cells.get(JSON.stringify([task, i]));
      if (!cell) return el("td");
      const judged = cell.tried - cell.unjudged;
      const share = judged ? cell.solved / judged : 0;
      return el("td.figure", {}, el("button.share", {
        type: "button", style: { "--share": percent(share) }, class: !judged ? "untold" : share === 1 ? "all" : share === 0 ? "none" : "some",
        title: `show the episodes of ${task}`, onclick: () => narrow(task, i),
      }, judged > 0 && `${cell.solved}/${judged}`, cell.unjudged > 0 && el("span.quiet", {}, ` ${MARKS.unjudged}${cell.unjudged}`), cell.void > 0 && el("span.quiet", {}, ` ∅${cell.void}`)));
    }))))));
}
