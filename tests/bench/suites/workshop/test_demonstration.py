from __future__ import annotations

from scripted import ScriptedWorld, element

from omnipilot.bench.suites.workshop.demonstration import demonstrate
from omnipilot.bench.suites.workshop.template import DemonstratedStep, Until
from omnipilot.bench.tasks.judges import Judge
from omnipilot.envs import Click, Press
from omnipilot.memory import Move
from omnipilot.memory.truth import WaitUntil

CLICK = Move("pc", Click('the button "Save"'))
PRESS = Move("pc", Press(("enter",)))


def test_it_waits_for_what_a_step_says_and_for_each_element_that_a_move_names() -> None:
    asked = []
    judge = Judge("it is open", lambda case: asked.append(case.start) is None)
    moves = list(demonstrate(ScriptedWorld(), [DemonstratedStep("all", (PRESS, Until(judge, 7.0), CLICK))], "start"))
    assert [move if not isinstance(move, WaitUntil) else move.what for move in moves] == [
        PRESS,
        "it is open",
        'pc shows the button "Save"',
        CLICK,
    ]
    assert moves[1].holds() and asked == ["start"]
    assert moves[1].patience == 7.0


def test_patience_can_be_cut_short() -> None:
    steps = [DemonstratedStep("all", (Until(Judge("it is open", lambda _: True), 7.0), CLICK))]
    assert {
        move.patience for move in demonstrate(ScriptedWorld(), steps, None, 2.0) if isinstance(move, WaitUntil)
    } == {2.0}


def test_an_element_is_waited_for_until_it_is_on_the_screen() -> None:
    shown, hidden = ScriptedWorld(items=(element("Save"),)), ScriptedWorld()
    assert next(demonstrate(shown, [DemonstratedStep("save", (CLICK,))], None)).holds()
    assert not next(demonstrate(hidden, [DemonstratedStep("save", (CLICK,))], None)).holds()
