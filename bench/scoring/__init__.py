"""Scoring predictions by the rules of published benchmarks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.scoring.benchmark import Benchmark as Benchmark
    from omnipilot.bench.scoring.data_runs import Played as Played
    from omnipilot.bench.scoring.data_runs import load_played as load_played
    from omnipilot.bench.scoring.eqa import UNCUT as UNCUT
    from omnipilot.bench.scoring.eqa import Attempt as Attempt
    from omnipilot.bench.scoring.eqa import Form as Form
    from omnipilot.bench.scoring.eqa import eq1 as eq1
    from omnipilot.bench.scoring.eqa import eq2 as eq2
    from omnipilot.bench.scoring.eqa import eqa_as_given as eqa_as_given
    from omnipilot.bench.scoring.eqa import eqa_in_order as eqa_in_order
    from omnipilot.bench.scoring.eqa import eqa_shuffled as eqa_shuffled
    from omnipilot.bench.scoring.eqa import in_order as in_order
    from omnipilot.bench.scoring.eqa import limit_attempts as limit_attempts
    from omnipilot.bench.scoring.eqa import success_rate as success_rate
    from omnipilot.bench.scoring.metrics import Metric as Metric
    from omnipilot.bench.scoring.metrics import metric as metric
    from omnipilot.bench.scoring.metrics import metric_figure as metric_figure
    from omnipilot.bench.scoring.predictions import load_predictions as load_predictions
    from omnipilot.bench.scoring.row_problems import Trials as Trials
    from omnipilot.bench.scoring.row_problems import content as content
    from omnipilot.bench.scoring.row_problems import repetition_notes as repetition_notes
    from omnipilot.bench.scoring.row_problems import unreadable_notes as unreadable_notes
    from omnipilot.bench.scoring.run_predictions import load_run_predictions as load_run_predictions
    from omnipilot.bench.scoring.score import Better as Better
    from omnipilot.bench.scoring.score import Figure as Figure
    from omnipilot.bench.scoring.score import Item as Item
    from omnipilot.bench.scoring.score import PrintedRows as PrintedRows
    from omnipilot.bench.scoring.score import Scored as Scored
    from omnipilot.bench.scoring.score import first_of as first_of

__all__, __getattr__, __dir__ = lazy_exports(__name__)
