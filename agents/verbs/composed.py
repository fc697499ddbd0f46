"""Several verb sets as one: `without:tabs+translate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from omnipilot.agents.verbs.base import Look, MoveFromPlace, Program, Refusal, VerbSet
from omnipilot.memory import Move
from omnipilot.planners import Brief, Verbs


class ComposedVerbs(VerbSet):
    """Several sets as one, written `without:tabs+translate`: each takes what the one before makes of a move.

    Args:
        of: the sets, in this order.
    """

    combines: ClassVar[str] = "many"
    main_option: ClassVar[str] = "of"

    def __init__(self, *, of: tuple[VerbSet, ...]) -> None:
        self.parts: Sequence[VerbSet] = of

    def identity(self) -> dict[str, str]:
        """What affects its results besides its options: what its sets say of themselves, by their places from 1."""
        return {
            f"{number}.{name}": digest
            for number, part in enumerate(self.parts, 1)
            for name, digest in part.identity().items()
        }

    def begin(self, brief: Brief) -> None:
        """Start an episode of each set."""
        for part in self.parts:
            part.begin(brief)

    def offer(self, envs: Mapping[str, Verbs]) -> Mapping[str, Verbs]:
        """What is left and added after the last set."""
        for part in self.parts:
            envs = part.offer(envs)
        return envs

    def expand(self, move: Move, look: Look) -> Program | None:
        """What the sets make of a move, one after the other."""
        program: Program | None = None
        for part in self.parts:
            if program is None:
                program = part.expand(move, look)
            else:
                program = _expand_all(program, part, look)
        return program


def _expand_all(program: Program, part: VerbSet, look: Look) -> Program:
    for one in program:
        inner = None if isinstance(one, MoveFromPlace | Refusal) else part.expand(one, look)
        yield from (one,) if inner is None else inner
