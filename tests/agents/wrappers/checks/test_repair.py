"""The agent that makes a move without effect once more: only where it is safe, in the open, and once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from scripted import ScriptedEnv, ScriptedPlanner, agent, brief, decide, element, play, view
from still_screen import MISS, ON_SCREEN, SAVE, TO, Kept, world_of

from omnipilot.agents import episode
from omnipilot.agents.wrappers.checks import RepairAgent
from omnipilot.agents.wrappers.checks.repair import again
from omnipilot.agents.wrappers.checks.verify import ExpectationCase
from omnipilot.envs import Action, Click, Done, LongPress, OpenApp, OpenUrl, Press, TypeText
from omnipilot.memory import Expectation, Role, WindowMemory
from omnipilot.planners import Decision

MORE = element("More", "button", 2, "save")


def repaired(
    on_act: Callable[[ScriptedEnv, Action], None], *script: Decision
) -> tuple[ScriptedPlanner, RepairAgent, ScriptedEnv, list]:
    world = world_of(on_act)
    planner = ScriptedPlanner(*script, decide(Done()))
    one = RepairAgent(agent(planner), WindowMemory(), Role("checks", ON_SCREEN))
    steps, _ = play(episode(world, one, brief(world)))
    return planner, one, world.envs["pc"], steps


def nothing(env: ScriptedEnv, action: Action) -> None:
    """Whatever is done has no effect."""


def second(env: ScriptedEnv, action: Action) -> None:
    """Only the second action has an effect."""
    if len(env.acted) == 2:
        env.items = (TO,)


def test_a_click_without_effect_is_made_once_more_and_the_planner_is_told_afterwards() -> None:
    planner, one, env, steps = repaired(second, MISS)
    assert env.acted == [Click(SAVE.box.center)] * 2
    assert one.repairs == 1
    # The planner was asked twice in three turns; the repair is a step that counts.
    assert [request.turn for request in planner.requests] == [0, 2]
    assert [step.counts for step in steps] == [True, True, False]
    (note,) = [part.part for part in planner.requests[1].recalled if part.source == "check"]
    assert note.endswith("It was made once more for you.")
    assert [told.move for told in planner.requests[1].feedback] == list(MISS.moves)


def test_a_repair_is_an_event() -> None:
    kept = Kept()
    world = world_of(second)
    one = RepairAgent(agent(ScriptedPlanner(MISS, decide(Done()))), WindowMemory(), Role("checks", ON_SCREEN))
    play(episode(world, one, brief(world), recorder=kept))
    found = [(event.to_json()["detail"]["status"], event.turn) for event in kept.events if event.kind == "check"]
    assert found[:2] == [("violated", 1), ("repaired", 1)] and [status for status, _ in found].count("repaired") == 1


def test_what_still_has_no_effect_is_not_made_a_third_time() -> None:
    planner, one, env, _ = repaired(nothing, MISS)
    assert len(env.acted) == 2
    assert one.repairs == 1
    (note,) = [part.part for part in planner.requests[1].recalled if part.source == "check"]
    assert note.endswith("still has not.")


def test_a_text_that_lost_a_character_is_typed_again_in_its_place() -> None:
    def loses(env: ScriptedEnv, action: Action) -> None:
        assert isinstance(action, TypeText)
        value = "An" if len(env.acted) == 1 else action.text
        env.items = (SAVE, replace(TO, value=value))

    _, _, env, _ = repaired(loses, decide(("pc", TypeText("Ann", TO.box.center))))
    assert env.acted[1] == TypeText("Ann", TO.box.center, clear=True)


@pytest.mark.parametrize(
    ("action", "items"),
    [
        (Click(SAVE.box.center), (replace(SAVE, name="Send"),)),
        (Click(SAVE.box.center), (replace(SAVE, name="Pay now"),)),
        (Click(SAVE.box.center), (replace(SAVE, name="Play"),)),
        (Click(SAVE.box.center), (replace(SAVE, states=frozenset({"disabled"})),)),
        (Click(SAVE.box.center), ()),
        (TypeText("Ann", TO.box.center, submit=True), (TO,)),
        (TypeText("Ann", TO.box.center), (replace(TO, value="Bo"),)),
        (TypeText("secret", TO.box.center), (replace(TO, value="•••"),)),
        (TypeText("Ann"), ()),
    ],
)
def test_what_could_do_harm_or_has_lost_its_place_is_not_repeated(action: Action, items: tuple) -> None:
    element = next(iter(items), None)
    case = ExpectationCase(Expectation("changed", env="pc"), 0, view("pc", items), element or SAVE, action)
    assert again(case, {"pc": view("pc", items)}) is None
    assert again(case, {}) is None


@pytest.mark.parametrize("action", [OpenApp("Mail"), OpenUrl("a.org"), Press(("ctrl", "s"))])
def test_moves_without_a_place_are_made_again_as_they_were(action: Action) -> None:
    assert (
        again(ExpectationCase(Expectation("changed", env="pc"), 0, None, None, action), {"pc": view("pc", ())})
        == action
    )


def test_a_control_that_has_moved_is_pressed_where_it_is_now() -> None:
    moved = replace(SAVE, box=MORE.box)
    for press in (Click(SAVE.box.center), LongPress(SAVE.box.center)):
        case = ExpectationCase(Expectation("changed", env="pc"), 0, view("pc", (SAVE,)), SAVE, press)
        assert again(case, {"pc": view("pc", (moved,))}) == replace(press, at=moved.box.center)
