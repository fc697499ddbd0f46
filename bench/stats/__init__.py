"""Intervals, tests and power for the figures of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.stats.agreement import cohen_kappa as cohen_kappa
    from omnipilot.bench.stats.agreement import fleiss_kappa as fleiss_kappa
    from omnipilot.bench.stats.clusters import connected_groups as connected_groups
    from omnipilot.bench.stats.intervals import LEVEL as LEVEL
    from omnipilot.bench.stats.intervals import RESAMPLES as RESAMPLES
    from omnipilot.bench.stats.intervals import Interval as Interval
    from omnipilot.bench.stats.intervals import expanded_tail as expanded_tail
    from omnipilot.bench.stats.intervals import wilson as wilson
    from omnipilot.bench.stats.paired import difference as difference
    from omnipilot.bench.stats.paired import pair as pair
    from omnipilot.bench.stats.quantiles import t_quantile as t_quantile
    from omnipilot.bench.stats.ratio import mean_of as mean_of
    from omnipilot.bench.stats.ratio import ratio_of as ratio_of
    from omnipilot.bench.stats.summary import EpisodeOutcome as EpisodeOutcome
    from omnipilot.bench.stats.summary import Headline as Headline
    from omnipilot.bench.stats.summary import cells as cells
    from omnipilot.bench.stats.summary import headline as headline

__all__, __getattr__, __dir__ = lazy_exports(__name__)
