"""Marks on their way: from the grounder into the planner's request and back as a number; and who may see them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from scripted import ScriptedPlanner, ScriptedWorld, agent, brief, decide, element, play

from omnipilot.agents import AgentSpec, PartSpec, SingleAgent, build, episode
from omnipilot.agents.assembly.examine import examine
from omnipilot.agents.assembly.spec import modalities
from omnipilot.envs import Click, Done, Image, Modality, OpenApp
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.types.actions import Ref
from omnipilot.grounders import CascadeGrounder, ElementsGrounder, MarksGrounder
from omnipilot.memory import Role, WindowMemory

SCREENSHOT, ELEMENTS, CONTEXT = (
    frozenset({modality}) for modality in (Modality.SCREENSHOT, Modality.ELEMENTS, Modality.CONTEXT)
)
BUTTONS = (element("Save", row=1, id="s"), element("Cancel", row=3, id="c"))


def shown(request, env=None):
    """What the grounder showed with a request: pictures, and the list."""
    parts = [one for one in request.recalled if one.source == "marks" and env in (None, one.env)]
    pictures = [one.part for one in parts if isinstance(one.part, Image)]
    return pictures, "\n".join(one.part for one in parts if isinstance(one.part, str))


def number(request, env, label):
    """The number of the mark that the list calls so."""
    (found,) = re.findall(rf"^\[(\d+)\] {re.escape(label)}", shown(request, env)[1], re.MULTILINE)
    return Ref(found)


def clicking(env, label):
    return lambda request: decide((env, Click(number(request, env, label))))


def run(world, planner, grounder, **sees):
    return play(episode(world, agent(planner, grounder, **sees), brief(world)))


@pytest.mark.parametrize("planner_sees", [SCREENSHOT | ELEMENTS, ELEMENTS])
def test_an_episode_in_the_embedded_world_is_played_by_numbers(planner_sees):
    world = SimWorld()
    world.reset(0)
    planner = ScriptedPlanner(
        clicking("phone", 'button "Contacts"'),
        clicking("phone", 'listitem "Ana Silva"'),
        clicking("desktop", 'button "Mail"'),
        decide(Done()),
    )
    steps, ending = run(world, planner, MarksGrounder("elements"), planner_sees=planner_sees | CONTEXT)
    assert [step.outcome.result for step in steps] == ["done"] * 3 + ["control"] and ending.reason == "done"
    last = planner.requests[-1].observations
    assert (last["phone"].context.app, last["desktop"].context.app) == ("Contacts", "Mail")
    assert 'heading "Ana Silva"' in shown(planner.requests[2], "phone")[1]
    assert all(bool(shown(request)[0]) == (Modality.SCREENSHOT in planner_sees) for request in planner.requests)
    assert [step.pointed[0].target for step in steps[:3]] == [f"#{step.proposed.intent.at.id}" for step in steps[:3]]


@pytest.mark.slow
@pytest.mark.needs("omnipilot[ocr]")
def test_without_elements_the_same_is_done_by_what_is_seen():
    world = SimWorld()
    world.reset(0)
    planner = ScriptedPlanner(
        decide(("phone", OpenApp("Contacts"))), clicking("phone", 'text "Ana Silva"'), decide(Done())
    )
    sees = {"planner_sees": SCREENSHOT, "grounder_sees": SCREENSHOT | ELEMENTS}
    steps, _ = run(world, planner, MarksGrounder("elements,ocr,detector"), **sees)
    assert [step.outcome.result for step in steps] == ["done", "done", "control"]
    assert 'text "Ana Silva"' in shown(planner.requests[2], "phone")[1]
    assert "listitem" not in shown(planner.requests[1], "phone")[1]


def test_marks_stand_at_the_end_of_what_is_recalled_with_where_they_come_from():
    world = ScriptedWorld(("phone", "pc"), items=BUTTONS)
    planner = ScriptedPlanner(decide(("pc", Click(Ref("1")))), decide(Done()))
    run(world, planner, MarksGrounder("elements"))
    recalled = planner.requests[1].recalled
    assert [(one.source, one.env, one.time, one.turn) for one in recalled[-4:]] == [
        ("marks", env, 1.0, 1) for env in ("phone", "phone", "pc", "pc")
    ]
    assert recalled[-1].part == '[1] button "Save"\n[2] button "Cancel"'
    assert "marks" not in [one.source for one in recalled[:-4]] and len(recalled) > 4


@pytest.mark.parametrize(
    ("planner_sees", "grounder_sees", "picture", "listed"),
    [
        (SCREENSHOT | ELEMENTS, SCREENSHOT | ELEMENTS, True, True),
        (ELEMENTS, SCREENSHOT | ELEMENTS, False, True),
        (SCREENSHOT | ELEMENTS, ELEMENTS, False, True),
        (SCREENSHOT, SCREENSHOT | ELEMENTS, False, False),
        (CONTEXT, SCREENSHOT | ELEMENTS, False, False),
        (SCREENSHOT | ELEMENTS, CONTEXT, False, False),
    ],
)
def test_an_annotation_holds_only_what_both_roles_may_see(planner_sees, grounder_sees, picture, listed):
    planner = ScriptedPlanner(decide(Done()))
    world = ScriptedWorld(items=BUTTONS)
    run(world, planner, MarksGrounder("elements"), planner_sees=planner_sees, grounder_sees=grounder_sees)
    pictures, text = shown(planner.requests[0])
    assert (bool(pictures), bool(text)) == (picture, listed)


def test_an_environment_that_a_role_is_not_granted_is_not_marked():
    planner, world = ScriptedPlanner(decide(Done())), ScriptedWorld(("phone", "pc", "tv"), items=BUTTONS)
    roles = Role("planner", envs=frozenset({"phone", "pc"})), Role("grounder", envs=frozenset({"pc", "tv"}))
    one = SingleAgent(planner, MarksGrounder("elements"), WindowMemory(), *roles)
    play(episode(world, one, brief(world)))
    assert {part.env for part in planner.requests[0].recalled} == {"pc"}


def test_a_number_means_the_same_although_the_grounder_sees_more_than_was_shown():
    """Numbers are those of the planner's list, not those of all that the grounder could mark."""
    world = ScriptedWorld(items=(element("Top", row=0, id="t"), *BUTTONS))

    class OneIcon:
        def find(self, image, texts=()):
            return [replace(element("", "icon", row=6), source="detector")]

    grounder = MarksGrounder("elements,detector", detectors=[OneIcon()])
    planner = ScriptedPlanner(decide(Click(Ref("1"))), decide(Done()))
    run(world, planner, grounder, planner_sees=SCREENSHOT)
    assert shown(planner.requests[0])[1] == "[1] icon"
    assert world.envs["pc"].acted[0].at.y == pytest.approx(0.64)


