"""What pools of tasks add: their record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Command, Plugin

PLUGIN = Plugin(
    name="pool",
    about="tasks made by exploring a world, to any number and difficulty",
    suites={
        "pool": "omnipilot.bench.suites.pool.suite:PoolSuite",
    },
    benchmarks={
        "pool": BenchmarkInfo(
            "tasks that were made by `omnipilot synth`, with demonstrations and judges; embedded",
            "a pool",
            "Make one: omnipilot synth all --world sim --graphs 1000 --out pool",
        ),
    },
    commands={
        "synth": Command(
            "omnipilot.bench.suites.pool.commands.synth:synth",
            "Make tasks from what a world can do: explore, verify, compose, tell, rate, export.",
        ),
    },
    place=-35,
)
