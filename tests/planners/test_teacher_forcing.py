"""Under teacher forcing, a planner's own history holds what was recorded, not what it would have done."""

from __future__ import annotations

from typing import Any

import pytest
from native_screens import SIZE, TASK, shot
from scripted_model import ScriptedModel, says

from omnipilot.envs import Click, Observation, Point, System
from omnipilot.memory import MalformedReply, Move, Outcome
from omnipilot.planners import Brief, Feedback, NativePlanner, Request, ScriptPlanner

WRONG = Feedback(Move("pc", Click(Point(0.01, 0.99))), Outcome("forced", "press the bell"))
LISTED = "actions:\nCLICK <point>[[10,990]]</point>"
TURNS = "Thought: There.\nAction: click(start_box='(10,990)')"
SCRIPT = "```python\npyautogui.click(2, 99)\n```"


def request(turn: int, *feedback: Feedback, task: Brief = TASK) -> Request:
    return Request(task, turn, {"pc": Observation("pc", 0.0, SIZE, screenshot=shot(turn))}, feedback=feedback)


def made(planner: type[Any], said: str, **options: Any) -> tuple[Any, ScriptedModel]:
    model = ScriptedModel(says(said))
    found = planner.over(model, **options)
    found.begin(TASK)
    return found, model


@pytest.mark.parametrize(
    ("planner", "said", "options", "own"),
    [
        (NativePlanner, LISTED, {"family": "os-atlas-pro"}, "[[10,990]]"),
        (ScriptPlanner, SCRIPT, {}, "click(2, 99)"),
    ],
    ids=["a list in the prompt", "scripts"],
)
def test_a_list_of_what_was_done_holds_the_recorded_action(planner: Any, said: str, options: Any, own: str) -> None:
    native, model = made(planner, said, **options)
    native.plan(request(0))
    native.plan(request(1, WRONG))
    assert "press the bell" in model.asked[-1].words and own not in model.asked[-1].words
    native.plan(request(2, WRONG))
    assert model.asked[-1].words.count("press the bell") == 2


def test_a_live_world_keeps_what_the_model_said() -> None:
    native, model = made(NativePlanner, LISTED, family="os-atlas-pro")
    native.plan(request(0))
    native.plan(request(1, Feedback(WRONG.move, Outcome("done"))))
    assert "[[10,990]]" in model.asked[-1].words


def test_a_conversation_is_told_what_was_done() -> None:
    native, model = made(NativePlanner, TURNS, family="ui-tars")
    native.plan(request(0))
    native.plan(request(1, WRONG))
    assert "What was done then: press the bell" in str(model.asked[-1].messages[-1].parts[0])


def test_an_unreadable_reply_leaves_the_recorded_action_in_the_list() -> None:
    native, model = made(NativePlanner, "nothing of use", family="os-atlas-pro", repairs=0)
    with pytest.raises(MalformedReply):
        native.plan(request(0))
    model.script = (says(LISTED),)
    recorded = Feedback(Move("pc", System("back")), Outcome("forced", "press the bell"))
    native.plan(request(1, Feedback(None, Outcome("malformed", "no action")), recorded))
    assert "press the bell" in model.asked[-1].words
    native.plan(request(2, WRONG))
    assert model.asked[-1].words.count("press the bell") == 2


def test_a_task_that_asks_for_a_script_gets_one_however_the_planner_is_set() -> None:
    native, model = made(ScriptPlanner, SCRIPT)
    task = Brief(TASK.instruction, TASK.envs, script=True)
    decision = native.plan(request(0, task=task))
    assert [move.intent.kind for move in decision.moves] == ["click", "done"]
    assert "one script for the whole task" in model.asked[-1].words
