"""Training of small planners: demonstrations of development tasks, the network, the trainer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.training.demonstrations import Sample as Sample
    from omnipilot.bench.training.demonstrations import demonstrate as demonstrate

__all__, __getattr__, __dir__ = lazy_exports(__name__)
