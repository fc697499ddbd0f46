"""Tables of finished runs: one with a row per run, one with a row per task; each figure with its denominator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

from omnipilot.agents import PartSpec
from omnipilot.agents.assembly.build import gold_parts
from omnipilot.agents.assembly.parts import written_part
from omnipilot.bench.journal.results import UNJUDGED as REASON_UNJUDGED
from omnipilot.bench.journal.results import Episode
from omnipilot.bench.journal.run import Run
from omnipilot.bench.journal.void_reasons import all_void_notes
from omnipilot.bench.report.family_evidence import OURS, prompt_words, unverified_families
from omnipilot.bench.report.method_notes import (
    bound_notes,
    by_hand_notes,
    experience_notes,
    harness_notes,
    honest_notes,
    person_notes,
    taken_out_notes,
    version_notes,
    without_notes,
)
from omnipilot.bench.report.results.columns import cells as cells_of
from omnipilot.bench.report.results.columns import headings, usual_columns
from omnipilot.bench.report.results.columns import notes as column_notes
from omnipilot.bench.run.labels import AXES, options_words
from omnipilot.bench.run.parts import name_of, registry_of
from omnipilot.bench.spec import DATA, RunSpec
from omnipilot.bench.tables import Table
from omnipilot.bench.tasks.figures import Variant, termination
from omnipilot.bench.tasks.review import REVIEWS
from omnipilot.bench.tasks.variation import VARY

ENDINGS = (
    "false completion",
    "gave up",
    "stopped",
    "turn limit",
    "invalid action",
    "refused by the guard",
    "cap",
    "world over",
    "unjudged",
)
OPTIONS = "suite options: runs that differ in them may have other tasks or other rules; `compare` does not pair them"
POINTED = "pointed right"
TOLD = "pointed right: of the described places whose element is known"
PROMPT = (
    "prompt: ours: the model is asked in our words, not in those that it was trained on, and may do better in its "
    "authors'; name a file with them by the option prompt"
)
CHECKED = (
    "violations: expectations that did not hold, of those for which checks can tell, and in brackets the mean over "
    "episodes; repaired: moves that the checks made once more"
)
QUESTIONS = "questions: those that the user answered, in all episodes together"
OVER = "world over: the page ended the episode, or the recording was over, and not all of it was right"

UNJUDGED = "unjudged: nobody said whether it was solved; such episodes count in no share of those solved"


BRIEF = ("solved", "sr", "cr")
"""The figures of a brief table."""


def brief_table(runs: Sequence[Run]) -> Table:
    """The main table as narrow as it can be: what tells the runs apart, and how much they solved."""
    return main_table(runs, chosen=BRIEF, brief=True)


def main_table(
    runs: Sequence[Run], variant: Variant = "paper", chosen: Sequence[str] = (), brief: bool = False
) -> Table:
    """One row per run: its settings, episodes solved, CRAB's four figures, and how the other episodes ended.

    Every setting in which the runs differ has a column. Void episodes count as zero in every figure; a column shows
    how many there are.

    Args:
        chosen: names of metrics, see `omnipilot.bench.scoring.metrics.METRICS`; the usual ones if none.
        brief: without the settings that all runs share, and without columns of how episodes went and ended; void ones
            have theirs.
    """
    chosen = chosen or usual_columns(runs)
    labels = _labels(runs)
    if brief and len(runs) > 1:
        labels = [(title, cell) for title, cell in labels if len({cell(run) for run in runs}) > 1]
    every = (*(() if brief else _columns()), *_voids(chosen))
    shown = [column for column in every if any(map(column.when, runs)) and column.name not in chosen]
    names = [column.name for column in shown]
    titles = (*(title for title, _ in labels), *headings(chosen))
    cells = tuple(
        (
            *(cell(run) or "·" for _, cell in labels),
            *cells_of(run.episodes, chosen, variant),
            *(column.cell(run) or "·" for column in shown),
        )
        for run in runs
    )
    efficient = not {"ee", "ce"}.isdisjoint(chosen)
    notes = [f"EE and CE: as CRAB's {variant} has them; — where no action or no token was used"] * efficient
    notes += column_notes(chosen)
    notes += [PROMPT] * any(OURS in _asked(run) for run in runs)
    notes += [column.note for column in shown if column.note]
    notes += [
        f"{suite}: runs of {len(versions)} versions of it or of its data, whose tasks are not the same; run them again"
        for suite, versions in _versions(runs).items()
        if len(versions) > 1
    ]
    notes += [OPTIONS] * ("suite options" in titles)
    notes += [
        f"{run.name}: {len(run.episodes)} of {run.planned} episodes{_cut(run)}; start it again to finish it"
        for run in runs
        if len(run.episodes) < run.planned
    ]
    notes += [f"{run.name}: {problem}" for run in runs for problem in run.problems]
    notes += taken_out_notes((run.name, run) for run in runs)
    notes += _bounds(runs)
    named = list(zip(column_names(runs), runs, strict=True))
    notes += person_notes(named)
    notes += version_notes(named)
    notes += harness_notes(named)
    notes += all_void_notes([(run.name, run.episodes) for run in runs])
    notes += [f"{name}: answered by {', '.join(found)}" for name, run in named if (found := _answered_by(run))]
    notes += [
        f"{name}: how the model family {family} is prompted is unverified; `omnipilot calibrate` checks it"
        for name, run in named
        for family in unverified_families(run.spec.agent.grounder)
    ]
    return Table((*titles, *names), cells, tuple(notes), labels=len(labels))


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column behind the figures, which is there if any run has something to say in it.

    Attributes:
        when: whether a run has. cell: what it says; "" for nothing. note: below the table, where the column is there.
    """

    name: str
    when: Callable[[Run], object]
    cell: Callable[[Run], str]
    note: str = ""


