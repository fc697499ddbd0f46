"""The record of the plug-in: all that the package adds, by name. It imports nothing of the package itself."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Command, Plugin

PLUGIN = Plugin(
    name="example",
    about="a planner, a grounder, a memory, a lamp, a metric, a judge and a benchmark of recorded taps",
    planners={
        "example-first-button": "omnipilot_example:FirstButton",
        "example-broken": "omnipilot_example:NotThere",
        "noop": "omnipilot_example:FirstButton",
    },
    grounders={"example-first-named": "omnipilot_example:FirstNamed"},
    memories={"example-last-thought": "omnipilot_example:LastThought"},
    devices={"example-lamp": "omnipilot_example:Lamp"},
    suites={"errands": "omnipilot_errands:Errands"},
    scores={"errands": "omnipilot_errands:ErrandsScore"},
    miniatures={"errands": "omnipilot_errands:write"},
    metrics={"example-waiting": "omnipilot_example_metrics:waiting"},
    judges={"example-longer-than": "omnipilot_example_judges:longer_than"},
    benchmarks={
        "errands": BenchmarkInfo(
            "recorded taps on a phone, teacher-forced",
            "errands.json and its screenshots",
            "omnipilot miniature DIR errands",
        )
    },
    commands={"example-count": Command("omnipilot_example_commands:count", "Count the errands of a folder.")},
    doctor="omnipilot_example_commands:rows",
)
