"""Only coordinates that an answer names are clicked, and names win over order: in every family that points."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from typed_answers import WRITTEN

from omnipilot.envs import Answer, Intent, Point, Size, TypeText
from omnipilot.grounders import Abstention, Family
from omnipilot.grounders.families import families as pointing
from omnipilot.memory import MalformedReply
from omnipilot.planners.native.families.table import families, get

SCREEN = Size(1000, 1000)
NUMBER = re.compile(r"-?(?:\d+\.\d+|\d+|\.\d+)")
number = st.integers(1, 998)
FAMILIES = [family for family in families() if family.example]


def numbers_in(text: str) -> set[float]:
    return {float(found) for found in NUMBER.findall(text)}


def scaled(at: Point, space: str) -> tuple[float, float]:
    whole = {"norm1": 1.0, "norm999": 999.0}.get(space, 1000.0)
    return at.x * whole, at.y * whole


def clicked(intents: list[Intent]) -> list[Point]:
    places = (getattr(intent, name, None) for intent in intents for name in ("at", "start", "end"))
    return [place for place in places if isinstance(place, Point)]


def named(value: float, allowed: set[float]) -> bool:
    return any(abs(value - one) < 0.6 for one in allowed)


PIECES = st.sampled_from(
    [
        "(3,4)",
        "[5, 6]",
        "[[7,8]]",
        "<point>9 10</point>",
        "x=11, y=12",
        " ",
        "\n",
        "Action: ",
        "```",
        "'",
        '"',
        "{",
        "}",
        ")",
    ]
)


@given(st.sampled_from(FAMILIES), st.lists(PIECES, max_size=4), st.lists(PIECES, max_size=4), number, number)
def test_only_named_coordinates_are_clicked(family, before: list[str], behind: list[str], x: int, y: int) -> None:  # type: ignore[no-untyped-def]
    """The example with other numbers, amid pieces with decoys: each number of a place stands in the answer.

    A box names its centre, which is the only number that may not stand there.
    """
    shares = family.space == "norm1"
    one, other = (f"{x / 1000}", f"{y / 1000}") if shares else (str(x), str(y))
    spots = iter((one, other))
    boxed = family.name == "cogagent"
    example = (
        family.example if boxed else re.sub(r"(?<![\w.])(?:500|0\.5)(?![\w.])", lambda _: next(spots), family.example)
    )
    said = "".join(before) + "\n" + example + "\n" + "".join(behind)
    try:
        intents, _ = family.parse(said, SCREEN, SCREEN)
    except MalformedReply:
        return
    allowed = numbers_in(said) | ({500.0} if boxed else set())
    for at in clicked(intents):
        assert all(
            named(value * (1000 if shares else 1), {n * (1000 if shares else 1) for n in allowed})
            for value in scaled(at, family.space)
        ), said


@given(st.sampled_from(pointing()), st.lists(PIECES, max_size=3), st.lists(PIECES, max_size=3), number, number)
@example(next(one for one in pointing() if one.name == "showui"), [], [], 1, 998)
def test_a_grounder_points_only_at_named_coordinates(
    family: Family, before: list[str], behind: list[str], x: int, y: int
) -> None:
    whole = {"norm1": 1000.0, "norm999": 999.0}.get(family.space, 1000.0)
    first, second = (x / 1000, y / 1000) if family.space == "norm1" else (float(x), float(y))
    said = "".join(before) + family.syntax.write(first, second) + "".join(behind)
    found = family.parse(said, SCREEN, SCREEN)
    if isinstance(found, Abstention) or found.box is not None:
        return
    # A share of 1, as 0.998 is written with two digits, is the last pixel of the screen.
    allowed = {min(n * 1000, 999.0) if family.space == "norm1" else n for n in numbers_in(said)}
    assert named(found.point.x * whole, allowed) and named(found.point.y * whole, allowed), said


@given(st.sampled_from(sorted(WRITTEN)), number, number, st.data())
def test_numbers_that_are_typed_are_no_place(family: str, x: int, y: int, data: st.DataObject) -> None:
    text = data.draw(
        st.sampled_from([f"({x},{y})", f"see [[{x},{y}]] ok", f"click(start_box='({x},{y})')", f"x={x}, y={y}"])
    )
    # OS-Atlas-Pro cannot write brackets in a text; Holo1 types at a place that it names.
    if (family == "os-atlas-pro" and "[" in text) or family == "holo1":
        return
    for write in WRITTEN[family]:
        intents, _ = get(family).parse(write(text), SCREEN, SCREEN)
        assert not clicked(intents)
        assert all(isinstance(intent, TypeText | Answer) for intent in intents)


ORDERED = {
    "aguvis": ("pyautogui.click(y={y}, x={x})", 1000),
    "opencua": ("```python\npyautogui.click(y={y}, x={x})\n```", 1),
    "scalecua": ("<action>\nclick(y={y}, x={x})\n</action>", 1),
    "qwen3-vl": ('{{"action": "left_click", "coordinate": {{"y": {y}, "x": {x}}}}}', 1),
}


@pytest.mark.parametrize("family", ORDERED)
@given(x=number, y=number)
def test_names_win_over_order_in_actions(family: str, x: int, y: int) -> None:
    form, share = ORDERED[family]
    intents, _ = get(family).parse(form.format(x=x / share, y=y / share), SCREEN, SCREEN)
    (at,) = clicked(intents)
    assert (at.x, at.y) == pytest.approx((x / 1000, y / 1000))


@given(st.sampled_from(pointing()), number, number, st.booleans())
def test_names_win_over_order_in_pointing(family: Family, x: int, y: int, yx: bool) -> None:
    """Whatever a family's own order is: what is called x is across."""
    share = 1000 if family.space == "norm1" else 1
    values = {"y": y / share, "x": x / share} if yx else {"x": x / share, "y": y / share}
    found = family.parse(json.dumps(values), SCREEN, SCREEN)
    if isinstance(found, Abstention):
        return
    whole = 999 if family.space == "norm999" else 1000
    assert (found.point.x, found.point.y) == pytest.approx((x / whole, y / whole), abs=1e-6)
