"""Planner × grounder: from two lists of parts to the cells of a grid, one run for each pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from omnipilot.bench.experiments.cells import Cell, cell_folder
from omnipilot.bench.experiments.sweep import SweepRequest, specs_of, write_manifest
from omnipilot.bench.run.labels import AXES
from omnipilot.bench.settings import CROSSED
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import ConfigError

MANIFEST = "grid.json"
_NOTHING_TO_CROSS = "needs at least two planners or two grounders: --grounder elements --grounder ocr"


@dataclass(frozen=True, slots=True)
class Grid:
    """Every planner with every grounder.

    Attributes:
        planners, grounders: their words, in the order given; each only once.
        cells: row by row: the first planner with each grounder, then the next planner.
    """

    planners: tuple[str, ...]
    grounders: tuple[str, ...]
    cells: tuple[Cell, ...]

    def write(self, folder: Path) -> None:
        """Write the manifest: which cells in a folder belong to this grid."""
        write_manifest(folder, MANIFEST, self.cells, planners=self.planners, grounders=self.grounders)


def grid_specs(found: SweepRequest, options: Sequence[str] = ()) -> list[RunSpec]:
    """The run of every pair of parts, row by row.

    Raises:
        ConfigError: a planner or a grounder is given only once in all, so that there is nothing to cross, or a pair is
            impossible (the message says which).
    """
    if all(len(found.lists.get(name, ())) < 2 for name in CROSSED):
        raise ConfigError(f"a grid {_NOTHING_TO_CROSS}")
    return specs_of(found, options)


def grid_of(specs: Sequence[RunSpec], folder: Path) -> Grid:
    """The cells of these runs, each in its directory of the folder.

    Args:
        specs: one for every pair of parts, in any order; pairs that are the same run are one cell.

    Raises:
        ConfigError: two different parts have the same words, so that a table could not tell them apart; or all pairs
            are one run.
    """
    at: dict[tuple[str, str], RunSpec] = {}
    for spec in specs:
        planner, grounder = (AXES[name](spec) for name in CROSSED)
        other = at.setdefault((planner, grounder), spec)
        if other.identity != spec.identity:
            raise ConfigError(f"two cells of the grid are called {planner} · {grounder}; name each part only once")
    planners, grounders = (tuple(dict.fromkeys(names)) for names in zip(*at, strict=True))
    if len(at) == 1:
        raise ConfigError(f"{planners[0]} · {grounders[0]} is the only cell; a grid {_NOTHING_TO_CROSS}")
    cells = tuple(
        Cell(f"{planner} · {grounder}", at[planner, grounder], cell_folder(folder, at[planner, grounder]))
        for planner in planners
        for grounder in grounders
    )
    return Grid(planners, grounders, cells)
