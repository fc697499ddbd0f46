"""From specifications to agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.agents.assembly.build import GROUNDERS as GROUNDERS
    from omnipilot.agents.assembly.build import MEMORIES as MEMORIES
    from omnipilot.agents.assembly.build import PLANNERS as PLANNERS
    from omnipilot.agents.assembly.registry import Registry as Registry
    from omnipilot.agents.assembly.spec import AgentSpec as AgentSpec
    from omnipilot.agents.assembly.spec import PartSpec as PartSpec
    from omnipilot.agents.assembly.teams import READERS as READERS

__all__, __getattr__, __dir__ = lazy_exports(__name__)
