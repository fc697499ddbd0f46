"""The causes of failures on the smallest suite, with the engine's own parts alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.agents.wrappers.stopping import FEATURES, FittedRule
from omnipilot.bench.attribution import Attributor
from omnipilot.bench.journal import attempts, results
from omnipilot.bench.journal.attributions import Cause
from omnipilot.bench.run.runner import run
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import ConfigError


def failing(folder: Path, honest: str = "", **parts: PartSpec) -> Attributor:
    """The attributor of a run that fails."""
    run(RunSpec(AgentSpec(honest=honest, **parts), PartSpec("toy")), folder / "run")
    return Attributor(folder / "run", folder / "forks")


@pytest.mark.parametrize("honest", ["", "parts"])
def test_an_agent_that_does_nothing_is_open_and_nothing_was_lost(tmp_path: Path, honest: str) -> None:
    whole = failing(tmp_path, honest, planner=PartSpec("noop"))
    (failure,) = whole.failures()
    found = whole.attribute(failure)
    assert (found.cause, found.broken) == (Cause.OPEN, None)
    tried = {one.name: one for one in found.findings}
    assert tried["oracle"].repairs and not tried["nothing exchanged"].repairs
    assert "reads no notes" in tried["gold readers"].note
    assert found.to_json()["evidence"][0]["experiment"] == "oracle"


def test_a_rule_that_stops_too_early_is_the_cause(tmp_path: Path) -> None:
    (tmp_path / "rule.json").write_text(FittedRule(-50.0, dict.fromkeys(FEATURES, 0.0)).to_text())
    rule = PartSpec("learned", {"fit": str(tmp_path / "rule.json")})
    whole = failing(tmp_path, planner=PartSpec("oracle"), stop=rule)
    (failure,) = whole.failures()
    assert (failure.reason, failure.turns) == ("stopped", 2)
    found = whole.attribute(failure)
    assert found.cause is Cause.STOPPING
    tried = {one.name: one for one in found.findings}
    assert tried["no stopping rule"].repairs and not tried["nothing exchanged"].repairs


def test_the_runs_journal_is_read_once_for_all_experiments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def counting(whole: Callable[[Path], Iterator[object]]) -> Callable[[Path], Iterator[object]]:
        def count(folder: Path) -> Iterator[object]:
            read.append(folder.resolve())
            return whole(folder)

        return count

    monkeypatch.setattr(attempts, "positions", counting(attempts.positions))
    monkeypatch.setattr(results, "read", counting(results.read))
    whole = failing(tmp_path, planner=PartSpec("noop"))
    before = read.count((tmp_path / "run").resolve())
    (failure,) = whole.failures()
    assert len([one for one in whole.attribute(failure).findings if one.times]) > 5
    assert read.count((tmp_path / "run").resolve()) - before <= 1, "the places of its attempts"
    assert len(read) > 5, "each fork has a journal of its own, which is counted, too"


def test_forks_below_one_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--times must be at least 1"):
        Attributor(tmp_path, tmp_path, times=0)
