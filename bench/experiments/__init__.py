"""Several runs together: sweeps, grids, ablations, comparisons, plans."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.experiments.ablation import Condition as Condition
    from omnipilot.bench.experiments.ablation import conditions as conditions
    from omnipilot.bench.experiments.budget import TurnBudget as TurnBudget
    from omnipilot.bench.experiments.cells import Cell as Cell
    from omnipilot.bench.experiments.cells import run_cells as run_cells
    from omnipilot.bench.experiments.comparison import Comparison as Comparison
    from omnipilot.bench.experiments.comparison import compare as compare
    from omnipilot.bench.experiments.grid import Grid as Grid
    from omnipilot.bench.experiments.plan import designs as designs
    from omnipilot.bench.experiments.sweep import Sweep as Sweep

__all__, __getattr__, __dir__ = lazy_exports(__name__)
