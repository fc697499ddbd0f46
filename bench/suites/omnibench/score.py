"""Scores OmniBench by its own rules: CR and LC of the paper, completion and coherence of the released evaluator."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.scoring.data_runs import load_played
from omnipilot.bench.scoring.score import Figure, Item, Scored
from omnipilot.bench.stats.summary import EpisodeOutcome, cells, headline
from omnipilot.bench.suites.crab.log import unread
from omnipilot.bench.suites.omnibench.data import GET, OmniTask, load_data, version_of
from omnipilot.bench.suites.omnibench.metrics.action_match import action_match_score
from omnipilot.bench.suites.omnibench.metrics.complexity import ABBREVIATIONS
from omnipilot.bench.suites.omnibench.metrics.execution import Execution, consistency, coverage
from omnipilot.bench.suites.omnibench.metrics.execution import Variant as Rules
from omnipilot.bench.suites.omnibench.predictions import OmniBenchEpisode, read_actions, read_file, read_run
from omnipilot.bench.tables import Table
from omnipilot.bench.tasks.complexity import CAPABILITIES, HARD_FROM
from omnipilot.envs import ConfigError

Value = Callable[[OmniBenchEpisode], float | None]
LEVELS = ("easy", "medium", "hard")
DEMONSTRATIONS = "task_trajectories.jsonl"
"""File of the data with trajectories that solve its tasks (C.5), with which predicted actions are compared."""
_SHORT = {name: short for short, name in ABBREVIATIONS.items()}


class OmniBench:
    """OmniBench's figures. Overall CR and LC are means over tasks (table 4)."""

    name = "omnibench"
    variants = ("paper", "release")
    format = (
        "task trajectories (JSON lines or a list: task_id, topological_order of the completed subtasks), "
        "evaluation_results.json, or a run directory of the suite omnibench"
    )

    def score(self, data: str, predictions: Path, variant: str) -> Scored:
        """Score trajectories, results or a run.

        Args:
            data: the folder of subtasks and tasks; "" for that of the run.

        Raises:
            ConfigError: there is no such data, or the predictions cannot be read.
        """
        rules: Rules = "release" if variant == "release" else "paper"
        run = load_played(
            predictions,
            (
                "omnibench",
                "omnipilot.bench.suites.omnibench.suite:OmniBenchSuite",
                "omnipilot.bench.suites.omnibench:OmniBenchSuite",
            ),
        )
        source = Source.open(data or (run.data if run else ""), GET)
        loaded = load_data(source)
        tasks = {task.id: task for task in loaded.items}
        graphs = {id: task.graph for id, task in tasks.items()}
        notes: list[str] = []
        bad = loaded.bad
        if run is None:
            found = read_file(predictions, graphs)
            if not found.items:
                first = next(iter((*map(str, found.bad), *found.extra)), "it is empty")
                raise ConfigError(f"{predictions} contains no task of the data; {first}. Expected: {self.format}")
            notes += [*found.notes, *unread(found.bad)]
        else:
            run.of(version_of(source))
            bad = run.bad(str(source.root), bad)
            notes += run.notes(tasks)
            found = read_run(predictions, graphs, rules)
        planned = [id for id in tasks if run is None or id in run.survey.tasks]
        missing = [id for id in planned if id not in {one.task for one in found.items}]
        attempts = [*found.items, *(_nothing(tasks[id]) for id in missing)]
        by_order = any(one.execution is not None for one in found.items) or not found.items
        tables = breakdown_tables(tasks, attempts, rules) if by_order else ()
        return Scored(
            self.name,
            variant,
            (*figures_of(attempts, tasks, rules), *(match_figure(source, predictions, tasks) if run is None else ())),
            tables,
            bad,
            tuple(missing),
            found.extra,
            (*_notes(by_order, run is not None, rules), *notes),
            tuple(capability_figures(attempts, tasks, rules)) if by_order else (),
        )


def figures_of(attempts: Sequence[OmniBenchEpisode], tasks: dict[str, OmniTask], rules: Rules) -> list[Figure]:
    """CR, LC and SR; a void episode counts as zero in each."""

    def covered(one: OmniBenchEpisode) -> float | None:
        if one.execution is not None:
            return coverage(one.execution, rules)
        return one.scores[0] if one.scores and rules == "release" else None

    def consistent(one: OmniBenchEpisode) -> float | None:
        if one.execution is not None:
            return consistency(one.execution, rules)
        return one.scores[1] if one.scores and rules == "release" else None

    names = ("completion", "coherence") if rules == "release" else ("CR", "LC")
    told: tuple[tuple[str, Value], ...] = (
        (names[0], covered),
        (names[1], consistent),
        ("SR", lambda one: float(one.solved)),
    )
    return [figure_of(name, attempts, tasks, value) for name, value in told]


def match_figure(source: Source, predictions: Path, tasks: Mapping[str, OmniTask]) -> Iterator[Figure]:
    """AMS, the mean action match score of the tasks for which the data has demonstrations and the predictions have
    actions; none without any. Of several demonstrations of a task, the one that matches best counts."""
    gold = {task: calls for path in source.find(DEMONSTRATIONS) for task, calls in read_actions(path).items()}
    outcomes = []
    for task, trials in read_actions(predictions).items():
        wanted = [tuple(one for one in calls if one is not None) for calls in gold.get(task, ())]
        for trial, calls in enumerate(trials if task in tasks else ()):
            scores = [score for one in wanted if (score := action_match_score(one, calls)) is not None]
            if scores:
                outcomes.append(EpisodeOutcome(task, 0, trial, max(scores), False, tasks[task].graph.ids))
    if outcomes:
        yield _figure("AMS", outcomes)


