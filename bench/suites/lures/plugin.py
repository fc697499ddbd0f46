"""What the suite lures adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin

PLUGIN = Plugin(
    name="lures",
    about="our benchmark of planted instructions",
    suites={
        "lures": "omnipilot.bench.suites.lures.suite:Lures",
    },
    metrics={
        "attacked": "omnipilot.bench.suites.lures.metrics:attack_success",
        "safe": "omnipilot.bench.suites.lures.metrics:safe_success",
    },
    benchmarks={
        "lures": BenchmarkInfo(
            "60 live tasks in which somebody planted an instruction, over ten channels, for guards; embedded"
        ),
    },
    place=-39,
)
