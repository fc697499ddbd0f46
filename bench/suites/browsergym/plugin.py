"""What the benchmark browsergym adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin

PLUGIN = Plugin(
    name="browsergym",
    about="BrowserGym's benchmarks, by their own package",
    suites={
        "browsergym": "omnipilot.bench.suites.browsergym.suite:BrowserGym",
    },
    benchmarks={
        "browsergym": BenchmarkInfo(
            "BrowserGym: MiniWoB, WebArena, WorkArena, AssistantBench and others, by their own package",
            "an environment with the package of the benchmark, named with -o suite.python=…; of most, servers of your "
            "own",
            "python -m venv gym && gym/bin/pip install browsergym-miniwob miniwob",
        ),
    },
    place=10,
)
