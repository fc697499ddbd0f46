"""What the benchmark mobileworld adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin

PLUGIN = Plugin(
    name="mobileworld",
    about="MobileWorld, by what its own runner has recorded",
    scores={
        "mobileworld": "omnipilot.bench.suites.mobileworld.score:MobileWorldScore",
    },
    benchmarks={
        "mobileworld": BenchmarkInfo(
            "MobileWorld: results of its own runner, counted by its rules",
            "a folder of its runner, and its repository (--data), which names the 201 tasks",
            "git clone https://github.com/Tongyi-MAI/MobileWorld; docs/outside.md says the rest",
        ),
    },
    place=10,
)
