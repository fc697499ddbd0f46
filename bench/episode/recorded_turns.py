"""An agent that decides as a record says, turn by turn, and from a turn on as the agent does that it wraps."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from omnipilot.agents import Agent, Choice, Proposal, Situation, Wrapper
from omnipilot.bench.journal.attempts import RecordedAttempt, RecordedTurn
from omnipilot.bench.journal.events import StepTaken
from omnipilot.bench.journal.recorder import usage_from_json
from omnipilot.envs import Box, ConfigError, Modality, OmnipilotError, Point
from omnipilot.envs.schema import codec
from omnipilot.envs.types import described_places
from omnipilot.memory import Expectation, MalformedReply, Move, Outcome, Pointed, Recalled, Turn
from omnipilot.planners import Brief, Decision


class RecordedTurnsAgent(Wrapper):
    """Plays the turns of a recorded attempt up to one, and lets another agent go on.

    The loop, its limits, its judges and the other agent's memory take these turns for its own: it learns from each.

    Args:
        agent: goes on from there.
        turn: the first that it decides, counted from 0.
        shadow: whether it is asked in the turns before, too; its answers are thrown away.

    Raises:
        ConfigError: the record has fewer turns, or is one of a recording.
    """

    def __init__(self, agent: Agent, record: RecordedAttempt, turn: int, shadow: bool) -> None:
        super().__init__(agent)
        if turn > len(record.turns):
            raise ConfigError(
                f"{record.started.key} has {len(record.turns)} turns, so it cannot be forked at turn {turn + 1}; "
                f"choose one from 1 to {len(record.turns) + 1}"
            )
        check_acts(record)
        self._record = record
        self._turn = turn
        self._shadow = shadow

    def decide(self, situation: Situation) -> Choice:
        """The recorded choice, or from its turn on that of the wrapped agent.

        Raises:
            MalformedReply: the recorded reply could not be read.
        """
        if situation.turn >= self._turn:
            return self.agent.decide(situation)
        if self._shadow:
            # What it says of a situation that is not its own doing is of no interest, nor that it could not be read.
            with contextlib.suppress(MalformedReply):
                self.agent.decide(situation)
        return recorded_choice(self._record.turns[situation.turn], situation)


class RecordEnds(OmnipilotError):
    """The record has no further turn."""


class RecordAlone(Agent):
    """Plays a recorded attempt to its end, and decides nothing itself."""

    def __init__(self, record: RecordedAttempt) -> None:
        check_acts(record)
        self._record = record
        self._modalities = captured_modalities(record)

    @property
    def modalities(self) -> frozenset[Modality]:
        """Those that were captured for the record."""
        return self._modalities

    def begin(self, brief: Brief) -> None:
        """Nothing is told to it."""

    def decide(self, situation: Situation) -> Choice:
        """The recorded choice.

        Raises:
            MalformedReply: the recorded reply could not be read. RecordEnds: there is no further turn.
        """
        if situation.turn >= len(self._record.turns):
            raise RecordEnds(f"the record has {len(self._record.turns)} turns")
        return recorded_choice(self._record.turns[situation.turn], situation)

    def learn(self, turn: Turn) -> None:
        """Nothing is remembered."""

    def take_past(self, turn: Turn, told: Sequence[Recalled] = ()) -> None:
        """Nothing is remembered."""


def check_acts(record: RecordedAttempt) -> None:
    """Refuse a record of a recording, in which nothing was done by an agent.

    Raises:
        ConfigError: it is one.
    """
    if any(step.result == "forced" for turn in record.turns for step in turn.steps):
        raise ConfigError(f"{record.started.key} is an episode of a recording, which no agent can lead another way")


def captured_modalities(record: RecordedAttempt) -> frozenset[Modality]:
    """The modalities that were captured in an attempt, whether they could be or not."""
    looks = [
        look
        for observations in (
            *(turn.taken.observations for turn in record.turns),
            *(past.observations for past in record.past),
        )
        for look in observations.values()
    ]
    return frozenset(
        name
        for name in Modality
        if any(not look.get("absent", {}).get(name.value, "").startswith(("ablated", "unasked")) for look in looks)
    )


def recorded_choice(turn: RecordedTurn, situation: Situation) -> Choice:
    """What was decided in a turn of a record.

    Raises:
        MalformedReply: the reply could not be read.
    """
    taken = turn.taken
    usage = usage_from_json(taken.usage)
    if len(turn.steps) == 1 and turn.steps[0].result == "malformed":
        raise MalformedReply(turn.steps[0].message, usage, replayed=taken.seconds)
    decision = Decision(
        tuple(Move(move["env"], codec.from_json(move["intent"])) for move in taken.moves),
        taken.thought,
        tuple(taken.notes),
        tuple(Expectation.from_json(one) for one in taken.expectations),
        usage,
    )
    return Choice(decision, _proposals(turn.steps, situation), replayed=taken.seconds)


def _proposals(steps: Sequence[StepTaken], situation: Situation) -> Iterator[Proposal]:
    """The recorded proposals, each as it was executed, or with the reason why it was not."""
    asked: Move | None = None
    for step in steps:
        intent = codec.from_json(step.proposed) if step.proposed is not None else None
        if intent is None:
            continue
        if not step.program:
            asked = None
        elif step.program["part"] == 0 or asked is None:
            asked = Move(step.program["env"], codec.from_json(step.program["asked"]))
        names = tuple(situation.observations)
        env = step.env or (names[0] if len(names) == 1 else "")
        seen = None
        if env in names and described_places(intent):
            seen = situation.look(env) if step.look is not None else situation.observations[env]
        action = None if step.executed is None else codec.action_from_json(step.executed)
        problem = Outcome(step.result, step.message) if action is None else None  # type: ignore[arg-type]
        pointed = tuple(
            Pointed(
                one["target"],
                Point(one["x"], one["y"]),
                None if one["box"] is None else Box(**one["box"]),
                one["grounder"],
            )
            for one in step.pointed
        )
        yield Proposal(
            Move(step.env, intent),
            action,
            problem,
            seen,
            step.look is not None,
            pointed,
            usage_from_json(step.usage),
            asked=asked,
        )
