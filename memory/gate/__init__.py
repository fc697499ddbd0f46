"""Gates: which sound and film of a turn are worth a planner's attention."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.memory.gate.base import Gate as Gate
    from omnipilot.memory.gate.base import GateDecision as GateDecision
    from omnipilot.memory.gate.energy import EnergyGate as EnergyGate
    from omnipilot.memory.gate.events import EventsGate as EventsGate

__all__, __getattr__, __dir__ = lazy_exports(__name__)
