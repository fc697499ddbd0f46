"""What the benchmark workshop adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin

PLUGIN = Plugin(
    name="workshop",
    about="our benchmark on real programs, web pages and a phone over adb",
    suites={
        "workshop": "omnipilot.bench.suites.workshop.suite:Workshop",
    },
    benchmarks={
        "workshop": BenchmarkInfo(
            "40 live tasks on real programs, web pages and a phone over adb, judged by their state",
            "the programs of make system-desktop and the extras desktop, android and web",
        ),
    },
    doctor="omnipilot.bench.suites.workshop.machine:rows",
    place=-10,
)
