"""Collecting every breach of a contract, each a sentence with its fix, and raising them together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


class ContractBroken(AssertionError):
    """A part breaks its contract; the message lists every breach.

    Attributes:
        part: name of the class that was checked. breaches: one sentence each, with the fix.
    """

    def __init__(self, part: str, breaches: Sequence[str]) -> None:
        self.part = part
        self.breaches = tuple(breaches)
        count = f"{len(self.breaches)} place{'s' if len(self.breaches) != 1 else ''}"
        super().__init__("\n- ".join([f"{part} breaks its contract in {count}:", *self.breaches]))

    def __reduce__(self) -> tuple[type[ContractBroken], tuple[str, tuple[str, ...]]]:
        return type(self), (self.part, self.breaches)


class Breaches:
    """Collects distinct breaches, so that an author sees all of them at once.

    Args:
        part: name of the class being checked.
    """

    def __init__(self, part: str) -> None:
        self.part = part
        self.found: list[str] = []

    def note(self, sentence: str) -> None:
        """Add a breach."""
        if sentence not in self.found:
            self.found.append(sentence)

    def check(self, holds: object, sentence: str) -> bool:
        """Add a breach unless the condition `holds`; returns whether it holds."""
        if not holds:
            self.note(sentence)
        return bool(holds)

    def attempt(self, doing: str, call: Callable[[], T | None], cure: str) -> T | None:
        """The result of a call; it is a breach if the call raises or returns None (then None is returned)."""
        try:
            answer = call()
        except Exception as error:
            self.note(f"{doing} raised {describe_error(error)}: {cure}")
            return None
        if answer is None:
            self.note(f"{doing} returned None: {cure}")
        return answer

    def carry_out(self, doing: str, call: Callable[[], object], cure: str) -> None:
        """Make a call without a result; it is a breach if it raises."""
        try:
            call()
        except Exception as error:
            self.note(f"{doing} raised {describe_error(error)}: {cure}")

    def require_base(self, part: object, base: type) -> None:
        """Stop here unless a part inherits the base class of its kind.

        Raises:
            ContractBroken: it does not.
        """
        if not isinstance(part, base):
            self.note(f"it is a {type(part).__name__}, {what_to_inherit(base)}")
            self.settle()

    def settle(self) -> None:
        """Finish the check.

        Raises:
            ContractBroken: there are breaches.
        """
        if self.found:
            raise ContractBroken(self.part, self.found)


def describe_error(error: BaseException) -> str:
    """An error's type and the beginning of its message, in one line."""
    words = " ".join(str(error).split())
    return f"{type(error).__name__} ({words[:200]})" if words else type(error).__name__


def what_to_inherit(base: type) -> str:
    """The cure for a class that should inherit a base class, as the end of a sentence about it."""
    return (
        f"which is no {base.__name__}: let its class inherit {base.__module__}.{base.__name__}, which has a body for "
        "everything that is optional"
    )
