"""What the benchmark duet-memory adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin

PLUGIN = Plugin(
    name="duet-memory",
    about="our benchmark of memory",
    suites={
        "duet-memory": "omnipilot.bench.suites.duet_memory.suite:DuetMemory",
    },
    benchmarks={
        "duet-memory": BenchmarkInfo(
            "32 live tasks whose needed fact has left every screen 10, 100 or 1,000 turns ago, for memories; embedded"
        ),
    },
    place=-40,
)
