"""Verification finds faults that were planted on purpose, and leaves sound pairs alone."""

from __future__ import annotations

import json

import pytest

from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.pool.verify.planted import FAULTS, SIDES, SoundPair, plant_faults, sound_pair
from omnipilot.bench.suites.pool.verify.verification import judge_pair

TEMPLATES = book("").templates
OTHERS = list(TEMPLATES.values())


@pytest.fixture(scope="module")
def pair() -> SoundPair:
    """A sound pair of a subtask in which all faults can be planted."""
    found = sound_pair(TEMPLATES["add-event"], OTHERS, 0)
    assert found is not None
    return found


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_found_and_its_side_is_blamed(pair: SoundPair, name: str) -> None:
    assert judge_pair(pair.evidence, pair.evidence.demonstration, pair.evaluator).blame == ""
    planted = FAULTS[name](pair)
    assert planted is not None
    evidence, moves, evaluator = planted
    if SIDES[name] == "trajectory":
        assert evaluator == pair.evaluator
        assert list(moves) != list(pair.evidence.demonstration)
    else:
        assert json.dumps(evaluator) != json.dumps(pair.evaluator)
        assert list(moves) == list(pair.evidence.demonstration)
    finding = judge_pair(evidence, moves, evaluator)
    assert finding.blame == SIDES[name], finding.failed


def test_a_pair_whose_evaluator_takes_wrong_for_right_is_not_sound() -> None:
    assert sound_pair(TEMPLATES["find-asker"], OTHERS, 0) is None


@pytest.mark.slow
def test_of_a_hundred_planted_faults_nearly_all_are_found_and_sound_pairs_are_kept() -> None:
    count = plant_faults(OTHERS, 100)
    assert count.sound == 100
    assert sum(count.planted.values()) == 100
    assert count.detection >= 0.95, count.missed
    assert count.rejection <= 0.02, count.rejected
    assert min(count.planted.values()) >= 10
