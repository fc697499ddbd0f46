"""Verdicts on pointing: of single proposals, and of whole episodes as the journal keeps them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from made_settings import spec_of
from scripted import ScriptedGrounder, ScriptedPlanner
from scripted_grounders import no

from omnipilot.agents import Proposal, SingleAgent, build
from omnipilot.agents.base import Situation
from omnipilot.agents.ground import ground
from omnipilot.agents.wrappers.base import veto
from omnipilot.bench import Judge, JudgeGraph, Suite, Task, TaskInfo
from omnipilot.bench.episode.pointing import PointingVerdict, judge_pointing
from omnipilot.bench.episode.runner import EpisodeRunner
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.journal import Slot
from omnipilot.bench.journal.events import Event, StepTaken
from omnipilot.bench.journal.results import Episode, survey
from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import (
    Absent,
    Box,
    Click,
    Done,
    Drag,
    Element,
    Elements,
    Image,
    Intent,
    Modality,
    Observation,
    Point,
    Ref,
    Size,
    Thinking,
    TypeText,
)
from omnipilot.envs.recorded import RecordedStep, Recording, ReplayWorld
from omnipilot.grounders import Abstention, ElementsGrounder, Grounder, Grounding, MarksGrounder
from omnipilot.memory import MediaStore, Move, Pointed, Role, WindowMemory
from omnipilot.planners import Decision
from omnipilot.planners.rules import RulesPlanner

SAVE = Element("button", "Save", Box(0.1, 0.1, 0.2, 0.2), id="e1")
OPEN = Element("button", "Open", Box(0.5, 0.5, 0.6, 0.6), id="7")
MIDDLE = Point(0.5, 0.5)


class Known:
    """The truth of these tests."""

    seed = 0

    def __init__(self, *items: Element, absent: Absent | None = None) -> None:
        self.known = Elements(items) if absent is None else absent

    def elements(self, env: str) -> Elements | Absent:
        assert env == "desk"
        return self.known

    def demonstration(self, anew: bool = False) -> tuple[Move, ...]:
        raise AssertionError("no verdict needs it")


class At(Grounder):
    """A grounder that gives these answers, in turn."""

    needs: frozenset = frozenset()

    def __init__(self, *answers: Point | Abstention) -> None:
        self.answers = iter(answers)

    def ground(self, observation: Observation, target: object) -> Grounding | Abstention:
        answer = next(self.answers)
        return Grounding(answer) if isinstance(answer, Point) else answer


def proposed(intent: Intent, grounder: Grounder, *listed: Element) -> Proposal:
    seen = Observation("desk", 1.0, Size(100, 100), elements=Elements(listed) if listed else Absent("ablated"))
    return ground(Move("desk", intent), Situation(0, {"desk": seen}, lambda _: seen), grounder, Role("grounder"), False)


def verdicts(intent: Intent, grounder: Grounder, *listed: Element, truth: Known | None = None) -> list[PointingVerdict]:
    return judge_pointing(proposed(intent, grounder, *listed), truth or Known(SAVE, OPEN))


def test_a_point_in_what_was_asked_for_is_right_and_one_elsewhere_wrong() -> None:
    right, wrong = Point(0.15, 0.15), Point(0.55, 0.55)
    for words in ("the Save button", Ref("e1"), "#e1"):
        name = words if isinstance(words, str) else "#e1"
        assert verdicts(Click(words), At(right)) == [PointingVerdict(name, True, SAVE, SAVE)]
        assert verdicts(Click(words), At(wrong)) == [PointingVerdict(name, False, SAVE, OPEN)]
        assert verdicts(Click(words), At(Point(0.9, 0.9))) == [PointingVerdict(name, False, SAVE, None)]


def test_on_an_edge_the_pixel_that_is_pressed_counts() -> None:
    cells = [
        Element("cell", name, Box(left, 0.1, left + 0.1, 0.2), id=name) for name, left in (("F2", 0.3), ("G2", 0.4))
    ]
    told = [verdicts(Click(Ref(id)), At(Point(0.4, 0.15)), truth=Known(*cells)) for id in ("F2", "G2")]
    assert told == [[PointingVerdict("#F2", False, *cells)], [PointingVerdict("#G2", True, cells[1], cells[1])]]
    beside = Point(0.4 - 1e-12, 0.15)
    assert [one.right for one in verdicts(Click(Ref("G2")), At(beside), truth=Known(*cells))] == [True]


def test_what_is_on_the_screen_and_was_not_found_is_a_miss_and_what_is_not_there_is_not() -> None:
    assert verdicts(Click("Save"), At(no())) == [PointingVerdict("Save", False, SAVE, None, "it was not found")]
    absent = "no element on the screen is called that"
    assert verdicts(Click("Print"), At(no())) == [PointingVerdict("Print", None, why=absent)]
    assert verdicts(Click("Print"), At(Point(0.55, 0.55))) == [PointingVerdict("Print", None, None, OPEN, absent)]


def test_each_place_that_was_asked_for_has_a_verdict_and_later_ones_have_none() -> None:
    drag = Drag(start="Save", end="Open")
    asked = [place.target for place in proposed(drag, At(Point(0, 0), Point(0, 0))).pointed]
    assert sorted(asked) == ["Open", "Save"]
    first, second = asked
    both = verdicts(drag, At(Point(0.15, 0.15), Point(0.55, 0.55)))
    assert [one.target for one in both] == asked and [one.right for one in both] == [first == "Save", second == "Open"]
    (only,) = verdicts(drag, At(no()))
    assert (only.target, only.right) == (first, False)
    found = verdicts(drag, At(Point(0.9, 0.9), no()))
    assert [(one.target, one.right, one.why) for one in found] == [
        (first, False, ""),
        (second, False, "it was not found"),
    ]


def test_nothing_was_asked_of_a_planner_that_points_itself() -> None:
    assert verdicts(Click(MIDDLE), At()) == [] and verdicts(TypeText("hello"), At()) == []
    mixed = Drag(start="Save", end=MIDDLE)
    assert [one.target for one in verdicts(mixed, At(Point(0.15, 0.15)))] == ["Save"]


def test_where_nobody_knows_the_elements_nothing_can_be_told() -> None:
    for absent, why in ((Absent("ablated"), "elements: ablated"), (Absent("failed", "it is gone"), "it is gone")):
        assert verdicts(Click("Save"), At(MIDDLE), truth=Known(absent=absent)) == [
            PointingVerdict("Save", None, why=why)
        ]


def test_a_number_means_a_mark_to_a_grounder_that_numbers_marks_and_an_id_to_any_other() -> None:
    assert [one.right for one in verdicts(Click(Ref("7")), At(Point(0.55, 0.55)))] == [True]
    marks = MarksGrounder(sources="elements")
    for words in (Ref("1"), Ref("7"), "mark 1", "2"):
        (one,) = verdicts(Click(words), marks, SAVE, OPEN)
        assert (one.right, one.asked, one.why) == (None, None, "it is the number of a mark")
    for words in ("the Save button", Ref("e1")):
        assert [one.right for one in verdicts(Click(words), marks, SAVE, OPEN)] == [True]


def test_an_id_under_which_a_faulty_list_shows_something_else_cannot_be_told() -> None:
    merged = replace(SAVE, name="Save Open", box=Box(0.1, 0.1, 0.6, 0.6))
    (one,) = verdicts(Click(Ref("e1")), At(Point(0.35, 0.35)), merged)
    assert one.right is None and one.why == "the agent was shown something else as 'e1'"
    nameless = replace(SAVE, name="", role="image")
    assert [one.right for one in verdicts(Click(Ref("e1")), At(Point(0.15, 0.15)), nameless)] == [True]
    # Words mean what is on the screen, whatever the list says.
    assert [one.right for one in verdicts(Click("Save"), At(Point(0.35, 0.35)), merged)] == [False]


def test_whether_it_can_be_told_depends_on_the_words_and_not_on_the_point() -> None:
    twins = Known(SAVE, replace(OPEN, name="Save"))
    for words in ("Save", "the second Save button", "Print", Ref("7"), Ref("e9")):
        told = {
            verdicts(Click(words), At(answer), truth=twins)[0].right is not None
            for answer in (Point(0.15, 0.15), Point(0.55, 0.55), Point(0.9, 0.9), no())
        }
        assert len(told) == 1


def test_the_journal_has_the_elements_with_their_boxes() -> None:
    (one,) = verdicts(Click("Save"), At(Point(0.55, 0.55)))
    box = {"left": 0.1, "top": 0.1, "right": 0.2, "bottom": 0.2}
    data = one.to_json()
    assert data["asked"] == {"id": "e1", "role": "button", "name": "Save", "box": box}
    assert (data["target"], data["right"], data["hit"]["id"], data["why"]) == ("Save", False, "7", "")


MUTE = frozenset({Modality.SCREENSHOT})


class Constant(Grounder):
    """Points at one place, whatever it is asked for."""

    needs: frozenset = frozenset()
    reads: frozenset = frozenset()

    def ground(self, observation: Observation, target: object) -> Grounding:
        return Grounding(MIDDLE)


def play(tmp_path: Path, task: str, by: Grounder | None = None, **settings: str) -> tuple[Episode, list[Event]]:
    """An episode of `duet`; with a grounder, of the planner `rules` and it."""
    spec = spec_of({"suite": "duet", **settings})
    events: list[Event] = []
    truth = EpisodeTruth()
    roles = Role("planner"), Role("grounder")
    agent = SingleAgent(RulesPlanner(), by, WindowMemory(), *roles) if by else build(spec.agent, truth)
    player = EpisodeRunner(spec, Duet(), agent, MediaStore(tmp_path), events.append, truth)
    player.play(Slot(task, 0, 0), 1)
    player.close()
    return survey(events).episodes[0], events


def judged(events: list[Event]) -> Iterator[dict]:
    for event in events:
        if isinstance(event, StepTaken):
            yield from event.pointing


@pytest.fixture(scope="module")
def tasks() -> list[str]:
    return [info.id for info in Duet().tasks()][::8]


def test_noop_is_told_in_none_of_its_steps(tasks: list[str], tmp_path: Path) -> None:
    for task in tasks:
        episode, events = play(tmp_path, task, planner="noop", grounder="elements")
        assert episode.steps and (episode.pointed_told, list(judged(events))) == (0, [])


@pytest.mark.slow
def test_a_constant_point_is_told_wrong_and_the_element_list_right(tasks: list[str], tmp_path: Path) -> None:
    wrong = right = told = 0
    for task in tasks:
        episode, events = play(tmp_path, task, Constant())
        assert episode.pointed_told == sum(one["right"] is not None for one in judged(events))
        wrong += episode.pointed_told - episode.pointed_right
        told += episode.pointed_told
        episode, _ = play(tmp_path, task, planner="rules", grounder="elements")
        right += episode.pointed_right
        assert episode.pointed_right == episode.pointed_told
    assert told > 10 and wrong >= 0.95 * told and right > 20


def test_what_a_critic_vetoes_was_still_pointed_at() -> None:
    proposal = veto(proposed(Click("Save"), At(Point(0.55, 0.55))), "look again")
    assert [one.right for one in judge_pointing(proposal, Known(SAVE, OPEN))] == [False]


def test_after_a_second_search_its_answer_counts() -> None:
    missed = proposed(Click("Save"), At(no()))
    found = replace(missed, problem=None, pointed=(Pointed("Save", Point(0.15, 0.15), None, "read"),))
    assert [one.right for one in judge_pointing(found, Known(SAVE, OPEN))] == [True]


@pytest.mark.parametrize("thinking", ["frozen", "fixed:30", "measured"])
def test_later_moves_of_a_turn_are_judged_on_the_screen_they_were_grounded_on(thinking: str, tmp_path: Path) -> None:
    moves = (Move("phone", Click("the Messages button")), Move("phone", Click("the Home button")))
    again = (Move("phone", Click("the Messages button")), Move("phone", Click("the Contacts button")), *moves[1:])
    planner = ScriptedPlanner(Decision(moves), Decision(again), Decision((Move("", Done("failure")),)))
    spec = spec_of({"suite": "duet", "thinking": thinking})
    events: list[Event] = []
    truth = EpisodeTruth()
    agent = SingleAgent(planner, ElementsGrounder(), WindowMemory(), Role("planner"), Role("grounder"))
    player = EpisodeRunner(spec, Duet(), agent, MediaStore(tmp_path), events.append, truth)
    player.play(Slot("send-message", 0, 0), 1)
    player.close()
    told = [(one["target"], one["right"], (one["hit"] or {}).get("name")) for one in judged(events)]
    assert told == [
        ("the Messages button", True, "Messages"),
        ("the Home button", True, "Home"),
        ("the Messages button", True, "Messages"),
        # In Messages there is none: on the home screen, where it was asked for before, there was.
        ("the Contacts button", None, None),
    ]


class Steps(Suite):
    """Recorded tasks of three moments, each with a button of its own; the person pressed elsewhere."""

    name, version = "steps", "1"
    size = Size(8, 8)

    def tasks(self) -> list[TaskInfo]:
        return [TaskInfo("press", "Press.", ("device",))]

    def world(self, thinking: Thinking) -> ReplayWorld:
        return ReplayWorld(thinking)

    def instantiate(self, task_id: str, instance: int) -> Task:
        def moment(number: int) -> RecordedStep:
            listed = Elements((replace(SAVE, name=f"Save {number}"), OPEN))

            def look(env: str, time: float, modalities: object) -> Observation:
                return Observation(env, time, self.size, Image.raw(self.size, bytes(192), env, time))

            return RecordedStep(look, (Click(Point(0.55, 0.55)),), tree=lambda: listed)

        recording = Recording("phone", self.size, frozenset({"click"}), tuple(map(moment, range(3))))

        def setup(world: ReplayWorld) -> str:
            world.load(recording)
            return "Press."

        return Task(task_id, instance, setup, JudgeGraph((Judge("done", lambda _: False),)))


def test_in_a_recording_the_verdict_is_on_what_the_planner_asked_for(tmp_path: Path) -> None:
    asks = [Decision((Move("device", Click(f"the Save {number} button")),)) for number in (0, 0, 2)]
    places = {"the Save 0 button": Point(0.15, 0.15), "the Save 2 button": Point(0.55, 0.55)}
    agent = SingleAgent(
        ScriptedPlanner(*asks),
        ScriptedGrounder(places),
        WindowMemory(),
        Role("planner", MUTE),
        Role("grounder", MUTE),
    )
    events: list[Event] = []
    player = EpisodeRunner(spec_of({"suite": "duet"}), Steps(), agent, MediaStore(tmp_path), events.append)
    player.play(Slot("press", 0, 0), 1)
    # The last point is where the person pressed, and not what was asked for.
    assert [(one["right"], one["why"]) for one in judged(events)] == [
        (True, ""),
        (None, "no element on the screen is called that"),
        (False, ""),
    ]
