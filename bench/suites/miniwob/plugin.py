"""What the benchmark miniwob adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin

PLUGIN = Plugin(
    name="miniwob",
    about="MiniWoB++ on live web pages",
    suites={
        "miniwob": "omnipilot.bench.suites.miniwob.suite:Miniwob",
    },
    benchmarks={
        "miniwob": BenchmarkInfo(
            "MiniWoB++: 130 live web pages",
            "the package miniwob and a Chromium",
            "the extra web (`omnipilot doctor`)",
        ),
    },
    place=-20,
)
