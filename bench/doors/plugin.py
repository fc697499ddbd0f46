"""What the doors add: their record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import Command, Plugin

PLUGIN = Plugin(
    name="doors",
    about="the interfaces of other tools",
    doors={
        "mcp": "omnipilot.bench.doors.mcp_server:serve_stdio",
        "mcp-http": "omnipilot.bench.doors.mcp_server:serve_http",
        "openenv": "omnipilot.bench.doors.openenv_server:serve_openenv",
    },
    exports={
        "atif": "omnipilot.bench.doors.atif:export_atif",
        "hf": "omnipilot.bench.doors.hf_dataset:export_hf",
        "inspect": "omnipilot.bench.doors.inspect_log:export_inspect",
    },
    commands={
        "skill": Command(
            "omnipilot.bench.doors.skill:skill", "Print or install the skill by which coding agents use omnipilot."
        ),
    },
)
