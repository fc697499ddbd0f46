"""The parser against arbitrary text: always a Grounding or an Abstention, and always in time."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import characters, examples, sizes

from omnipilot.envs import Size
from omnipilot.grounders import Abstention, Family, Grounding
from omnipilot.grounders.families import families

LONG, LIMIT = 100_000, 0.05
HD = Size(1920, 1080)
FRAGMENTS = """
( [ { < ) ] } > , . - = ' " : / \\ ~ ``` ```json x= y= x=1, x=1,y= 1 1, (1, (1. 1. -1 --1 1e9 0x1 1_0 [[ [1,2],
[[1,2 (1,2),( <think> </think> <Thought> ◁think▷ ◁/think▷ <t </t <point> <point>1 </point> <box>
<|box_start|>(1, <|box_end|> <answer> <tool_call> </tool_call> ⚗ <action> <seed:tool_call> <function=click>
<parameter=a> <parameter=coordinate>[1, </parameter> Action: actions: Code: start_box=' start_box='( point="
box=[[ click( click(1, clickclick pyautogui.click(x= {"coordinate": {"coordinate":[1, "coordinate":
'coordinate': {"a":[ {'a': [{"a":1}, {"a":"{\\"b\\": ["{", "points":[] "x":1 {"x":1,"y":
click>point>point>1 </point><point> <point>1</point>,<point>
{"action":"terminate","status":"failure"} NaN Infinity null refusal FAIL \x00 é （ ， ： \ufeff
""".split()
FRAGMENTS += [" ", "\n", "    (", "(1 , 2 ) , ( ", "x   ", "Grounded Operation: CLICK(box=[[", "not ", "1 ", "< "]
SYNTAXES = list({family.syntax: family for family in families()}.values())


def is_an_answer(found: object) -> bool:
    return isinstance(found, Grounding) or (
        isinstance(found, Abstention) and found.reason in ("refused", "unparsable", "out_of_range")
    )


@settings(max_examples=examples(5))
@given(
    st.sampled_from(families()),
    st.lists(st.sampled_from(FRAGMENTS) | st.text(characters, max_size=4) | st.integers().map(str), max_size=30),
    sizes,
    sizes,
)
@example(families()[0], ["(", "9" * 400, ",", "1" * 400, ")"], HD, HD)
def test_whatever_is_said_is_an_answer_or_none(family: Family, said: list[str], sent: Size, screenshot: Size) -> None:
    assert is_an_answer(family.parse(family.completed("".join(said)), sent, screenshot))


@given(st.text())
def test_text_of_any_kind_is_an_answer_or_none(text: str) -> None:
    for family in SYNTAXES:
        assert is_an_answer(family.parse(text, HD, HD))


@pytest.mark.slow
@pytest.mark.parametrize("family", SYNTAXES, ids=lambda family: family.name)
def test_a_hundred_thousand_characters_are_read_within_fifty_milliseconds(family: Family) -> None:
    """Processor time of the best of some attempts: a busy machine delays one, quadratic reading takes them all."""
    slow = {}
    for fragment in FRAGMENTS:
        for tail in ("", "]}"):
            text = (fragment * LONG)[: LONG - len(tail)] + tail
            best = fastest(family, text)
            if best > LIMIT:
                slow[fragment + "…" + tail] = f"{best * 1000:.1f} ms"
    assert not slow


def fastest(family: Family, text: str) -> float:
    best = float("inf")
    for _ in range(12):
        start = time.process_time()
        family.parse(text, HD, HD)
        best = min(best, time.process_time() - start)
        if best <= LIMIT:
            break
    return best
