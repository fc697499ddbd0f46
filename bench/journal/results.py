"""Episodes computed from the journal, and a run's remaining episodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from omnipilot.bench.journal.events import (
    EpisodeEnded,
    EpisodeStarted,
    Event,
    Interrupted,
    PersonActed,
    Repaired,
    RunStarted,
    Unreadable,
)
from omnipilot.bench.journal.journal import journal_state, read
from omnipilot.bench.journal.recorder import usage_from_json
from omnipilot.bench.journal.tally import Tally, final_states
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.tasks.graph import NodeState
from omnipilot.envs.types.notebook import folded_table, paragraph
from omnipilot.memory import Usage
from omnipilot.memory.secrets.scrub import scrub_error

SUCCESS, VOID, UNJUDGED = "success", "void", "unjudged"
KEPT = 4
"""Journals whose surveys are kept in memory: those of a run, and of what is compared with it or forked from it."""
_SURVEYS: dict[tuple[int, int], tuple[tuple[int, ...], Survey]] = {}
"""By the journal's file, the one asked for last at the end."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One episode of a run: task, instance and trial."""

    task: str
    instance: int
    trial: int

    @property
    def key(self) -> str:
        """`task#instance.trial`, unique in its run."""
        return f"{self.task}#{self.instance}.{self.trial}"

    @classmethod
    def of_key(cls, key: str) -> Slot:
        """The episode of a key.

        Raises:
            ValueError: it is none.
        """
        task, _, numbers = key.rpartition("#")
        instance, _, trial = numbers.partition(".")
        return cls(task, int(instance), int(trial))


@dataclass(frozen=True, slots=True)
class Episode:
    """One finished episode: its last complete attempt.

    Attributes:
        reason, status, detail: as in `EpisodeEnded`. completed, total: nodes reached, and all nodes.
        success: every node was reached. void: a device, model or worker was lost; counts as a failure and is reported
            separately.
        actions: A of the metrics. invalid: steps that were invalid.
        usage: of all model calls. nodes: the state of each by name.
        world_seconds, wall_seconds: on the world's clock, and wall time (without the task's set-up).
        pointed_right, pointed_told: described places at which the grounder pointed right, of those where it can be
            told; both 0 where nothing is known of the elements.
        envs: the environments that its judges are about, sorted.
        turn_limit: the most turns it was allowed; None for any number.
        screens: the name of each environment with the size of its screen in pixels, as it was at the end.
        recorded: its steps were those of a recording, whatever the agent proposed.
        pointed_asked: described places that the grounder was asked for, told or not.
        results: steps by their result ("done", "rejected", …). verbs: executed actions by their kind ("click", …).
        unread, unknown, cut, undetected, looked, lacking, skills, solved_turn, stopped, found, trouble: as in `Tally`.
        harms: whether each of what the task says must not come about did, by name.
        checked, violated: expectations of which checks could tell whether they hold, and those that did not. repaired:
            moves that the checks made once more.
    """

    key: str
    task: str
    instance: int
    trial: int
    attempt: int
    instruction: str
    tags: Mapping[str, str]
    reason: str
    status: str
    detail: str
    completed: int
    total: int
    turns: int
    steps: int
    actions: int
    invalid: int
    usage: Usage
    nodes: Mapping[str, NodeState]
    world_seconds: float
    wall_seconds: float
    pointed_right: int = 0
    pointed_told: int = 0
    envs: tuple[str, ...] = ()
    turn_limit: int | None = None
    recorded: bool = False
    pointed_asked: int = 0
    checked: int = 0
    violated: int = 0
    repaired: int = 0
    results: Mapping[str, int] = field(default_factory=dict)
    verbs: Mapping[str, int] = field(default_factory=dict)
    unread: int = 0
    unknown: int = 0
    cut: int = 0
    undetected: int = 0
    looked: int = 0
    lacking: int = 0
    skills: Mapping[str, int] = field(default_factory=dict)
    screens: tuple[str, ...] = ()
    solved_turn: int | None = None
    stopped: str = ""
    harms: Mapping[str, bool] = field(default_factory=dict)
    found: Mapping[str, str] = field(default_factory=dict)
    trouble: str = ""

    def _repr_html_(self) -> str:
        ended = "solved" if self.success else self.reason
        shown = paragraph(f"{self.key}: {self.instruction}")
        shown += paragraph(f"{ended}: {self.completed}/{self.total} sub-goals, {self.turns} turns. {self.detail}")
        rows = [(name, str(state), self.found.get(name, "")) for name, state in self.nodes.items()]
        return scrub_error(shown + folded_table("Sub-goals", ("sub-goal", "state", "found"), rows))

    @property
    def success(self) -> bool:
        """Whether the task was solved."""
        return self.reason == SUCCESS

    @property
    def void(self) -> bool:
        """Whether the episode is void, that is, tells nothing about the agent."""
        return self.reason == VOID

    @property
    def unjudged(self) -> bool:
        """Whether nobody said whether the task was solved: such an episode counts neither as solved nor as failed."""
        return self.reason == UNJUDGED

    @property
    def tokens(self) -> int:
        """T of the metrics: tokens of all model calls, input and output."""
        return self.usage.tokens

    @property
    def cost(self) -> float | None:
        """Cost in dollars; None if a price is unknown."""
        return self.usage.cost


