"""What annotation adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import Command, Plugin

PLUGIN = Plugin(
    name="annotation",
    about="labels and ratings of recordings by people, and recordings in OmniGUI's format",
    exports={
        "omnigui": "omnipilot.bench.annotation.omnigui_export:export_omnigui_data",
    },
    commands={
        "annotate": Command(
            "omnipilot.bench.annotation.commands:annotate",
            "Label what decided each step of a recording, in two passes; without options, say what labels come to.",
        ),
        "rate": Command(
            "omnipilot.bench.annotation.commands:rate",
            "Rate trajectories in steps of 10 %, on a page or a sheet; without options, say how far judges agree.",
        ),
    },
    place=-34,
)
