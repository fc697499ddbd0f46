"""From specifications to agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.agents.assembly.registry import Registry as Registry
    from omnipilot.agents.assembly.spec import AgentSpec as AgentSpec
    from omnipilot.agents.assembly.spec import PartSpec as PartSpec

__all__, __getattr__, __dir__ = lazy_exports(__name__)
