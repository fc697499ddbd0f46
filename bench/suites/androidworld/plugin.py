"""What the benchmark androidworld adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin
from omnipilot.envs.types import documentation_page

PLUGIN = Plugin(
    name="androidworld",
    about="AndroidWorld, by a checkout of it",
    suites={
        "androidworld": "omnipilot.bench.suites.androidworld.suite:AndroidWorldSuite",
    },
    benchmarks={
        "androidworld": BenchmarkInfo(
            "AndroidWorld: 116 tasks on an Android emulator, set up and judged by its own code",
            "its repository, an interpreter with its requirements (-o suite.python=…), and the emulator",
            "git clone https://github.com/google-research/android_world; "
            f"{documentation_page('outside')} says the rest",
        ),
    },
    place=35,
)
