"""Variations of a suite: how they are written, refused, part of a run's identity, and compared."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from made_settings import settings_of, spec_of

from omnipilot.agents import PartSpec
from omnipilot.bench.cli.commands.catalogue import catalogue, variations_of
from omnipilot.bench.experiments.sweep import SweepRequest, specs_of, sweep_of
from omnipilot.bench.registry import load_suite
from omnipilot.bench.run.labels import AXES, label_of, name_words
from omnipilot.bench.tasks.task import Task
from omnipilot.bench.tasks.variation import check_variations, variation_names
from omnipilot.bench.toy import ToySuite
from omnipilot.envs import ConfigError, Thinking

HERE = f"{__name__}:Loud"


class Loud(ToySuite):
    """A stranger's suite, whose instruction can be shouted."""

    variations = MappingProxyType({"loud": "the instruction in capitals", "slow": "a full stop after each word"})
    said: tuple[str, ...] = ()

    def vary(self, names: Sequence[str]) -> Loud:
        varied = copy(self)
        varied.said = tuple(names)
        return varied

    def instantiate(self, task_id: str, instance: int) -> Task:
        task = super().instantiate(task_id, instance)

        def setup(world: object) -> str:
            words = task.setup(world)
            return words.upper() if "loud" in self.said else words

        return replace(task, setup=setup)


@pytest.mark.parametrize(
    ("written", "names"),
    [("", ()), ("none", ()), ("dark", ("dark",)), ("zoom+dark", ("dark", "zoom")), ("dark+dark", ("dark",))],
)
def test_names_are_sorted_and_each_stands_once(written: str, names: tuple[str, ...]) -> None:
    assert variation_names(written) == names


@pytest.mark.parametrize("written", ["dark+", "+", "none+dark"])
def test_what_is_not_written_as_names_is_refused(written: str) -> None:
    with pytest.raises(ConfigError, match=r"joined by \+"):
        variation_names(written)


def test_what_a_suite_does_not_have_is_refused_with_what_it_has() -> None:
    check_variations("loud", ("slow",), Loud.variations)
    with pytest.raises(ConfigError, match=r"variation 'lout'.*loud"):
        load_suite(PartSpec(HERE, {"vary": "lout"}))
    with pytest.raises(ConfigError, match="suite 'toy' has no variations; leave out --vary"):
        load_suite(PartSpec("toy", {"vary": "loud"}))


def test_a_suite_that_lists_variations_without_the_method_says_so() -> None:
    with pytest.raises(ConfigError, match="cannot vary its tasks by loud"):
        ToySuite().vary(("loud",))


def test_a_suite_of_anybody_is_varied_by_its_own_method() -> None:
    suite = load_suite(PartSpec(HERE, {"vary": "loud"}))
    task = suite.instantiate("save-code", 0)
    plain = load_suite(PartSpec(HERE)).instantiate("save-code", 0)
    world = suite.world(Thinking())
    assert task.setup(world) == plain.setup(world).upper()


def test_variations_are_part_of_a_run_and_none_is_the_run_without() -> None:
    plain = spec_of({}, {"suite": HERE, "planner": "noop"})
    assert spec_of({}, {"suite": HERE, "planner": "noop", "vary": "none"}).identity == plain.identity
    both = spec_of({}, {"suite": HERE, "planner": "noop", "vary": "slow+loud"})
    assert both.vary == "loud+slow"
    assert (
        both.identity == spec_of({}, {"suite": HERE, "planner": "noop", "vary": "loud+slow"}).identity != plain.identity
    )
    assert both == spec_of({}, {"suite": HERE, "planner": "noop"}, ["suite.vary=slow+loud"])
    assert both.from_json(both.to_json()) == both


def test_it_is_an_axis_with_words_of_its_own(tmp_path: Path) -> None:
    settings = settings_of({}, {"suite": HERE, "planner": "noop"})
    specs = specs_of(SweepRequest(settings, {"vary": ["none", "loud", "slow+loud"]}))
    sweep = sweep_of(specs, tmp_path)
    assert sweep.axes == ("vary",)
    assert [cell.label for cell in sweep.cells] == ["none", "loud", "loud+slow"]
    assert label_of(specs[1], ("planner", "vary")) == "noop · loud"
    assert "loud" in name_words(specs[1])
    assert AXES["vary"](specs[0]) == "none"


def test_a_suite_without_variations_shows_none() -> None:
    assert variations_of("toy") == {}
    assert not [line for line in catalogue("toy") if "--vary" in line]


@pytest.mark.exhibit("duet")
def test_the_list_of_suites_shows_what_each_changes() -> None:
    lines = "\n".join(catalogue("duet"))
    assert "--vary dark: the dark theme" in lines
    assert "--vary reworded:" in lines
