"""`omnipilot score osworld`: a results directory of OSWorld's own runners, or a run of ours."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from omnipilot.bench.journal.events import EpisodeEnded
from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.results import slots, survey_of
from omnipilot.bench.scoring.score import Figure, Item, Scored
from omnipilot.bench.stats.ratio import mean_of
from omnipilot.bench.suites.osworld.task_files import read_list
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
    """

    task: str
    score: float | None
    steps: int | None = None

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
    """Means of OSWorld's scores, raw and binary, over 369 and over 361 tasks, and by domain."""

    name = "osworld"
    variants = ("release",)
    format = (
        "a results directory of OSWorld's runners, …/DOMAIN/ID/result.txt with traj.jsonl beside, or a run of "
        "`omnipilot run --suite osworld`"
    )

    def score(self, data: str, predictions: Path, variant: str = "release") -> Scored:
        """Raw mean and share solved.

        Args:
            data: the checkout, whose lists give the denominators; "" for what is there alone.

        Raises:
            ConfigError: no such variant, or no result.
        """
        if variant not in self.variants:
            raise ConfigError(f"{self.name} has no variant {variant!r}; it has {', '.join(self.variants)}")
        found = read_run(predictions) if (predictions / "spec.json").is_file() else read_results(predictions)
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
            tasks[task] = TaskOutcome(task, _score(path / RESULT), _steps(path / TRAJECTORY))
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
    spec = load_run(folder).spec
    if spec.suite.name != OSWorldScore.name:
        raise ConfigError(f"{folder} is a run of {spec.suite.name}, not of {OSWorldScore.name}")
    found = survey_of(folder)
    if not found.episodes:
        raise ConfigError(f"no episode of {folder} is finished; start the run again to finish it")
    told = _progress(folder)
    scores: dict[str, list[float]] = {}
    steps: dict[str, int] = {}
    for episode in found.episodes:
        scores.setdefault(episode.task, [])
        steps[episode.task] = max(steps.get(episode.task, 0), episode.turns)
        if not episode.void:
            scores[episode.task].append(told.get((episode.key, episode.attempt), float(episode.success)))
    planned = {slot.task for slot in slots(spec, found.tasks)}
    tasks = {
        task: TaskOutcome(task, math.fsum(got) / len(got) if got else None, steps[task]) for task, got in scores.items()
    }
    tasks |= {task: TaskOutcome(task, None) for task in planned - set(tasks)}
    notes = [f"{spec.trials} trials a task: a task's score is their mean"] if spec.trials > 1 else []
    return TaskOutcomes(tasks, (), tuple(notes))


def _progress(folder: Path) -> dict[tuple[str, int], float]:
    """The score that the judge gave each attempt, by episode and attempt."""
    return {
        (event.key, event.attempt): max((float(change["progress"]) for change in event.changes), default=0.0)
        for event in read(folder)
        if isinstance(event, EpisodeEnded)
    }


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


def _steps(path: Path) -> int | None:
    """Steps of a trajectory: those that its lines number, or how many lines it has."""
    if not path.is_file():
        return None
    count = last = 0
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.strip():
            count += 1
            try:
                row = json.loads(line)
                number = row.get("step_num") if isinstance(row, dict) else None
                last = max(last, number) if isinstance(number, int) else last
            except ValueError:
                continue
    return last or count


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
