"""The planner `person`: somebody decides. Who shows them the turns, and takes what they do, is seated by `seat`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

from omnipilot.envs import ConfigError, Modality
from omnipilot.memory import Move, Reply, Usage
from omnipilot.memory.models.exchange import Exchange, current_listener
from omnipilot.planners.base import Brief, Decision, Planner, Request


@dataclass(frozen=True, slots=True)
class PersonTurn:
    """What a person did in a turn.

    Attributes:
        moves: the verbs that it stands for. raw: what they did as it came, as JSON.
    """

    moves: Sequence[Move]
    raw: str


class Seat(Protocol):
    """Where a person sits: shows them each turn, and tells what they do."""

    def begin(self, brief: Brief, player: str) -> None:
        """A task begins, for the player of this name."""
        ...

    def decide(self, request: Request) -> PersonTurn:
        """Show a turn, and return when the person has done something.

        Raises:
            KeyboardInterrupt: they stopped.
        """
        ...


_seat: ContextVar[Seat | None] = ContextVar("seat", default=None)


@contextmanager
def seat(where: Seat) -> Iterator[None]:
    """Let a person play the planner `person` within the block, in this thread."""
    token = _seat.set(where)
    try:
        yield
    finally:
        _seat.reset(token)


class PersonPlanner(Planner):
    """Shows each turn to a person, and decides as they do; `omnipilot play` opens the page on which they sit.

    They are shown what an agent is: the picture of each screen, and what sounded and moved since the turn before; no
    elements. What they do is carried out, limited, judged and recorded as the moves of any planner. The raw touches
    and keys stay in the record, in the place of a model's answer.

    Args:
        player: who plays; part of the run's identity, and of its row in tables. Say so if it is a script.

    Raises:
        ConfigError: nobody is named.
    """

    main_option = "player"
    reads: frozenset[Modality] = frozenset({Modality.SCREENSHOT, Modality.AUDIO, Modality.VIDEO})
    takes_notes: bool = False
    points: bool = True

    def __init__(self, player: str) -> None:
        if not player.strip():
            raise ConfigError("planner 'person' needs the name of who plays: person:NAME")
        self.player = player.strip()

    def begin(self, brief: Brief) -> None:
        """Tell the person that a task begins.

        Raises:
            ConfigError: nobody is seated in this process.
        """
        self._seat().begin(brief, self.player)

    def plan(self, request: Request) -> Decision:
        """What the person does now.

        Raises:
            ConfigError: nobody is seated in this process.
        """
        done = self._seat().decide(request)
        if (listener := current_listener()) is not None:
            reply = Reply(", ".join(move.intent.kind for move in done.moves), model=self.player)
            listener.exchanged(Exchange("planner", f"person/{self.player}", 1, {}, done.raw, reply, "", Usage()))
        return Decision(tuple(done.moves))

    def _seat(self) -> Seat:
        if (where := _seat.get()) is None:
            raise ConfigError("planner 'person' needs a person: start it with omnipilot play, which opens their page")
        return where
