"""A planner that does nothing, and refuses to do even that where it is shown no elements."""

from __future__ import annotations

from omnipilot.envs.errors import ConfigError
from omnipilot.envs.observation import ALL_MODALITIES, Modality
from omnipilot.planners.base import Decision, Request
from omnipilot.planners.noop import NoopPlanner


class NeedyPlanner(NoopPlanner):
    """`noop` with a need; it looks at everything."""

    reads: frozenset[Modality] = ALL_MODALITIES

    def plan(self, request: Request) -> Decision:
        if not all(seen.has(Modality.ELEMENTS) for seen in request.observations.values()):
            raise ConfigError("planner 'needy' needs elements; grant them")
        return super().plan(request)
