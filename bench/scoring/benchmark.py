"""Scoring rules and miniatures of benchmarks by name; all come from plug-ins."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from omnipilot.agents import Registry
from omnipilot.bench.scoring.score import Scored


class Benchmark(Protocol):
    """The rules of a benchmark.

    Attributes:
        name: on the command line. variants: whose rules apply; the first is the default.
        format: of prediction files, in a line.
    """

    name: str
    variants: tuple[str, ...]
    format: str

    def score(self, data: str, predictions: Path, variant: str) -> Scored:
        """Score a file of predictions in the benchmark's own format, or a run directory.

        Args:
            data: a folder, or hf://OWNER/NAME.

        Raises:
            ConfigError: data or predictions are missing or have another format; the message gives the cure.
        """
        ...


BENCHMARKS = Registry("benchmark", {}, "scores")
MINIATURES = Registry("miniature", {}, "miniatures")
