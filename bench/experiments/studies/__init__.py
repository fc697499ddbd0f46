"""OmniBench's experiments on any suite (§5): levels, chains against graphs, orders of words, intents, people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.experiments.studies.matched import FORM as FORM
    from omnipilot.bench.experiments.studies.matched import MATCH as MATCH
    from omnipilot.bench.experiments.studies.orders import LEAST_WORDINGS as LEAST_WORDINGS
    from omnipilot.bench.experiments.studies.people import LEAST as LEAST
    from omnipilot.bench.experiments.studies.people import TENS as TENS
    from omnipilot.bench.experiments.studies.people import WatchedEpisode as WatchedEpisode
    from omnipilot.bench.experiments.studies.people import agreement_with_people as agreement_with_people
    from omnipilot.bench.experiments.studies.people import check_tens as check_tens
    from omnipilot.bench.experiments.studies.people import people_table as people_table
    from omnipilot.bench.experiments.studies.people import read_watched as read_watched

__all__, __getattr__, __dir__ = lazy_exports(__name__)
