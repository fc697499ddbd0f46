"""OmniACT's scores: equations by hand, the paper's table, and what the variants disagree about."""

from __future__ import annotations

import math

import pytest

from omnipilot.bench.suites.omniact.metrics.bleu import bleu2
from omnipilot.bench.suites.omniact.metrics.scores import (
    OmniActSample,
    ScriptReport,
    Variant,
    click_penalty,
    score,
    score_sample,
)

BOX = (40, 50, 60, 70)
DIAGONAL = math.sqrt(800)
ALL: tuple[Variant, ...] = ("paper", "release", "uground", "fixed")


def sample(gold: str, predicted: str, **more: bool) -> OmniActSample:
    return OmniActSample(f"Task: do it\nOutput Script:\n{gold}", (BOX, (100, 100, 140, 110)), predicted, **more)


THREE = 'pyautogui.click(50.0,60.0)\npyautogui.write("hello")\npyautogui.press("enter")'
NEAR = 'pyautogui.click(63,74)\npyautogui.write("hella")\npyautogui.press("tab")'


@pytest.mark.parametrize("variant", ALL)
def test_a_perfect_script_of_three(variant: Variant) -> None:
    found = score([sample(THREE, THREE)], variant)
    assert found == ScriptReport(
        variant, 1, sequence=1, click=0, press=0, write=pytest.approx(0), action=pytest.approx(1)
    )


@pytest.mark.parametrize(
    ("variant", "click"),
    [
        *((name, 1 - DIAGONAL / (DIAGONAL + 5)) for name in ("release", "uground", "fixed")),
        ("paper", 1 - (1 / DIAGONAL) / (1 / DIAGONAL + 5)),
    ],
)
def test_the_three_penalties_by_hand(variant: Variant, click: float) -> None:
    # 3 to the right and 4 below the box: L2 = 5. Four of five characters and three of four pairs agree.
    found = score([sample(THREE, NEAR)], variant)
    assert found is not None
    assert found.click == pytest.approx(click / 3)
    assert found.write == pytest.approx((1 - math.sqrt(4 / 5 * 3 / 4)) / 3)
    assert found.press == pytest.approx(1 / 3)
    assert found.sequence == 1
    assert found.action == pytest.approx(1 - found.click - found.write - found.press)


def test_equation_1_weighs_by_length_and_the_two_denominators_differ() -> None:
    long = sample(THREE, THREE)  # 0.1 + 2
    short = sample('pyautogui.press("a")', "pyautogui.click(1,2)")  # 0.1, not matched
    half = sample('pyautogui.press("a")\npyautogui.press("b")', 'pyautogui.press("a")\npyautogui.press("c")')  # 1.1
    released, printed = score([long, short, half]), score([long, short, half], "paper")
    assert released is not None and printed is not None
    assert released.sequence == printed.sequence == pytest.approx((2.1 + 1.1) / 3.3)
    assert released.action == pytest.approx((2.1 + 1.1 / 2) / 3.3)
    assert printed.action == pytest.approx((2.1 + 1.1 / 2) / 3.2)


def test_the_papers_score_has_no_denominator_when_nothing_matches() -> None:
    wrong = [sample(THREE, "")]
    assert score(wrong, "paper").action is None  # type: ignore[union-attr]
    assert score(wrong).action == 0  # type: ignore[union-attr]
    assert score([]) is None


def test_as_printed_a_larger_box_is_harsher_and_as_released_milder() -> None:
    small, large = (0, 0, 3, 4), (0, 0, 30, 40)
    assert click_penalty((-10, 2), small, inverse=True) < click_penalty((-10, 2), large, inverse=True)
    assert click_penalty((-10, 2), small) == pytest.approx(1 - 5 / 15)
    assert click_penalty((-10, 2), large) == pytest.approx(1 - 50 / 60)
    assert click_penalty((-1, 0), (0, 0, 0, 0)) == 1
    assert click_penalty((3, 4), small) == 0  # edges belong to the box


def test_as_printed_a_correct_single_write_gets_the_full_penalty() -> None:
    one = sample('pyautogui.write("hello")', 'pyautogui.write("hello")')
    assert score_sample(one, "paper").action == 0
    assert score_sample(one).action == pytest.approx(1)
    two = 'pyautogui.write("hello")\npyautogui.press("enter", presses=2)'  # SeqScore 1.1 is above 1
    assert score_sample(sample(two, two), "paper").action == pytest.approx(1)


@pytest.mark.parametrize(("variant", "left"), [("release", 0), ("uground", 0), ("fixed", 1)])
def test_a_correct_text_of_one_character_has_no_pair(variant: Variant, left: float) -> None:
    assert score_sample(sample('pyautogui.write("7")', 'pyautogui.write("7")'), variant).action == pytest.approx(left)


def test_the_predicted_text_ends_at_its_first_quote_or_apostrophe() -> None:
    one = sample('pyautogui.write("it\'s me")', 'pyautogui.write("it\'s me")')
    # "it" against "it's me": all agree, and exp(1 - 7 / 2) for what is missing.
    assert score_sample(one).write == pytest.approx(1 - math.exp(1 - 7 / 2))
    assert score_sample(one, "fixed").write == 0


@pytest.mark.parametrize(("predicted", "released"), [('"ctrl","c"', 0), ('"ctrl", "c"', 1), ('"c","ctrl"', 0)])
def test_hotkeys_are_spacing_sensitive_in_the_release_alone(predicted: str, released: float) -> None:
    one = sample('pyautogui.hotkey("ctrl","c")', f"pyautogui.hotkey({predicted})")
    assert score_sample(one).press == score_sample(one, "uground").press == released
    assert score_sample(one, "fixed").press == score_sample(one, "paper").press == 0


