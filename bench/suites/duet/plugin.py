"""What duet adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin

PLUGIN = Plugin(
    name="duet",
    about="our benchmark on a phone and a desktop that share an account",
    suites={
        "duet": "omnipilot.bench.suites.duet.suite:Duet",
    },
    subtasks={
        "embedded": "omnipilot.bench.suites.subtasks.duet_pool:POOL",
    },
    benchmarks={
        "duet": BenchmarkInfo(
            "live tasks on a phone and a desktop that share an account, with sound and video; embedded"
        ),
    },
    defaults={"suite": "duet"},
    place=-50,
)
