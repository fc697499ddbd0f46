"""Skill routing: what an agent that is unsure gets done with a second look and a reminder, and cannot without."""

from __future__ import annotations

from dataclasses import replace

import pytest
from duet_teams import LEGIBLE, TRUTH, run
from scripted import ScriptedPlanner, ScriptedWorld, brief, decide, element, play
from scripted_grounders import Says, here, no

from omnipilot.agents import Limits, SingleAgent, SkillAgent, episode
from omnipilot.agents.wrappers.skills.agent import UNSURE
from omnipilot.envs import Click, ConfigError, Done, Elements, Modality, Ref, TypeText
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.grounders import Abstention, AgreeGrounder, ElementsGrounder, Grounder
from omnipilot.memory import Move, Role, WindowMemory
from omnipilot.planners import Decision, Planner

SEEN = LEGIBLE | {Modality.SCREENSHOT}
BLIND = frozenset({Modality.SCREENSHOT})


def plain(planner, grounder=None, grounder_sees=SEEN, planner_sees=SEEN):
    roles = Role("planner", planner_sees), Role("grounder", grounder_sees)
    return SingleAgent(planner, grounder or ElementsGrounder(), WindowMemory(), *roles)


def skilled(planner, grounder=None, grounder_sees=SEEN, planner_sees=SEEN, **options):
    one = plain(planner, grounder, grounder_sees, planner_sees)
    roles = {"role": Role("skills", planner_sees), "grounder_role": one.grounder_role}
    return SkillAgent(one, memory=one.memory, grounder=one.grounder, **roles, **options)


class Forgetful(Planner):
    """Plays a demonstration, but has forgotten what it is to type and was on a screen earlier: it says so, and types
    it only where it is reminded of it."""

    def __init__(self, asked):
        self.asked = asked

    def begin(self, brief):
        self.moves, self.doubted = list(TRUTH.demonstration()), False

    def plan(self, request):
        if not self.moves:
            return Decision((Move("", Done("success")),))
        move = self.moves[0]
        if isinstance(move.intent, TypeText) and self.moves[1:] and "." not in move.intent.text:
            if not self.doubted:
                self.doubted = True
                return Decision((), f"I type it here. I do not remember {self.asked}.")
            reminded = " ".join(str(part.part) for part in request.recalled if part.source == "memory")
            if move.intent.text.strip() not in reminded:
                move = replace(move, intent=replace(move.intent, text="0000"))
        self.moves.pop(0)
        return Decision((move,))


FORGOTTEN = {
    "the code of a mail": ("mail-code-to-message", "the door code from Hugo Martin"),
    "the address of a message": ("message-address-to-document", "the address that Aiko Mori sent"),
    "the code of a mail that just came": ("arriving-code-to-task", "the code from Julia Stern"),
    "the number in a manual": ("help-code-to-network", "the four-digit number in the article Return a product"),
}


@pytest.mark.parametrize("what", FORGOTTEN)
def test_what_was_on_a_screen_before_is_recalled_when_the_planner_says_that_it_forgot(what):
    task, asked = FORGOTTEN[what]
    assert not run(plain(Forgetful(asked)), task).success
    helped = skilled(Forgetful(asked), skills="recall")
    assert run(helped, task).success
    assert helped.used == {"recall": 1}


class Named(Planner):
    """Plays a demonstration, calling each control by its name instead of its id."""

    def begin(self, brief):
        self.moves = list(TRUTH.demonstration())

    def plan(self, request):
        if any(told.outcome.refused for told in request.feedback):
            return Decision((Move("", Done("failure")),))
        if not self.moves:
            return Decision((Move("", Done("success")),))
        move = self.moves.pop(0)
        at = getattr(move.intent, "at", None)
        if isinstance(at, Ref):
            items = request.observations[move.env].elements
            found = items.by_id(at.id)
            alone = sum(one.name == found.name for one in items) == 1
            name = f'"{found.name}" {found.role}' if found.name and alone else at
            move = replace(move, intent=replace(move.intent, at=name))
        return Decision((move,))


class Nearsighted(Grounder):
    """Finds what is large enough on the picture that it is shown."""

    needs = frozenset({Modality.ELEMENTS})

    def __init__(self, least):
        self.least = least
        self.of = ElementsGrounder()

    def ground(self, observation, target):
        items = observation.elements.items
        large = [one for one in items if one.box.right - one.box.left >= self.least]
        return self.of.ground(replace(observation, elements=Elements(tuple(large))), target)


