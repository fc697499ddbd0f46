"""OmniACT's released score against a second implementation, and what holds for any scripts."""

from __future__ import annotations

import math
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from second_bleu import second_bleu

from omnipilot.bench.suites.omniact.metrics.bleu import bleu2
from omnipilot.bench.suites.omniact.metrics.scores import OmniActSample, Variant, score

BOXES = ((0, 0, 20, 10), (100, 200, 140, 260), (30, 30, 31, 31))
CENTRES = [((a + c) / 2, (b + d) / 2) for a, b, c, d in BOXES]


def second_release(samples: list[OmniActSample]) -> tuple[float, float]:
    """Sequence and action score by the rules of the descendant in waynchi/gui-agent, for readable predictions."""
    ideal = sequence = action = 0.0
    for one in samples:
        gold = [line.lower().strip() for line in one.task.split("\n")[2:]]
        said = [x.lower() for x in one.prediction.strip().split("\n") if x.lower().strip().startswith("pyautogui")]
        weight = len(gold) - 0.9
        ideal += weight
        heads = [[re.match(r"pyautogui\.(\w+)", line) for line in lines] for lines in (gold, said)]
        if [m and m[1] for m in heads[0]] != [m and m[1] for m in heads[1]]:
            continue
        sequence += weight
        left = 1.0
        for right, line in zip(gold, said, strict=True):
            if right.startswith("pyautogui.click"):
                (gx, gy), (x, y) = ([float(n) for n in re.findall(r"[\d.]+", t.split("(")[1])] for t in (right, line))
                a, b, c, d = BOXES[CENTRES.index((gx, gy))]
                nearest = min(max(x, a), c), min(max(y, b), d)
                smooth = math.dist((a, b), (c, d))
                left -= (1 - smooth / (smooth + math.dist((x, y), nearest))) / len(gold)
            elif right.startswith("pyautogui.press"):
                left -= (right.split('"')[1].strip() != re.split("[\"']", line)[1].strip()) / len(gold)
            elif right.startswith("pyautogui.hotkey"):
                sets = [
                    {k[1:-1] for k in t.split("(")[1].split(")")[0].split(",") if len(k) > 2} for t in (right, line)
                ]
                left -= (sets[0] != sets[1]) / len(gold)
            elif right.startswith("pyautogui.write"):
                left -= (1 - second_bleu(right.split('"')[1], re.split("[\"']", line)[1])) / len(gold)
        action += weight * max(left, 0)
    return sequence / ideal, action / ideal


texts = st.text("abcAB '", min_size=1, max_size=6)
gold_lines = st.one_of(
    st.sampled_from(CENTRES).map(lambda c: f"pyautogui.click({c[0]},{c[1]})"),
    st.sampled_from(CENTRES).map(lambda c: f"pyautogui.doubleClick({c[0]},{c[1]})"),
    texts.map(lambda t: f'pyautogui.write("{t}")'),
    st.sampled_from(["enter", "tab"]).map(lambda k: f'pyautogui.press("{k}")'),
    st.sampled_from(['"ctrl","c"', '"ctrl","v"']).map(lambda k: f"pyautogui.hotkey({k})"),
    st.just("pyautogui.scroll(-10)"),
)
places = st.integers(0, 400)


@st.composite
def samples(draw: st.DrawFn) -> OmniActSample:
    gold = draw(st.lists(gold_lines, min_size=1, max_size=4))
    said = []
    for line in gold:
        name = line.split(".")[1].split("(")[0]
        other = {
            "click": f"pyautogui.{draw(st.sampled_from(['click', 'Click']))}({draw(places)}, {draw(places)})",
            "write": f'pyautogui.write({draw(st.sampled_from(["x", chr(39)])).replace("x", chr(34))}{draw(texts)}")',
            "hotkey": 'pyautogui.hotkey("ctrl", "c")',
            "press": 'pyautogui.press("Tab ")',
        }.get(name, line)
        said.append(draw(st.sampled_from([line, other, " " + line])))
    said += draw(st.lists(st.sampled_from(["pyautogui.scroll(1)", "That is all."]), max_size=1))
    return OmniActSample("Task: t\nOutput Script:\n" + "\n".join(gold), BOXES, "\n".join(said))


many = st.lists(samples(), min_size=1, max_size=6)
variants = st.sampled_from(["paper", "release", "uground", "fixed"])


@given(many)
def test_the_release_agrees_with_the_second_implementation(every: list[OmniActSample]) -> None:
    found = score(every)
    assert found is not None
    assert (found.sequence, found.action) == pytest.approx(second_release(every), abs=1e-9)


@given(st.text("abc ", max_size=8), st.text("abc ", max_size=8))
def test_bleu_agrees_with_its_definition(reference: str, candidate: str) -> None:
    assert bleu2(reference, candidate) == pytest.approx(second_bleu(reference, candidate), abs=1e-12)


@given(many, variants, st.randoms(use_true_random=False))
def test_ranges_and_order(every: list[OmniActSample], variant: Variant, draw: random.Random) -> None:
    found = score(every, variant)
    assert found is not None
    for value in (found.sequence, found.click, found.press, found.write, found.action or 0.0):
        assert 0 <= value <= 1 + 1e-12
    if variant != "paper":
        assert found.action is not None
        unclipped = found.sequence - found.click - found.press - found.write
        assert unclipped - 1e-9 <= found.action <= found.sequence + 1e-9
    shuffled = draw.sample(every, len(every))
    assert score(shuffled, variant) == found


@given(many, variants)
def test_the_gold_script_itself_matches_in_every_variant_but_ugrounds(
    every: list[OmniActSample], variant: Variant
) -> None:
    right = [OmniActSample(one.task, one.boxes, "\n".join(one.task.split("\n")[2:])) for one in every]
    found = score(right, variant)
    assert found is not None
    assert found.click == 0
    if variant != "uground":
        assert found.sequence == 1
    if variant == "fixed":
        assert found.action == 1
