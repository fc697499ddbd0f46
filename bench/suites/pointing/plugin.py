"""What the benchmark pointing adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin

PLUGIN = Plugin(
    name="pointing",
    about="our pointing suite, with targets on embedded screens and web pages",
    pointing={
        "pointing": "omnipilot.bench.suites.pointing.suite:PointingSuite",
    },
    benchmarks={
        "pointing": BenchmarkInfo(
            "over 1,000 targets on embedded screens and, with a Chromium, web pages; made from a seed"
        ),
    },
    defaults={"pointing": "pointing"},
    place=-30,
)