SMALL = {
    "send-message": 0.12,
    "mail-code-to-message": 0.15,
    "move-file": 0.05,
}


@pytest.mark.parametrize("task", SMALL)
def test_what_is_too_small_is_found_on_enlarged_parts_of_the_screen(task):
    alone = run(plain(Named(), Nearsighted(SMALL[task])), task)
    assert not alone.success and alone.steps[-2].outcome.result == "not_found"
    helped = skilled(Named(), Nearsighted(SMALL[task]), skills="zoom")
    together = run(helped, task)
    assert together.success, together.steps[-2].outcome
    assert helped.used["zoom"] >= 1
    assert any(found.grounder == "zoom of Nearsighted" for step in together.steps for found in step.pointed)


class Unseeing(Grounder):
    """A grounder that never finds anything described."""

    needs = frozenset()

    def ground(self, observation, target):
        return Abstention("not_found", "it sees nothing")


def test_text_that_can_be_read_on_the_screen_is_found_where_no_grounder_finds_it(ocr_reader):
    clicks = ScriptedPlanner(decide(("phone", Click("Clock"))), decide(Done()))
    alone = run(plain(clicks, Unseeing(), BLIND, BLIND), "add-alarm", limits=Limits(turns=3))
    assert alone.steps[0].outcome.result == "not_found"
    clicks = ScriptedPlanner(decide(("phone", Click("Clock"))), decide(Done()))
    helped = skilled(clicks, Unseeing(), BLIND, BLIND, skills="read", reader=ocr_reader)
    together = run(helped, "add-alarm", limits=Limits(turns=3))
    assert (together.steps[0].outcome.result, helped.used) == ("done", {"read": 1})


@pytest.mark.needs("omnipilot[ocr]")
def test_after_a_place_that_is_not_there_the_planner_is_read_the_screen(ocr_reader):
    planner = ScriptedPlanner(decide(("phone", Click("the frobnicator"))), decide(Done()))
    helped = skilled(planner, Unseeing(), BLIND, BLIND, skills="read", reader=ocr_reader)
    run(helped, "add-alarm", limits=Limits(turns=3))
    (told,) = [part for part in planner.requests[1].recalled if part.source == "read"]
    assert told.env == "phone" and "Clock" in told.part


@pytest.fixture(scope="module")
def ocr_reader():
    from omnipilot.memory.perception import shared_reader

    return shared_reader()


def drive(planner, world=None, planner_sees=ALL_MODALITIES, turns=6, **options):
    world = world or ScriptedWorld(("pc", "phone"), items=(element("The code is 4711"), element("Save")))
    one = skilled(planner, None, ALL_MODALITIES, planner_sees, **{"skills": "zoom,recall", **options})
    return one, play(episode(world, one, brief(world), Limits(turns=turns)))


def leave(env, _):
    env.items = ()


def test_skills_are_asked_only_when_the_agent_is_unsure():
    planner = ScriptedPlanner(decide(("pc", Click("Save")), thought="I save it now."), decide(Done()))
    one, _ = drive(planner)
    assert one.used == {"zoom": 0, "recall": 0}
    assert [part.source for part in planner.requests[1].recalled if part.source in ("memory", "read")] == []


def test_what_the_planners_role_may_not_see_is_not_recalled_to_it():
    def script():
        return ScriptedPlanner(
            decide(("pc", Click("Save"))), decide(thought="I cannot remember the code."), decide(Done())
        )

    items = (element("The code is 4711"), element("Save", row=3))
    for sees, told in ((ALL_MODALITIES, True), (ALL_MODALITIES - {Modality.ELEMENTS}, False)):
        planner = script()
        drive(planner, ScriptedWorld(("pc",), items=items, on_act=leave), sees)
        recalled = [part.part for part in planner.requests[2].recalled if part.source == "memory"]
        assert any("The code is 4711" in part for part in recalled) is told


def test_two_episodes_share_no_memory():
    items = (element("The code is 4711"), element("Save", row=3))
    planner = ScriptedPlanner(decide(("pc", Click("Save"))), decide(Done()))
    one, _ = drive(planner, ScriptedWorld(("pc",), items=items, on_act=leave))
    planner.script = (decide(thought="I cannot remember the code."), decide(Done()))
    world = ScriptedWorld(("pc",), items=(element("Something else"),))
    play(episode(world, one, brief(world), Limits(turns=4)))
    assert not [part for part in planner.requests[1].recalled if part.source == "memory"]


