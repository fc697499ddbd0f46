"""What the benchmark crab adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin

PLUGIN = Plugin(
    name="crab",
    about="CRAB v0",
    suites={
        "crab": "omnipilot.bench.suites.crab.suite:CrabSuite",
    },
    verbs={
        "crab": "omnipilot.bench.suites.crab.actions:CrabVerbs",
    },
    scores={
        "crab": "omnipilot.bench.suites.crab.score:Crab",
    },
    miniatures={
        "crab": "omnipilot.bench.suites.crab.sample:write",
    },
    benchmarks={
        "crab": BenchmarkInfo(
            "CRAB v0: live tasks composed of sub-tasks, across devices",
            "its folder of task JSON files; sub-tasks other than the embedded world's are named with "
            "-o suite.subtasks=…",
            "git clone https://github.com/camel-ai/crab; the folder crab-benchmark-v0/dataset",
        ),
    },
    presets="omnipilot.bench.suites.crab:presets",
    place=10,
)
