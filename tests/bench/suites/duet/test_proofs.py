"""The tasks of `duet` measure what they say, and the proofs of it can fail.

Every proof of every task at one instance is marked slow, but for a few tasks; `make prove` takes five instances.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import pytest

from omnipilot.bench.suites.duet import Duet
from omnipilot.bench.suites.duet.proofs.proofs import (
    PROOFS,
    demonstration_passes,
    doing_nothing_fails,
    every_step_is_needed,
    level_holds,
    other_ways_pass,
)
from omnipilot.bench.suites.duet.proofs.unasked import asking_is_needed

SUITE = Duet("all")
IDS = [info.id for info in SUITE.tasks()]
CRITICAL = [id for id in IDS if SUITE.about(id).level == "AV-critical"]
FLAWED = Duet(add="duet_flawed")


def instance_of(task_id: str) -> int:
    """The instance that the sample looks at: another one for each task, the same in every run."""
    return hashlib.sha256(task_id.encode()).digest()[0] % 5


def mostly_slow(ids: Sequence[str], step: int) -> list[Any]:
    """All of them as parameters; only every `step`-th is not marked slow."""
    return [pytest.param(name, marks=[pytest.mark.slow] if place % step else []) for place, name in enumerate(ids)]


@pytest.mark.parametrize("task_id", mostly_slow(CRITICAL, 12))
def test_an_av_critical_task_has_a_twin_on_the_same_screens_with_other_right_moves(task_id: str) -> None:
    assert level_holds(SUITE, task_id, instance_of(task_id)) == []


@pytest.mark.parametrize("task_id", mostly_slow(IDS, 6))
def test_the_demonstration_of_every_task_passes(task_id: str) -> None:
    assert demonstration_passes(SUITE, task_id, instance_of(task_id)) == []


@pytest.mark.parametrize("task_id", mostly_slow(IDS, 40))
@pytest.mark.parametrize("proof", PROOFS)
def test_every_proof_holds_of_every_task(task_id: str, proof: str) -> None:
    assert PROOFS[proof](SUITE, task_id, instance_of(task_id)) == []


@pytest.mark.parametrize(
    ("task_id", "proof", "message"),
    [
        ("given", demonstration_passes, "holds at the start: ['given']"),
        ("waited", doing_nothing_fails, "reached by waiting: late"),
        ("lazy", every_step_is_needed, "unneeded: move 3"),
        ("blocked", other_ways_pass, "other way of blocked: not reached: opened"),
        ("idle-fact", level_holds, "the twins' right moves are the same"),
        ("shown-fact", level_holds, "the twins' screenshot on the phone differ before move 2"),
        ("told-fact", level_holds, "the twins' instructions differ"),
        ("silent-fact", level_holds, "before the decision nothing that differs was heard or seen"),
        ("hears", level_holds, "silence: not reached: dialled"),
        ("says-it", asking_is_needed, "the instruction tells what only the user knows"),
        ("shows-it", asking_is_needed, "the world tells what only the user knows"),
        ("never-asks", asking_is_needed, "the demonstration does not ask first"),
        ("says-the-same", asking_is_needed, "the user says the same to several twins"),
        ("any-plan", asking_is_needed, "the moves of twin 0 solve twin 1 too"),
    ],
)
def test_a_flaw_is_found(task_id: str, proof: object, message: str) -> None:
    assert callable(proof)
    found = proof(FLAWED, task_id, 0)
    assert any(line.startswith(message) for line in found), found


@pytest.mark.parametrize("task_id", ["lazy", "blocked", "hears"])
def test_what_is_not_flawed_is_not_found_fault_with(task_id: str) -> None:
    assert demonstration_passes(FLAWED, task_id, 0) == doing_nothing_fails(FLAWED, task_id, 0) == []


def test_a_sub_task_can_be_proved_before_a_recipe_uses_it() -> None:
    alone = Duet(add="omnipilot.bench.suites.duet.single_subtasks")
    ids = {info.id for info in alone.tasks()}
    assert "only-send-text" in ids and "only-listen" in ids
    assert every_step_is_needed(alone, "only-send-text", 0) == []
