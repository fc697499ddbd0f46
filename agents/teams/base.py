"""The base of every agent system: grounder, memory, roles, and lazy grounding of moves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from omnipilot.agents.base import Agent, Choice, Proposal, Situation
from omnipilot.agents.ground import ground
from omnipilot.agents.verbs.base import MoveFromPlace, Program, Refusal, VerbSet
from omnipilot.envs import Action, Click, Modality, Observation
from omnipilot.grounders import Grounder
from omnipilot.memory import Budget, MalformedReply, Memory, Move, Origin, Outcome, Recalled, Role, Turn, Usage
from omnipilot.memory.allowance import Allowance
from omnipilot.memory.episodic import TimelineEvent
from omnipilot.memory.episodic.anchors.remembered import anchor_key
from omnipilot.memory.gate import Gate, GateDecision
from omnipilot.memory.gate.base import clips_of, without_withheld
from omnipilot.memory.warm_up import warm_up
from omnipilot.planners import Brief, Request

EXAMPLES = 0.5
"""Examples of earlier episodes take at most this share of what may be recalled."""


class GroundedAgent(Agent):
    """The part of an agent system that does not depend on how decisions are made.

    Args:
        planner_role, grounder_role: what the planner (or a team's head) and the grounder may see.
        budget: how much may be recalled from memory per decision; None for what the memory states, or the default.
    """

    def __init__(
        self,
        grounder: Grounder,
        memory: Memory,
        planner_role: Role,
        grounder_role: Role,
        budget: Budget | None = None,
    ) -> None:
        self.grounder = grounder
        self.memory = memory
        self.planner_role = planner_role
        self.grounder_role = grounder_role
        self.budget = budget or memory.budget or Budget()
        self._brief = Brief("", {})
        self.granted = planner_role.modalities
        """What the planner may be told of in words, beyond what it looks at itself."""
        self._given: list[tuple[str, Recalled]] = []
        self._whole_budget = self.budget
        self._examples: tuple[Recalled, ...] = ()
        self.gate: Gate | None = None
        self._gated: tuple[GateDecision, ...] = ()
        self._gate_usage = Usage()
        self.verbs: VerbSet | None = None

    @property
    def gated(self) -> tuple[GateDecision, ...]:
        """What the gate decided on the sound and film of the last turn."""
        return self._gated

    @property
    def modalities(self) -> frozenset[Modality]:
        """Modalities to capture: everything granted to either role."""
        return self.planner_role.modalities | self.grounder_role.modalities

    def take_gate(self, gate: Gate) -> None:
        """Let a gate decide which sound and film of a turn the planner, or a role of a team, gets of its share."""
        self.gate = gate

    def take_verbs(self, verbs: VerbSet) -> None:
        """Let a verb set change what the planner is offered, and carry out what its devices have not got."""
        self.verbs = verbs

    def warm_up(self) -> None:
        """Warm up the grounder, the memory and the gate."""
        warm_up(self.grounder, self.memory, self.gate)

    def decide(self, situation: Situation) -> Choice:
        """Make one decision; what memory gave and cost for it is part of the choice, or of the error.

        Raises:
            MalformedReply, ModelUnavailable: as in `Agent.decide`.
        """
        self._given, self._gated, self._gate_usage = [], (), Usage()
        try:
            choice = self._choose(situation)
        except MalformedReply as error:
            spent = error.usage + self._spent()
            raise MalformedReply(str(error), spent, situation.extra, self._given) from None
        decision = replace(choice.decision, usage=choice.decision.usage + self._spent())
        told, recalled = tuple(situation.extra), tuple(self._given)
        return replace(choice, decision=decision, told=told, recalled=recalled, gated=self._gated)

    @abstractmethod
    def _choose(self, situation: Situation) -> Choice:
        """Call the planners; each move is grounded when the loop requests it."""

    def _spent(self) -> Usage:
        """What the gate cost in this turn, and memory since it was last asked."""
        return self._gate_usage + self.memory.drain_usage()

    def learn(self, turn: Turn) -> None:
        """Store the completed turn in memory."""
        self.memory.record(turn)

    def take_past(self, turn: Turn, told: Sequence[Recalled] = ()) -> None:
        """Store a turn from before the episode in memory."""
        self.memory.watch(turn.index, turn.observations, told)
        self.memory.record(turn)

    def conclude(self) -> None:
        """Let the memory keep what it held back."""
        self.memory.conclude()

    def drain_events(self) -> tuple[TimelineEvent, ...]:
        """What the memory kept since the last call, for the journal."""
        return self.memory.drain_events()

    def _forget(self, brief: Brief) -> None:
        """Start over with a brief and an empty memory."""
        if self.verbs is not None:
            self.verbs.begin(brief)
            brief = replace(brief, envs=self.verbs.offer(brief.envs))
        key = anchor_key(brief.seed, brief.instruction) if self.memory.knows_anchors else ""
        self._brief = replace(brief, anchors=key)
        self.memory.clear()
        self._examples, self.budget = fit_examples(brief.examples, self._whole_budget)
        if self.gate is not None:
            self.gate.begin(brief)

    def _whole_request(self, situation: Situation) -> Request:
        """The request for the planner or the team's head; the first of a decision."""
        self.memory.watch(situation.turn, situation.observations, situation.extra)
        self._pass_gate(situation)
        request = self._request(self._brief, situation, self.planner_role)
        self._given += [(self.planner_role.name, one) for one in self._examples]
        shown = (*self._examples, *request.recalled, *situation.extra)
        return replace(request, recalled=shown, feedback=tuple(situation.feedback))

    def _pass_gate(self, situation: Situation) -> None:
        """Let the gate decide on what the planner's role may see and hear in this turn, after memory took it in."""
        if self.gate is not None:
            role = self.planner_role
            seen = [one.only(role.modalities) for name, one in situation.observations.items() if role.sees(name)]
            if clips := clips_of(seen):
                gated, self._gate_usage = self.gate.decide(situation.turn, clips)
                self._gated = tuple(gated)

    def _request(self, brief: Brief, situation: Situation, role: Role, message: str | None = None) -> Request:
        """The request for a role: its share of the screens, of memory, and of the marks.

        Args:
            message: to a worker of a team, which knows no more of the task: memory is asked with it, and gives nothing
                of the whole team, such as its thoughts. None for who decides on the task.
        """
        seen = {
            name: without_withheld(observation.only(role.modalities), self._gated)
            for name, observation in situation.observations.items()
            if role.sees(name)
        }
        query = self._brief.instruction if message is None else message
        recalled = self._recalled(query, role, tuple(seen), message is not None)
        shown = (*recalled, *self._annotated(seen, situation.turn))
        return Request(brief, situation.turn, seen, shown, left=situation.left)

    def _recalled(self, query: str, role: Role, envs: Collection[str], own: bool) -> tuple[Recalled, ...]:
        """What memory gives to a role: words of all that it is granted, and captures of what it looks at itself.

        Args:
            own: only what belongs to one of its environments.
        """
        lacking = frozenset(Modality) - role.modalities
        budget = replace(
            self.budget,
            images=0 if Modality.SCREENSHOT in lacking else self.budget.images,
            clips=0 if {Modality.AUDIO, Modality.VIDEO} <= lacking else self.budget.clips,
            audio_seconds=0.0 if Modality.AUDIO in lacking else self.budget.audio_seconds,
            video_seconds=0.0 if Modality.VIDEO in lacking else self.budget.video_seconds,
        )
        recalled = self.memory.recall(query, budget, self._in_words(role), envs)
        if own:
            recalled = tuple(one for one in recalled if one.env and role.sees(one.env))
        self._given += [(role.name, one) for one in recalled]
        return recalled

    def _in_words(self, role: Role) -> Role:
        """The role with all that it may be told of in words, whether it looks at it itself or not."""
        return replace(role, modalities=role.modalities | self.granted)

    def _annotated(self, seen: Mapping[str, Observation], turn: int) -> Iterator[Recalled]:
        """Marks the grounder shows to the role, made from what both may see so that neither gains information."""
        for name, observation in seen.items():
            if self.grounder_role.sees(name):
                for part in self.grounder.annotate(observation.only(self.grounder_role.modalities)):
                    yield Recalled(part, "marks", name, observation.time, turn)

    def _ground_all(self, moves: Sequence[Move], situation: Situation) -> Iterator[Proposal]:
        for number, move in enumerate(moves):
            if problem := self._why_barred(number, move):
                yield Proposal(move, None, Outcome("rejected", problem))
            elif (program := self._program(move, situation, number > 0)) is not None:
                yield from self._ground_program(move, program, situation, number > 0)
            else:
                yield self._ground_one(move, situation, number > 0)

    def _program(self, move: Move, situation: Situation, fresh: bool) -> Program | None:
        """What stands for a move by the verb set, if there is one; it is shown what the planner may see."""
        shown = set() if fresh else set(situation.observations)

        def look(name: str) -> Observation:
            role = self.planner_role
            seen = situation.observations[name] if name in shown else situation.look(name)
            shown.clear()
            return seen.only(role.modalities if role.sees(name) else ())

        return None if self.verbs is None else self.verbs.expand(move, look)

    def _ground_program(self, move: Move, program: Program, situation: Situation, fresh: bool) -> Iterator[Proposal]:
        """The parts of the program that stands for a move, each grounded after the one before was executed."""
        asked = replace(move)
        for part in program:
            if isinstance(part, Refusal):
                yield Proposal(asked, None, Outcome("rejected", part.why), asked=asked)
                return
            if isinstance(part, MoveFromPlace):
                yield self._ground_from_place(part, asked, situation, fresh)
            else:
                yield replace(self._ground_one(part, situation, fresh), asked=asked)
            fresh = True

    def _ground_from_place(self, part: MoveFromPlace, asked: Move, situation: Situation, fresh: bool) -> Proposal:
        """The move that is made of where its place was found."""
        found = self._ground_one(Move(part.env, Click(part.target)), situation, fresh)
        if not isinstance(found.action, Click) or found.action.at is None or found.seen is None:
            return replace(found, move=asked, action=None, asked=asked)
        intent = part.make(found.action.at, found.seen.size)
        return replace(found, move=Move(part.env, intent), action=cast(Action, intent), asked=asked)

    def _ground_one(self, move: Move, situation: Situation, fresh: bool) -> Proposal:
        return ground(move, situation, self.grounder, self.grounder_role, fresh, self._fill_anchor)

    def _fill_anchor(self, said: str) -> str:
        """The value of an anchor, said as its key and name; the words themselves under any other key, which is not the
        planner's."""
        key, _, name = said.partition(":")
        if key != self._brief.anchors or not self.memory.knows_anchors:
            return f"{{@{said}}}"
        return self.memory.fill_anchor(name, self._in_words(self.planner_role))

    def origins(self) -> Iterable[Origin] | None:
        """Where the values that the memory knows came from."""
        return self.memory.origins()

    def _why_barred(self, number: int, move: Move) -> str:  # noqa: ARG002
        """Why the role may not make this move; "" if it may."""
        return ""


def fit_examples(examples: Sequence[Recalled], budget: Budget) -> tuple[tuple[Recalled, ...], Budget]:
    """The examples that fit into their share of a budget, the last ones first, and what they leave of it."""
    left = Allowance(budget)
    share = Allowance(replace(left.share(EXAMPLES), texts=budget.texts))
    kept = [one for one in reversed(examples) if share.take(one.part) and left.take(one.part)]
    return (tuple(reversed(kept)), left.share(1.0)) if kept else ((), budget)
