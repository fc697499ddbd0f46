"""What became of each task between two runs, and where its episodes first went different ways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from omnipilot.bench.experiments.comparison import Comparison, Flip
from omnipilot.bench.journal.attempts import attempt_events
from omnipilot.bench.journal.differences import same
from omnipilot.bench.journal.events import Event, StepTaken
from omnipilot.bench.journal.results import Episode, judged_episodes
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.action_words import action, ending


@dataclass(frozen=True, slots=True)
class FirstStep:
    """The first step at which two episodes differ.

    Attributes:
        turn: of either, counted from 1; None where one of the two had ended.
        a, b: what each did there, or how it ended, in words.
    """

    turn: int | None
    a: str
    b: str

    @property
    def words(self) -> str:
        """Both in one line."""
        where = "after the same steps" if self.turn is None else f"turn {self.turn}"
        return f"{where}: {self.a} → {self.b}"


@dataclass(frozen=True, slots=True)
class ChangedInstance:
    """An instance of a task that one run solves more often than the other.

    Attributes:
        flip: how often each solves it. keys: the episodes of A and B that are laid side by side, "task#instance.trial".
        first: where they first differ; None where their steps cannot be read.
    """

    flip: Flip
    keys: tuple[str, str]
    first: FirstStep | None

    @property
    def worse(self) -> bool:
        """Whether B solves it less often than A."""
        return self.flip.gain < 0

    @property
    def name(self) -> str:
        """The task and the instance, as "task#instance"."""
        return f"{self.flip.task}#{self.flip.instance}"


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What became of a task, over the instances that both runs have.

    Attributes:
        a, b: episodes solved, out of those tried. seconds: wall time of B's episodes.
        changes: its instances that flipped.
    """

    task: str
    a: tuple[int, int]
    b: tuple[int, int]
    seconds: float
    changes: tuple[ChangedInstance, ...]

    @property
    def gain(self) -> float:
        """How much more often B solves it, in instances."""
        return sum(one.flip.gain for one in self.changes)


def changed_instances(found: Comparison, a: Run, b: Run) -> Iterator[ChangedInstance]:
    """The instances that flipped, those that became worse first, each with the first step that differs.

    Of several trials, the first that the better run solves is laid beside the first that the worse one does not.

    Args:
        found: of `a` and `b`.
    """
    for flip in sorted(found.flips, key=lambda flip: (flip.gain, flip.task, flip.instance)):
        ours, theirs = (_episode(run, flip, solved) for run, solved in ((a, flip.gain < 0), (b, flip.gain > 0)))
        yield ChangedInstance(flip, (ours.key, theirs.key), _first(a, ours, b, theirs))


def task_results(a: Run, b: Run, changes: Sequence[ChangedInstance]) -> list[TaskResult]:
    """One result for each task that both runs have, in the order of B; of one that nobody judged, out of none."""
    both = {(one.task, one.instance) for one in a.episodes} & {(one.task, one.instance) for one in b.episodes}
    tasks = dict.fromkeys(one.task for one in b.episodes if (one.task, one.instance) in both)
    results = []
    for task in tasks:
        ours, theirs = (
            [one for one in run.episodes if one.task == task and (task, one.instance) in both] for run in (a, b)
        )
        solved, seconds = [_solved(ours), _solved(theirs)], sum(one.wall_seconds for one in theirs)
        some = tuple(one for one in changes if one.flip.task == task)
        results.append(TaskResult(task, solved[0], solved[1], seconds, some))
    return results


def _solved(episodes: Sequence[Episode]) -> tuple[int, int]:
    judged = judged_episodes(episodes)
    return sum(one.success for one in judged), len(judged)


def first_step(a: Sequence[Event], b: Sequence[Event], endings: tuple[str, str]) -> FirstStep:
    """Where the steps of two attempts first differ: in the device, in what was done, or in what came of it.

    Clocks, thoughts and pictures are passed over: they may differ where the same is done.

    Args:
        a, b: events of an attempt each. endings: how each ended, in words.
    """
    ours, theirs = ([event for event in events if isinstance(event, StepTaken)] for events in (a, b))
    for one, other in zip(ours, theirs, strict=False):
        if not same(_done(one), _done(other)):
            turn = one.turn if one.turn == other.turn else min(one.turn, other.turn)
            return FirstStep(turn + 1, _words(one), _words(other))
    longer = ours if len(ours) > len(theirs) else theirs
    common = min(len(ours), len(theirs))
    more = longer[common] if common < len(longer) else None
    if more is None:
        return FirstStep(None, endings[0], endings[1])
    told = [_words(more) if steps is longer else end for steps, end in zip((ours, theirs), endings, strict=True)]
    return FirstStep(more.turn + 1, *told)


def _first(a: Run, ours: Episode, b: Run, theirs: Episode) -> FirstStep | None:
    if a.folder is None or b.folder is None:
        return None
    events = [
        attempt_events(run.folder, one.key, one.attempt)
        for run, one in ((a, ours), (b, theirs))
        if run.folder is not None
    ]
    return first_step(events[0], events[1], (end_words(ours), end_words(theirs)))


def end_words(episode: Episode) -> str:
    """How an episode ended, in words."""
    return ending(episode.reason, episode.status, episode.success)


def _episode(run: Run, flip: Flip, solved: bool) -> Episode:
    """The first trial with that outcome: there is one in either run, as one of them is ahead."""
    judged = judged_episodes(run.episodes)
    every = [one for one in judged if (one.task, one.instance) == (flip.task, flip.instance)]
    return next(one for one in every if one.success == solved)


def _done(step: StepTaken) -> tuple[Any, ...]:
    # Without grounding, what was proposed is all that there is.
    return step.env, step.executed if step.executed is not None else step.proposed, step.result


def _words(step: StepTaken) -> str:
    what = action(step.executed if step.executed is not None else step.proposed) or "nothing"
    where = f" on {step.env}" if step.env else ""
    return f"{what}{where}" + ("" if step.result in ("done", "control") else f" ({step.result})")
