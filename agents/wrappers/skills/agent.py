"""Skill routing: when the agent is unsure, and only then, a skill is consulted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from omnipilot.agents.base import Agent, Choice, Proposal, Situation
from omnipilot.agents.wrappers.base import Wrapper, situation_for, turn_for
from omnipilot.agents.wrappers.skills.call import SkillCall
from omnipilot.agents.wrappers.skills.help import ReadSkill, RecallSkill
from omnipilot.agents.wrappers.skills.pointing import search_again
from omnipilot.envs import ConfigError, Modality
from omnipilot.envs.types import described_places
from omnipilot.grounders import Grounder
from omnipilot.memory import Memory, Recalled, Role, Turn
from omnipilot.memory.episodic import TimelineEvent
from omnipilot.memory.perception import OcrReader, shared_reader
from omnipilot.memory.warm_up import warm_up
from omnipilot.planners import Brief

UNSURE = re.compile(
    r"\b(?:not (?:quite |entirely )?(?:sure|certain)|unsure|uncertain|(?:can(?:no|')t|cannot|could not|unable to) "
    r"(?:see|read|find|tell|make out|remember|recall)|do(?:n't| not) (?:see|know|remember|recall)|forg[oe]t(?:ten)?|"
    r"illegible|too small|unclear|no longer (?:see|know))\b",
    re.IGNORECASE,
)
"""Phrases by which a planner says that it is unsure; the same sentence says of what."""
SKILLS = ("zoom", "read", "recall")
WHEN = ("unsure", "always", "never")
"""When skills are consulted."""


@dataclass(frozen=True, slots=True)
class Need:
    """What the agent was unsure of, in words, and the environment concerned ("" if it did not say)."""

    words: str
    env: str = ""


class Skill(Protocol):
    """A source of help for an unsure agent."""

    def help(self, need: Any, situation: Situation) -> Sequence[Recalled]:
        """Parts to show to the planner; empty if it cannot help."""
        ...


class SkillAgent(Wrapper):
    """An agent with skills to fall back on.

    If the grounder does not find a place, it is searched again at once on enlarged parts of the screen (`zoom`) and in
    its recognised text (`read`); if that gives exactly one answer, the move is executed there. After a turn in which a
    place was not found, or in which the planner said that it is unsure, it is shown the text on the screen (`read`)
    and text seen earlier (`recall`). The planner is never shown what its role may not see.

    Each call is an event of the kind `skill`, with whether its answer was used and right; the metrics `skill-calls`,
    `skill-helped` and `skill-false` count them.

    Args:
        role: role of the planner. memory, grounder, grounder_role: those of the agent.
        skills: names of the skills, comma-separated.
        reader: OCR reader; None for the one shared by the process.
        when: `unsure`, as above; `always`, which shows the planner what `read` and `recall` give in every turn; or
            `never`. The last two are what routing is measured against.

    Raises:
        ConfigError: a skill is unknown, or `when` is. MissingExtra: `read` is chosen and RapidOCR is not installed.

    Attributes:
        used: how often each skill helped in this episode.
    """

    def __init__(
        self,
        agent: Agent,
        role: Role,
        memory: Memory,
        grounder: Grounder,
        grounder_role: Role,
        skills: str = ",".join(SKILLS),
        reader: OcrReader | None = None,
        when: str = "unsure",
    ) -> None:
        super().__init__(agent)
        self.chosen = tuple(name.strip() for name in skills.split(",") if name.strip())
        if strangers := [name for name in self.chosen if name not in SKILLS]:
            raise ConfigError(f"unknown skill {', '.join(map(repr, strangers))}; choose from {', '.join(SKILLS)}")
        if when not in WHEN:
            raise ConfigError(f"skills option when must be {', '.join(WHEN)}, not {when!r}")
        self.when = when
        self.role = role
        self.grounder = grounder
        self.grounder_role = grounder_role
        self.reader = (reader or shared_reader()) if "read" in self.chosen else None
        self.used: dict[str, int] = {}
        self._recall = RecallSkill(memory, role)
        self._helpers: dict[str, Skill] = {"recall": self._recall}
        if self.reader is not None:
            self._helpers = {"read": ReadSkill(self.reader), **self._helpers}
        self._need: Need | None = None
        self._instruction = ""
        self._calls: list[SkillCall] = []
        self._events: list[TimelineEvent] = []

    @property
    def modalities(self) -> frozenset[Modality]:
        """Modalities of the wrapped agent; skills make do with them."""
        return self.agent.modalities

    def warm_up(self) -> None:
        """Warm up the wrapped agent and the reader."""
        super().warm_up()
        warm_up(self.reader)

    def begin(self, brief: Brief) -> None:
        """Forget the last episode."""
        self.used, self._need = dict.fromkeys(self.chosen, 0), None
        self._instruction, self._calls, self._events = brief.instruction, [], []
        self._recall.clear()
        super().begin(brief)

    def decide(self, situation: Situation) -> Choice:
        """The wrapped agent's choice, with help if it was unsure; places that are not found are searched again."""
        need, self._need, self._calls = self._need, None, []
        unsure = need is not None
        if self.when == "always" and need is None:
            need = Need(self._instruction)
        if need is not None and self.when != "never":
            situation = replace(situation, extra=(*situation.extra, *self._help(need, situation, unsure)))
        choice = super().decide(situation)
        if self.when == "never":
            return choice
        return replace(choice, proposals=self._retry_pointing(choice.proposals))

    def learn(self, turn: Turn) -> None:
        """Keep the text on the screens, what the agent was unsure of, and what came of the skills' answers."""
        time = max((seen.time for seen in turn.observations.values()), default=0.0)
        self._events += [call.event(turn, time, self._instruction) for call in self._calls]
        self._calls = []
        self._recall.learn(turn_for(turn, self.role))
        for step in turn.steps:
            if step.outcome.result == "not_found" and step.proposed is not None:
                words = " ".join(
                    str(place) for place in described_places(step.proposed.intent) if isinstance(place, str)
                )
                self._need = Need(words, step.proposed.env)
        if doubt := next((line for line in re.split(r"(?<=[.!?\n])\s+", turn.thought) if UNSURE.search(line)), ""):
            self._need = Need(doubt, self._need.env if self._need else "")
        super().learn(turn)

    def drain_events(self) -> tuple[TimelineEvent, ...]:
        """The events of the wrapped agent, and the calls of skills."""
        own, self._events = tuple(self._events), []
        return (*super().drain_events(), *own)

    def _help(self, need: Need, situation: Situation, unsure: bool) -> Iterator[Recalled]:
        seen = situation_for(situation, self.role)
        for name, skill in self._helpers.items():
            if name in self.chosen:
                parts = skill.help(need, seen)
                self.used[name] += bool(parts)
                told = " ".join(str(part.part) for part in parts if isinstance(part.part, str))
                self._calls.append(SkillCall(name, unsure, bool(parts), told))
                yield from parts

    def _retry_pointing(self, proposals: Iterator[Proposal]) -> Iterator[Proposal]:
        for proposal in proposals:
            if proposal.problem is None or proposal.problem.result != "not_found" or proposal.seen is None:
                yield proposal
                continue
            view = proposal.seen.only(self.grounder_role.modalities)
            found = search_again(proposal, view, self.grounder, self.chosen, self.reader)
            for name in (one for one in ("zoom", "read") if one in self.chosen):
                gave = found is not None and found[0] == name
                self._calls.append(SkillCall(name, True, gave, move=proposal.move))
                if gave:
                    self.used[name] += 1
                    break
            yield proposal if found is None else found[1]
