"""Notes on rows of predictions: repeated rows, and rows that cannot be read.

Rows that are alike count once, and of others for the same thing the last counts; where a file has episodes instead,
others of the same task are its trials. An answer that is there and cannot be read is wrong.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from omnipilot.bench.scoring.data.records import Record
from omnipilot.bench.scoring.score import first_of


def content(row: Record) -> str:
    """The content of a row, for comparison with other rows."""
    return repr(sorted((name, row.raw(name, None)) for name in row.names))


def repetition_notes(alike: int, others: int = 0, what: str = "") -> tuple[str, ...]:
    """Notes on repeated predictions.

    Args:
        alike: rows that say the same, word for word, as one that counts. others: rows that took an earlier one's place.
        what: they are for, such as "a target".
    """
    notes = (f"{alike} predictions are there twice",) if alike else ()
    again = f"{others} predictions are for {what} that already has one; the last one counts"
    return (*notes, again) if others else notes


def wrong(lost: Sequence[str]) -> tuple[str, ...]:
    """A note on answers that cannot be read; `lost` says of each where it is and what is wrong with it."""
    if not lost:
        return ()
    words = "1 answer cannot be read and is" if len(lost) == 1 else f"{len(lost)} answers cannot be read and are"
    return (f"{words} wrong: {first_of(lost)}",)


class Trials:
    """The rows of a file of episodes by their task.

    Args:
        rows: what they are called in notes, such as "rows".
    """

    def __init__(self, rows: str) -> None:
        self._rows = rows
        self._seen: dict[Hashable, set[str]] = {}
        self._alike = 0

    def trial(self, task: Hashable, row: Record) -> int | None:
        """Which trial of its task a row is, from 0; None where it says the same as one before, word for word."""
        seen, text = self._seen.setdefault(task, set()), content(row)
        if text in seen:
            self._alike += 1
            return None
        seen.add(text)
        return len(seen) - 1

    def notes(self) -> tuple[str, ...]:
        """What to tell of rows that are there twice, and of tasks with several trials."""
        several = [texts for texts in self._seen.values() if len(texts) > 1]
        if not several:
            return repetition_notes(self._alike)
        count = sum(map(len, several))
        note = f"{len(several)} tasks are there more than once; their {count} {self._rows} count as repeated trials"
        return (*repetition_notes(self._alike), note)
