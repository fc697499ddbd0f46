"""The action match score: the share of a demonstration's actions that an agent predicts alike.

The paper reports such a score without its rules. Ours are those that its actions suggest, and that step metrics of
other benchmarks share: the function is the same; a click has the same button and count and lies in the rectangle of the
demonstration's control; the wheel turns the same way; the keys are the same, but for case and blanks at the ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

CLICK, WHEEL, KEYS = "click_input", "wheel_mouse_input", "keyboard_input"
FUNCTIONS = (CLICK, WHEEL, KEYS)
"""OmniBench's three functions."""
Rect = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """An action as OmniBench writes it (C.2).

    Attributes:
        function: one of `FUNCTIONS`, or a name of an agent's own, which matches the same name with the same arguments.
        rect: x, y, width and height in pixels of the control that is operated; None where none is.
    """

    function: str
    args: Mapping[str, Any] = field(default_factory=dict)
    rect: Rect | None = None


def is_match(gold: FunctionCall, predicted: FunctionCall) -> bool:
    """Whether a predicted action is that of the demonstration.

    Where the predicted action points is the middle of its rectangle.
    """
    if gold.function != predicted.function:
        return False
    if gold.function == CLICK:
        return _clicks(gold.args) == _clicks(predicted.args) and _lies_in(predicted.rect, gold.rect)
    if gold.function == WHEEL:
        return _sign(gold.args.get("wheel_dist")) == _sign(predicted.args.get("wheel_dist"))
    if gold.function == KEYS:
        return _plain(gold.args.get("keys")) == _plain(predicted.args.get("keys"))
    return dict(gold.args) == dict(predicted.args)


def action_match_score(gold: Sequence[FunctionCall], predicted: Sequence[FunctionCall | None]) -> float | None:
    """The share of a demonstration's actions that are predicted alike, 0..1; None for one without actions.

    Args:
        predicted: for each action of the demonstration, in order; None for one that cannot be read. What is missing at
            the end does not match, and what is beyond it does not count.
    """
    if not gold:
        return None
    pairs = zip(gold, predicted, strict=False)
    return sum(one is not None and is_match(wanted, one) for wanted, one in pairs) / len(gold)


def _clicks(args: Mapping[str, Any]) -> tuple[str, bool]:
    return str(args.get("button", "left")).casefold(), bool(args.get("double", False))


def _lies_in(inner: Rect | None, outer: Rect | None) -> bool:
    """Whether the middle of a rectangle lies in another; both may be missing."""
    if inner is None or outer is None:
        return inner is outer
    x, y = inner[0] + inner[2] / 2, inner[1] + inner[3] / 2
    return outer[0] <= x <= outer[0] + outer[2] and outer[1] <= y <= outer[1] + outer[3]


def _sign(value: Any) -> int:
    number = value if isinstance(value, int | float) else 0
    return (number > 0) - (number < 0)


def _plain(keys: Any) -> str:
    return str(keys if keys is not None else "").strip().casefold()
