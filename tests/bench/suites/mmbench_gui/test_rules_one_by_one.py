"""MMBench-GUI's rules one by one: the order of the six searches, the facts (a) to (e) about EQA, cells and limits."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from pathlib import Path

import pytest
from mmbench_l1_made import data, group, item

from omnipilot.bench.scoring.eqa import Attempt, eqa_in_order, limit_attempts, success_rate
from omnipilot.bench.suites.mmbench_gui.level1.data import load
from omnipilot.bench.suites.mmbench_gui.level1.metrics import Answered, option_of
from omnipilot.bench.suites.mmbench_gui.level1.metrics import report as understanding
from omnipilot.bench.suites.mmbench_gui.level1.suite import question_prompt
from omnipilot.bench.suites.mmbench_gui.level2.metrics import Grounded, judge
from omnipilot.bench.suites.mmbench_gui.level2.metrics import report as grounding
from omnipilot.bench.suites.mmbench_gui.level3.metrics import report as automation

# What only the search of that number finds, the ones after it apart; each chooses another letter.
SEARCHED = ("so B. y", "so option C y", "so answer D y", "E y", 'so "F" y', "so A")


@pytest.mark.parametrize("number", range(6))
def test_each_of_the_six_searches_finds_its_own(number: int) -> None:
    assert option_of(SEARCHED[number]) == "BCDEFA"[number]
    assert option_of(SEARCHED[number].lower()) == "BCDEFA"[number]


@pytest.mark.parametrize(("first", "second"), list(itertools.permutations(range(6), 2)))
def test_the_earlier_search_wins_wherever_it_hits(first: int, second: int) -> None:
    reply = f"{SEARCHED[first]}\n{SEARCHED[second]}"
    assert option_of(reply) == "BCDEFA"[min(first, second)]


@pytest.mark.parametrize(
    ("reply", "release", "fixed"),
    [("Bad idea", "B", None), ("a dog", "A", "A"), ("Answer is C", "A", "C"), ("G. H: i", None, None)],
)
def test_the_letters_of_words_at_the_start_of_a_line(reply: str, release: str | None, fixed: str | None) -> None:
    assert (option_of(reply), option_of(reply, "fixed")) == (release, fixed)


def test_one_answer_by_all_scores() -> None:
    # m = 4 and m = 2, the first right: 1/2; 3/4 of the 3/4 + 1/2 that can be had; 3/8 as printed.
    some = [Answered("os_web", "easy", 4, "B", "B."), Answered("os_web", "easy", 2, "A", "Bad idea")]
    assert understanding(some).levels["easy"].score == 1 / 2
    assert understanding(some, "weighted").levels["easy"].score == pytest.approx(3 / 5)
    assert understanding(some, "weighted", "paper").levels["easy"].score == pytest.approx(3 / 8)


def test_a_platform_without_questions_makes_its_level_nan_and_is_skipped_when_fixed() -> None:
    some = [Answered("os_web", "easy", 4, "A", "A."), Answered("os_mac", "hard", 4, "A", "A.")]
    assert all(math.isnan(level.score) for level in understanding(some).levels.values())
    assert [level.score for level in understanding(some, variant="fixed").levels.values()] == [1, 1]


def test_a_cell_without_texts_divides_by_nothing_and_is_blank() -> None:
    only = Grounded("0", "os_web", "basic", "icon", (0, 0, 1, 1), 100, 100, "(0.5, 0.5)")
    found = grounding([only])
    assert set(found.cells) == {("basic", "os_web", "icon")}
    assert (found.basic, found.advanced, found.average) == (1, None, None)


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [("(1.0, 0.5)", "correct"), ("(1.01, 50)", "wrong"), ("(50, 0.5)", "wrong"), ("(50, 50)", "correct")],
)
def test_one_coordinate_above_1_puts_both_in_pixels(reply: str, verdict: str) -> None:
    one = Grounded("0", "os_web", "basic", "icon", (0.4, 0.4, 1, 0.6), 100, 100, reply)
    assert judge(one) == verdict


def test_options_are_told_in_the_order_of_their_letters_and_missing_ones_are_skipped(tmp_path: Path) -> None:
    three = {"options": {"F": "last", "C": "middle", "A": "first"}, "answer": "C"}
    (one, *_) = load(data(tmp_path, [item(0, groups=[{**group("easy"), **three}] * 3)])).loaded.items
    assert one.options == (("A", "first"), ("C", "middle"), ("F", "last"))
    told = question_prompt(one).split("\n")
    assert told[told.index("Options:") + 1 :][:3] == ["A. first", "C. middle", "F. last"]
    # Three options, so that a hit is worth 2/3.
    reply = Answered(one.platform, one.difficulty, len(one.options), one.answer, "C.")
    assert understanding([reply], "weighted", "paper").levels["easy"].score == pytest.approx(2 / 3)


def attempts(*rows: tuple[int, int]) -> list[Attempt]:
    """Attempts of (solved, steps), in the order of their ids."""
    return [Attempt(f"{place:02}", bool(solved), steps) for place, (solved, steps) in enumerate(rows)]


# Ends at 4, 14 and 20 of 30.
THREE = attempts((1, 4), (0, 10), (1, 6))


def test_fact_a_the_closed_form_is_the_integral_of_cumulative_cost() -> None:
    # 1/3 from 4/30 to 20/30, then 2/3; and (26 + 10) / 30 / 3.
    assert eqa_in_order(THREE, 10, "integral") == pytest.approx(16 / 90 + 20 / 90)
    assert eqa_in_order(THREE, 10, "closed") == pytest.approx(36 / 90)
    # Read as each task's own steps it is another number.
    assert pytest.approx(50 / 90) == ((1 - 4 / 30) + (1 - 6 / 30)) / 3


def test_fact_b_the_grid_in_whole_numbers() -> None:
    # 100 u is 13.3 and 66.7: 101 - 14 and 101 - 67 points.
    assert eqa_in_order(THREE, 10, "grid") == pytest.approx((87 + 34) / 101 / 3)
    # At most 1/101 more than closed (solved with the last step), and less than 1/101 less (just past a point).
    last, just = attempts((1, 10)), attempts((1, 1))
    assert (eqa_in_order(last, 10, "grid") or 0) - (eqa_in_order(last, 10, "closed") or 0) == pytest.approx(1 / 101)
    past = (eqa_in_order(just, 10_000, "grid") or 0) - (eqa_in_order(just, 10_000, "closed") or 0)
    assert -1 / 101 < past == pytest.approx(100 / 101 - 0.9999)


@pytest.mark.parametrize("steps", range(1, 101))
def test_fact_b_no_rounding_moves_a_task_over_a_point(steps: int) -> None:
    # 0.07 * 100 is above 7, and 0.29 * 100 below 29, in floating point.
    one = attempts((1, steps))
    assert eqa_in_order(one, 100, "grid") == pytest.approx((101 - steps) / 101)


def test_fact_c_the_release_gives_credit_for_half_of_the_steps_of_each_solved_task() -> None:
    # A limit at which every end lies on a point of the grid; between points the curve is straight, so that the mean of
    # 101 points is (100 times the area, and half of each end's value) / 101.
    some = attempts((1, 20), (0, 30), (1, 40))
    closed, budget = Fraction(80 + 10, 100) / 3, 100
    scaled = [Attempt(one.task, one.success, one.steps * 3) for one in some]  # of 3 * 100
    area = closed + Fraction(20 + 40, 2 * budget) / 3
    assert eqa_in_order(scaled, 100, "closed") == pytest.approx(float(closed))
    assert eqa_in_order(scaled, 100, "release") == pytest.approx(float((100 * area + Fraction(2, 3) / 2) / 101))
    one = attempts((1, 50))
    values = [eqa_in_order(one, 50, form) for form in ("closed", "grid", "release")]
    assert values == pytest.approx([0, 1 / 101, 0.5])


def test_fact_c_the_gap_shrinks_with_more_tasks() -> None:
    gaps = []
    for count in (1, 4, 16, 64):
        some = attempts(*[(1, 10)] * count)
        gaps.append((eqa_in_order(some, 10) or 0) - (eqa_in_order(some, 10, "closed") or 0))
    # 1/(2 N), apart from the grid.
    assert gaps == pytest.approx([0.5, 0.125, 0.03125, 0.0078125], abs=0.006)
    assert gaps == sorted(gaps, reverse=True)


def test_fact_d_the_order_of_the_paths_decides() -> None:
    other = [Attempt(name, one.success, one.steps) for name, one in zip("bca", THREE, strict=True)]
    # Now ends at 6 (solved), 10 (solved) and 20.
    assert eqa_in_order(other, 10, "closed") == pytest.approx((24 + 20) / 30 / 3)


def test_fact_e_eqa_is_at_most_sr() -> None:
    free = attempts((1, 0), (1, 0))
    for form in ("integral", "grid", "closed", "release"):
        assert eqa_in_order(free, 10, form) == success_rate(free) == 1  # type: ignore[arg-type]
        assert (eqa_in_order(THREE, 10, form) or 0) < (success_rate(THREE) or 0)  # type: ignore[arg-type]


def test_points_at_one_place_resolve_to_the_later_and_no_success_is_nothing() -> None:
    twin = attempts((1, 10), (1, 0))
    # Both at u = 1/2: the line rises to 1/2 and from there all is solved: 50 points of m / 100, and 51 of 1.
    assert eqa_in_order(twin, 10) == pytest.approx((sum(m / 100 for m in range(50)) + 51) / 101)
    assert eqa_in_order(attempts((0, 3), (0, 9)), 10) == 0.0


def test_eqa_at_15_cuts_steps_and_success_and_at_50_takes_them_as_they_are() -> None:
    some = attempts((1, 15), (1, 16), (0, 40))
    assert [(one.success, one.steps) for one in limit_attempts(some, 15)] == [(True, 15), (False, 15), (False, 15)]
    assert automation(some, 15, "closed").average.eqa == pytest.approx((30 / 45) / 3)
    assert automation(some, 50, "closed").average.eqa == pytest.approx((135 / 150 + 119 / 150) / 3)
    late = attempts((1, 60), (1, 20))
    assert limit_attempts(late, 50, "release") == late and limit_attempts(late, 15, "release") == limit_attempts(
        late, 15
    )
    # Of 100 steps they end at 60 and 80: lines to 1/2 and to 1, then 20 points of 1.
    lines = [m / 120 for m in range(60)] + [1 / 2 + (m - 60) / 40 for m in range(60, 80)] + [1.0] * 21
    found = automation(late, 50).average
    assert (found.success, found.eqa) == (1, pytest.approx(sum(lines) / 101))
    # In the other forms the first fails at 50; the second ends at 70.
    cut = automation(late, 50, "closed").average
    assert (cut.success, cut.eqa) == (1 / 2, pytest.approx((1 - 70 / 100) / 2))
    failed = automation(attempts((0, 3)), 15).average
    assert (failed.eq1, failed.eq2) == (None, 0)


def test_void_replies_are_not_unparsed_ones() -> None:
    said = [("?", False), ("", True), ("", True), ("A.", True), ("A.", False)]
    some = [Answered("os_web", "easy", 4, "A", reply, void=void) for reply, void in said]
    cell = understanding(some).levels["easy"].cells["os_web"]
    assert (cell.questions, cell.hits, cell.unparsed, cell.void, cell.score) == (5, 1, 1, 3, 1 / 5)
