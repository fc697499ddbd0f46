"""A run directory as far as tables and statistics need it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.bench.journal.events import PersonActed
from omnipilot.bench.journal.results import Episode
from omnipilot.bench.spec import RunSpec


@dataclass(frozen=True, slots=True)
class Run:
    """A run directory as far as tables need it.

    Attributes:
        name: of the directory. planned: how many episodes the specification asks for.
        unfinished: attempts that were cut off and not yet made again.
        problems: where its files do not say what was recorded, in words.
        made_with: the provenance of each of its starts, in order.
        folder: the directory; None where there is none.
        acts: what persons did while it went on, or asked for in vain, in order.
    """

    name: str
    spec: RunSpec
    episodes: tuple[Episode, ...]
    planned: int
    unfinished: int = 0
    problems: tuple[str, ...] = ()
    made_with: tuple[Mapping[str, Any], ...] = ()
    folder: Path | None = None
    acts: tuple[PersonActed, ...] = ()
