"""The planner `rules` in scripted worlds: it acts on what it is shown and knows when it has no idea."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scripted import ScriptedWorld, agent, brief, element, play

import omnipilot.planners.rules.planner as module
from omnipilot.agents import episode
from omnipilot.agents.loop import Limits
from omnipilot.envs import Click, Modality, OpenApp, Press, Scroll, TypeText
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.envs.types.actions import Ref
from omnipilot.grounders import ElementsGrounder
from omnipilot.planners.rules import RulesPlanner


def run(world, instruction, limits=None, **sees):
    one = agent(RulesPlanner(), ElementsGrounder(), **sees)
    return play(episode(world, one, brief(world, instruction), limits=limits or Limits()))


def clicked(world, env="pc"):
    """Names of what was clicked; rows of the scripted screen tell them apart."""
    env = world.envs[env]
    return [next(e.name for e in env.items if e.box.contains(a.at)) for a in env.acted if isinstance(a, Click)]


def test_clauses_are_carried_out_in_order_and_then_it_is_done():
    items = (element("Name", "textbox", 1), element("Save", row=3), element("Close", row=5))
    world = ScriptedWorld(items=items)
    _, ending = run(world, 'Type "Ann" into the Name field, click Save, then click the "Close" button.')
    assert [action.kind for action in world.envs["pc"].acted] == ["type", "click", "click"]
    assert world.envs["pc"].acted[0] == TypeText("Ann", items[0].box.center)
    assert clicked(world) == ["Save", "Close"]
    assert (ending.reason, ending.status) == ("done", "success")


@pytest.mark.parametrize("instruction", ["Contemplate the void.", "", "What is the meaning of it all?"])
def test_without_an_idea_it_ends_infeasible_and_does_nothing(instruction):
    world = ScriptedWorld(items=(element("Save"),))
    steps, ending = run(world, instruction)
    assert ending.status == "infeasible" and len(steps) == 1
    assert world.envs["pc"].acted == []


def test_what_is_nowhere_ends_infeasible_after_a_few_looks():
    world = ScriptedWorld(items=(element("Save"), element("More", row=2), element("Info", "tab", row=4)))
    steps, ending = run(world, 'Click the "Delete" button.')
    assert ending.status == "infeasible" and "Delete" in ending.detail
    assert clicked(world) == ["Info", "More"]
    assert len(steps) < 12


def test_a_tab_that_hides_the_wanted_thing_is_opened():
    def switch(env, _):
        env.items = (*tabs, element("Deep", "link", 5))

    tabs = (element("One", "tab", 1, states=frozenset({"selected"})), element("Two", "tab", 2))
    world = ScriptedWorld(items=tabs, on_act=switch)
    _, ending = run(world, 'Click on the link "Deep".')
    assert clicked(world) == ["Two", "Deep"] and ending.status == "success"


def test_what_later_clauses_ask_for_is_not_touched_while_looking():
    world = ScriptedWorld(items=(element("Submit", row=1), element("Details", "tab", 2)))
    run(world, "Select Blue and click Submit.")
    assert "Submit" not in clicked(world)


def test_it_scrolls_to_what_is_out_of_view():
    hidden = element("Far", row=9, states=frozenset({"offscreen"}))

    def scroll(env, action):
        if isinstance(action, Scroll):
            env.items = (element("Far", row=9),)

    world = ScriptedWorld(items=(hidden,), on_act=scroll)
    _, ending = run(world, "Click Far.")
    assert [action.kind for action in world.envs["pc"].acted] == ["scroll", "click"] and ending.status == "success"


def test_a_failing_move_is_tried_in_other_ways_and_not_for_ever():
    world = ScriptedWorld(items=(element("Save", id="s"),), rejects=lambda _: "locked")
    steps, ending = run(world, "Click Save.")
    places = [step.proposed.intent.at for step in steps if step.proposed.intent.kind == "click"]
    assert places[:3] == ['the "Save" button', Ref("s"), world.envs["pc"].items[0].box.center]
    assert len(places) <= 4 and ending.status in ("failure", "infeasible", None)


def test_the_named_environment_is_used():
    world = ScriptedWorld(("phone", "pc"), items=(element("Save"),))
    world.envs["phone"].platform = "phone"
    run(world, "On the desktop, click Save. Then on the phone, click Save.")
    assert [len(env.acted) for env in world.envs.values()] == [1, 1]


def test_text_read_in_one_environment_is_typed_in_another():
    world = ScriptedWorld(("phone", "pc"))
    phone, pc = world.envs["phone"], world.envs["pc"]
    phone.platform = "phone"
    phone.items = (element("Note from Ann", "listitem", 1),)
    phone.on_act = lambda env, _: setattr(env, "items", (*env.items, element("The gate code is 5512.", "text", 3)))
    pc.items = (element("Code", "textbox", 2),)
    run(world, 'On the phone, read the "Note from Ann", then on the desktop, type the gate code into the Code field.')
    assert [action.text for action in pc.acted] == ["5512"]


def test_it_waits_for_a_sound_before_it_acts():
    world = ScriptedWorld(items=(element("Stop"),), rings=((6.0, 30.0),))
    steps, ending = run(world, "When the alarm rings, press Stop.")
    assert clicked(world) == ["Stop"] and ending.status == "success"
    assert next(step.start for step in steps if step.executed.kind == "click") >= 6.0


def test_a_sound_that_never_comes_is_given_up():
    world = ScriptedWorld(items=(element("Stop"),))
    _, ending = run(world, "When the alarm rings, press Stop.")
    assert ending.status == "infeasible" and clicked(world) == []


def test_without_ears_it_does_not_pretend_to_have_heard():
    world = ScriptedWorld(items=(element("Stop"),), rings=((0.0, 30.0),))
    steps, ending = run(world, "When the alarm rings, press Stop.", planner_sees=ALL_MODALITIES - {Modality.AUDIO})
    assert ending.status == "infeasible" and len(steps) == 1
    assert "sense" in ending.detail


def test_it_waits_for_a_movement_to_end():
    world = ScriptedWorld(items=(element("Go"),), moves=((0.0, 5.0),))
    steps, _ = run(world, "Wait until the wheel stops moving, then click Go.")
    assert clicked(world) == ["Go"]
    assert next(step.start for step in steps if step.executed.kind == "click") >= 5.0


def test_it_waits_for_something_to_appear():
    world = ScriptedWorld()
    world.wait = lambda seconds: (
        setattr(world.clock, "now", world.clock.now + seconds),
        setattr(world.envs["pc"], "items", (element("Ready", row=2),) if world.now > 3 else ()),
    )
    run(world, 'Wait until "Ready" appears, then click Ready.')
    assert clicked(world) == ["Ready"]


def test_without_elements_it_describes_places_to_the_grounder():
    world = ScriptedWorld(items=(element("Save", row=3),))
    _, ending = run(world, "Click the Save button.", planner_sees=frozenset({Modality.CONTEXT}))
    assert clicked(world) == ["Save"] and ending.status == "success"


def test_keys_and_applications():
    world = ScriptedWorld(verbs=frozenset({"press", "open_app", "click"}))
    run(world, "Open Notes and press ctrl+s.")
    assert world.envs["pc"].acted == [OpenApp("Notes"), Press(("ctrl", "s"))]


def test_steppers_are_turned_until_they_show_the_time():
    def turn(env, action):
        name = next(e.name for e in env.items if e.box.contains(action.at))
        step = 1 if name.endswith("up") else -1
        shown["hour" if name.startswith("Hour") else "minute"] += step if name[0] in "HM" else 0
        env.items = screen()

    def screen():
        rows = (("Hour up", "button"), (f"{shown['hour']:02d}", "spinbutton"), ("Hour down", "button"))
        rows += (("Minute up", "button"), (f"{shown['minute']:02d}", "spinbutton"), ("Minute down", "button"))
        return tuple(element(name, role, row) for row, (name, role) in enumerate((*rows, ("Add alarm", "button"))))

    shown = {"hour": 7, "minute": 2}
    world = ScriptedWorld(items=screen(), on_act=turn)
    _, ending = run(world, "Add an alarm for 09:00.")
    assert shown == {"hour": 9, "minute": 0} and ending.status == "success"


def test_an_episode_leaves_nothing_to_the_next():
    planner = RulesPlanner()
    one = agent(planner, ElementsGrounder())
    for name in ("Save", "Close"):
        world = ScriptedWorld(items=(element("Save", row=1), element("Close", row=3)))
        play(episode(world, one, brief(world, f"Click {name}.")))
        assert clicked(world) == [name]


def test_its_code_names_no_task_and_no_page():
    """Nothing that tells one benchmark, page or application from another may stand in the rules."""
    code = "".join(file.read_text() for file in Path(module.__file__).parent.rglob("*.py")).casefold()
    names = "miniwob duet query flight inbox-email whatsapp gmail firefox".split()
    assert [name for name in names if re.search(rf"\b{name}\b", code)] == []
    assert not re.search(r"\b(?:click|enter|focus|use|choose|email)-[a-z]+(?:-[a-z]+)*\b", code)
