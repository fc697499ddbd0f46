from __future__ import annotations

import pytest

from omnipilot.bench.suites.workshop import Workshop
from omnipilot.bench.suites.workshop.proofs import flaws, instances_differ
from omnipilot.bench.suites.workshop.suite import all_templates
from omnipilot.bench.suites.workshop.world import WorkshopWorld
from omnipilot.envs import ConfigError
from omnipilot.memory import Move

TASKS = sorted(all_templates())


@pytest.fixture(scope="module")
def world() -> WorkshopWorld:
    made = WorkshopWorld()
    yield made
    made.close()


@pytest.mark.parametrize("task", TASKS)
def test_instances_differ_and_are_drawn_from_their_seed_alone(task: str) -> None:
    assert instances_differ(Workshop(), task) == []


@pytest.mark.parametrize("task", TASKS)
def test_a_task_says_what_it_is_about(task: str) -> None:
    template, draft = all_templates()[task], Workshop().draft(task, 0)
    envs = {move.env for step in draft.steps for move in step.moves if isinstance(move, Move)} - {""}
    assert envs <= set(template.devices)
    assert bool(draft.pages) == ("browser" in template.devices)
    assert {judge.env for judge in draft.judges} - {""} <= set(template.devices)
    assert {node.when for node in draft.graph.nodes} <= {"lasting", "end"}
    assert draft.instruction.endswith(".")


def test_an_unknown_task_is_refused_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="editor-add-line"):
        Workshop().instantiate("editor-add-lin", 0)


def test_tasks_of_the_same_devices_follow_each_other_so_that_devices_are_rarely_started() -> None:
    devices = [info.tags["devices"] for info in Workshop().tasks()]
    changes = sum(one != other for one, other in zip(devices, devices[1:], strict=False))
    assert changes + 1 == len(set(devices))


def test_enough_tasks_hang_on_sound_or_motion_and_cross_devices() -> None:
    templates = all_templates().values()
    assert sum(one.hangs_on != "screen" for one in templates) >= 12
    assert sum(len(one.devices) > 1 for one in templates) >= 12


@pytest.mark.desktop
@pytest.mark.parametrize("task", ["editor-add-line", "terminal-archive"])
def test_a_task_of_the_desktop_can_be_solved(world: WorkshopWorld, task: str) -> None:
    assert list(flaws(world, task, [1], ["the demonstration passes"])) == []


@pytest.mark.desktop
def test_a_task_that_is_heard_does_not_take_the_solution_of_its_twin(world: WorkshopWorld) -> None:
    assert list(flaws(world, "player-stop-at-tone", [0], ["the demonstration passes", "its media are needed"])) == []


@pytest.mark.desktop
@pytest.mark.web
@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_every_task_can_be_solved(world: WorkshopWorld, task: str) -> None:
    assert list(flaws(world, task, [0], ["the demonstration passes"])) == []


@pytest.mark.desktop
@pytest.mark.web
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "task", ["image-turn", "memo-to-note", "note-to-form", "player-stop-at-tone", "price-to-text", "two-halves-to-form"]
)
def test_tasks_of_every_kind_are_proved(world: WorkshopWorld, task: str) -> None:
    # `make prove-workshop` proves all tasks, which takes an hour.
    assert list(flaws(world, task, [0])) == []
