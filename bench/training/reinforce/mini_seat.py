"""A session as the small planner plays it: it is shown and told exactly what it is in a run."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from omnipilot.agents.wrappers.readers import Reader
from omnipilot.bench.session import Session
from omnipilot.bench.training.demonstrations import FIRST_NUMBERS, SHOWN
from omnipilot.bench.training.readers import give_truth, shown_to
from omnipilot.bench.training.reinforce.leads import LeadStep
from omnipilot.bench.training.reinforce.policy import SampledReply
from omnipilot.envs import Done, Modality
from omnipilot.envs.types import CONTROL_VERBS
from omnipilot.memory import MOTION, TRANSCRIPT, Move
from omnipilot.planners import Verbs
from omnipilot.planners.mini.hearing import heard_lines
from omnipilot.planners.mini.planner import MOST_CALLS, MOST_FAILURES
from omnipilot.planners.mini.session import MiniPrompt, MiniSession, UnreadableMove
from omnipilot.planners.mini.vocabulary import Vocabulary


class MiniSeat:
    """Implements `PolicySeat`. Its questions are the tokens of a prompt.

    Args:
        session: whose task was just opened. mini: what the planner is told of it, at its beginning.
        envs: what each device can do.
        reader: tells what is heard and what moves. room: tokens that a prompt may have.
        granted: what the planner sees of an observation.
        numbers: draws the number from which each prompt counts; None for 0.
    """

    def __init__(
        self,
        session: Session,
        mini: MiniSession,
        envs: Mapping[str, Verbs],
        vocabulary: Vocabulary,
        room: int,
        reader: Reader,
        numbers: Random | None,
        granted: frozenset[Modality] = SHOWN,
    ) -> None:
        self.session, self.mini = session, mini
        self.acts = 0
        self._able = {name: verbs.kinds | CONTROL_VERBS for name, verbs in envs.items()}
        self._vocabulary, self._room = vocabulary, room
        self._numbers = numbers
        self._since: dict[str, float] = {}
        self._calls = self._failures = 0
        self._asked = MiniPrompt([], self.mini.prompt().references)
        self._reader, self._granted = reader, granted
        give_truth(self._reader, self.session.truth)
        reader.begin()
        self._look()

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return bool(self.session.ended)

    def ask(self) -> tuple[int, ...]:
        """The tokens of the prompt."""
        first = 0 if self._numbers is None else self._numbers.randrange(FIRST_NUMBERS)
        self._asked = self.mini.prompt(first)
        tokens = self._vocabulary.prompt(self._asked.text)
        return tuple(tokens if len(tokens) <= self._room else [*tokens[: self._room - 1], self._vocabulary.act])

    def take(self, reply: SampledReply) -> None:
        """Carry out a reply as `MiniPlanner` does."""
        self._apply(reply.text)

    def follow(self, step: LeadStep) -> None:
        """Do a step of a demonstration."""
        if step.move is not None:
            self.mini.remember(step.move, step.did)
            self._act(step.move)
        elif step.value is not None:
            self.mini.keep(step.value)
            self.mini.advance()
        else:
            self._asked = self.mini.prompt()
            self._apply(step.reply)

    def fork(self) -> MiniSeat:
        """The same moment once more, on a fork of the session."""
        other = object.__new__(MiniSeat)
        other.__dict__.update(self.__dict__)
        other.session, other.mini = self.session.fork(), self.mini.fork()
        other._since = dict(self._since)
        if self._numbers is not None:
            other._numbers = Random()
            other._numbers.setstate(self._numbers.getstate())
        other._reader = self._reader.fork()
        give_truth(other._reader, other.session.truth)
        return other

    def _apply(self, words: str) -> None:
        try:
            move = self.mini.apply(words, self._asked)
        except UnreadableMove as error:
            return self._give_up(f"unreadable reply: {error}")
        if move is None:
            self._calls += 1
            return self._give_up("went through all clauses") if self._calls >= MOST_CALLS else None
        if move.env and move.intent.kind not in self._able[move.env]:
            return self._give_up(f"{move.env} cannot {move.intent.kind}", "infeasible")
        self._calls = 0
        self._act(move)
        if self._failures >= MOST_FAILURES and not self.over:
            self._give_up("its moves keep failing")
        return None

    def _act(self, move: Move) -> None:
        acted = self.session.act(move.intent, move.env)
        self.acts += 1
        refused = acted.result in ("rejected", "not_found", "malformed", "denied")
        self._failures = self._failures + 1 if refused else 0
        if not self.over:
            self._look(acted.message or "failed" if refused else "")

    def _give_up(self, why: str, status: Any = "failure") -> None:
        self.session.act(Done(status, why))

    def _look(self, failed: str = "") -> None:
        seen = self.session.observe(SHOWN | shown_to(self._reader))
        heard: list[str] = []
        saw: list[str] = []
        for name, observation in seen.items():
            for source, words in self._reader.read(observation, self._since.get(name, observation.time)):
                heard += heard_lines(words) if source == TRANSCRIPT else ()
                saw += words.splitlines() if source == MOTION else ()
            self._since[name] = observation.time
        self.mini.look({name: one.only(self._granted) for name, one in seen.items()}, heard, failed, saw=saw)
