"""Tasks of a pool to train on: which may be, and their demonstrations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.training.pool_tasks.allowed import AllowedPool as AllowedPool
    from omnipilot.bench.training.pool_tasks.allowed import PoolTask as PoolTask
    from omnipilot.bench.training.pool_tasks.allowed import allowed_tasks as allowed_tasks

__all__, __getattr__, __dir__ = lazy_exports(__name__)
