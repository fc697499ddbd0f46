"""The gate that asks a model which sound and video of a turn matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.agents.gate.model import ModelGate as ModelGate

__all__, __getattr__, __dir__ = lazy_exports(__name__)
