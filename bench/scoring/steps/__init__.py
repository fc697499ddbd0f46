"""Metrics of single recorded steps, as OS-Atlas scores them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.scoring.steps.actions import lines_of as lines_of
    from omnipilot.bench.scoring.steps.actions import place as place
    from omnipilot.bench.scoring.steps.actions import reply_of as reply_of
    from omnipilot.bench.scoring.steps.figures import Unit as Unit
    from omnipilot.bench.scoring.steps.figures import beside_grounding as beside_grounding
    from omnipilot.bench.scoring.steps.figures import parts_of as parts_of
    from omnipilot.bench.scoring.steps.figures import parts_table as parts_table
    from omnipilot.bench.scoring.steps.figures import step_rates as step_rates
    from omnipilot.bench.scoring.steps.figures import unreadable as unreadable
    from omnipilot.bench.scoring.steps.metrics import SPLITS as SPLITS
    from omnipilot.bench.scoring.steps.metrics import AnsweredStep as AnsweredStep
    from omnipilot.bench.scoring.steps.metrics import Variant as Variant
    from omnipilot.bench.scoring.steps.metrics import omniact_part as omniact_part
    from omnipilot.bench.scoring.steps.metrics import split_of as split_of
    from omnipilot.bench.scoring.steps.rows import REPLIES as REPLIES
    from omnipilot.bench.scoring.steps.rows import Replies as Replies
    from omnipilot.bench.scoring.steps.rows import TrueStep as TrueStep
    from omnipilot.bench.scoring.steps.rows import replies as replies
    from omnipilot.bench.scoring.steps.rows import truths as truths
    from omnipilot.bench.scoring.steps.rules import Benchmark as Benchmark
    from omnipilot.bench.scoring.steps.rules import after_header as after_header
    from omnipilot.bench.scoring.steps.rules import compare as compare

__all__, __getattr__, __dir__ = lazy_exports(__name__)
