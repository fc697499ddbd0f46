"""The experiments: which part of an agent is exchanged for the truth, and what it speaks for if that repairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.agents.assembly import PLANNERS
from omnipilot.bench.journal.attributions import Cause
from omnipilot.bench.settings import RunSettings

GOLD = PartSpec("gold")


@dataclass(frozen=True, slots=True)
class Experiment:
    """One part exchanged.

    Attributes:
        name: "gold grounder". cause: what it speaks for if the episode is solved with it.
        changes: of the agent. hint: what the agent is told besides, as in `ForkSpec`.
        refuse: why it cannot be made with an agent; "" if it can.
    """

    name: str
    cause: Cause
    changes: RunSettings
    refuse: Callable[[AgentSpec], str]
    hint: str = ""


def _has(what: str) -> Callable[[AgentSpec], str]:
    def refuse(spec: AgentSpec) -> str:
        part = getattr(spec, what)
        return f"its {what} is gold" if part is not None and part.name == "gold" else ""

    return refuse


def _unread(spec: AgentSpec) -> str:
    if not getattr(PLANNERS.load(spec.planner.name), "takes_notes", True):
        return f"planner {spec.planner.name!r} reads no notes"
    return _has("readers")(spec)


def _unruled(spec: AgentSpec) -> str:
    return "" if spec.stop is not None else "no rule stops it"


EXPERIMENTS: tuple[Experiment, ...] = (
    Experiment("no stopping rule", Cause.STOPPING, RunSettings(stop=PartSpec("none")), _unruled),
    Experiment("gold grounder", Cause.GROUNDING, RunSettings(grounder=GOLD), _has("grounder")),
    Experiment("gold readers", Cause.PERCEPTION, RunSettings(readers=GOLD), _unread),
    Experiment("gold memory", Cause.MEMORY, RunSettings(memory=GOLD), _has("memory")),
    Experiment("gold critic", Cause.STOPPING, RunSettings(critic=GOLD), _has("critic")),
    Experiment("low wording", Cause.INSTRUCTION, RunSettings(), lambda _: "", "low"),
    Experiment("told sub-goals", Cause.INSTRUCTION, RunSettings(), lambda _: "", "sub-goals"),
    Experiment("told a way", Cause.KNOWLEDGE, RunSettings(), lambda _: "", "way"),
)
"""In the order in which a repair is believed: what tells an agent least comes first."""
