"""`omnipilot score osworld`: a results directory of OSWorld's own runners, or a run of ours."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.bench.journal.events import EpisodeEnded, TurnTaken
from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.results import slots, survey_of
from omnipilot.bench.report import harness_notes
from omnipilot.bench.scoring.score import Figure, Item, Scored
from omnipilot.bench.stats.ratio import mean_of
from omnipilot.bench.suites.osworld.task_files import read_list
from omnipilot.bench.suites.osworld.tool_use import calls_tool, read_lists
from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError

RESULT, TRAJECTORY = "result.txt", "traj.jsonl"
LISTS = ("test_all", "test_nogdrive")
"""The two denominators in use: 369 tasks, and the 361 that need no account of Google Drive."""


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """What came of one task.

    Attributes:
        task: domain and id. score: 0..1; None where the task was played and not judged.
        steps: lines of its trajectory, None without one.
        with_tool, without_tool: the share of its trials that were solved and called a tool, and were solved without.
    """

    task: str
    score: float | None
    steps: int | None = None
    with_tool: float = 0.0
    without_tool: float = 0.0

    @property
    def domain(self) -> str:
        """The task's domain."""
        return self.task.partition("/")[0]


@dataclass(frozen=True, slots=True)
class TaskOutcomes:
    """All outcomes, and what could not be read."""

    tasks: Mapping[str, TaskOutcome]
    extra: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class OSWorldScore:
    """Means of OSWorld's scores, raw and binary, over 369 and over 361 tasks, and by domain.

    The variant `mcp` is OSWorld-MCP's: accuracy, the share of right decisions to use a tool (TIR), and steps (ACS).
    """

    name = "osworld"
    variants = ("release", "mcp")
    format = (
        "a results directory of OSWorld's runners, …/DOMAIN/ID/result.txt with traj.jsonl beside, or a run of "
        "`omnipilot run --suite osworld`"
    )

    def score(self, data: str, predictions: Path, variant: str = "release") -> Scored:
        """Raw mean and share solved.

        Args:
            data: the checkout, whose lists give the denominators; "" for what is there alone. For the variant mcp, a
                checkout of OSWorld-MCP.

        Raises:
            ConfigError: no such variant, no lists of this variant, or no result.
        """
        if variant not in self.variants:
            raise ConfigError(f"{self.name} has no variant {variant!r}; it has {', '.join(self.variants)}")
        found = read_run(predictions) if (predictions / "spec.json").is_file() else read_results(predictions)
        if variant == "mcp":
            return _score_tools(found, read_lists(data))
        figures: list[Figure] = []
        missing: list[str] = []
        extra = list(found.extra)
        notes = ["raw: the mean of scores, which may lie between 0 and 1; solved: the share with a score of 1"]
        for subset in LISTS if data else ():
            ids = _listed(Path(data), subset)
            if not ids:
                continue
            own = {task: found.tasks.get(task, TaskOutcome(task, None)) for task in ids}
            figures += _figures(f"{len(ids)}", own)
            if subset == LISTS[0]:
                missing = sorted(task for task in ids if task not in found.tasks)
                extra += sorted(set(found.tasks) - set(ids))
        figures += _figures("judged", {task: one for task, one in found.tasks.items() if one.score is not None})
        if not data:
            notes.append("no checkout given with --data: only what was judged is counted, not the 369 or 361 of a list")
        void = sorted(one.task for one in found.tasks.values() if one.score is None)
        if void:
            notes.append(f"{len(void)} without a score count as 0 in a list: {', '.join(void[:5])}")
        steps = [one.steps for one in found.tasks.values() if one.steps is not None]
        if steps:
            notes.append(f"steps: {sum(steps) / len(steps):.1f} on average, {max(steps)} at most")
        return Scored(
            self.name,
            variant,
            tuple(figures),
            (_by_domain(found.tasks),),
            (),
            tuple(missing),
            tuple(extra),
            (*notes, *found.notes),
        )


