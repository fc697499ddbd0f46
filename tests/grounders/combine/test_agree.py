"""The grounder `agree`: unsure where two point at different places, which asks the planner and the skills."""

from __future__ import annotations

import pytest
from scripted import ScriptedPlanner, ScriptedWorld, agent, brief, decide, element, play
from scripted_grounders import SEEN, Says, here, no

from omnipilot.agents import episode
from omnipilot.envs import Box, Click, ConfigError, Done, Ref
from omnipilot.grounders import AgreeGrounder, ElementsGrounder, Grounding

ADD = Box(0.1, 0.2, 0.4, 0.4)


def test_two_that_point_at_one_place_are_sure_and_a_third_is_not_asked():
    third = Says(here(0.9, 0.9))
    found = AgreeGrounder([Says(here(0.5, 0.5)), Says(here(0.51, 0.5)), third]).ground(SEEN, "x")
    assert isinstance(found, Grounding) and (found.point.x, found.confidence, found.usage.calls) == (0.5, 1.0, 2)
    assert third.asked == []


def test_a_point_in_the_box_of_the_other_is_the_same_place_however_far():
    boxed, inside, outside = here(0.12, 0.22, box=ADD), here(0.39, 0.39), here(0.5, 0.5)
    for answers, agreed in (((boxed, inside), True), ((inside, boxed), True), ((boxed, outside), False)):
        found = AgreeGrounder([Says(one) for one in answers], near=0.01).ground(SEEN, "x")
        assert isinstance(found, Grounding) == agreed


def test_where_two_part_a_third_decides_and_the_confidence_says_so():
    found = AgreeGrounder([Says(here(0.1, 0.1)), Says(here(0.8, 0.8)), Says(here(0.8, 0.79))]).ground(SEEN, "x")
    assert (found.point.x, found.point.y, found.confidence) == (0.8, 0.8, pytest.approx(2 / 3))
    assert found.usage.calls == 3


def test_where_no_two_agree_it_abstains_with_what_each_said_or_takes_the_first():
    parts = [Says(here(0.1, 0.1)), Says(here(0.9, 0.9)), Says(no("not_found", "no such text"))]
    unsure = AgreeGrounder(parts).ground(SEEN, "x")
    assert (unsure.reason, unsure.usage.calls) == ("ambiguous", 3)
    assert "(0.100, 0.100)" in unsure.detail and "no such text" in unsure.detail
    taken = AgreeGrounder(parts, unsure="first").ground(SEEN, "x")
    assert (taken.point.x, taken.confidence) == (0.1, pytest.approx(1 / 3))
    assert AgreeGrounder([Says(no()), Says(no())]).ground(SEEN, "x").reason == "not_found"


def test_one_that_points_alone_is_believed_unless_two_have_to():
    parts = [Says(no("not_found", "no such text")), Says(here(0.1, 0.1))]
    taken = AgreeGrounder(parts).ground(SEEN, "x")
    assert (taken.point.x, taken.confidence) == (0.1, 0.5)
    assert AgreeGrounder(parts, strict=True).ground(SEEN, "x").reason == "ambiguous"
    assert AgreeGrounder(parts, strict=True, unsure="first").ground(SEEN, "x").point.x == 0.1


def test_an_answer_of_little_confidence_counts_as_none():
    weak = here(0.5, 0.5, confidence=0.2)
    assert isinstance(AgreeGrounder([Says(weak), Says(here(0.5, 0.5))]).ground(SEEN, "x"), Grounding)
    unsure = AgreeGrounder([Says(weak), Says(here(0.5, 0.5))], least=0.3, strict=True).ground(SEEN, "x")
    assert unsure.reason == "ambiguous" and "not sure" in unsure.detail


def test_an_id_is_no_matter_of_opinion():
    found = AgreeGrounder([Says(no()), Says(here(0.3, 0.3))]).ground(SEEN, Ref("e7"))
    assert isinstance(found, Grounding) and found.point.x == 0.3


@pytest.mark.parametrize(
    ("of", "options", "said"),
    [
        ([Says(no())], {}, "two grounders"),
        ([Says(no()), Says(no())], {"near": 0.0}, "near is in"),
        ([Says(no()), Says(no())], {"least": 2.0}, "least in"),
        ([Says(no()), Says(no())], {"unsure": "guess"}, "abstain or first"),
    ],
)
def test_what_makes_no_sense_is_refused(of, options, said):
    with pytest.raises(ConfigError, match=said):
        AgreeGrounder(of, **options)


def test_a_planner_is_asked_again_where_its_grounders_disagree():
    world = ScriptedWorld(items=(element("Add", "button", 1),))
    planner = ScriptedPlanner(decide(Click("Add")), decide(Click("the Add button")), decide(Done()))
    played = agent(planner, AgreeGrounder([ElementsGrounder(), Says(here(0.9, 0.9))]))
    steps, _ = play(episode(world, played, brief(world)))
    assert [step.outcome.result for step in steps[:2]] == ["not_found", "not_found"]
    assert "no two grounders agree" in planner.requests[1].feedback[0].outcome.message
