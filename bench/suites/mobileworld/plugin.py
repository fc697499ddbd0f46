"""What the benchmark mobileworld adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin
from omnipilot.envs.types import documentation_page

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
            f"git clone https://github.com/Tongyi-MAI/MobileWorld; {documentation_page('outside')} says the rest",
        ),
    },
    place=10,
)