def read_results(folder: Path) -> TaskOutcomes:
    """The results below a folder: each `DOMAIN/ID/result.txt`, whatever stands before.

    Raises:
        ConfigError: there is none.
    """
    tasks: dict[str, TaskOutcome] = {}
    extra: list[str] = []
    twice: list[str] = []
    folders = sorted({path.parent for name in (RESULT, TRAJECTORY) for path in folder.rglob(name)})
    for path in folders:
        task = f"{path.parent.name}/{path.name}"
        if task in tasks:
            twice.append(task)
            continue
        try:
            score, trajectory = _score(path / RESULT), _rows(path / TRAJECTORY)
            solved, used = float((score or 0.0) >= 1.0), any(map(calls_tool, trajectory or ()))
            tasks[task] = TaskOutcome(task, score, _steps(trajectory), solved * used, solved * (not used))
        except (OSError, ValueError) as error:
            extra.append(f"{task} ({error})")
            tasks[task] = TaskOutcome(task, None)
    if not any(one.score is not None for one in tasks.values()):
        raise ConfigError(f"{folder} has no {RESULT} with a number; it must have folders DOMAIN/ID/{RESULT}")
    if twice:
        raise ConfigError(f"{len(twice)} tasks have several results, such as {twice[0]}: give the folder of one run")
    return TaskOutcomes(tasks, tuple(extra))


def read_run(folder: Path) -> TaskOutcomes:
    """The outcomes of a run of ours; a task's score is the mean over its trials, without void ones.

    Raises:
        ConfigError: it is a run of another suite, or no episode is finished.
    """
    run = load_run(folder)
    spec = run.spec
    if spec.suite.name != OSWorldScore.name:
        raise ConfigError(f"{folder} is a run of {spec.suite.name}, not of {OSWorldScore.name}")
    found = survey_of(folder)
    if not found.episodes:
        raise ConfigError(f"no episode of {folder} is finished; start the run again to finish it")
    told, tools = _progress(folder)
    scores: dict[str, list[float]] = {}
    solved: dict[str, list[float]] = {}
    steps: dict[str, int] = {}
    for episode in found.episodes:
        scores.setdefault(episode.task, [])
        steps[episode.task] = max(steps.get(episode.task, 0), episode.turns)
        if not episode.void:
            attempt = (episode.key, episode.attempt)
            scores[episode.task].append(told.get(attempt, float(episode.success)))
            if episode.success:
                solved.setdefault(episode.task, []).append(float(attempt in tools))
    planned = {slot.task for slot in slots(spec, found.tasks)}
    tasks: dict[str, TaskOutcome] = {}
    for task, got in scores.items():
        with_tool = math.fsum(solved.get(task, ()))
        without = len(solved.get(task, ())) - with_tool
        count = len(got) or 1
        mean = math.fsum(got) / count if got else None
        tasks[task] = TaskOutcome(task, mean, steps[task], with_tool / count, without / count)
    tasks |= {task: TaskOutcome(task, None) for task in planned - set(tasks)}
    notes = [f"{spec.trials} trials a task: a task's score is their mean"] if spec.trials > 1 else []
    notes += harness_notes([(run.name, run)])
    return TaskOutcomes(tasks, (), tuple(notes))


def _progress(folder: Path) -> tuple[dict[tuple[str, int], float], set[tuple[str, int]]]:
    """The score that the judge gave each attempt, and the attempts that called a tool; by episode and attempt."""
    scores: dict[tuple[str, int], float] = {}
    tools: set[tuple[str, int]] = set()
    for event in read(folder):
        if isinstance(event, EpisodeEnded):
            progress = (float(change["progress"]) for change in event.changes)
            scores[event.key, event.attempt] = max(progress, default=0.0)
        elif isinstance(event, TurnTaken) and any(move["intent"].get("kind") == "custom" for move in event.moves):
            tools.add((event.key, event.attempt))
    return scores, tools


def _score(path: Path) -> float | None:
    """A task's score; None where it was played and has none."""
    if not path.is_file():
        return None
    text = path.read_text(encoding="utf-8", errors="replace").strip()
    named = {"true": 1.0, "false": 0.0}.get(text.casefold())
    try:
        value = float(text) if named is None else named
    except ValueError:
        raise ValueError(f"{RESULT} has {text[:40]!r}, which is no number") from None
    if not (math.isfinite(value) and 0 <= value <= 1):
        raise ValueError(f"{RESULT} has {text[:40]!r}, which is no score in 0..1")
    return value


