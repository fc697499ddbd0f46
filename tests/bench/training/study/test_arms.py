"""What the arms of the study are trained on, and that none of it is measured on."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.training.pool_tasks.allowed import PoolTask
from omnipilot.bench.training.study import arms as study
from omnipilot.envs import ConfigError
from tests.fixtures import export_pools


@pytest.fixture
def pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pool of a chain, two graphs and a task of one subtask; what is asked of it is in `asked`."""
    found = [
        PoolTask("g1", "AV-present", {}, 2, chain=True),
        PoolTask("g2", "AV-present", {}, 3),
        PoolTask("g3", "AV-present", {}, 3),
        PoolTask("g4", "AV-present", {}, 1, chain=True),
    ]

    def allowed(folder: Path, more_templates: frozenset[str]) -> SimpleNamespace:
        assert folder == tmp_path and more_templates == study.held_out_templates()
        return SimpleNamespace(tasks=found)

    monkeypatch.setattr(study, "allowed_tasks", allowed)
    return export_pools.write(tmp_path).root


def test_no_arm_has_a_template_that_is_measured_on(pool: Path) -> None:
    suite, held_out = Duet("dev"), study.held_out_templates()
    (hand,) = study.study_arms(pool, ["hand"])
    assert not any(held_out.intersection(suite.about(task).templates) for task in hand.tasks)
    assert all(held_out.intersection(suite.about(task).templates) for task in study.measured_tasks())
    assert {*hand.tasks, *study.measured_tasks()} == {info.id for info in suite.tasks()}
    assert min(len(hand.tasks), len(study.measured_tasks())) > 15


def test_chains_and_graphs_are_told_apart_and_taken_by_turns(pool: Path) -> None:
    _, chain, graph, both = study.study_arms(pool)
    assert chain.tasks == ("g1",) and graph.tasks == ("g2", "g3") and both.tasks == ("g1", "g2", "g1", "g3")
    assert [arm.intents for arm in (chain, graph, both)] == [False, False, True]
    assert [graph.candidate(at) for at in range(3)] == [("g2", 100), ("g3", 100), ("g2", 101)]
    told = both.demonstrate("g1", 100)
    assert told and all(" ( for " in one.prompt for one in told)


def test_unknown_and_empty_arms_are_refused(pool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="choose from hand, chain, graph, both-intents"):
        study.study_arms(pool, ["chains"])
    monkeypatch.setattr(study, "allowed_tasks", lambda *_, **__: SimpleNamespace(tasks=[]))
    with pytest.raises(ConfigError, match="left for the arm chain"):
        study.study_arms(pool, ["hand", "chain"])
