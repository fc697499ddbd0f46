"""An agent that knows the elements of a screen only by what a source tells of it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from omnipilot.agents.base import Agent, Choice, Proposal, Situation
from omnipilot.agents.wrappers.base import Wrapper
from omnipilot.envs import Absent, Modality, Observation
from omnipilot.grounders.sources import ElementSource, FoundElements
from omnipilot.memory import AgentPart, MalformedReply, Recalled, Turn, Usage
from omnipilot.memory.warm_up import warm_up
from omnipilot.planners import Brief


class PerceivingAgent(Wrapper):
    """An agent to which a screen's elements are what a source finds on its picture, in place of the screen's tree; or
    what a source chooses of the screen's own list.

    It stands around all other wrappers, so that whatever reads elements reads these: planner, grounder, memory, checks,
    critic. Who is granted elements is shown them, whether or not it is granted the picture: a model that takes words
    alone works on any screen. The tree is not captured for the agent, unless the source needs it.

    Args:
        source: reads the screenshot, or whatever it needs, once for each screen that the agent is shown.
    """

    def __init__(self, agent: Agent, source: ElementSource) -> None:
        super().__init__(agent)
        self.source: ElementSource = source
        self.part: AgentPart | None = source
        self._task = ""
        self._known: dict[Hashable, FoundElements] = {}
        self._perceived: dict[str, FoundElements] = {}
        self._usage = Usage()

    @property
    def modalities(self) -> frozenset[Modality]:
        """Modalities of the wrapped agent without the tree, and those that the source needs."""
        return (self.agent.modalities - {Modality.ELEMENTS}) | self.source.needs

    @property
    def perceived(self) -> Mapping[str, FoundElements]:
        """What the agent was shown of each screen in the turn; with seconds and usage if it was read for that."""
        return self._perceived

    def warm_up(self) -> None:
        """Warm up the wrapped agent and the source."""
        warm_up(self.agent, self.source)

    def begin(self, brief: Brief) -> None:
        """Forget the last episode; the source is told the task with each screen."""
        self._task, self._known, self._perceived, self._usage = brief.instruction, {}, {}, Usage()
        super().begin(brief)

    def decide(self, situation: Situation) -> Choice:
        """The wrapped agent's choice, given what was read from the screens; what reading cost is part of it.

        Raises:
            MalformedReply: as of the wrapped agent, with what reading cost. ModelUnavailable: as of `Agent.decide`, or
                a model of the source did not answer.
        """
        before = self._known
        self._known, self._perceived = dict(before), {}
        seen = {env: self._read(observation) for env, observation in situation.observations.items()}
        keys = {env: self._key(one) for env, one in situation.observations.items()}
        shown = {key: env for env, key in keys.items() if key is not None}
        self._known = {key: self._known[key] for key in shown}
        for key, env in shown.items():
            found = self._known[key]
            self._perceived[env] = FoundElements(found.elements) if key in before else found
        try:
            choice = super().decide(
                replace(situation, observations=seen, look=lambda env: self._read(situation.look(env)))
            )
        except MalformedReply as error:
            error.usage += self._take_usage()
            raise
        decision = replace(choice.decision, usage=choice.decision.usage + self._take_usage())
        proposals = self._with_usage(choice.proposals)
        return replace(choice, decision=decision, proposals=proposals, perceived=self._perceived)

    def learn(self, turn: Turn) -> None:
        """Pass the turn on as the wrapped agent saw it."""
        super().learn(self._as_read(turn))

    def take_past(self, turn: Turn, told: Sequence[Recalled] = ()) -> None:
        """Pass a turn from before the episode on, with what is read from its screens."""
        steps = tuple(step if step.seen is None else replace(step, seen=self._read(step.seen)) for step in turn.steps)
        super().take_past(replace(self._as_read(turn), steps=steps), told)

    def _as_read(self, turn: Turn) -> Turn:
        """The turn with the source's elements; its steps were grounded on these in the first place."""
        return replace(turn, observations={env: self._read(seen) for env, seen in turn.observations.items()})

    def _read(self, seen: Observation) -> Observation:
        """The observation with the source's elements; a screen that looks as before is not read again."""
        key = self._key(seen)
        if key is None:
            lacking = next(one for one in self._needed(seen) if isinstance(one, Absent))
            why = lacking.detail or "elements are read from the screenshot, and there is none"
            return replace(seen, elements=Absent(lacking.reason, why))
        found = self._known.get(key)
        if found is None:
            found = self.source.find(seen.only(self.source.needs), self._task)
            self._usage += found.usage
            self._known[key] = found
        return replace(seen, elements=found.elements)

    def _key(self, seen: Observation) -> Hashable | None:
        """What a screen is known by: all that the source needs of it; None where some of that is absent."""
        needed = self._needed(seen)
        return None if any(isinstance(one, Absent) for one in needed) else (seen.env, *needed)

    def _needed(self, seen: Observation) -> tuple[Any, ...]:
        return tuple(getattr(seen, name.value) for name in sorted(self.source.needs))

    def _with_usage(self, proposals: Iterator[Proposal]) -> Iterator[Proposal]:
        """Proposals as they are grounded, each with what reading a fresh screen for it cost."""
        for proposal in proposals:
            yield replace(proposal, usage=proposal.usage + self._take_usage())

    def _take_usage(self) -> Usage:
        spent, self._usage = self._usage, Usage()
        return spent
