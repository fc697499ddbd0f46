"""Outcomes of CRAB's tasks, from the released `main_log.csv` or one of our run directories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from omnipilot.bench.journal.results import Episode
from omnipilot.bench.scoring.data.records import Bad, BadRecord, Record
from omnipilot.bench.scoring.data.source import records_of
from omnipilot.bench.scoring.data_runs import Played
from omnipilot.bench.scoring.row_problems import Trials
from omnipilot.bench.tasks.figures import Termination, termination
from omnipilot.bench.tasks.task import values_of

Ending: TypeAlias = Literal["success", "FC", "RSL", "IA", "void"]
REASONS: Mapping[str, Ending] = {
    "success": "success",
    "agent_complete": "FC",
    "reach_max_step": "RSL",
    "env_exception": "IA",
    "agent_exception": "IA",
    "action_format_error": "IA",
    "evaluator_exception": "IA",
    "keyboard_interrupt": "void",
}
"""How the log's `terminate_reason` counts for a task that was not solved (CRAB, table 2)."""
_OURS: Mapping[Termination, Ending] = {
    "success": "success",
    "false completion": "FC",
    "gave up": "FC",
    "stopped": "FC",
    "turn limit": "RSL",
    "cap": "RSL",
    "invalid action": "IA",
    "refused by the guard": "IA",
    "world over": "IA",
    "unjudged": "IA",
    "void": "void",
}
_LATE = ("success", "reach_max_step")
_CLOSE = 1e-6
MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class CrabEpisode:
    """One episode, with the data that CRAB's figures need.

    Attributes:
        system: policy and model. completion: C/N, in 0..1. actions: A. tokens: T, None if the log has none.
        reason: as logged. ending: how the episode counts. templates, platform: of the task, where they are known.
        per_action: `completeness_per_action` of the log, None if it has none.
    """

    system: str
    task: str
    instance: int
    trial: int
    completion: float
    actions: int
    tokens: int | None
    reason: str
    ending: Ending
    templates: tuple[str, ...] = ()
    platform: str = ""
    per_action: float | None = None

    @property
    def void(self) -> bool:
        """Whether it tells nothing about the agent: a device or a model failed, or the user stopped it."""
        return self.ending == "void"

    @property
    def success(self) -> bool:
        """Whether it is complete. The logged reason is ignored: success on the last step is logged as the limit."""
        return self.completion >= 1.0 and not self.void

    @property
    def hollow(self) -> bool:
        """Whether it is logged as a success although it is incomplete."""
        return REASONS.get(self.reason) == "success" and self.ending == "FC"

    @property
    def odd(self) -> bool:
        """Whether the logged `completeness_per_action` differs from completion / (actions + 1)."""
        return self.per_action is not None and abs(self.per_action - self.completion / (self.actions + 1)) > _CLOSE


@dataclass(frozen=True, slots=True)
class Log:
    """The episodes of a log, its unreadable rows, and notes on tasks with several rows."""

    items: tuple[CrabEpisode, ...]
    bad: tuple[Bad, ...]
    notes: tuple[str, ...]


def read_log(path: Path) -> Log:
    """Read the rows of a `main_log.csv`; a second row for the same system and task becomes trial 1, and so on.

    Exact duplicates of earlier rows are dropped.

    Raises:
        ConfigError: the file cannot be read.
    """
    repeated = Trials("rows")
    items: list[CrabEpisode] = []
    bad: list[Bad] = []
    for row in records_of(path):
        try:
            one = _attempt(row)
        except BadRecord as error:
            bad.append(error.bad)
            continue
        if (trial := repeated.trial((one.system, one.task), row)) is not None:
            items.append(replace(one, trial=trial))
    return Log(tuple(items), tuple(bad), repeated.notes())


def of_run(run: Played) -> tuple[CrabEpisode, ...]:
    """The episodes of a run directory."""
    return tuple(_ours(run.spec.label, episode) for episode in run.survey.episodes)


def _attempt(row: Record) -> CrabEpisode:
    row = row.named(f"{row.record} ({row.text('task_id')})")
    reason = row.choice("terminate_reason", tuple(REASONS))
    completion = row.number("completeness")
    if not 0 <= completion <= 1:
        raise row.wrong("completeness", f"it must be between 0 and 1, not {completion:g}")
    # The step counter is written before it counts the action that ended the task by success or by the limit.
    actions = row.whole("total_steps", least=0) + (reason in _LATE)
    tokens = row.raw("token_usage", "")
    per_action = row.raw("completeness_per_action", "")
    return CrabEpisode(
        f"{row.text('agent_policy')} · {row.text('model')}",
        row.text("task_id"),
        0,
        0,
        completion,
        actions,
        None if tokens in ("", "None") else row.whole("token_usage", least=0),
        reason,
        _ending(REASONS[reason], completion),
        per_action=None if per_action == "" else row.number("completeness_per_action"),
    )


def _ending(told: Ending, completion: float) -> Ending:
    """How an episode is classified: exactly one of SR, FC, RSL, IA and void.

    An episode logged as a success but incomplete ended too early, so it counts as a false completion.
    """
    if told == "void":
        return told
    if completion >= 1:
        return "success"
    return "FC" if told == "success" else told


def _ours(system: str, episode: Episode) -> CrabEpisode:
    tags = episode.tags
    completion = episode.completed / episode.total if episode.total else 0.0
    return CrabEpisode(
        system,
        episode.task,
        episode.instance,
        episode.trial,
        completion,
        episode.actions,
        episode.tokens,
        episode.reason,
        _ending(_OURS[termination(episode.reason, episode.status, episode.success)], completion),
        values_of(tags, "template"),
        tags.get("platform", ""),
    )


def systems(attempts: Sequence[CrabEpisode]) -> dict[str, list[CrabEpisode]]:
    """The attempts of each system, in order of first appearance."""
    found: dict[str, list[CrabEpisode]] = {}
    for one in attempts:
        found.setdefault(one.system, []).append(one)
    return found


def unread(lost: Sequence[Bad]) -> list[str]:
    """A note on unreadable predictions; empty if all are readable."""
    if not lost:
        return []
    named = "; ".join(map(str, lost[:MOST_NAMED])) + ("; …" if len(lost) > MOST_NAMED else "")
    return [f"{len(lost)} predictions cannot be read and count as 0: {named}"]