def test_capitals() -> None:
    far = sample("pyautogui.doubleClick(50,60)", "pyautogui.doubleClick(500,600)")
    released, ugrounds, fixed = (score_sample(far, v) for v in ("release", "uground", "fixed"))
    # It lost its capital, and with it its penalty.
    assert (released.matched, released.click, released.unjudged) == (True, 0, 0)
    assert not ugrounds.matched  # lower-case gold never equals the prediction
    assert fixed.matched and fixed.click > 0.9
    lower = sample("pyautogui.doubleClick(50,60)", "pyautogui.doubleclick(50,60)")
    assert [score_sample(lower, variant).matched for variant in ALL] == [False, True, True, True]
    text = sample('pyautogui.write("Hello")', 'pyautogui.write("Hello")')
    assert score_sample(text, "uground").write == pytest.approx(1 - math.sqrt(4 / 5 * 3 / 4))


def test_which_lines_count() -> None:
    gold = 'pyautogui.press("a")\npyautogui.press("b")'
    indented = 'Sure:\npyautogui.press("a")\n  pyautogui.press("b")\nDone.'
    assert [score_sample(sample(gold, indented), v).matched for v in ALL] == [True, False, True, True]
    assert score_sample(sample('pyautogui.press("a")\n  pyautogui.press("b")', gold)).weight == 0.1 + 1
    joined = 'import pyautogui\npyautogui.press("a"); pyautogui.press("b")'
    assert [score_sample(sample(gold, joined), v).matched for v in ALL] == [True, False, False, True]
    second_line = OmniActSample('Task: t\npyautogui.press("a")\npyautogui.press("b")', (), gold)
    assert score_sample(second_line).matched and not score_sample(second_line, "uground").matched


@pytest.mark.parametrize("place", ["", "1", "a, b", "x=1, y=2", "float('nan'), 2", "nan, 2"])
def test_a_place_that_cannot_be_read_has_the_full_penalty(place: str) -> None:
    one = sample("pyautogui.click(50,60)", f"pyautogui.click({place})")
    found = score_sample(one)
    assert (found.matched, found.click, found.malformed) == (True, 1, 1)
    corner = 1 - DIAGONAL / (DIAGONAL + math.hypot(40, 50))
    assert score_sample(one, "uground").click == pytest.approx(corner)  # it takes (0, 0) for it


def test_named_places_and_pairs_are_read_as_python() -> None:
    for place in ("50, 60", "x=50, y=60", "(50, 60)", "50, y=60", "50.0, 60, 2"):
        assert score_sample(sample("pyautogui.click(50,60)", f"pyautogui.click({place})"), "fixed").click == 0, place


def test_nothing_of_a_script_runs() -> None:
    for line in ("pyautogui.click(*[50, 60])", "pyautogui.click(__import__('os').getpid(), 60)"):
        found = score_sample(sample("pyautogui.click(50,60)", line), "fixed")
        assert (found.matched, found.malformed) == (False, 1)


def test_a_gold_place_without_a_box_has_no_penalty_and_is_counted() -> None:
    for variant in ALL:
        found = score_sample(sample("pyautogui.click(51,60)", "pyautogui.click(900,900)"), variant)
        assert (found.action, found.unjudged) == (1, 1), variant


def test_a_void_sample_stays_in_the_denominator() -> None:
    found = score([sample(THREE, THREE), sample(THREE, THREE, void=True)])
    assert found is not None
    assert (found.sequence, found.void) == (0.5, 1)


def test_a_task_without_a_script_says_so() -> None:
    with pytest.raises(ValueError, match="no gold action"):
        score_sample(OmniActSample("Task: nothing", (), ""))


@pytest.mark.parametrize(
    ("reference", "candidate", "value"),
    [
        ("hello", "hello", 1),
        ("hello", "hella", math.sqrt(0.6)),
        ("hello", "hell", math.exp(1 - 5 / 4)),
        ("aab", "aaaa", math.sqrt(2 / 4 * 1 / 3)),  # each as often as in the reference
        ("hello", "xyz", 0),
        ("a", "a", 0),
        ("ab", "", 0),
        ("", "ab", 0),
    ],
)
def test_bleu_by_hand(reference: str, candidate: str, value: float) -> None:
    assert bleu2(reference, candidate) == pytest.approx(value, abs=1e-12)


TABLE_4 = """4.12 1.24 1.83 0.57 0.48|3.88 1.17 1.51 0.43 0.77|4.80 1.32 0.93 0.93 1.62|5.44 1.65 0.94 1.06 1.78
7.51 5.68 0.12 0.40 1.31|10.09 2.99 2.71 0.66 3.72|11.20 3.12 3.02 2.12 2.94|22.85 8.13 4.51 2.31 7.89
32.75 10.27 6.99 3.89 11.60|8.92 4.61 1.43 0.74 2.14|8.78 4.12 1.31 0.63 2.72|13.23 4.73 1.24 1.44 5.82
20.56 6.07 3.44 2.85 8.19|30.98 9.05 6.81 3.66 11.46|38.72 10.53 7.14 4.03 17.02|82.23 0.12 0.36 1.61 80.14"""


@pytest.mark.parametrize("row", TABLE_4.replace("\n", "|").split("|"))
def test_the_papers_table_adds_up_over_the_ideal_score(row: str) -> None:
    sequence, click, press, write, action = map(float, row.split())
    found = ScriptReport("release", 2020, sequence, click, press, write, action)
    assert found.sequence - found.click - found.press - found.write == pytest.approx(action, abs=0.0151)
