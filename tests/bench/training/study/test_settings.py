"""A study goes on with the same pool, wherever it lies, and with no other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from omnipilot.bench.training.study.order import StudyOrder
from omnipilot.bench.training.study.parts import run_study
from omnipilot.envs import ConfigError
from tests.fixtures import export_pools


def begin(order: StudyOrder) -> bool:
    """Begin or go on for no time at all; whether the study is finished."""
    return run_study(order, 0.0, str)


def test_a_study_goes_on_with_its_pool_in_another_folder(tmp_path: Path) -> None:
    pool = export_pools.write(tmp_path / "pool").root
    order = StudyOrder(pool, tmp_path / "out", ("hand", "chain"), (0,), 3, 2)
    assert not begin(order)
    moved = pool.rename(tmp_path / "moved")
    assert not begin(replace(order, pool=moved))
    other = export_pools.write(tmp_path / "other", export_pools.GRAPHS[:2]).root
    with pytest.raises(ConfigError, match="a study of another pool, or with other settings"):
        begin(replace(order, pool=other))
    with pytest.raises(ConfigError, match="other settings"):
        begin(replace(order, pool=moved, steps=3))
    with pytest.raises(ConfigError, match="omnipilot synth compose"):
        begin(order)


def test_a_study_of_hand_written_tasks_reads_no_pool(tmp_path: Path) -> None:
    assert not begin(StudyOrder(tmp_path / "nowhere", tmp_path / "out", ("hand",), (0,), 3, 2))
