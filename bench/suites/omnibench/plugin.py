"""What the benchmark omnibench adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin

PLUGIN = Plugin(
    name="omnibench",
    about="OmniBench",
    suites={
        "omnibench": "omnipilot.bench.suites.omnibench.suite:OmniBenchSuite",
    },
    verbs={
        "omnibench": "omnipilot.bench.suites.omnibench.actions:OmniBenchVerbs",
    },
    scores={
        "omnibench": "omnipilot.bench.suites.omnibench.score:OmniBench",
    },
    miniatures={
        "omnibench": "omnipilot.bench.suites.omnibench.sample:write",
    },
    benchmarks={
        "omnibench": BenchmarkInfo(
            "OmniBench: live tasks as graphs of subtasks; coverage, consistency, capabilities",
            "its task and subtask JSON files; evaluators are named with -o suite.evaluators=…",
            "the authors have not published the data; any data in its format will do",
        ),
    },
    presets="omnipilot.bench.suites.omnibench:presets",
    place=20,
)
