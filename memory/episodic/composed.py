"""Several memories as one: `episodic+summary`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields
from typing import Any, ClassVar

from omnipilot.memory.base import Budget, Memory, Recalled, Role, StatesBudget
from omnipilot.memory.episodic.memory import TimelineMemory
from omnipilot.memory.episodic.packing import Allowance, arranged
from omnipilot.memory.episodic.policies import LastTurnsPolicy
from omnipilot.memory.trajectory import Turn
from omnipilot.memory.window import WindowMemory


class ComposedMemory(TimelineMemory):
    """Recalls what each of several memories would, written `episodic+keyframes`: each thing once, within one budget.

    The budget is, in each respect, the largest of the memories'; they share it evenly, and what one leaves is for the
    others.

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
        orders = [part.order for part in of if isinstance(part, TimelineMemory)]
        super().__init__(policies, _widest(of), order or next(iter(orders), "time"))

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
        return arranged(sorted(found, key=lambda one: one.time), self.order)


def _widest(memories: Collection[Memory]) -> Budget:
    """The largest limit of the memories in each respect; without a limit if one of them has none."""
    budgets = [memory.budget if isinstance(memory, StatesBudget) else Budget() for memory in memories]
    limits: dict[str, Any] = {}
    for spec in fields(Budget):
        given = [getattr(budget, spec.name) for budget in budgets]
        limits[spec.name] = None if None in given else max(given)
    return Budget(**limits)
