"""A subtask with the content of one instance, alone in its world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from omnipilot.bench.suites.duet.kit.play import pieces
from omnipilot.bench.suites.duet.suite import quiet
from omnipilot.bench.synthesis.compose import compose
from omnipilot.bench.synthesis.template import Solution, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.task import seed_of
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.content.generate import initial_world
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.memory import Move


@dataclass(frozen=True, slots=True)
class SubtaskInstance:
    """A subtask with drawn content.

    Attributes:
        number: of the instance; it decides the content.
        instruction: one sentence.
        values: what stands in the holes: words of the instruction without their quotation marks, and values of inputs.
        items: ids of the items that it speaks of, by kind; they are known before anything is done.
        state: the world when it begins.
        solution: its demonstration. alternative: another way, where there is one.
        graph: the judges that the template brought.
    """

    template: Template
    number: int
    instruction: str
    values: Mapping[str, str]
    items: Mapping[str, tuple[str, ...]]
    state: WorldState
    solution: Solution
    alternative: Solution | None
    graph: JudgeGraph

    def world(self) -> SimWorld:
        """A fresh world with this content, in which nothing has been done yet."""
        world = SimWorld()
        world.prepare(lambda _: self.state)
        return world

    def demonstration(self) -> Sequence[Move]:
        """The moves of the demonstration.

        Raises:
            NotFound: an element is nowhere. ActionRejected: a device cannot do a move.
        """
        return pieces(self.world(), [self.solution])[0]

    def other_way(self) -> Sequence[Move]:
        """The moves of the other way; none where there is none.

        Raises:
            NotFound: an element is nowhere. ActionRejected: a device cannot do a move.
        """
        return pieces(self.world(), [self.alternative])[0] if self.alternative is not None else ()


def draw_instance(template: Template, number: int, seed: int = 0) -> SubtaskInstance:
    """The subtask with the content of an instance.

    Args:
        seed: of the stage.

    Raises:
        ConfigError: it cannot be alone, since it needs what another subtask yields.
    """
    seed = seed_of(seed, template.id, number)
    composed = compose([template], quiet(initial_world(seed)), seed)
    part = composed.parts[0]
    values = {name: unquoted(words) for name, words in part.piece.words.items()}
    values |= {name: resource.value for name, resource in part.inputs.items()}
    return SubtaskInstance(
        template,
        number,
        composed.instruction,
        values,
        part.claims,
        composed.state,
        part.piece.solution,
        part.piece.alternative,
        composed.graph,
    )


def unquoted(words: str) -> str:
    """Words without the quotation marks around them."""
    return words[1:-1] if len(words) > 1 and words[0] == words[-1] == '"' else words
