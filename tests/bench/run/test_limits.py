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
from omnipilot.bench.experiments.cells import cell_name
from omnipilot.bench.journal.episode_start import limits_of, without_idle_limits
from omnipilot.bench.journal.run_directory import SPEC
from omnipilot.bench.run import run
from omnipilot.bench.spec import RunLimits
from omnipilot.envs import ConfigError

OLD = json.loads((Path(__file__).parents[2] / "fixtures" / "limits_before.json").read_text("utf-8"))
"""Specifications and identities as they were written while a limit equal to the default counted as not given."""


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
    with pytest.raises(ConfigError, match=r"limits.given: not given there, \[\"turns\"\] asked for"):
        run(asked, tmp_path / "usual")
    assert run(asked, tmp_path / "asked").ran == 0


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("value", [None, 0, 7, 30, 60])
def test_limits_survive_their_json(name: str, value: Any) -> None:
    spec = replace(toy_spec("count"), limits=RunLimits(**{name: value}))
    again = RunSpec.from_json(json.loads(json.dumps(spec.to_json())))
    assert again == spec and again.identity == spec.identity
    usual = getattr(Limits(), name)
    assert (spec.identity == toy_spec("count").identity) == (value is None)
    assert spec.limits.restated == ((name,) if value is not None and (value or None) == usual else ())


def test_limits_below_zero_are_refused() -> None:
    with pytest.raises(ConfigError, match="limit turns must be 0 .no limit. or more, not -1"):
        spec_of({"suite": "toy", "planner": "noop", "limits": {"turns": -1}})


@pytest.mark.exhibit("duet", "rules")
@pytest.mark.parametrize("name", sorted(OLD))
def test_older_specifications_keep_their_identity(name: str) -> None:
    old = OLD[name]
    loaded = RunSpec.from_json(old["spec"])
    assert loaded.to_json() == old["spec"] and loaded.identity == old["identity"]
    command = {"suite": "duet", "tasks": "read-gate-code", "trials": 2, "limits": old["limits"]}
    now = spec_of({}, command)
    # Only what gives a default value, which meant nothing before, is another run now.
    assert (now.identity == old["identity"]) == (not now.limits.restated)
    assert cell_name(now) == cell_name(loaded)


def test_an_older_run_goes_on_with_the_default_spelled_out_where_that_changes_nothing(tmp_path: Path) -> None:
    spec = toy_spec("count", instances=2)
    first = run(replace(spec, instances=2), tmp_path / "run")
    written = json.loads((tmp_path / "run" / SPEC).read_text())
    assert written["spec"]["limits"] == {"turns": 30, "actions": 60, "tokens": None, "seconds": None}
    spelled = replace(spec, limits=RunLimits(turns=30, actions=60, tokens=0))
    again = run(spelled, tmp_path / "run")
    assert again.ran == 0 and again.spec == first.spec
    assert without_idle_limits(spelled, ToySuite(), ("count",)) == spec
    assert without_idle_limits(spelled, ToySuite(), ("count", "far")) == spelled
