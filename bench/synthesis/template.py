"""Sub-task templates: their parts and properties."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from omnipilot.bench.synthesis.sampling import TaskSampler
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.user_facts import UserFact
from omnipilot.memory import Move

Level: TypeAlias = Literal["AV-critical", "AV-supportive", "AV-present"]
Dimension: TypeAlias = Literal[
    "instant response",
    "temporal reasoning",
    "cross-modal discrimination",
    "semantic understanding",
    "localisation",
]
Channel: TypeAlias = Literal["screen", "sound", "speech", "motion", "user"]
Solution: TypeAlias = Callable[[Any], Sequence[Move]]


@dataclass(frozen=True, slots=True)
class Resource:
    """An output of one sub-task that another one needs.

    Attributes:
        type: for joining, a path from general to specific: "contact", "text", "text/code".
        words: how an instruction refers to it without revealing it: "the door code".
    """

    type: str
    value: str
    words: str


@dataclass(frozen=True, slots=True)
class Piece:
    """One instance of a template.

    Attributes:
        graph: judges of this piece only.
        state: the world's state including its content.
        solution: moves of a demonstration, from the world's state when the piece begins.
        words: values of the instruction's placeholders, except inputs.
        output: its output, of the template's output type.
        alternative: moves of another way to the same goal, if there is one.
        user: what the user can be asked about it; no two pieces of a task share a topic.
    """

    graph: JudgeGraph
    state: Any
    solution: Solution
    words: Mapping[str, str] = field(default_factory=dict)
    output: Resource | None = None
    alternative: Solution | None = None
    user: tuple[UserFact, ...] = ()


@dataclass(frozen=True, slots=True)
class Template:
    """A sub-task with open content.

    Attributes:
        id: unique. instruction: one clause in the imperative, with `{placeholders}` for words and inputs.
        make: from a seeded generator, its inputs by name and the state so far to a piece.
        inputs: name → resource type. output: its type, "" for none.
        alone: values of inputs without a provider, drawn from the state before the piece.
        beside: the same where other inputs have one, given the values of those; None where they make no difference.
        level, dimension: OmniGUI's dependency on sound and video, and its task dimension (OmniGUI §3).
        hangs_on: the channel that carries the required information.
        lasts: whether what it brings about has to be so in the end, too; not, if one only has to look.
        changes: whether it changes what it takes, so that what its providers have brought about need not last.
    """

    id: str
    instruction: str
    env: str
    app: str
    make: Callable[[TaskSampler, Mapping[str, str], Any], Piece]
    inputs: Mapping[str, str] = field(default_factory=dict)
    output: str = ""
    alone: Callable[[TaskSampler, Any], Mapping[str, str | Resource]] = lambda _draw, _state: {}
    beside: Callable[[TaskSampler, Mapping[str, str], Any], Mapping[str, str | Resource]] | None = None
    level: Level = "AV-present"
    dimension: Dimension = "localisation"
    hangs_on: Channel = "screen"
    lasts: bool = True
    changes: bool = False

    def draw_inputs(self, draw: TaskSampler, given: Mapping[str, str], state: Any) -> Mapping[str, str | Resource]:
        """Values of the inputs that are not given, drawn from the state before the piece; perhaps of others, too.

        Args:
            given: values of the inputs that have a provider.
        """
        if len(given) == len(self.inputs):
            return {}
        if given and self.beside is not None:
            return self.beside(draw, given, state)
        return self.alone(draw, state)