def _rows(path: Path) -> list[Any] | None:
    """The lines of a trajectory, None for one that is no JSON; None without a file."""
    if not path.is_file():
        return None
    found: list[Any] = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.strip():
            try:
                found.append(json.loads(line))
            except ValueError:
                found.append(None)
    return found


def _steps(rows: list[Any] | None) -> int | None:
    """Steps of a trajectory: the largest number that its lines have, or how many lines there are."""
    if rows is None:
        return None
    numbers = [row.get("step_num") for row in rows if isinstance(row, dict)]
    return max((one for one in numbers if isinstance(one, int)), default=0) or len(rows)


def _figures(of: str, tasks: Mapping[str, TaskOutcome]) -> Iterator[Figure]:
    """The two figures over some tasks; one without a score counts as 0."""
    void = sum(one.score is None for one in tasks.values())
    for name, value in (("raw", lambda score: score), ("solved", lambda score: float(score >= 1.0))):
        items = tuple(Item(task, task, value(one.score or 0.0)) for task, one in sorted(tasks.items()))
        valid = [value(one.score) for one in tasks.values() if one.score is not None]
        yield Figure(
            f"{name} of {of}",
            mean_of([one.part for one in items], [one.key for one in items], "tasks") if items else None,
            len(items),
            "tasks",
            void,
            mean_of(valid, list(map(str, range(len(valid)))), "tasks") if void and valid else None,
            items=items,
            noun="tasks",
        )


def _score_tools(found: TaskOutcomes, lists: Mapping[str, bool]) -> Scored:
    """OSWorld-MCP's figures over its own list of tasks, by task whether a tool helps."""
    tasks = {task: found.tasks.get(task, TaskOutcome(task, None)) for task in lists}
    figures = list(_figures(f"{len(lists)}", tasks))[:1]
    groups = {
        "TIR": lists,
        "TIR where tools help": [task for task, helps in lists.items() if helps],
        "TIR elsewhere": [task for task, helps in lists.items() if not helps],
    }
    for name, names in groups.items():
        items = tuple(
            Item(task, task, tasks[task].with_tool if lists[task] else tasks[task].without_tool)
            for task in sorted(names)
        )
        mean = mean_of([one.part for one in items], [one.key for one in items], "tasks") if items else None
        void = sum(tasks[task].score is None for task in names)
        figures.append(Figure(name, mean, len(items), "tasks", void, items=items, noun="tasks"))
    steps = [one.steps for task, one in tasks.items() if lists[task] and one.steps is not None]
    acs = f"{math.fsum(steps) / len(steps):.1f}, over {len(steps)} tasks where tools help" if steps else "none recorded"
    notes = (
        "TIR: the share of tasks that were solved, with a call of a tool where one helps and without one elsewhere",
        f"ACS, steps of a task: {acs}",
    )
    missing = tuple(sorted(task for task in lists if task not in found.tasks))
    extra = (*found.extra, *sorted(set(found.tasks) - set(lists)))
    return Scored(
        OSWorldScore.name, "mcp", tuple(figures), (_by_domain(tasks),), (), missing, extra, (*notes, *found.notes)
    )


def _listed(checkout: Path, subset: str) -> Collection[str]:
    try:
        return {f"{domain}/{name}": None for domain, ids in read_list(checkout, subset).items() for name in ids}
    except ConfigError:
        return ()


def _by_domain(tasks: Mapping[str, TaskOutcome]) -> Table:
    rows = []
    for domain in sorted({one.domain for one in tasks.values()}):
        own = [one for one in tasks.values() if one.domain == domain]
        scores = [one.score for one in own if one.score is not None]
        raw = f"{100 * math.fsum(scores) / len(scores):.1f}" if scores else "—"
        rows.append((domain, str(len(own)), str(sum(one >= 1 for one in scores)), raw, str(len(own) - len(scores))))
    return Table(("domain", "tasks", "solved", "raw %", "without score"), tuple(rows))
