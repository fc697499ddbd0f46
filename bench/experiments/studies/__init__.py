"""OmniBench's experiments on any suite (§5): levels, chains against graphs, orders of words, intents, people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.experiments.studies.matched import FORM as FORM
    from omnipilot.bench.experiments.studies.matched import MATCH as MATCH
    from omnipilot.bench.experiments.studies.orders import LEAST_WORDINGS as LEAST_WORDINGS

__all__, __getattr__, __dir__ = lazy_exports(__name__)
