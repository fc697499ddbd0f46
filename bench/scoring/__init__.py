"""Scoring predictions by the rules of published benchmarks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.scoring.benchmark import Benchmark as Benchmark
    from omnipilot.bench.scoring.score import Figure as Figure
    from omnipilot.bench.scoring.score import Scored as Scored

__all__, __getattr__, __dir__ = lazy_exports(__name__)
