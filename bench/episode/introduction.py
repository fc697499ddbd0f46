"""What whoever acts is told of an environment before the first move."""

from __future__ import annotations

from omnipilot.envs import Env
from omnipilot.planners import Verbs


def introduce(env: Env) -> Verbs:
    """What a planner is told of an environment."""
    return Verbs(
        env.platform,
        env.verbs,
        env.custom,
        env.description,
        tuple(env.applications),
        tuple(env.installed),
        env.size,
    )
