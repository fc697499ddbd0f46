"""Benchmark harness: judges what agents did, and shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.contract import check_suite as check_suite
    from omnipilot.bench.finding import Finding as Finding
    from omnipilot.bench.journal.load_runs import find_runs as find_runs
    from omnipilot.bench.journal.load_runs import load_run as load_run
    from omnipilot.bench.journal.results import Episode as Episode
    from omnipilot.bench.json_lines import append_json_lines as append_json_lines
    from omnipilot.bench.json_lines import mend_last_line as mend_last_line
    from omnipilot.bench.json_lines import read_json_lines as read_json_lines
    from omnipilot.bench.local_page import LocalPage as LocalPage
    from omnipilot.bench.local_page import PageContent as PageContent
    from omnipilot.bench.local_page import PersonalPage as PersonalPage
    from omnipilot.bench.own.written_task import task as task
    from omnipilot.bench.python.commands import ablate as ablate
    from omnipilot.bench.python.commands import compare as compare
    from omnipilot.bench.python.commands import grid as grid
    from omnipilot.bench.python.commands import load_runs as load_runs
    from omnipilot.bench.python.commands import run as run
    from omnipilot.bench.python.commands import sweep as sweep
    from omnipilot.bench.registry import SUITES as SUITES
    from omnipilot.bench.registry import load_suite as load_suite
    from omnipilot.bench.report.page import write_report as write_report
    from omnipilot.bench.run.runner import RunResult as RunResult
    from omnipilot.bench.scoring.metrics import metric as metric
    from omnipilot.bench.spec import RunSpec as RunSpec
    from omnipilot.bench.stage_model import BudgetSpent as BudgetSpent
    from omnipilot.bench.stage_model import StageModel as StageModel
    from omnipilot.bench.stage_model import prompt_text as prompt_text
    from omnipilot.bench.stats.summary import headline as headline
    from omnipilot.bench.tables import Table as Table
    from omnipilot.bench.tasks.graph import GraphEvaluator as GraphEvaluator
    from omnipilot.bench.tasks.graph import JudgeGraph as JudgeGraph
    from omnipilot.bench.tasks.judges import Case as Case
    from omnipilot.bench.tasks.judges import Judge as Judge
    from omnipilot.bench.tasks.judges import Verdict as Verdict
    from omnipilot.bench.tasks.judges import answer_contains as answer_contains
    from omnipilot.bench.tasks.task import Suite as Suite
    from omnipilot.bench.tasks.task import Task as Task
    from omnipilot.bench.tasks.task import TaskInfo as TaskInfo

__all__, __getattr__, __dir__ = lazy_exports(__name__)
