"""The journal's events: typed records, one JSON line each. Tables and reports are computed from them.

Media are named by content hash. Those that the run keeps are in its media store before a line refers to them; with
`--media` other than `all`, what was captured of devices may have no file. `events.schema.json` beside this module
describes the lines for programs in any language; it is made from these classes, see
`omnipilot.bench.journal.events_schema`.

Other programs and later versions read journals, so an event or a field may be added, a field with a default, and
nothing may be renamed or get another type. A reader skips what it does not know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from types import UnionType
from typing import Any, ClassVar, Union, get_args, get_origin, get_type_hints

from omnipilot.envs import OmnipilotError

_LARGEST = 2**63


class JournalError(OmnipilotError):
    """A journal line cannot be read; the message names file, line and problem."""


class UnknownEvent(JournalError):
    """A journal line is of a kind that this version does not know: a later version wrote it."""


@dataclass(frozen=True, slots=True)
class Event:
    """Base class of the events."""

    event: ClassVar[str]


@dataclass(frozen=True, slots=True)
class RunStarted(Event):
    """A process started or resumed this run.

    Attributes:
        identity, spec: of the run. provenance: our version and commit, Python, platform, versions of readers.
        wall: seconds since the epoch.
        tasks: every task of the run, in the suite's order.
    """

    event: ClassVar[str] = "run_started"
    identity: str
    spec: Mapping[str, Any]
    provenance: Mapping[str, Any]
    wall: float
    tasks: list[str] = field(default_factory=list)

    @property
    def planned(self) -> int:
        """Episodes of the run; 0 if its specification does not say how many."""
        instances, trials = self.spec.get("instances"), self.spec.get("trials")
        return len(self.tasks) * instances * trials if isinstance(instances, int) and isinstance(trials, int) else 0


@dataclass(frozen=True, slots=True)
class EpisodeStarted(Event):
    """An attempt at an episode began.

    Attributes:
        key: "task#instance.trial". attempt: from 1; higher if earlier attempts were cut off.
        nodes: [{"name", "env", "when"}] of the judges. edges: pairs of names. limits: the effective ones.
    """

    event: ClassVar[str] = "episode_started"
    key: str
    attempt: int
    task: str
    instance: int
    trial: int
    instruction: str
    nodes: list[dict[str, str]]
    edges: list[list[str]]
    tags: Mapping[str, str]
    limits: Mapping[str, Any]
    wall: float


@dataclass(frozen=True, slots=True)
class TurnTaken(Event):
    """A planner's decision, based on one observation of each environment.

    Attributes:
        observations: by environment, see `omnipilot.bench.journal.recorder.observation_to_json`.
        moves: proposed, [{"env", "intent"}]. usage: of the planner's calls. seconds: wall time spent deciding.
        told: the notes of the agent's wrappers and readers that the planner was shown beside its observations,
            [{"env", "source", "text"}].
        recalled: what was given from memory, in order: [{"role", "env", "source", "time", "turn", "why",
            "origin"}] with "text", or with "media": {"kind", "digest", "start", "end"}.
        expectations: what the planner stated should hold afterwards, see `omnipilot.memory.expectations`.
        gated: what a gate decided on the sound and film of the turn, see `omnipilot.memory.gate.GateDecision.to_json`;
            empty without a gate.
        calls: the numbers of the model calls that were made for it, see `ModelCalled`.
        replayed: it was taken from the run that this one was forked from; usage and seconds are those of that run.
        perceived: by environment, the elements that were read from its screenshot and shown in place of its tree
            ({digest, count, truncated}, as of an observation), the `seconds` that each module took, and the `usage` of
            the models asked; empty without `--perception`.
        stopping: what a stopping rule found, {"rule", "evidence"} and, where it ended the episode, "why"; empty
            without one.
    """

    event: ClassVar[str] = "turn"
    key: str
    attempt: int
    turn: int
    observations: Mapping[str, Any]
    thought: str
    notes: list[str]
    moves: list[dict[str, Any]]
    usage: Mapping[str, Any]
    seconds: float
    told: list[dict[str, Any]] = field(default_factory=list)
    recalled: list[dict[str, Any]] = field(default_factory=list)
    expectations: list[dict[str, str]] = field(default_factory=list)
    gated: list[dict[str, Any]] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    replayed: bool = field(default=False)
    perceived: dict[str, dict[str, Any]] = field(default_factory=dict)
    stopping: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModelCalled(Event):
    """One attempt at a call of a model: what was sent, and what came back. Written as soon as the attempt is over.

    What is long lies in the run's media store as JSON text or as it came, named by the hash of its content: the
    messages, one file each; the list of tools; the schema of the reply; the raw answer.

    Attributes:
        turn: in which it was made; -1 before the first.
        call: its number in the episode's attempt, from 0. again: how many attempts at this call failed before it.
        role: who asked: "planner", "grounder", "critic", "memory", … model: provider and model.
        request: what was sent: "options" (the keys of the body that are not named here), "after" and "kept" (it begins
            with so many messages of that earlier call; left out for none), "messages" (hashes of the further ones),
            "tools" and "schema" (hashes; left out for none), "given" (of a request that is no conversation: hashes by
            key of the body, of the texts to embed or the sound to transcribe; left out for none). Empty if messages are
            not kept, and for a later attempt, which sent the same.
        raw: hash of the answer as it came; "" if there was none, or messages are not kept.
        reply: {"text", "calls", "reasoning", "finish", "model"} of an answer that has no `raw`, as one from a cassette,
            or whose `raw` is no chat completion.
        problem: why the attempt failed. usage: of this attempt alone. replayed: it comes from a cassette.
        dropped: what was removed from the request, in words.
        finish: why the model stopped, as its server says ("stop", "length", …); "" if it does not.
        waited: seconds that it waited for its turn at the endpoint; no part of `usage`, and of no `working` limit.
    """

    event: ClassVar[str] = "model_called"
    key: str
    attempt: int
    turn: int
    call: int
    again: int
    role: str
    model: str
    request: Mapping[str, Any]
    raw: str
    reply: Mapping[str, Any]
    problem: str
    usage: Mapping[str, Any]
    replayed: bool = field(default=False)
    dropped: list[str] = field(default_factory=list)
    finish: str = ""
    waited: float = 0.0


@dataclass(frozen=True, slots=True)
class ReplyUnread(Event):
    """The reply of a call could not be read by who asked for it; `problem` says why. It may be asked for again.

    Attributes:
        unknown: actions that it asked for and that the agent's action space has no word for.
    """

    event: ClassVar[str] = "reply_unread"
    key: str
    attempt: int
    call: int
    problem: str
    unknown: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PastTurn(Event):
    """A turn of the past that the suite played before the episode, and that the agent only remembers: nothing decided
    it and nothing judges it.

    Attributes:
        turn: from -n to -1. observations: as in `TurnTaken`.
        actions: executed, [{"env", "action"}]. start, end: seconds on the world's clock.
    """

    event: ClassVar[str] = "past_turn"
    key: str
    attempt: int
    turn: int
    observations: Mapping[str, Any]
    actions: list[dict[str, Any]]
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Remembered(Event):
    """What the agent's memory kept of a turn.

    Attributes:
        events: of the timeline, in order, see `omnipilot.memory.episodic.TimelineEvent.to_json`.
    """

    event: ClassVar[str] = "remembered"
    key: str
    attempt: int
    turn: int
    events: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class StepTaken(Event):
    """One move was executed or rejected, and the judges were called.

    Attributes:
        env: the move's environment. proposed, executed: JSON actions; executed is None if nothing was done.
        result, message: of the outcome. counts: whether it counts as one of the A actions.
        look: the fresh observation used for grounding; None if the turn's was used.
        pointed: [{"target", "x", "y", "box", "grounder"}].
        start, end: seconds on the world's clock. usage: of grounding.
        changes: [{"node", "progress", "reason", "completed"}] from the judges. completed: nodes so far.
        seconds: {"env", "judge"}, wall time.
        predicted: in a recording, the proposed move after grounding; `executed` is the recorded action.
        pointing: the verdict on each described place that the grounder was asked for, in order, see
            `omnipilot.bench.episode.pointing.PointingVerdict.to_json`.
        calls: the numbers of the model calls that grounding took since the decision or the step before, as in
            `TurnTaken`.
        program: {"env", "asked", "part"} of a step of a program of verbs: environment and JSON action of the planner's
            own move, which the program stands for, and the step's number in it, from 0. Empty for a move as it is.
    """

    event: ClassVar[str] = "step"
    key: str
    attempt: int
    step: int
    turn: int
    env: str
    proposed: Mapping[str, Any] | None
    executed: Mapping[str, Any] | None
    result: str
    message: str
    counts: bool
    look: Mapping[str, Any] | None
    pointed: list[dict[str, Any]]
    start: float
    end: float
    usage: Mapping[str, Any]
    changes: list[dict[str, Any]]
    completed: int
    seconds: Mapping[str, float]
    predicted: Mapping[str, Any] | None = None
    pointing: list[dict[str, Any]] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    program: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EpisodeEnded(Event):
    """An attempt ended. Without this line, the attempt was cut off and is repeated.

    Attributes:
        reason: `success`, `done`, `stopped` (by a rule: `detail` says which, and why), the limit that was reached
            (`turns`, `actions`, `tokens`, `seconds`, `cost`, `working`), `invalid`, `world` (it ended by itself),
            `unjudged` (nobody can say whether it was solved: `detail` says how it ended), or `void` (a device or a
            model was lost: `detail` says which).
        status: of the agent's Done, "" without one. completed, total: nodes. actions: A. tokens: T.
        changes: from the judges that run only at the end.
        observations: the final one of each environment, for the report.
        wall_seconds: without the task's set-up and its prologue. prologue_seconds: wall time of the prologue, which no
            limit counts; 0 where there is none.
        harms: whether each of what the task says must not come about did, by name; empty where it says nothing.
    """

    event: ClassVar[str] = "episode_ended"
    key: str
    attempt: int
    reason: str
    status: str
    detail: str
    completed: int
    total: int
    turns: int
    steps: int
    actions: int
    invalid: int
    usage: Mapping[str, Any]
    changes: list[dict[str, Any]]
    observations: Mapping[str, Any]
    world_seconds: float
    wall_seconds: float
    prologue_seconds: float = 0.0
    harms: Mapping[str, bool] = field(default_factory=dict)

    @property
    def void(self) -> bool:
        """Whether the attempt says nothing about the agent: a device or a model was lost."""
        return self.reason == "void"


@dataclass(frozen=True, slots=True)
class Repaired(Event):
    """A torn last line was cut off when the run was reopened. `lost` is its text, as far as it was readable."""

    event: ClassVar[str] = "repaired"
    lost: str
    bytes: int
    wall: float


@dataclass(frozen=True, slots=True)
class Unreadable(Event):
    """A line of the journal that cannot be read, or makes no sense where it stands; readers make it, nobody writes it.

    line: its number, from 1; 0 where it is several. lost: its first characters.
    """

    event: ClassVar[str] = "unreadable"
    line: int
    reason: str
    lost: str = ""

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}" if self.line else self.reason


@dataclass(frozen=True, slots=True)
class Interrupted(Event):
    """The run was stopped; the same command resumes it.

    running: keys of the unfinished episodes; they are played again. reason: "budget" if it was used up, "voids" after
    too many void episodes in a row, "" if the user stopped it (Ctrl-C).
    """

    event: ClassVar[str] = "interrupted"
    wall: float
    running: list[str] = field(default_factory=list)
    reason: str = field(default="")


@dataclass(frozen=True, slots=True)
class PersonActed(Event):
    """A person interfered with the run while it went on, or asked for what was refused.

    Attributes:
        command: the id of what was asked; each is taken once. who: the user's name on the machine.
        action: "pause" (no further episode begins), "resume", "cancel" (an episode is ended, void), "requeue" (a void
            episode is played once more), or "raise" (a limit).
        key, attempt: of the episode; "" and 0 where it is about the whole run.
        asked, wall: when it was asked and when it was taken, seconds since the epoch.
        limit: of "raise": "budget" (USD, of the whole run) or a limit of the episode. before, after: its values.
        refused: why nothing was done; "" if it was done.
    """

    event: ClassVar[str] = "person_acted"
    command: str
    action: str
    key: str
    attempt: int
    who: str
    asked: float
    wall: float
    limit: str = ""
    before: float | None = None
    after: float | None = None
    refused: str = ""

    @property
    def raises(self) -> bool:
        """Whether a limit was raised."""
        return self.action == "raise" and not self.refused

    def raised(self, started: EpisodeStarted) -> EpisodeStarted:
        """The start of an attempt with the limit that a person raised meanwhile."""
        if not self.raises or self.limit not in started.limits:
            return started
        return replace(started, limits={**started.limits, self.limit: self.after})


@dataclass(frozen=True, slots=True)
class MoveGuarded(Event):
    """A guard ruled on a move, which is then carried out or refused: the step of this number follows.

    Attributes:
        env: of the move. said: by the policy: `allow`, `ask` or `deny`. rule: the policy's rule, by its name. passed:
            whether the move may be carried out. why: if not, in words. asked_seconds: that an approver took.
        facts: what was known of the move, lists by condition; "?" stands for what could not be told. Each of `origins`
            is written as labels, `mail:ann@example.org; app:Mail; device:phone; turn:3; memory; elsewhere`.
        policy: hash of the policy.
    """

    event: ClassVar[str] = "move_guarded"
    key: str
    attempt: int
    turn: int
    step: int
    env: str
    said: str
    rule: str
    passed: bool
    why: str
    asked_seconds: float
    facts: Mapping[str, Any]
    policy: str


@dataclass(frozen=True, slots=True)
class WorkerJoined(Event):
    """A worker on another machine is ready to play episodes of the run.

    Attributes:
        host: name of its machine. provenance: as of `RunStarted`, of that machine. wall: seconds since the epoch.
    """

    event: ClassVar[str] = "worker_joined"
    host: str
    provenance: Mapping[str, Any]
    wall: float


EVENTS: dict[str, type[Event]] = {
    kind.event: kind
    for kind in (
        RunStarted,
        EpisodeStarted,
        PastTurn,
        ModelCalled,
        ReplyUnread,
        TurnTaken,
        MoveGuarded,
        StepTaken,
        Remembered,
        EpisodeEnded,
        Repaired,
        Interrupted,
        PersonActed,
        WorkerJoined,
    )
}


def event_to_json(event: Event) -> dict[str, Any]:
    """An event as plain JSON values, its kind first."""
    return {"event": event.event, **{spec.name: getattr(event, spec.name) for spec in fields(event)}}


def event_from_json(data: Mapping[str, Any]) -> Event:
    """Parse a journal line's values into an event; fields that this version does not know are left out.

    Raises:
        UnknownEvent: it is of a kind that this version does not know.
        JournalError: it names no kind, or lacks a field of its kind, or a field has another type.
    """
    name = data.get("event")
    if not isinstance(name, str):
        raise JournalError("it does not say what event it is")
    kind = EVENTS.get(name)
    if kind is None:
        raise UnknownEvent(f"unknown event {name!r}; known: {', '.join(EVENTS)}")
    types = _types_of(kind.event)
    values = {name: value for name, value in data.items() if name in types}
    for name, value in values.items():
        known = types[name]
        # Of most values the type alone tells; journals have millions.
        if known and ((found := type(value)) is int or found not in known) and not _is_of(value, known):
            raise JournalError(f"{kind.event}: {name} is {type(value).__name__}, not {known[0].__name__}")
    try:
        return kind(**values)
    except TypeError as error:
        raise JournalError(f"{kind.event}: {error}") from None


@cache
def _types_of(event: str) -> dict[str, tuple[type, ...]]:
    """What JSON has for each field of a kind of event."""
    kind = EVENTS[event]
    hints = get_type_hints(kind)
    return {spec.name: tuple(_json_types(hints[spec.name])) for spec in fields(kind)}


def _json_types(hint: Any) -> Iterator[type]:
    """The types that a JSON value may have where the annotation is this; none for any."""
    origin = get_origin(hint) or hint
    if origin in (Union, UnionType):
        for one in get_args(hint):
            yield from _json_types(one)
    elif origin is Mapping:
        yield dict
    elif origin is float:
        yield from (float, int)
    elif isinstance(origin, type):
        yield origin


def _is_of(value: Any, known: tuple[type, ...]) -> bool:
    kind = type(value)
    # A number that is larger cannot be counted with.
    return kind in known and (kind is not int or -_LARGEST < value < _LARGEST)
