"""Several memories as one: `episodic+summary`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields
from typing import Any, ClassVar

from omnipilot.memory.allowance import Allowance
from omnipilot.memory.base import Budget, Memory, Recalled, Role
from omnipilot.memory.episodic.memory import TimelineMemory
from omnipilot.memory.episodic.packing import arrange
from omnipilot.memory.episodic.policies import LastTurnsPolicy
from omnipilot.memory.trajectory import Turn
from omnipilot.memory.warm_up import warm_up
from omnipilot.memory.window import WindowMemory


class ComposedMemory(TimelineMemory):
    """Recalls what each of several memories would, written `episodic+keyframes`: each thing once, within one budget.

    The timeline takes in what any of the memories asks for: anchors, a map, speech in words, the text of screenshots.
    Of two transcribers, or two models that find anchors, the first is used. The budget is, in each respect, the largest
    of the memories'; they share it evenly, and what one leaves is for the others.

    Args:
        of: the memories. order: of the parts; the first memory's if it is "".
    """

    combines: ClassVar[str] = "many"
    main_option: ClassVar[str] = "of"

    def __init__(self, *, of: tuple[Memory, ...], order: str = "") -> None:
        self.parts = of
        policies: list[Any] = []
        self._others: list[Memory] = []
        for part in of:
            if isinstance(part, TimelineMemory):
                policies += part.policies
            elif isinstance(part, WindowMemory):
                policies.append(LastTurnsPolicy(part.turns, part.images, part.clips))
            else:
                self._others.append(part)
        timelines = [part for part in of if isinstance(part, TimelineMemory)]
        super().__init__(
            policies,
            _widest(of),
            order or next((part.order for part in timelines), "time"),
            next((part.anchors for part in timelines if part.anchors is not None), False),
            any(part.has_map for part in timelines),
            next((part.transcriber for part in timelines if part.transcriber is not None), ""),
            any(part.ocr for part in timelines),
        )

    def identity(self) -> dict[str, str]:
        """What affects its results besides its options: what its memories say of themselves, by their places from 1."""
        return {
            f"{number}.{name}": digest
            for number, part in enumerate(self.parts, 1)
            for name, digest in part.identity().items()
        }

    def warm_up(self) -> None:
        """Load what its memories need."""
        super().warm_up()
        warm_up(*self._others)

    def clear(self) -> None:
        """Forget everything."""
        super().clear()
        for part in self._others:
            part.clear()

    def record(self, turn: Turn) -> None:
        """Keep a completed turn."""
        super().record(turn)
        for part in self._others:
            part.record(turn)

    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        """What all of them recall, each thing once."""
        if not self._others:
            return super().recall(query, budget, role, envs)
        left = Allowance(budget)
        found: list[Recalled] = []
        share = 1 / (len(self._others) + bool(self.policies))
        for part in self._others:
            found += [one for one in part.recall(query, left.share(share), role, envs) if left.take(one.part)]
        told = {(one.env, one.turn, one.part) for one in found}
        own = super().recall(query, left.share(1.0), role, envs)
        found += [one for one in own if (one.env, one.turn, one.part) not in told]
        return arrange(sorted(found, key=lambda one: one.time), self.order)


def _widest(memories: Collection[Memory]) -> Budget:
    """The largest limit of the memories in each respect; without a limit if one of them has none."""
    budgets = [memory.budget or Budget() for memory in memories]
    limits: dict[str, Any] = {}
    for spec in fields(Budget):
        given = [getattr(budget, spec.name) for budget in budgets]
        limits[spec.name] = None if None in given else max(given)
    return Budget(**limits)
