"""The contract of element sources: from a screenshot to a list of elements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

from omnipilot.envs import Elements, Modality, Observation
from omnipilot.memory import AgentPart, Usage


@dataclass(frozen=True, slots=True)
class FoundElements:
    """What a source found on one screen.

    Attributes:
        elements: in the order in which a planner is to read them, each with its confidence.
        seconds: what each module of the source took, by name.
        usage: of the models that it asked.
    """

    elements: Elements
    seconds: Mapping[str, float] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)


class ElementSource(AgentPart, ABC):
    """Reads what is on a screen from its picture, for planners that see none and for grounders."""

    @property
    def needs(self) -> frozenset[Modality]:
        """Modalities without which it finds nothing: the screenshot, unless a source says otherwise."""
        return frozenset((Modality.SCREENSHOT,))

    @abstractmethod
    def find(self, seen: Observation, task: str = "") -> FoundElements:
        """What is on a screen.

        Args:
            seen: with a screenshot; the elements of its tree are not read.
            task: the instruction, which may decide what of it is told; "" for everything.

        Raises:
            ModelUnavailable: a model that it asks did not answer.
        """