@pytest.mark.parametrize(
    ("said", "unsure"),
    [
        ("I'm not sure what the code was.", True),
        ("I cannot read the small text.", True),
        ("The label is illegible.", True),
        ("I can't find the Save button", True),
        ("Now I press Save, which I can see.", False),
        ("I know the code.", False),
        ("Do not press Cancel.", False),
    ],
)
def test_doubt_in_words(said, unsure):
    assert bool(UNSURE.search(said)) is unsure


def test_an_unknown_skill_is_refused():
    with pytest.raises(ConfigError, match="unknown skill 'telepathy'"):
        skilled(ScriptedPlanner(decide(Done())), skills="zoom,telepathy")


def calls(helped) -> list[tuple[str, bool, bool, bool, bool]]:
    """The calls of skills that a played agent told: skill, unsure, gave, helped, needless."""
    found = [event.detail for event in helped.drain_events() if event.kind == "skill"]
    return [(one.skill, one.unsure, one.gave, one.helped, one.needless) for one in found]


class Kept(SkillAgent):
    """Keeps its events, which the loop would hand to its recorder."""

    kept: tuple = ()

    def drain_events(self):
        self.kept = (*self.kept, *super().drain_events())
        return self.kept


def kept(planner, grounder=None, **options):
    one = plain(planner, grounder)
    roles = {"role": Role("skills", SEEN), "grounder_role": one.grounder_role}
    return Kept(one, memory=one.memory, grounder=one.grounder, **roles, **options)


def test_a_call_whose_answer_is_typed_helped():
    task, asked = FORGOTTEN["the code of a mail"]
    helped = kept(Forgetful(asked), skills="recall")
    assert run(helped, task).success
    assert calls(helped) == [("recall", True, True, True, False)]


def test_who_always_asks_is_mostly_told_what_it_does_not_need():
    task, asked = FORGOTTEN["the code of a mail"]
    always = kept(Forgetful(asked), skills="recall", when="always")
    assert run(always, task).success
    found = calls(always)
    assert len(found) > 5 and ("recall", True, True, True, False) in found
    assert sum(needless for *_, needless in found) > len(found) / 2
    assert all(not unsure for _, unsure, *_, needless in found if needless)


def test_who_never_asks_has_no_calls_and_is_not_helped():
    task, asked = FORGOTTEN["the code of a mail"]
    never = kept(Forgetful(asked), skills="recall", when="never")
    assert not run(never, task).success and calls(never) == []
    never = kept(Named(), Nearsighted(SMALL["move-file"]), skills="zoom", when="never")
    assert not run(never, "move-file").success and calls(never) == []


def test_a_place_that_is_found_on_an_enlarged_part_helped():
    helped = kept(Named(), Nearsighted(SMALL["move-file"]), skills="zoom")
    assert run(helped, "move-file").success
    found = calls(helped)
    assert found and all(one == ("zoom", True, True, True, False) for one in found)


def test_when_skills_are_asked_is_one_of_three():
    with pytest.raises(ConfigError, match="when must be unsure, always, never"):
        skilled(ScriptedPlanner(decide(Done())), when="sometimes")


def test_grounders_that_disagree_are_a_reason_to_look_again():
    """On the whole screen they point at different places, on an enlarged part of it at one."""
    first = Says(here(0.1, 0.1), here(0.5, 0.5), no())
    second = Says(here(0.9, 0.9), here(0.5, 0.5), no())
    world = ScriptedWorld(items=(element("Save", "button", 1),))
    planner = ScriptedPlanner(decide(Click("the Save button")), decide(Done()))
    one = skilled(planner, AgreeGrounder([first, second]), skills="zoom")
    steps, _ = play(episode(world, one, brief(world)))
    (clicked,) = world.envs["pc"].acted
    # The middle of the upper left of four overlapping parts.
    assert 0.2 < clicked.at.x < 0.4 and 0.2 < clicked.at.y < 0.4
    assert one.used == {"zoom": 1} and steps[0].outcome.result == "done"
    assert len(first.asked) == len(second.asked) == 1 + 4
