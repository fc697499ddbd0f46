"""The parts and properties of a sub-task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from omnipilot.bench.synthesis.sampling import TaskSampler
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.memory import Move

Level: TypeAlias = Literal["AV-critical", "AV-supportive", "AV-present"]
Dimension: TypeAlias = Literal[
    "instant response",
    "temporal reasoning",
    "cross-modal discrimination",
    "semantic understanding",
    "localisation",
]
Channel: TypeAlias = Literal["screen", "sound", "speech", "motion"]
Solution: TypeAlias = Callable[[Any], Sequence[Move]]


@dataclass(frozen=True, slots=True)
class Resource:
    """Something that one sub-task yields and another one needs.

    Attributes:
        type: what joins them, a path from the general to the special: "contact", "text", "text/code".
        words: how an instruction speaks of it without giving it away: "the door code".
    """

    type: str
    value: str
    words: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A template at one instance.

    Attributes:
        graph: judges of this piece alone.
        state: the world's state with its content put in.
        solution: moves of a demonstration, from the world's state when the piece begins.
        words: fills the holes of the instruction, inputs apart.
        output: what it yields, of the template's output type.
        alternative: moves of another way to the same goal, where there is one.
    """

    graph: JudgeGraph
    state: Any
    solution: Solution
    words: Mapping[str, str] = field(default_factory=dict)
    output: Resource | None = None
    alternative: Solution | None = None


@dataclass(frozen=True, slots=True)
class Template:
    """A sub-task with its content left open.

    Attributes:
        id: unique. instruction: one clause in the imperative, with `{holes}` for words and inputs.
        make: from a seeded generator, its inputs by name and the state so far to a piece.
        inputs: name → type of resource. output: the type it yields, "" for none.
        alone: values of inputs that nothing yields, drawn from the state before the piece.
        level, dimension: OmniGUI's dependency on sound and video, and its task dimension (OmniGUI §3).
        hangs_on: the channel that carries what is to be found out.
    """

    id: str
    instruction: str
    env: str
    app: str
    make: Callable[[TaskSampler, Mapping[str, str], Any], Piece]
    inputs: Mapping[str, str] = field(default_factory=dict)
    output: str = ""
    alone: Callable[[TaskSampler, Any], Mapping[str, str | Resource]] = lambda _draw, _state: {}
    level: Level = "AV-present"
    dimension: Dimension = "localisation"
    hangs_on: Channel = "screen"