def test_a_later_move_of_the_turn_clicks_what_was_meant_on_the_changed_screen():
    def grow(env, action):
        env.items = (element("New", row=0, id="n"), element("Save", row=5, id="s"))

    world = ScriptedWorld(items=BUTTONS, on_act=grow)
    planner = ScriptedPlanner(decide(Click(Ref("1")), Click(Ref("1")), Click(Ref("2"))), decide(Done()))
    steps, _ = run(world, planner, MarksGrounder("elements"))
    assert [round(action.at.y, 2) for action in world.envs["pc"].acted] == [0.14, 0.54]
    assert steps[2].outcome.result == "not_found"
    assert '[2] button "Cancel" is no longer there' in steps[2].outcome.message


def test_a_cascade_shows_the_marks_of_the_one_that_numbers():
    world = ScriptedWorld(items=BUTTONS)
    planner = ScriptedPlanner(decide(Click(Ref("2")), Click("Save")), decide(Done()))
    run(world, planner, CascadeGrounder([ElementsGrounder(), MarksGrounder("elements")]))
    assert [round(action.at.y, 2) for action in world.envs["pc"].acted] == [0.34, 0.14]


def marking(**more):
    return AgentSpec(planner=PartSpec("noop"), grounder=PartSpec("marks", {"sources": "elements"}), **more)


def test_a_planner_that_is_shown_no_marks_is_warned_of():
    (warning,) = examine(marking(planner_modalities=modalities("audio"))).warnings()
    assert "the planner is shown no marks" in warning
    spec = replace(marking(), planner=PartSpec("rules"), modalities=modalities("all"))
    assert examine(spec).warnings() == []


def test_marks_are_built_by_name():
    grounder = build(marking()).grounder
    assert isinstance(grounder, MarksGrounder) and grounder.sources == ("elements",)
