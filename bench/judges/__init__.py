"""Judges by name: kinds with typed parameters, and evaluators as data that name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.judges.alternatives import alternatives_to as alternatives_to
    from omnipilot.bench.judges.controls import note_action as note_action
    from omnipilot.bench.judges.documents import document_paragraphs as document_paragraphs
    from omnipilot.bench.judges.documents import picture_brightness as picture_brightness
    from omnipilot.bench.judges.documents import sheet_cells as sheet_cells
    from omnipilot.bench.judges.evaluator import evaluate as evaluate
    from omnipilot.bench.judges.evaluator import read_evaluator as read_evaluator
    from omnipilot.bench.judges.evidence import DeviceEvidence as DeviceEvidence
    from omnipilot.bench.judges.kinds import JUDGES as JUDGES
    from omnipilot.bench.judges.kinds import JudgeKind as JudgeKind
    from omnipilot.bench.judges.kinds import as_verdict as as_verdict
    from omnipilot.bench.judges.kinds import judge as judge
    from omnipilot.bench.judges.kinds import load_judge as load_judge
    from omnipilot.bench.judges.matching import LETTERS_BESIDE as LETTERS_BESIDE
    from omnipilot.bench.judges.matching import is_same_number as is_same_number
    from omnipilot.bench.judges.matching import names_other as names_other
    from omnipilot.bench.judges.matching import says as says
    from omnipilot.bench.judges.matching import says_one as says_one
    from omnipilot.bench.judges.released import ReleasedFunction as ReleasedFunction
    from omnipilot.bench.judges.released import read_released as read_released
    from omnipilot.bench.judges.state_path import StatePath as StatePath

__all__, __getattr__, __dir__ = lazy_exports(__name__)