def judged_episodes(episodes: Iterable[Episode]) -> tuple[Episode, ...]:
    """Those of which it was said whether they were solved, void ones among them."""
    return tuple(episode for episode in episodes if not episode.unjudged)


@dataclass(frozen=True, slots=True)
class Survey:
    """All that a journal says about a run.

    Attributes:
        episodes: complete ones, sorted by task (suite order), instance, trial.
        attempts: number of attempts started, by key.
        unfinished: keys of episodes that were started but never finished.
        cut: attempts without an end, including those that a later attempt replaced.
        tasks: of the run, in the suite's order. planned: number of episodes.
        starts, interruptions: how often the run was started or resumed, and stopped by the user.
        repaired: the lost text of torn lines. unreadable: other lines that could not be used; each cost itself alone.
        doubled: keys of episodes that were played again although they had ended, and not void. misfits: of episodes
            whose end says something else than their steps.
        identity: of what was last started; "" if nothing was.
        made_with: the provenance of each start, in order.
        acts: what persons did while it went on, or asked for in vain, in order.
        requeued: keys of void episodes that a person wants to be played once more.
    """

    episodes: tuple[Episode, ...]
    attempts: Mapping[str, int]
    unfinished: tuple[str, ...]
    cut: int
    tasks: tuple[str, ...]
    planned: int
    starts: int
    interruptions: int
    repaired: tuple[str, ...]
    unreadable: tuple[Unreadable, ...] = ()
    doubled: tuple[str, ...] = ()
    misfits: tuple[str, ...] = ()
    identity: str = ""
    made_with: tuple[Mapping[str, Any], ...] = ()
    acts: tuple[PersonActed, ...] = ()
    requeued: tuple[str, ...] = ()


@dataclass
class JournalFold:
    """What a journal says of a run so far, taken in event by event; `survey` sums it up at any time."""

    order: dict[str, int] = field(default_factory=dict)
    episodes: dict[str, Episode] = field(default_factory=dict)
    attempts: dict[str, int] = field(default_factory=dict)
    open: dict[tuple[str, int], Tally] = field(default_factory=dict)
    last_start: RunStarted | None = None
    made_with: list[Mapping[str, Any]] = field(default_factory=list)
    interruptions: int = 0
    repaired: list[str] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)
    doubled: dict[str, None] = field(default_factory=dict)
    misfits: dict[str, None] = field(default_factory=dict)
    acts: list[PersonActed] = field(default_factory=list)
    requeued: dict[str, None] = field(default_factory=dict)

    def take(self, number: int, event: Event) -> None:
        """Take in an event, the n-th of the journal; one whose values make no sense is told and left out."""
        try:
            self._take(event)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            reason = f"its values make no sense ({type(error).__name__}: {error})"
            self.unreadable.append(Unreadable(number, reason, event.event))

    def _take(self, event: Event) -> None:
        if isinstance(event, RunStarted):
            self.made_with.append(event.provenance)
            self.last_start = event
            self.order = {task: number for number, task in enumerate(event.tasks)}
        elif isinstance(event, EpisodeStarted):
            self.attempts[event.key] = max(event.attempt, self.attempts.get(event.key, 0))
            self.open[event.key, event.attempt] = Tally(event)
        elif isinstance(event, Interrupted):
            self.interruptions += 1
        elif isinstance(event, Repaired):
            self.repaired.append(event.lost)
        elif isinstance(event, Unreadable):
            self.unreadable.append(event)
        elif isinstance(event, PersonActed):
            self._interfered(event)
        elif (tally := self.open.get(_attempt_of(event))) is not None:
            tally.take(event)
            if isinstance(event, EpisodeEnded):
                self.requeued.pop(event.key, None)
                ended = _episode(tally, event)
                if (before := self.episodes.get(event.key)) is not None and not before.void:
                    self.doubled[event.key] = None
                self.misfits.pop(event.key, None)
                if not _fits(tally, event):
                    self.misfits[event.key] = None
                self.episodes[event.key] = ended
                del self.open[event.key, event.attempt]

    def _interfered(self, act: PersonActed) -> None:
        self.acts.append(act)
        if (tally := self.open.get((act.key, act.attempt))) is not None:
            tally.take(act)
        if act.action == "requeue" and not act.refused:
            self.requeued[act.key] = None

    def sorted(self) -> list[Episode]:
        """The finished episodes by task, in the suite's order, instance and trial."""
        last = len(self.order)
        return sorted(self.episodes.values(), key=lambda e: (self.order.get(e.task, last), e.task, e.instance, e.trial))

    def survey(self) -> Survey:
        """The finished episodes, and the state of all others."""
        start = self.last_start
        return Survey(
            tuple(self.sorted()),
            dict(self.attempts),
            tuple(key for key in self.attempts if key not in self.episodes),
            len(self.open),
            tuple(start.tasks) if start else (),
            start.planned if start else 0,
            len(self.made_with),
            self.interruptions,
            tuple(self.repaired),
            tuple(self.unreadable),
            tuple(self.doubled),
            tuple(self.misfits),
            start.identity if start else "",
            tuple(self.made_with),
            tuple(self.acts),
            tuple(self.requeued),
        )


