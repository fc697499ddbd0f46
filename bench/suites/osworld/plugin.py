"""What the benchmark osworld adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin
from omnipilot.envs.types import documentation_page

PLUGIN = Plugin(
    name="osworld",
    about="OSWorld and WindowsAgentArena on machines of the user's",
    suites={
        "osworld": "omnipilot.bench.suites.osworld.suite:OSWorldSuite",
    },
    scores={
        "osworld": "omnipilot.bench.suites.osworld.score:OSWorldScore",
    },
    benchmarks={
        "osworld": BenchmarkInfo(
            "OSWorld: 369 tasks on a computer, set up and judged by its own code; WindowsAgentArena: 154",
            "a checkout, an interpreter with its evaluators' packages, and a machine with its server",
            f"git clone https://github.com/xlang-ai/OSWorld; see {documentation_page('outside')}",
        ),
    },
    doors={
        "osworld": "omnipilot.bench.suites.osworld.serving.door:serve_desktop",
    },
    place=12,
)
