"""What `play` adds, the planner `person` and two commands: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import Command, Plugin

PLUGIN = Plugin(
    name="play",
    about="a person does tasks, in a browser, and is recorded as an agent is",
    planners={"person": "omnipilot.bench.play.planner:PersonPlanner"},
    commands={
        "play": Command(
            "omnipilot.bench.play.commands:play", "Do tasks yourself, in a browser: a human baseline, judged as a run."
        ),
        "record": Command(
            "omnipilot.bench.play.commands:record", "Record what a person does on the devices of a world file."
        ),
    },
    place=1,
)
