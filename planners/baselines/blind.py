"""The blind planner: any planner, shown nothing, to tell how far words alone lead."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from omnipilot.envs import ConfigError, Modality
from omnipilot.memory.warm_up import warm_up
from omnipilot.planners.base import Brief, Decision, Planner, Preview, Request

WORDS = frozenset({"action", "advice", "note", "outcome", "thought"})
"""Sources of recalled text that repeat what it did, noted or was advised; any other may tell of a screen."""


class BlindPlanner(Planner):
    """Any planner, shown nothing: it decides by the task, its own moves and thoughts, and what became of them.

    Every modality of every observation is absent as ablated, and of what is recalled it keeps its own words only. A
    planner of a single agent that is granted nothing (`--planner-modalities none`) is shown as little; this one can
    stand beside others in one table, and the agent's wrappers still see what they are granted.

    Args:
        of: the planner.
    """

    combines: ClassVar[str] = "one"
    main_option: ClassVar[str] = "of"
    reads: frozenset[Modality] = frozenset()
    takes_notes: bool = False

    def __init__(self, of: Planner) -> None:
        self.of = of

    @property
    def points(self) -> bool:
        """Whether the planner may name places by coordinates."""
        return self.of.points

    def identity(self) -> dict[str, str]:
        """Hashes of the planner's prompts."""
        return dict(self.of.identity())

    def warm_up(self) -> None:
        """Warm up the planner."""
        warm_up(self.of)

    def begin(self, brief: Brief) -> None:
        """Begin an episode of the planner."""
        self.of.begin(brief)

    def plan(self, request: Request) -> Decision:
        """The planner's decision on a request without any capture."""
        return self.of.plan(_blinded(request))

    def preview(self, request: Request) -> Preview:
        """What the planner's model would be sent.

        Raises:
            ConfigError: it calls no model.
        """
        shown = self.of.preview(_blinded(request))
        if shown is None:
            raise ConfigError(f"the blind {type(self.of).__name__} calls no model, so it has no prompt")
        return shown


def _blinded(request: Request) -> Request:
    seen = {env: observation.only(()) for env, observation in request.observations.items()}
    kept = tuple(one for one in request.recalled if isinstance(one.part, str) and one.source in WORDS)
    return replace(request, observations=seen, recalled=kept)
