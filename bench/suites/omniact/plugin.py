"""What the benchmark omniact adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Command, Plugin

PLUGIN = Plugin(
    name="omniact",
    about="OmniACT",
    suites={
        "omniact": "omnipilot.bench.suites.omniact.suite:OmniAct",
    },
    planners={
        "lexical": "omnipilot.bench.suites.omniact.lexical:LexicalPlanner",
    },
    scores={
        "omniact": "omnipilot.bench.suites.omniact.score:OmniActScore",
    },
    miniatures={
        "omniact": "omnipilot.bench.suites.omniact.sample:write",
    },
    benchmarks={
        "omniact": BenchmarkInfo(
            "OmniACT: scripts of mouse and keys for a screenshot, desktop and web",
            "train.json, val.json or test.json, and the folders they name",
            "hf://Writer/omniact",
        ),
    },
    commands={
        "make": Command(
            "omnipilot.bench.suites.omniact.making.commands:make",
            "Make data in OmniACT's format: screens with named boxes, tasks over names, checks, review, export.",
        ),
    },
    presets="omnipilot.bench.suites.omniact:presets",
    place=40,
)