def _columns() -> tuple[TableColumn, ...]:
    notes = {"world over": OVER, "unjudged": UNJUDGED}
    ends = (TableColumn(name, *_counter(name), note=notes.get(name, "")) for name in ENDINGS)
    return (
        TableColumn("prompt", _asked, _asked),
        TableColumn(POINTED, _pointed, _pointed, TOLD),
        TableColumn("violations", _is_checked, lambda run: violations(run.episodes), CHECKED),
        TableColumn("repaired", _repaired, lambda run: str(_repaired(run) or "")),
        TableColumn("questions", _asked_user, lambda run: str(_asked_user(run) or ""), QUESTIONS),
        *ends,
    )


def _voids(chosen: Sequence[str]) -> tuple[TableColumn, ...]:
    """The column of void episodes, unless it was chosen as a figure; it says 0, too."""
    if "void" in chosen:
        return ()
    return (TableColumn("void", lambda run: _ended(run)["void"], lambda run: str(_ended(run)["void"])),)


def _counter(ending: str) -> tuple[Callable[[Run], object], Callable[[Run], str]]:
    """Whether episodes of a run ended so, and how many did."""
    return lambda run: _ended(run)[ending], lambda run: str(_ended(run)[ending] or "")


def _is_checked(run: Run) -> bool:
    return any(episode.checked for episode in run.episodes)


def _repaired(run: Run) -> int:
    return sum(episode.repaired for episode in run.episodes)


def _asked_user(run: Run) -> int:
    return sum(episode.verbs.get("ask_user", 0) for episode in run.episodes)


def task_table(runs: Sequence[Run]) -> Table:
    """One row per task, one column per run: episodes solved, of all episodes, or that none of them was judged."""
    names = column_names(runs)
    tasks: dict[tuple[str, str], None] = {}
    for run in runs:
        tasks.update(dict.fromkeys((run.spec.suite.name, episode.task) for episode in run.episodes))
    rows = []
    for suite, task in tasks:
        cells = []
        for run in runs:
            mine = [e for e in run.episodes if e.task == task and run.spec.suite.name == suite]
            unjudged = bool(mine) and all(e.reason == REASON_UNJUDGED for e in mine)
            told = f"{sum(e.success for e in mine)}/{len(mine)}" if mine else ""
            cells.append("unjudged" if unjudged else told)
        rows.append((suite, task, *cells))
    return Table(("suite", "task", *names), tuple(rows), tuple(_bounds(runs)), labels=2)


def _bounds(runs: Sequence[Run]) -> list[str]:
    names = column_names(runs)
    bounds = bound_notes((name, gold_parts(run.spec.agent)) for name, run in zip(names, runs, strict=True))
    named = list(zip(names, runs, strict=True))
    honest = honest_notes((name, run.spec.agent) for name, run in named)
    return [*bounds, *honest, *by_hand_notes(named), *experience_notes(named), *without_notes(named)]


def column_names(runs: Sequence[Run]) -> list[str]:
    """The shortest names that tell the runs apart: the planner's, else the directory's."""
    for name in _NAMES:
        names = [name(run) for run in runs]
        if len(set(names)) == len(names):
            return names
    return [run.name for run in runs]


def _decider(run: Run) -> str:
    return run.spec.agent.planner.model or _planner(run)


def _planner(run: Run) -> str:
    return name_of(run.spec.agent.planner, "planner")


def _eyes(run: Run) -> str:
    perception = run.spec.agent.perception
    return "" if perception is None else f" + {name_of(perception, 'perception')}"


def _grounder(run: Run) -> str:
    return name_of(run.spec.agent.grounder, "grounder")


