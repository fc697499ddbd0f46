"""The command line as functions, whose results are records with numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.python.commands import ablate as ablate
    from omnipilot.bench.python.commands import compare as compare
    from omnipilot.bench.python.commands import grid as grid
    from omnipilot.bench.python.commands import load_runs as load_runs
    from omnipilot.bench.python.commands import run as run
    from omnipilot.bench.python.commands import sweep as sweep
    from omnipilot.bench.python.compared import ComparedRun as ComparedRun
    from omnipilot.bench.python.compared import ComparedRuns as ComparedRuns
    from omnipilot.bench.python.compared import ComparisonRecord as ComparisonRecord
    from omnipilot.bench.python.records import LoadedRuns as LoadedRuns
    from omnipilot.bench.python.records import RunRecord as RunRecord

__all__, __getattr__, __dir__ = lazy_exports(__name__)
