"""What `mini` adds, planner, grounder and training: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import Command, Plugin

PLUGIN = Plugin(
    name="mini",
    about="a small planner and a small grounder with their weights, small ears and eyes, and their training",
    planners={
        "mini": "omnipilot.planners.mini.planner:MiniPlanner",
    },
    families={
        "mini-grounder": "omnipilot.grounders.mini.family:MINI",
    },
    readers={
        "mini-ears": "omnipilot.bench.training.ears.reader:EarsReader",
    },
    transcribers={
        "mini-ears": "omnipilot.memory.mini.transcriber:EarsTranscriber",
    },
    sources={
        "mini-eyes": "omnipilot.grounders.mini.eyes.source:MiniEyes",
    },
    served={
        "mini": "omnipilot.planners.mini.launch:mini_launch",
        "mini-pool": "omnipilot.planners.mini.launch:mini_pool_launch",
    },
    commands={"train": Command("omnipilot.bench.training.commands:train", "Train small models on the embedded world.")},
    presets="omnipilot.bench.training:presets",
    place=-1,
)
