"""What the benchmark osworld-g adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin

PLUGIN = Plugin(
    name="osworld-g",
    about="OSWorld-G",
    pointing={
        "osworld-g": "omnipilot.bench.suites.osworld_g.suite:OSWorldGSuite",
    },
    scores={
        "osworld-g": "omnipilot.bench.suites.osworld_g.score:OSWorldGScore",
    },
    miniatures={
        "osworld-g": "omnipilot.bench.suites.osworld_g.sample:write",
    },
    benchmarks={
        "osworld-g": BenchmarkInfo(
            "OSWorld-G: boxes, polygons and refusals, by five abilities",
            "OSWorld-G.json, classification_result.json and images/",
            "git clone https://github.com/xlang-ai/OSWorld-G",
        ),
    },
    place=70,
)
