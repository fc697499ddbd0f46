"""What a conformance check finds: every breach of a contract as a sentence with its cure, raised together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


class ContractBroken(AssertionError):
    """A part does not keep its contract; the message lists every breach.

    Attributes:
        part: name of the class that was checked. breaches: a sentence each, with the cure.
    """

    def __init__(self, part: str, breaches: Sequence[str]) -> None:
        self.part = part
        self.breaches = tuple(breaches)
        count = f"{len(self.breaches)} place{'s' if len(self.breaches) != 1 else ''}"
        super().__init__("\n- ".join([f"{part} breaks its contract in {count}:", *self.breaches]))

    def __reduce__(self) -> tuple[type[ContractBroken], tuple[str, tuple[str, ...]]]:
        return type(self), (self.part, self.breaches)


class Breaches:
    """Collects what a check finds, each sentence once, so that an author sees all of it at a time.

    Args:
        part: name of what is checked.
    """

    def __init__(self, part: str) -> None:
        self.part = part
        self.found: list[str] = []

    def note(self, sentence: str) -> None:
        """Keep a breach."""
        if sentence not in self.found:
            self.found.append(sentence)

    def check(self, holds: object, sentence: str) -> bool:
        """Keep a breach unless something holds; whether it does."""
        if not holds:
            self.note(sentence)
        return bool(holds)

    def attempt(self, doing: str, call: Callable[[], T | None], cure: str) -> T | None:
        """The answer of a call that should raise nothing; None where it does, or answers nothing, both breaches."""
        try:
            answer = call()
        except Exception as error:
            self.note(f"{doing} raised {told(error)}: {cure}")
            return None
        if answer is None:
            self.note(f"{doing} returned None: {cure}")
        return answer

    def carry_out(self, doing: str, call: Callable[[], object], cure: str) -> None:
        """A call without an answer, which should raise nothing."""
        try:
            call()
        except Exception as error:
            self.note(f"{doing} raised {told(error)}: {cure}")

    def settle(self) -> None:
        """End the check.

        Raises:
            ContractBroken: anything was found.
        """
        if self.found:
            raise ContractBroken(self.part, self.found)


def told(error: BaseException) -> str:
    """An error's type and the beginning of its words, in one line."""
    words = " ".join(str(error).split())
    return f"{type(error).__name__} ({words[:200]})" if words else type(error).__name__
