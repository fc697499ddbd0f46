"""Notes on rows of predictions: repeated rows and unreadable rows.

Identical rows count once; of different rows for the same item, the last counts; in a file of episodes, different rows
for the same task are its trials. An unreadable answer counts as wrong.
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
        alike: number of rows identical to one that counts. others: number of rows that replaced an earlier one.
        what: the thing predicted, such as "a target".
    """
    notes = (f"{alike} predictions are there twice",) if alike else ()
    again = f"{others} predictions are for {what} that already has one; the last one counts"
    return (*notes, again) if others else notes


def unreadable_notes(lost: Sequence[str]) -> tuple[str, ...]:
    """A note on unreadable answers; `lost` gives the place and problem of each."""
    if not lost:
        return ()
    words = "1 answer cannot be read and is" if len(lost) == 1 else f"{len(lost)} answers cannot be read and are"
    return (f"{words} wrong: {first_of(lost)}",)


class Trials:
    """The rows of a file of episodes, by task.

    Args:
        rows: the word for them in notes, such as "rows".
    """

    def __init__(self, rows: str) -> None:
        self._rows = rows
        self._seen: dict[Hashable, set[str]] = {}
        self._alike = 0

    def trial(self, task: Hashable, row: Record) -> int | None:
        """The trial number of a row within its task, from 0; None for an exact duplicate."""
        seen, text = self._seen.setdefault(task, set()), content(row)
        if text in seen:
            self._alike += 1
            return None
        seen.add(text)
        return len(seen) - 1

    def notes(self) -> tuple[str, ...]:
        """Notes on duplicate rows and on tasks with several trials."""
        several = [texts for texts in self._seen.values() if len(texts) > 1]
        if not several:
            return repetition_notes(self._alike)
        count = sum(map(len, several))
        note = f"{len(several)} tasks are there more than once; their {count} {self._rows} count as repeated trials"
        return (*repetition_notes(self._alike), note)