def survey(events: Iterable[Event]) -> Survey:
    """The finished episodes, and the state of all others."""
    fold = JournalFold()
    for number, event in enumerate(events, 1):
        fold.take(number, event)
    return fold.survey()


def survey_of(folder: Path) -> Survey:
    """As `survey`, of the journal in a folder. The last ones are kept in memory until their files change, because a run
    and the report after it ask for the same, and so do all forks of a run.

    Raises:
        JournalError: there is no journal.
    """
    state = journal_state(folder)
    if state is None:
        return survey(read(folder))
    kept = _SURVEYS.pop(state[:2], None)
    found = kept[1] if kept is not None and kept[0] == state else survey(read(folder))
    # A run may have gone on while it was read.
    if state == journal_state(folder):
        _SURVEYS[state[0], state[1]] = state, found
    while len(_SURVEYS) > KEPT:
        del _SURVEYS[next(iter(_SURVEYS))]
    return found


def slots(spec: RunSpec, tasks: Sequence[str]) -> list[Slot]:
    """Every episode of a run over these tasks, in order; a run that was forked begins with the key of its origin."""
    if spec.forked is not None:
        first = Slot.of_key(spec.forked.key)
        return [Slot(first.task, first.instance, first.trial + number) for number in range(spec.trials)]
    return [
        Slot(task, instance, trial)
        for task in tasks
        for instance in range(spec.instances)
        for trial in range(spec.trials)
    ]


def pending(spec: RunSpec, tasks: Sequence[str], done: Survey, rerun_void: bool = False) -> list[tuple[Slot, int]]:
    """The episodes still to play, in order, each with the number of its next attempt.

    Args:
        tasks: ids, in the suite's order.
        rerun_void: include void episodes; those that a person wants again are included in any case.
    """
    again = {episode.key for episode in done.episodes if episode.void and (rerun_void or episode.key in done.requeued)}
    finished = {episode.key for episode in done.episodes} - again
    return [(slot, done.attempts.get(slot.key, 0) + 1) for slot in slots(spec, tasks) if slot.key not in finished]


def _attempt_of(event: Any) -> tuple[str, int]:
    return event.key, event.attempt


def _fits(tally: Tally, end: EpisodeEnded) -> bool:
    """Whether an end says what the events before it do."""
    counted = (tally.turns, tally.steps, tally.actions, tally.invalid, len(tally.completed), len(tally.started.nodes))
    told = (end.turns, end.steps, end.actions, end.invalid, end.completed, end.total)
    spent = usage_from_json(end.usage)
    tokens = (tally.usage.tokens_in, tally.usage.tokens_out) == (spent.tokens_in, spent.tokens_out)
    return counted == told and tokens and (end.reason != SUCCESS or end.completed == end.total)


def _episode(tally: Tally, end: EpisodeEnded) -> Episode:
    start = tally.started
    return Episode(
        start.key,
        start.task,
        start.instance,
        start.trial,
        start.attempt,
        start.instruction,
        start.tags,
        end.reason,
        end.status,
        end.detail,
        end.completed,
        end.total,
        end.turns,
        end.steps,
        end.actions,
        end.invalid,
        usage_from_json(end.usage),
        final_states(start, tally.completed, end.reason not in (SUCCESS, VOID, UNJUDGED)),
        end.world_seconds,
        end.wall_seconds,
        tally.pointed_right,
        tally.pointed_told,
        tuple(sorted({node["env"] for node in start.nodes if node["env"]})),
        start.limits.get("turns"),
        tally.recorded,
        tally.pointed_asked,
        tally.checked,
        tally.violated,
        tally.repaired,
        dict(tally.results),
        dict(tally.verbs),
        tally.unread,
        tally.unknown,
        tally.cut,
        tally.undetected,
        tally.looked,
        tally.lacking,
        dict(tally.skills),
        _screens(end),
        tally.solved_turn,
        tally.stopped,
        dict(end.harms),
        dict(tally.found),
        tally.trouble,
    )


def _screens(end: EpisodeEnded) -> tuple[str, ...]:
    """The size of each screen at the end, such as "phone 1080x2400"."""
    sizes = {name: seen.get("size") for name, seen in end.observations.items() if isinstance(seen, Mapping)}
    return tuple(f"{name} {'x'.join(map(str, size))}" for name, size in sizes.items() if size)
