"""The gold planner: says the places of a demonstration in words; with a gold grounder it does what the oracle does."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixed_truth import FixedTruth, told

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import Episode, RunSpec
from omnipilot.bench.journal.events import StepTaken
from omnipilot.bench.journal.journal import read
from omnipilot.bench.run import run
from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import Box, Click, Done, Drag, Element, Point, TypeText
from omnipilot.envs.types.actions import Ref
from omnipilot.memory import Move, Outcome
from omnipilot.planners import Brief, Decision, Feedback, GoldPlanner, Request

TOP = Element("button", "Open", Box(0.1, 0.1, 0.3, 0.2), id="top")
LOW = Element("button", "Open", Box(0.1, 0.5, 0.3, 0.6), id="low")
SAVE = Element("button", "Save", Box(0.6, 0.5, 0.9, 0.6), id="save")
BARE = Element("group", "", Box(0.0, 0.7, 1.0, 1.0), id="bare")
BRIEF = Brief("do it", {})


def decisions(*moves: Move, script: bool = False, failing: int = 0) -> list[Decision]:
    """What the planner decides to the end; each of the first moves fails so often."""
    planner = told(GoldPlanner(), FixedTruth({"pc": [TOP, LOW, SAVE, BARE]}, moves))
    planner.begin(Brief("do it", {}, script=script))
    found: list[Decision] = []
    feedback: tuple[Feedback, ...] = ()
    for turn in range(len(moves) * 2 + 1):
        found.append(planner.plan(Request(BRIEF, turn, {}, feedback=feedback)))
        result = "rejected" if turn < failing else "done"
        feedback = tuple(Feedback(move, Outcome(result, "busy")) for move in found[-1].moves)
        if script or isinstance(found[-1].moves[0].intent, Done):
            break
    return found


def test_each_place_is_said_in_words_that_mean_it_alone() -> None:
    clicks = [Move("pc", Click(Ref(one))) for one in ("save", "low", "top")]
    said = [one.moves[0].intent for one in decisions(*clicks)]
    assert said[:3] == [
        Click('the "Save" button'),
        Click('the second "Open" button'),
        Click('the first "Open" button'),
    ]
    assert said[3] == Done("success")


def test_every_place_of_a_move_is_said_and_what_has_no_place_stays() -> None:
    drag, typing = Move("pc", Drag(Ref("save"), Ref("low"), (Ref("top"), Point(0.5, 0.5)))), Move("pc", TypeText("x"))
    first, second, _ = decisions(drag, typing)
    path = ('the first "Open" button', Point(0.5, 0.5))
    assert first.moves == (Move("pc", Drag('the "Save" button', 'the second "Open" button', path)),)
    assert second.moves == (typing,)


def test_where_no_words_mean_the_place_alone_it_keeps_it_and_says_so() -> None:
    for place, words in (
        (Ref("bare"), "#bare"),
        (Ref("gone"), "#gone"),
        (Point(0.5, 0.25), "the point (0.500, 0.250)"),
    ):
        first, _ = decisions(Move("pc", Click(place)))
        assert first.moves == (Move("pc", Click(place)),)
        assert first.thought == f"Move 1 of 1. No words mean {words} alone."


def test_of_an_environment_that_nothing_knows_places_stay() -> None:
    first, _ = decisions(Move("phone", Click(Ref("save"))))
    assert first.moves == (Move("phone", Click(Ref("save"))),)


def test_a_failed_move_is_tried_once_more_and_a_script_is_one_decision() -> None:
    click = Move("pc", Click(Ref("save")))
    first, second, third = decisions(click, failing=1)
    assert first.moves == second.moves and third.moves == (Move("", Done("success")),)
    *_, last = decisions(click, failing=2)
    assert last.moves == (Move("", Done("failure", "move 1 of 1 failed twice: busy")),)
    (all_at_once,) = decisions(click, click, script=True)
    assert all_at_once.moves == (Move("pc", Click('the "Save" button')),) * 2


def played(folder: Path, planner: str, grounder: str, **spec: object) -> tuple[list[Episode], list[StepTaken]]:
    """The episodes and steps of a run of duet, in this process."""
    agent = AgentSpec(planner=PartSpec(planner), grounder=PartSpec(grounder))
    done = run(RunSpec(agent, **{"suite": PartSpec("duet"), **spec}), folder)  # type: ignore[arg-type]
    return list(done.episodes), [event for event in read(folder) if isinstance(event, StepTaken)]


def same_as_the_oracle(tmp_path: Path, **spec: object) -> None:
    """With a gold grounder it solves what the oracle solves, in as many steps, every step pointed right."""
    oracle, _ = played(tmp_path / "oracle", "oracle", "elements", **spec)
    gold, steps = played(tmp_path / "gold", "gold", "gold", **spec)
    assert [(one.task, one.success, one.steps) for one in gold] == [
        (one.task, one.success, one.steps) for one in oracle
    ]
    assert all(one.success for one in gold)
    verdicts = [verdict for step in steps for verdict in step.pointing]
    assert verdicts and all(verdict["right"] for verdict in verdicts)
    assert not any(verdict["target"].startswith("#") for verdict in verdicts), "every place was said in words"


def test_with_a_gold_grounder_it_does_what_the_oracle_does(tmp_path: Path) -> None:
    same_as_the_oracle(tmp_path, tasks=("beeps-to-table", "mail-code-to-message", "tones-to-caller"))


@pytest.mark.slow
@pytest.mark.parametrize("split", ["dev", "all"])
def test_with_a_gold_grounder_it_does_what_the_oracle_does_in_all_tasks(tmp_path: Path, split: str) -> None:
    assert len(Duet(split).tasks()) == (120 if split == "all" else len(Duet().tasks()))
    same_as_the_oracle(tmp_path, suite=PartSpec("duet", {"split": split}))


def test_with_a_constant_point_nearly_every_step_is_pointed_wrong_and_none_of_noop(tmp_path: Path) -> None:
    tasks = tuple(info.id for info in Duet().tasks()[:6])
    _, steps = played(tmp_path / "centre", "gold", "centre", tasks=tasks)
    told_of = [verdict["right"] for step in steps for verdict in step.pointing if verdict["right"] is not None]
    assert len(told_of) > 10 and sum(not right for right in told_of) / len(told_of) >= 0.95
    _, steps = played(tmp_path / "noop", "noop", "centre", tasks=tasks)
    assert [verdict for step in steps for verdict in step.pointing] == []
