"""Limits of a run: what is not given is None, and what is given counts, also where it is the default."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_settings import spec_of
from toy_suite import ToySuite, toy_spec

from omnipilot.agents import Limits
from omnipilot.agents.limits import LIMITS
from omnipilot.bench import RunSpec
from omnipilot.bench.journal.episode_start import limits_of
from omnipilot.bench.run import run
from omnipilot.bench.spec import RunLimits
from omnipilot.envs import ConfigError


def test_what_the_run_gives_comes_first_then_the_task_then_the_default() -> None:
    far = ToySuite().instantiate("far", 0)  # 5 turns of its own
    plain = ToySuite().instantiate("count", 0)
    spec = toy_spec("far")
    for given, of_far, of_plain in ((None, 5, 30), (30, 30, 30), (7, 7, 7), (0, None, None)):
        asked = replace(spec, limits=RunLimits(turns=given))
        assert (limits_of(far, asked).turns, limits_of(plain, asked).turns) == (of_far, of_plain)
    assert limits_of(far, spec) == Limits(turns=5, actions=60)
    own = replace(plain, limits=Limits(tokens=100, seconds=9.0, cost=1.0, working=2.0))
    lifted = RunLimits(tokens=0, seconds=0, cost=0, working=0)
    assert limits_of(own, replace(spec, limits=lifted)) == Limits()
    assert limits_of(own, spec) == own.limits


def test_thirty_turns_that_are_asked_for_are_played(tmp_path: Path) -> None:
    asked = replace(toy_spec("far"), limits=RunLimits(turns=30))
    (episode,) = run(asked, tmp_path / "asked").episodes
    (usual,) = run(toy_spec("far"), tmp_path / "usual").episodes
    assert (episode.success, episode.turns) == (True, 8)
    assert (usual.reason, usual.turns) == ("turns", 5)
    # The two are different runs, and the directory says in what.
    with pytest.raises(ConfigError, match=r"limits.turns: not given there, 30 asked for"):
        run(asked, tmp_path / "usual")
    assert run(asked, tmp_path / "asked").ran == 0


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("value", [None, 0, 7, 30, 60])
def test_limits_survive_their_json(name: str, value: Any) -> None:
    spec = replace(toy_spec("count"), limits=RunLimits(**{name: value}))
    again = RunSpec.from_json(json.loads(json.dumps(spec.to_json())))
    assert again == spec and again.identity == spec.identity
    assert (spec.identity == toy_spec("count").identity) == (value is None)


def test_limits_below_zero_are_refused() -> None:
    with pytest.raises(ConfigError, match="limit turns must be 0 .no limit. or more, not -1"):
        spec_of({"suite": "toy", "planner": "noop", "limits": {"turns": -1}})
