"""Grounders behind a model server, and the server itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.grounders.served.command import Launch as Launch
    from omnipilot.grounders.served.grounder import VllmGrounder as VllmGrounder
    from omnipilot.grounders.served.server import Server as Server
    from omnipilot.grounders.served.server import served_models as served_models

__all__, __getattr__, __dir__ = lazy_exports(__name__)
