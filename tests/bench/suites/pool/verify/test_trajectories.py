"""Demonstrations in OmniBench's form do the same as the moves that they were made from."""

from __future__ import annotations

from pathlib import Path

import pytest

from omnipilot.bench.suites.duet.kit.play import play
from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.pool.verify.instances import SubtaskInstance, draw_instance
from omnipilot.bench.suites.pool.verify.open_by_clicks import small_steps
from omnipilot.bench.suites.pool.verify.outcomes import StateOutcome, outcome_of
from omnipilot.bench.suites.pool.verify.trajectories import demonstrate, escape_keys, function_of, moves_of
from omnipilot.envs import OpenApp, Press, Ref, Scroll, TypeText
from omnipilot.memory import MediaStore, Move

TEMPLATES = book("").templates


def outcome(instance: SubtaskInstance, moves: list[Move]) -> StateOutcome:
    """What playing the moves does."""
    world = instance.world()
    for move in moves:
        play(world, move)
    return outcome_of(instance.state, world.state())


@pytest.mark.parametrize("name", ["set-alarm", "archive-mail", "order-product", "read-gate-code", "put-number"])
def test_a_written_demonstration_does_what_the_moves_did_and_opens_apps_by_clicks(name: str) -> None:
    instance = draw_instance(TEMPLATES[name], 0)
    written = demonstrate(instance)
    assert "open_app" not in {action.function for action in written.actions}
    assert len(written.observations) == len(written.actions) + 1
    moves = moves_of(written)
    assert outcome(instance, moves).equals(outcome(instance, list(instance.demonstration())))
    assert not outcome(instance, moves[:-1]).equals(outcome(instance, moves))


def test_each_step_has_a_picture_a_place_and_words_that_name_its_control(tmp_path: Path) -> None:
    media = MediaStore(tmp_path)
    written = demonstrate(draw_instance(TEMPLATES["set-alarm"], 0), media)
    assert all((tmp_path / name).exists() for name in written.observations)
    for action in written.actions:
        assert action.rect is not None
        if action.function == "click_input":
            assert action.control_text
            assert f'"{action.control_text}"' in action.thought
    assert written.actions[0].description == "The phone shows its home screen."
    assert written.actions[-1].control_text == "Save"
    assert written.actions[-2].args == {"keys": "Dentist"}
    assert '"Dentist"' in written.actions[-2].thought


def test_a_page_that_loads_while_a_move_is_carried_out_is_waited_for() -> None:
    world = draw_instance(TEMPLATES["order-product"], 0).world()
    play(world, Move("desktop", OpenApp("Browser")))
    steps = []
    for step in small_steps(world, Move("desktop", TypeText("help.example", Ref("browser/address"), True, True))):
        steps.append(step.intent.kind)
        play(world, step)
    assert steps == ["click", "type", "wait"]
    assert world.envs["desktop"].ui_tree().by_id("browser/help/write") is not None


def test_keys_and_wheels_are_written_as_omnibench_writes_them() -> None:
    assert escape_keys("a+b {c}") == "a{+}b {{}c{}}"
    assert function_of(Move("desktop", Press(("ctrl", "s")))) == ("keyboard_input", {"keys": "^s"})
    typed = TypeText("5%", None, clear=True, submit=True)
    assert function_of(Move("phone", typed)) == ("keyboard_input", {"keys": "^a{DELETE}5{%}{ENTER}"})
    assert function_of(Move("desktop", Scroll("down", amount=3))) == ("wheel_mouse_input", {"wheel_dist": -3})
