"""Flags and files fill the same records; unknown keys and names are errors with a cure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_settings import settings_of, spec_of

from omnipilot.agents import PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.run.config import check_speech, spec_from
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.spec import RunLimits, differences, essence
from omnipilot.envs import ConfigError, Modality
from omnipilot.envs.schema.read_toml import read_toml
from omnipilot.envs.types import ALL_MODALITIES

FILE = """
suite = "toy"
instances = 3
modalities = ["screenshot", "elements", "audio"]
grounder_modalities = "elements"

[planner]
name = "random"
turns = 5

[limits]
turns = 15
actions = 0
"""


def test_a_file_and_flags_give_the_same_run(tmp_path: Path) -> None:
    path = tmp_path / "run.toml"
    path.write_text(FILE)
    from_file = spec_of(read_toml(path))
    flags = {
        "suite": "toy",
        "instances": 3,
        "modalities": "audio,elements,screenshot",
        "grounder_modalities": "elements",
        "planner": "random",
        "limits": {"turns": 15, "actions": 0},
    }
    from_flags = spec_of({}, flags, ["planner.turns=5"])
    assert from_file == from_flags
    assert from_file.identity == from_flags.identity
    assert from_file.agent.planner == PartSpec("random", {"turns": 5})
    assert from_file.limits == RunLimits(turns=15, actions=0)
    assert from_file.agent.grounder_modalities == {Modality.ELEMENTS}


def test_flags_come_before_the_file() -> None:
    assert spec_of({"suite": "toy", "planner": "noop", "trials": 2}, {"trials": 5, "suite": None}).trials == 5


def test_all_modalities_are_granted_unless_some_are_named() -> None:
    assert spec_of({"suite": "toy", "planner": "noop"}).agent.modalities == ALL_MODALITIES
    assert spec_of({"suite": "toy", "planner": "noop", "modalities": "none"}).agent.modalities == frozenset()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"suite": "toy", "planner": "noop", "instnces": 3}, "did you mean instances"),
        ({"suite": "toy", "planner": "noop", "limits": {"turn": 3}}, "did you mean turns"),
        ({"suite": "toy", "planner": "noop", "instances": "3"}, "whole number"),
        ({"suite": "toy", "planner": "noop", "instances": 0}, "at least 1"),
        ({"suite": "toy", "planner": "noop", "modalities": "screnshot"}, "unknown modality screnshot"),
        ({"suite": "toy", "planner": "noop", "modalities": "audio", "planner_modalities": "video"}, "withholds"),
        ({"suite": "toy", "planner": "noop", "thinking": "fast"}, "frozen, fixed:SECONDS or measured"),
        ({"suite": "toy", "planner": 3}, "a name, or a table"),
        ({}, "no suite given"),
    ],
)
def test_what_cannot_be_is_an_error_with_its_cure(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        spec_of(settings)


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("planner", "lacks the option's name: write -o planner.KEY=VALUE"),
        ("planner.turns", "lacks its value: write -o planner.turns=VALUE"),
        ("turns=3", "takes PART.KEY=VALUE"),
        ("nobody.turns=3", "takes PART.KEY=VALUE"),
        ("memroy.turns=3", r"did you mean memory\.turns\?"),
    ],
)
def test_a_malformed_option_is_an_error(option: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        settings_of({}, {}, [option])


def test_a_missing_or_broken_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="none.toml"):
        read_toml(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("suite = ")
    with pytest.raises(ConfigError, match="bad.toml is not valid TOML: Invalid value"):
        read_toml(tmp_path / "bad.toml")


CHANGES: list[dict[str, Any]] = [
    {"planner": "oracle"},
    {"planner": {"name": "rules", "x": 1}},
    {"grounder": "other"},
    {"memory": "other"},
    {"agent": "other"},
    {"modalities": "screenshot"},
    {"planner_modalities": "elements"},
    {"grounder_modalities": "elements"},
    {"suite": "miniwob"},
    {"suite": {"name": "toy", "x": 1}},
    {"tasks": "a"},
    {"instances": 2},
    {"trials": 2},
    {"limits": {"turns": 4}},
    {"retries": 0},
    {"thinking": "fixed:2"},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_identity_changes_with_everything_that_can_change_the_numbers(change: dict[str, Any]) -> None:
    base = spec_of({"suite": "toy", "planner": "noop"})
    other = spec_of({"suite": "toy", "planner": "noop", **change})
    assert other.identity != base.identity
    assert len(differences(other.to_json(), base.to_json())) >= 1


def test_a_specification_survives_json() -> None:
    for change in CHANGES:
        spec = spec_of({"suite": "toy", "planner": "noop", **change})
        assert RunSpec.from_json(spec.to_json()) == spec
    plain = spec_of({"suite": "toy", "planner": "noop"}).to_json()
    later = {**plain, "beams": 3, "agent": {**plain["agent"], "mood": "calm"}, "limits": {**plain["limits"], "mail": 1}}
    assert RunSpec.from_json(later) == RunSpec.from_json(plain), "what a later version knows is skipped"
    for name in ("agent", "suite", "limits"):
        with pytest.raises(ConfigError, match="cannot be read"):
            RunSpec.from_json({**plain, name: 3})


def test_a_specification_of_another_format_is_refused_with_what_to_do() -> None:
    plain = spec_of({"suite": "toy", "planner": "noop"}).to_json()
    with pytest.raises(ConfigError, match="before 0.3.0, which was never released; run it again"):
        RunSpec.from_json({name: value for name, value in plain.items() if name != "format"})
    with pytest.raises(ConfigError, match="has the format 2, and this version reads 1"):
        RunSpec.from_json({**plain, "format": 2})


def test_a_setting_that_is_not_set_is_no_part_of_the_identity() -> None:
    spec = spec_of({"suite": "toy", "planner": "noop"})
    plain = spec.to_json()
    for unset in (None, False, ""):
        later = {**plain, "beams": unset, "agent": {**plain["agent"], "mood": unset}}
        assert essence(later) == essence(plain)
    assert essence({**plain, "beams": 0}) != essence(plain)


def test_where_and_how_a_run_is_carried_out_is_not_part_of_it() -> None:
    assert (
        spec_of({"suite": "toy", "planner": "noop", "jobs": 4, "out": "x"}).identity
        == spec_of({"suite": "toy", "planner": "noop"}).identity
    )


def test_a_speech_synthesis_without_a_spoken_instruction_is_refused() -> None:
    with pytest.raises(ConfigError, match="--speech requires a spoken instruction"):
        check_speech(spec_from(RunSettings(suite="toy", planner="noop", speech="recordings")))
    check_speech(spec_from(RunSettings(suite="toy", planner="noop", speech="recordings", instruction="both")))