def capability_figures(
    attempts: Sequence[OmniBenchEpisode], tasks: Mapping[str, OmniTask], rules: Rules
) -> Iterator[Figure]:
    """CR (completion, as released) of the tasks that test each capability, by its abbreviation in the paper's table 4:
    "CR PP"."""
    name = "completion" if rules == "release" else "CR"

    def covered(one: OmniBenchEpisode) -> float | None:
        return None if one.execution is None else coverage(one.execution, rules)

    for capability in CAPABILITIES:
        mine = [one for one in attempts if _tests(tasks[one.task], capability)]
        if mine:
            yield figure_of(f"{name} {_SHORT[capability]}", mine, tasks, covered)


def _tests(task: OmniTask, capability: str) -> bool:
    """Whether a task tests a capability, by its complexity (table 12)."""
    return task.classified and capability in task.complexity.capabilities()


def figure_of(name: str, attempts: Sequence[OmniBenchEpisode], tasks: Mapping[str, OmniTask], value: Value) -> Figure:
    """The mean of a figure over the episodes that define it; none if the predictions lack it."""
    values = [(one, value(one)) for one in attempts]
    untold = any(one.execution is None and not one.void for one in attempts)
    if untold and not any(found is not None and not one.void for one, found in values):
        return Figure(name, None, 0, "episodes")
    outcomes = [
        EpisodeOutcome(
            one.task, one.instance, one.trial, 0.0 if one.void else found, one.void, tasks[one.task].graph.ids
        )
        for one, found in values
        if found is not None
    ]
    if not outcomes:
        return Figure(name, None, 0, "episodes")
    return _figure(name, outcomes)


def _figure(name: str, outcomes: Sequence[EpisodeOutcome]) -> Figure:
    whole = headline(outcomes)
    items = tuple(
        Item(f"{task}#{instance}", task, sum(one.value for one in trials), float(len(trials)), trials[0].templates)
        for (task, instance), trials in cells(outcomes).items()
    )
    return Figure(name, whole.all, len(outcomes), "episodes", whole.void, whole.valid, items=items, noun="tasks")


def _nothing(task: OmniTask) -> OmniBenchEpisode:
    return OmniBenchEpisode(task.id, 0, 0, replace(Execution(task.graph), void=True), False, True)


def _notes(by_order: bool, run: bool, rules: Rules) -> list[str]:
    notes = []
    if rules == "paper":
        notes.append("CR, LC: the paper's formulas (§4.1); LC leaves out tasks in which no order has a pair to keep")
    else:
        notes.append("completion, coherence: as coded; a task of one level scores completion 1 with nothing done")
    if not by_order:
        kept = "completion and coherence are the file's own" if rules == "release" else "only SR can be had from it"
        notes.append(f"the file says outcomes and not which subtasks were completed: {kept}")
    if run and rules == "release":
        notes.append("a run ends with the last subtask, so SR does not ask for FINISH; the limits are the loop's own")
    return notes


def breakdown_tables(
    tasks: Mapping[str, OmniTask], attempts: Sequence[OmniBenchEpisode], variant: Rules
) -> tuple[Table, ...]:
    """Tables by complexity and level, and by capability; buckets overlap."""
    name = "completion %" if variant == "release" else "CR %"
    classified = {id for id, task in tasks.items() if task.classified}
    notes = ["width (branch) is the largest level"]
    if left := len(tasks) - len(classified):
        notes.append(
            f"{left} tasks have an application that is not in table 11 and are left out of knowledge and capabilities; "
            "give their subtasks a field category"
        )

    def cells(chosen: Callable[[OmniTask], bool]) -> tuple[str, ...]:
        mine = [one for one in attempts if one.execution is not None and chosen(tasks[one.task])]
        return _cells(mine, tasks, variant)

    levels = []
    for dimension in HARD_FROM:
        for level in LEVELS:

            def at(task: OmniTask, dimension: str = dimension, level: str = level) -> bool:
                known = task.classified or dimension != "knowledge"
                return known and task.complexity.grades()[dimension].value == level

            levels.append((dimension, level, *cells(at)))
    capabilities = []
    for capability in CAPABILITIES:

        def tested(task: OmniTask, capability: str = capability) -> bool:
            return _tests(task, capability)

        capabilities.append((_SHORT[capability], capability, *cells(tested)))
    figures = name, "episodes", "void"
    return (
        Table(("complexity", "level", *figures), tuple(levels), tuple(notes), labels=2),
        Table(
            ("", "capability", *figures),
            tuple(capabilities),
            ("by complexity alone (table 12); the paper's sets were chosen by hand from these",),
            labels=2,
        ),
    )


def _cells(attempts: Sequence[OmniBenchEpisode], tasks: Mapping[str, OmniTask], variant: Rules) -> tuple[str, ...]:
    outcomes = [
        EpisodeOutcome(
            one.task,
            one.instance,
            one.trial,
            0.0 if one.void else coverage(one.execution, variant),
            one.void,
            tasks[one.task].graph.ids,
        )
        for one in attempts
        if one.execution is not None
    ]
    if not outcomes:
        return "—", "0", "0"
    found = headline(outcomes)
    return found.all.text(), str(len(outcomes)), str(found.void)
