"""What the benchmark androidlab adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin
from omnipilot.envs.types import documentation_page

PLUGIN = Plugin(
    name="androidlab",
    about="AndroidLab, by a checkout of it",
    scores={
        "androidlab": "omnipilot.bench.suites.androidlab.score:AndroidLabScore",
    },
    benchmarks={
        "androidlab": BenchmarkInfo(
            "AndroidLab: 138 tasks recorded by its own runner, judged by its own code",
            "its repository (--data), an interpreter with its requirements (-o python=…), and a folder of its runner, "
            "logs/evaluation/NAME",
            f"git clone https://github.com/THUDM/Android-Lab; {documentation_page('outside')} says the rest",
        ),
    },
    place=10,
)
