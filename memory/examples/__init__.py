"""Examples: earlier trajectories, solved and failed, found for similar tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.memory.examples.example import Example as Example
    from omnipilot.memory.examples.example import ExampleElement as ExampleElement
    from omnipilot.memory.examples.index import ExampleIndex as ExampleIndex

__all__, __getattr__, __dir__ = lazy_exports(__name__)
