"""The stage: it goes on where it was stopped, and says what it covered."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from omnipilot.bench.suites.pool.explore import stage
from omnipilot.bench.suites.pool.explore.search import SearchBudget
from omnipilot.bench.suites.pool.explore.sim import SimExplorable
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.envs import ConfigError

FEW = SearchBudget(transitions=60, seconds=60)


@pytest.fixture(autouse=True)
def no_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    def known(*_: object) -> Mapping[str, str]:
        return {"~mails.read": "mark", "~documents.saved": "stamp"}

    monkeypatch.setattr(stage, "find_bookkeeping", known)


def explore_some(path: Path, *apps: str, **options: object) -> list[str]:
    told: list[str] = []
    stage.explore_apps(PoolFolder(path), SimExplorable(), apps, FEW, tell=told.append, **options)  # type: ignore[arg-type]
    return told


@pytest.mark.slow
def test_what_was_explored_is_not_explored_again(tmp_path: Path) -> None:
    explore_some(tmp_path, "tasks")
    pool = PoolFolder(tmp_path)
    before = pool.edges.read()
    told = explore_some(tmp_path, "tasks", "signals")
    assert told[0] == "phone/tasks: explored before"
    assert pool.edges.read()[: len(before)] == before
    assert {edge.app for edge in pool.edges.read()} == {"phone/tasks", "desktop/signals"}
    ids = [edge.id for edge in pool.edges.read()]
    assert len(set(ids)) == len(ids)
    assert {edge.instance for edge in before} == {0, 1}


def test_an_application_that_was_stopped_while_it_was_written_is_explored_anew(tmp_path: Path) -> None:
    explore_some(tmp_path, "signals")
    whole = PoolFolder(tmp_path).edges.path.read_text()
    (tmp_path / stage.RECORD).write_text((tmp_path / stage.RECORD).read_text().replace('"desktop/signals"', '"x"'))
    explore_some(tmp_path, "signals")
    assert PoolFolder(tmp_path).edges.path.read_text() == whole


def test_bookkeeping_can_be_overridden(tmp_path: Path) -> None:
    explore_some(tmp_path, "signals", ignored=["~signals.lamp_since"], effects=["~mails.read"])
    pool = PoolFolder(tmp_path)
    assert stage.read_bookkeeping(pool) == {"~documents.saved": "stamp", "~signals.lamp_since": "named"}
    assert not any("~signals.lamp_since" in edge.effect for edge in pool.edges.read())


def test_coverage_counts_what_was_seen(tmp_path: Path) -> None:
    explore_some(tmp_path, "tasks")
    (found,) = stage.coverage(PoolFolder(tmp_path), SimExplorable())
    assert (found.app, found.of_views) == ("phone/tasks", 2)
    assert found.views == 2
    assert found.tried >= found.kept == len(PoolFolder(tmp_path).edges.read())


def test_another_seed_and_an_unknown_application_are_refused(tmp_path: Path) -> None:
    explore_some(tmp_path, "signals")
    with pytest.raises(ConfigError, match="--seed 0"):
        explore_some(tmp_path, "signals", seed=3)
    with pytest.raises(ConfigError, match="phone/tasks"):
        explore_some(tmp_path, "task")
