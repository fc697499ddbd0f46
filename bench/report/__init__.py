"""Tables, figures and the report's page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.report.action_words import action as action
    from omnipilot.bench.report.comparison_table import compare_table as compare_table
    from omnipilot.bench.report.figure_kinds.kind import FigureKind as FigureKind
    from omnipilot.bench.report.figure_kinds.kind import FigureRequest as FigureRequest
    from omnipilot.bench.report.figure_kinds.kind import RunFigure as RunFigure
    from omnipilot.bench.report.figure_kinds.kind import figure_kind as figure_kind
    from omnipilot.bench.report.figures.draw import FigureFiles as FigureFiles
    from omnipilot.bench.report.figures.draw import save_figure as save_figure
    from omnipilot.bench.report.figures.records import Curves as Curves
    from omnipilot.bench.report.figures.records import Dot as Dot
    from omnipilot.bench.report.figures.records import FigureSpec as FigureSpec
    from omnipilot.bench.report.figures.records import Series as Series
    from omnipilot.bench.report.figures.records import forest as forest
    from omnipilot.bench.report.main_table import task_table as task_table
    from omnipilot.bench.report.method_notes import harness_notes as harness_notes
    from omnipilot.bench.report.page import write_report as write_report
    from omnipilot.bench.report.terminal_tables import render_table as render_table

__all__, __getattr__, __dir__ = lazy_exports(__name__)
