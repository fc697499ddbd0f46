"""Why episodes failed, by experiment: from a turn of the record, one part at a time is exchanged for the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.attribution.experiments import EXPERIMENTS as EXPERIMENTS
    from omnipilot.bench.attribution.experiments import Experiment as Experiment
    from omnipilot.bench.attribution.search import Attributor as Attributor

__all__, __getattr__, __dir__ = lazy_exports(__name__)
