"""The check of memories: ours keeps the contract, and memories that break it are told where."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

import pytest

from omnipilot.envs import ConfigError
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import Budget, Recalled, Role, Turn, WindowMemory, check_memory
from omnipilot.memory.contract import ContractBroken

SHARED: list[Turn] = []


class Window(WindowMemory):
    """All four turns of the check with their pictures."""

    def __init__(self) -> None:
        super().__init__(turns=4, images=4)

    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        return super().recall(query, budget, role, envs)


@pytest.mark.parametrize("options", [{}, {"turns": 4, "images": 4}, {"turns": 1, "images": 0}], ids=str)
def test_the_window_keeps_the_contract(options: dict[str, int]) -> None:
    check_memory(lambda: WindowMemory(**options))


class Lavish(Window):
    """Minds no budget."""

    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        return super().recall(query, Budget(), role, envs)


class Talkative(Window):
    """Counts texts and not their characters."""

    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        return super().recall(query, replace(budget, characters=8000), role, envs)


class NewestFirst(Window):
    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        return super().recall(query, budget, role, envs)[::-1]


class Unsourced(Window):
    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        return tuple(replace(one, source="", turn=99) for one in super().recall(query, budget, role, envs))


class Timeless(Window):
    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        return tuple(replace(one, time=float("inf")) for one in super().recall(query, budget, role, envs))


class Listed(Window):
    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> list[Recalled]:  # type: ignore[override]
        return list(super().recall(query, budget, role, envs))


class Indiscreet(Window):
    """Shows pictures to everyone."""

    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        return super().recall(query, budget, replace(role, modalities=ALL_MODALITIES), envs)


class Everywhere(Window):
    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        return super().recall(query, budget, role, ("phone", "desktop"))


class Unroled(Window):
    """Minds the environments that are asked for, and not what the role is granted."""

    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        return super().recall(query, budget, replace(role, envs=None), envs)


class Relabelled(Window):
    """Says of everything that it is nobody's."""

    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        everything = super().recall(query, budget, replace(role, envs=None), ("phone", "desktop"))
        return tuple(replace(one, env="") for one in everything)


class Reader(Window):
    """Tells what stood on the screen, in words, whoever asks."""

    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        seen = self._turns[-1].observations.get("phone") if self._turns else None
        if seen is None or not seen.elements or not seen.context or "phone" not in envs or not role.sees("phone"):
            return ()
        words = f"{seen.context.title}: {seen.elements.items[0].name}"
        fits = budget.texts > 0 and len(words) <= budget.characters
        return (Recalled(words, "summary", "phone", seen.time, self._turns[-1].index),) * fits


class Elephant(Window):
    def clear(self) -> None:
        """Nothing is forgotten."""


class Shared(Window):
    def __init__(self) -> None:
        super().__init__()
        self._turns = SHARED  # type: ignore[assignment]


class Worn(Window):
    """Gives each part away once."""

    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        found = super().recall(query, budget, role, envs)
        if self._turns:
            self._turns.popleft()
        return found


class Searching(Window):
    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        if not query:
            raise ConfigError("nothing to search for")
        return super().recall(query, budget, role, envs)


class Strict(Window):
    def record(self, turn: Turn) -> None:
        assert turn.steps[0].proposed is not None
        super().record(turn)


BREACHES: list[tuple[Callable[[], Window], tuple[str, ...]]] = [
    (Lavish, ("texts, but the budget is 1", "images, but the budget is 0", "drop the least relevant")),
    (Talkative, ("characters, but the budget is 40",)),
    (NewestFirst, ("not in order of time: return the oldest first",)),
    (Unsourced, ("a part has no source", "a part names turn 99, which was not recorded")),
    (Timeless, ("a part has the time inf s, when there was no turn",)),
    (Listed, ("recall() must return a tuple of Recalled",)),
    (Indiscreet, ("showed the screenshot to a role that may not see it, `source` 'screenshot'",)),
    (Everywhere, ("recall() for phone reveals desktop", "recall() for no environment reveals phone")),
    (Unroled, ("to a role that sees phone reveals desktop",)),
    (Relabelled, ("recall() for phone reveals desktop",)),
    (Reader, ("showed the elements to a role", "showed the context to a role")),
    (Elephant, ("after clear(), it recalls something: forget everything",)),
    (Shared, ("a new memory recalls something: instances must share nothing",)),
    (Worn, ("the same query gets another answer the second time",)),
    (Searching, ("recall('') raised ConfigError (nothing to search for)",)),
    (Strict, ("record() raised IndexError",)),
]


@pytest.mark.parametrize(("make", "told"), BREACHES, ids=lambda part: getattr(part, "__name__", None))
def test_a_broken_memory_is_told(make: Callable[[], Window], told: tuple[str, ...]) -> None:
    SHARED.clear()
    check_memory(Window)
    with pytest.raises(ContractBroken) as error:
        check_memory(make)
    assert error.value.part == make.__name__
    for words in told:
        assert words in str(error.value)


def test_a_memory_that_samples_may_say_so() -> None:
    with pytest.raises(ContractBroken):
        check_memory(Worn)
    check_memory(Worn, repeatable=False)


def test_what_inherits_nothing_is_told_what_to_inherit() -> None:
    class Stranger:
        def clear(self) -> None: ...

        def record(self, turn: object) -> None: ...

        def recall(self, *asked: object) -> tuple[()]:
            return ()

    with pytest.raises(ContractBroken, match=r"no Memory: let its class inherit omnipilot\.memory\.base\.Memory"):
        check_memory(Stranger)  # type: ignore[arg-type]
