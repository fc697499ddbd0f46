"""How many steps of unseen demonstrations a planner names exactly."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.training import Sample, demonstrate
from omnipilot.bench.training.measure import FIRST_MEASURED, named_steps, steps_table, unseen_pool_samples
from omnipilot.envs import ConfigError
from omnipilot.planners.mini.network import MiniNetwork
from tests.fixtures import export_pools


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    return demonstrate(Duet("dev"), "send-message", FIRST_MEASURED, slips=0.0)


def test_a_step_counts_if_it_is_named_exactly(samples: list[Sample]) -> None:
    network = MiniNetwork()
    right = named_steps(network, samples)["send-message", FIRST_MEASURED]
    assert len(right) == len(samples) and sum(right) >= len(samples) - 1
    others = [replace(one, reply="infeasible") for one in samples]
    assert not any(named_steps(network, others)["send-message", FIRST_MEASURED])


def test_the_table_has_a_row_for_each_model_and_value_of_a_tag() -> None:
    steps = {("send-message", 1): [True, True], ("move-file", 1): [False, True], ("sounds-and-network", 1): [False] * 4}
    table = steps_table({"a": steps, "b": {("move-file", 1): [True]}}, "branch")
    assert [row[:4] for row in table.rows] == [
        ("a", "all", "3", "8"),
        ("a", "easy", "2", "4"),
        ("a", "medium", "1", "4"),
        ("b", "all", "1", "1"),
        ("b", "easy", "1", "1"),
    ]
    assert [row[4].split()[0] for row in table.rows] == ["37.5", "75.0", "0.0", "100.0", "100.0"]


def test_an_unknown_tag_is_refused() -> None:
    with pytest.raises(ConfigError, match="branch"):
        steps_table({}, "branches")


def test_steps_of_held_out_tasks_of_a_pool_are_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = export_pools.write(tmp_path).root
    held_out = frozenset({"favourite-contact"})
    monkeypatch.setattr("omnipilot.bench.suites.pool.suite.held_out_subtasks", lambda _: held_out)
    found, infos = unseen_pool_samples(pool, 5)
    assert [info.id for info in infos] == ["g3"] and {(one.task, one.instance) for one in found} == {("g3", 10_000)}
    steps = {("g3", 10_000): [True, False]}
    assert list(steps_table({"a": steps}, "", infos).rows) == [("a", "1", "2", "50.0 [—]")]
    monkeypatch.setattr("omnipilot.bench.suites.pool.suite.held_out_subtasks", lambda _: frozenset())
    with pytest.raises(ConfigError, match="synth compose"):
        unseen_pool_samples(pool, 5)
