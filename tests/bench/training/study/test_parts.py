"""The study in small: it is cut into parts, gone on with, and leaves a file for each arm."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from omnipilot.bench.training.progress import TellLine
from omnipilot.bench.training.study import parts
from omnipilot.bench.training.study.arms import StudyArm, _hand
from omnipilot.bench.training.study.order import PartOver, StudyOrder, samples_of, work_in
from omnipilot.bench.training.study.parts import run_study
from omnipilot.bench.training.study.results import study_table
from omnipilot.envs import ConfigError
from omnipilot.planners.mini.model_folder import read_config
from tests.fixtures import export_pools

torch = pytest.importorskip(
    "torch",
    reason="torch and transformers are not in this environment; test_real_local.py runs this file where they are",
)


@pytest.fixture
def order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StudyOrder:
    """Two arms of two short hand-written tasks, of which one is told with intents; one task is measured on."""

    def arms(_: Path, names: tuple[str, ...]) -> list[StudyArm]:
        return [StudyArm(name, ("send-message", "add-alarm"), _hand, name == "both-intents") for name in names]

    monkeypatch.setattr(parts, "study_arms", arms)
    monkeypatch.setattr(parts, "measured_tasks", lambda: ("add-alarm",))
    monkeypatch.setattr(parts, "CHUNK", 2)
    return StudyOrder(
        export_pools.write(tmp_path / "pool").root, tmp_path / "out", ("hand", "both-intents"), (0,), 3, 2, 1
    )


@pytest.mark.slow
def test_it_is_cut_gone_on_with_and_finished(order: StudyOrder) -> None:
    said: list[str] = []
    assert not run_study(order, 0.0, said.append)
    assert not list(order.folder.glob("samples/*/*.jsonl")) and "goes on" in said[-1]
    assert run_study(order, 5.0, said.append)
    assert len({(one.task, one.instance) for one in samples_of(order, "hand")}) == 3
    before = {path: path.read_text() for path in (order.folder / "arms").iterdir()}
    assert sorted(path.name for path in before) == ["both-intents-0.json", "hand-0.json"]
    told = json.loads(order.result("hand", 0).read_text())
    assert told["trained"] == 2 and told["count"] == 3 and told["seed"] == 0
    assert [(one["task"], one["instance"], one["success"]) for one in told["episodes"]] == [("add-alarm", 0, False)]
    config = read_config(order.folder / "models" / "both-intents-0" / "model")
    assert config.intents and not read_config(order.folder / "models" / "hand-0" / "model").intents
    assert run_study(order, 0.0, said.append), "nothing is left to do"
    assert {path: path.read_text() for path in (order.folder / "arms").iterdir()} == before
    assert [row[0] for row in study_table(order.folder).rows] == ["hand", "both-intents"]
    with pytest.raises(ConfigError, match="choose another --out"):
        run_study(StudyOrder(order.pool, order.folder, order.arms, order.seeds, 4, 2, 1), 1.0, said.append)


def test_an_order_that_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="measure on 1 to 100"):
        StudyOrder(tmp_path, tmp_path, ("hand",), (0,), 1, 1, 101)
    with pytest.raises(ConfigError, match="one worker"):
        StudyOrder(tmp_path, tmp_path, ("hand",), (0,), 1, 1, workers=0)
    with pytest.raises(ConfigError, match="at least one"):
        StudyOrder(tmp_path, tmp_path, ("hand",), (), 1, 1)


def _fail_at_three(number: int, said: TellLine) -> None:
    if number == 3:
        raise PartOver
    said(f"work {number}")


def test_work_is_shared_among_processes_and_stops_where_the_time_is_over(capfd: pytest.CaptureFixture[str]) -> None:
    said: list[str] = []
    work_in(1, [partial(_fail_at_three, 1), partial(_fail_at_three, 2)], said.append)
    assert said == ["work 1", "work 2"]
    with pytest.raises(PartOver):
        work_in(2, [partial(_fail_at_three, number) for number in range(4)], said.append)
    assert "work 1" in capfd.readouterr().err and len(said) == 2
