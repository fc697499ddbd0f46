"""A run from its settings to its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.run.config import preset_spec as preset_spec
    from omnipilot.bench.run.execution import RunExecution as RunExecution
    from omnipilot.bench.run.executors.coordinator import RunFailed as RunFailed
    from omnipilot.bench.run.preset import Preset as Preset
    from omnipilot.bench.run.progress import Progress as Progress
    from omnipilot.bench.run.runner import RunResult as RunResult
    from omnipilot.bench.run.runner import run as run

__all__, __getattr__, __dir__ = lazy_exports(__name__)
