"""What the suite cube adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin

PLUGIN = Plugin(
    name="cube",
    about="benchmarks that follow cube-standard",
    suites={
        "cube": "omnipilot.bench.suites.cube.suite:Cube",
    },
    benchmarks={
        "cube": BenchmarkInfo(
            "any benchmark that follows cube-standard, by its own package",
            "an environment with Python 3.12 or later and the cube's package, named with -o suite.python=…, and the "
            "cube's name: -o suite.cube=…",
            "python3.12 -m venv cubes && cubes/bin/pip install arithmetic-cube",
        ),
    },
    place=10,
)
