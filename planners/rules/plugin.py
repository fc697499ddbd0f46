"""What the planner `rules` adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import Plugin

PLUGIN = Plugin(
    name="rules",
    about="a planner that uses no model: a frozen baseline",
    planners={
        "rules": "omnipilot.planners.rules.planner:RulesPlanner",
    },
    defaults={"planner": "rules"},
    place=-2,
)