_LABELS: tuple[tuple[str, Callable[[Run], str], str | None], ...] = (
    ("suite", lambda run: run.spec.suite.name, None),
    ("vary", lambda run: AXES[VARY](run.spec), "none"),
    ("agent", lambda run: run.spec.agent.system, "single"),
    ("planner", _planner, None),
    ("model", lambda run: run.spec.agent.planner.model, ""),
    ("grounder", _grounder, None),
    ("its model", lambda run: run.spec.agent.grounder.model, ""),
)
"""Columns for the settings of a run: title, cell, and the value that needs no column if all runs have it."""
_DIFFERING: tuple[tuple[str, Callable[[RunSpec], str], Callable[[RunSpec], object]], ...] = (
    ("suite options", lambda spec: options_words(spec.suite, DATA, REVIEWS, VARY), lambda spec: spec.suite.name),
    ("planner options", lambda spec: _options(spec, "planner"), lambda spec: _named(spec, "planner")),
    ("grounder options", lambda spec: _options(spec, "grounder"), lambda spec: _named(spec, "grounder")),
    *(
        (name.replace("_", " "), words, lambda _: None)
        for name, words in AXES.items()
        if name not in ("agent", "planner", "grounder", VARY)
    ),
)
"""Columns for further settings: title, cell, and the group of runs within which a difference needs a column."""
_NAMES: tuple[Callable[[Run], str], ...] = (
    _planner,
    _decider,
    lambda run: run.spec.agent.system,
    lambda run: f"{run.spec.suite.name} {_planner(run)}",
    lambda run: f"{run.spec.suite.name} {_planner(run)}{_eyes(run)}",
    lambda run: f"{_planner(run)} + {_grounder(run)}",
    lambda run: f"{run.spec.agent.system} {_decider(run)}",
    lambda run: f"{run.spec.agent.system} {_decider(run)} + {_grounder(run)}",
)


def _labels(runs: Sequence[Run]) -> list[tuple[str, Callable[[Run], str]]]:
    """The columns that describe each run; with its directory's name if two runs would look alike otherwise."""
    labels = [
        (title, cell) for title, cell, plain in _LABELS if plain is None or any(cell(run) != plain for run in runs)
    ]
    labels += [(title, _of_spec(words)) for title, words, among in _DIFFERING if _differ(runs, words, among)]
    if len({tuple(cell(run) for _, cell in labels) for run in runs}) < len(runs):
        labels.insert(0, ("run", lambda run: run.name))
    return labels


def _of_spec(words: Callable[[RunSpec], str]) -> Callable[[Run], str]:
    return lambda run: words(run.spec)


def _differ(runs: Sequence[Run], words: Callable[[RunSpec], str], among: Callable[[RunSpec], object]) -> bool:
    found: dict[object, set[str]] = {}
    for run in runs:
        found.setdefault(among(run.spec), set()).add(words(run.spec))
    return any(len(cells) > 1 for cells in found.values())


def _named(spec: RunSpec, what: str) -> tuple[str, str]:
    part = getattr(spec.agent, what)
    return name_of(part, what), part.model


def _options(spec: RunSpec, what: str) -> str:
    """The options of a part that its name does not tell."""
    part: PartSpec = getattr(spec.agent, what)
    return options_words(PartSpec(part.name, written_part(part, registry_of(what))[1]))


def _versions(runs: Sequence[Run]) -> dict[str, set[str]]:
    """The versions of each suite."""
    found: dict[str, set[str]] = {}
    for run in runs:
        found.setdefault(run.spec.suite.name, set()).add(run.spec.suite_version)
    return found


def _answered_by(run: Run) -> list[str]:
    """The models of the run, as their servers call them; without those that a part is, such as the planner `mini`."""
    agent = run.spec.agent
    parts = (part for field in fields(agent) if isinstance(part := getattr(agent, field.name), PartSpec))
    own = {inner.name for part in parts for inner in part.walk()}
    return sorted({model for episode in run.episodes for model in episode.usage.models} - own)


def _asked(run: Run) -> str:
    return prompt_words(run.spec.agent.planner, run.spec.agent.grounder)


def _pointed(run: Run) -> str:
    """Right and told places and their ratio; "" if it can be told for none."""
    right, told = sum(e.pointed_right for e in run.episodes), sum(e.pointed_told for e in run.episodes)
    return f"{right}/{told} ({100 * right / told:.1f} %)" if told else ""


def violations(episodes: Sequence[Episode]) -> str:
    """Expectations that did not hold, of those that can be told, and their mean over episodes; "" if none can."""
    violated, checked = sum(one.violated for one in episodes), sum(one.checked for one in episodes)
    return f"{violated}/{checked} ({violated / len(episodes):.2f})" if checked else ""


def _ended(run: Run) -> dict[str, int]:
    counts = dict.fromkeys((*ENDINGS, "void", "success"), 0)
    for episode in run.episodes:
        counts[termination(episode.reason, episode.status, episode.success)] += 1
    return counts


def _cut(run: Run) -> str:
    return f", {run.unfinished} more cut off" if run.unfinished else ""
