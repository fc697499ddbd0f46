"""Why episodes are void, in few words: each error once, however many episodes it affected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from omnipilot.bench.journal.results import Episode
from omnipilot.memory.messages import without_reprs

LONGEST = 240
"""Characters of an error; what is cut out of a longer one is the middle."""
MOST = 5
"""Errors that are told apart; of the rest only the number is told."""


UNPLAYABLE = "the task cannot be played here"
"""How the detail of an attempt begins whose world cannot hold its task; see `omnipilot.bench.tasks.TaskVoid`."""
SILENT = "nothing came of the episode any more"
"""How the detail of an attempt begins whose worker was replaced after a silence."""
AGAIN = "with the cause mended, the same command with --rerun-void tries void episodes again"


def silent_words(seconds: float) -> str:
    """Why an episode is void in which nothing happened for so many seconds."""
    return f"{SILENT}: no event for {seconds:g} s, so its world or a model hung; --silence sets how long is waited"


def void_words(detail: str) -> str:
    """Why an episode is void, as one line of at most `LONGEST` characters without addresses of objects."""
    line = " ".join(without_reprs(detail).split()) or "no reason was recorded"
    half = (LONGEST - 3) // 2
    return line if len(line) <= LONGEST else f"{line[:half].rstrip()} … {line[-half:].lstrip()}"


def void_notes(name: str, episodes: Iterable[Episode]) -> list[str]:
    """A line for each error that made episodes of a run void, the most frequent first; none where none is void."""
    counts = Counter(void_words(episode.detail) for episode in episodes if episode.void)
    found = counts.most_common()
    notes = [f"{name}: {count} void: {words}" for words, count in found[:MOST]]
    if rest := sum(count for _, count in found[MOST:]):
        notes.append(f"{name}: {rest} void for {len(found) - MOST} other reasons; the report has each")
    return notes


def all_void_notes(runs: Sequence[tuple[str, Iterable[Episode]]]) -> list[str]:
    """The notes of several runs, and how to try their void episodes again."""
    notes = [note for name, episodes in runs for note in void_notes(name, episodes)]
    return [*notes, AGAIN] if notes else []
