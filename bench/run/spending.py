"""What model calls have cost, and the limit on it for a whole run or all runs of a sweep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from omnipilot.bench.journal.events import Event, ModelCalled, StepTaken, TurnTaken
from omnipilot.bench.journal.journal import FILE, read


class Spending:
    """Counts the dollars of model calls. Calls of unknown price count nothing, and those from a cassette neither.

    Attempts that were cut off count, too: they were paid.

    Args:
        most: dollars that may be spent; None for no limit.

    Attributes:
        paid: dollars so far. unpriced: calls of unknown price, or turns of a part that calls models by itself.
    """

    def __init__(self, most: float | None = None) -> None:
        self.most = most
        self.paid = 0.0
        self.unpriced = 0
        self._by_call: set[tuple[str, int]] = set()
        self._replayed: set[tuple[str, int, int]] = set()

    @classmethod
    def of_runs(cls, most: float | None, folders: Iterable[Path]) -> Spending:
        """What the runs in these directories have cost so far; a directory without a run has cost nothing.

        Raises:
            JournalError: a journal is damaged before its last line.
        """
        spending = cls(most)
        for folder in dict.fromkeys(folders):
            spending._by_call.clear()
            spending._replayed.clear()
            if most is not None and (folder / FILE).exists():
                for event in read(folder):
                    spending.take(event)
        spending._by_call.clear()
        spending._replayed.clear()
        return spending

    @property
    def used_up(self) -> bool:
        """Whether nothing more may be spent."""
        # Sums of floats: a billionth of a dollar is none.
        return self.most is not None and self.paid > self.most - 1e-9

    def take(self, event: Event) -> None:
        """Count an event of the runs."""
        if isinstance(event, ModelCalled):
            self._by_call.add((event.key, event.attempt))
            if not event.replayed:
                self._pay(event.usage)
        elif isinstance(event, TurnTaken) and event.replayed:
            # It was paid for in the run that this one was forked from.
            self._replayed.add((event.key, event.attempt, event.turn))
        elif isinstance(event, StepTaken) and (event.key, event.attempt, event.turn) in self._replayed:
            pass
        elif isinstance(event, TurnTaken | StepTaken) and (event.key, event.attempt) not in self._by_call:
            # A part that calls models by itself.
            self._pay(event.usage)

    def _pay(self, usage: Mapping[str, Any]) -> None:
        cost = usage.get("cost", 0.0)
        self.unpriced += cost is None
        self.paid += cost or 0.0

    def plan_words(self) -> str:
        """What the budget leaves, before anything is run; there is one."""
        most = self.most or 0.0
        spent = f": ${self.paid:,.4f} are spent, ${max(0.0, most - self.paid):,.4f} left" if self.paid else ""
        end = "; nothing would be run until it is larger" if self.used_up else ""
        return f"at most ${most:,.2f} by --budget, for all of it{spent}{end}"

    def words(self) -> str:
        """What to tell a user whose run stopped here."""
        return (
            f"stopped at the budget: ${self.paid:,.4f} of ${self.most or 0:,.4f} are spent; the same command with a "
            "larger --budget goes on, and what is finished is kept"
        )
