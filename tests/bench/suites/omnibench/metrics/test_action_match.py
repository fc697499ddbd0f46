"""The action match score, case by case."""

from __future__ import annotations

import pytest

from omnipilot.bench.suites.omnibench.metrics.action_match import FunctionCall, action_match_score, is_match

BOX = (100, 100, 40, 20)


def wheel(distance: int) -> FunctionCall:
    return FunctionCall("wheel_mouse_input", {"wheel_dist": distance})


def keys(text: str) -> FunctionCall:
    return FunctionCall("keyboard_input", {"keys": text})


def click(rect=(110, 105, 2, 2), **args) -> FunctionCall:
    return FunctionCall("click_input", args, rect)


@pytest.mark.parametrize(
    ("gold", "predicted", "same"),
    [
        (click(BOX), click(), True),
        (click(BOX), click((141, 105, 2, 2)), False),
        (click(BOX), click((139, 119, 2, 2)), True),
        (click(BOX), click(button="right"), False),
        (click(BOX), click(double=True), False),
        (click(BOX, button="left", double=False), click(), True),
        (click(None), click(None), True),
        (click(BOX), click(None), False),
        (
            wheel(-3),
            wheel(-1),
            True,
        ),
        (
            wheel(-3),
            wheel(3),
            False,
        ),
        (
            keys("Milk{ENTER}"),
            keys(" milk{enter}"),
            True,
        ),
        (keys("milk"), keys("milks"), False),
        (keys("milk"), click(), False),
        (FunctionCall("drag", {"x": 1}), FunctionCall("drag", {"x": 1}), True),
        (FunctionCall("drag", {"x": 1}), FunctionCall("drag", {"x": 2}), False),
    ],
)
def test_two_actions_are_alike_or_not(gold: FunctionCall, predicted: FunctionCall, same: bool) -> None:
    assert is_match(gold, predicted) == same


def test_the_score_is_over_the_demonstration() -> None:
    gold = [click(BOX), click(BOX), keys("a")]
    assert action_match_score(gold, gold) == 1.0
    assert action_match_score(gold, [click(), None]) == pytest.approx(1 / 3)
    assert action_match_score(gold, [*gold, click()]) == 1.0
    assert action_match_score(gold, []) == 0.0
    assert action_match_score([], gold) is None
