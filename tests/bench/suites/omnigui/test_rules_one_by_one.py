"""OmniGUI's rules one by one: the reply's fields in their order, targets of every form, and the paper's counts."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from omnipilot.bench.suites.omnigui.metrics.actions import Primitive
from omnipilot.bench.suites.omnigui.metrics.reply import OmniGuiPrediction, read_reply
from omnipilot.bench.suites.omnigui.metrics.scores import ScoredStep, score, score_step
from omnipilot.bench.suites.omnigui.metrics.targets import target

P = Primitive
FIELDS = ("action_type", "action", "type", "action_name", "actionType", "actiontype", "operation")
PLACES = ("coordinate", "coordinates", "position", "point")
FORMS = (
    '<tool_call>{"name": "long_press", "arguments": {"coordinate": [1, 2]}}</tool_call>',
    '```json\n{"action_type": 9}\n```',
    'so {"action_type": 8} it is',
    "click(3, 4)",
)
READ = (
    OmniGuiPrediction(P.LONG_PRESS, (1, 2)),
    OmniGuiPrediction(P.HOME),
    OmniGuiPrediction(P.BACK),
    OmniGuiPrediction(P.TAP, (3, 4)),
)


def step(action: Primitive, reply: Any, **more: Any) -> ScoredStep:
    return ScoredStep("e", 0, action, reply if isinstance(reply, str) else json.dumps(reply), **more)


@pytest.mark.parametrize(("first", "second"), list(itertools.permutations(range(4), 2)))
def test_the_forms_of_a_reply_come_in_their_order(first: int, second: int) -> None:
    assert read_reply(f"{FORMS[first]}\n{FORMS[second]}") == READ[min(first, second)]


def test_the_whole_reply_comes_before_what_is_in_it() -> None:
    assert read_reply('{"action_type": 8, "why": "```{\\"action_type\\": 9}``` click(3, 4)"}') == OmniGuiPrediction(
        P.BACK
    )


@pytest.mark.parametrize(("early", "late"), list(itertools.combinations(range(7), 2)))
def test_the_seven_fields_of_an_action_come_in_their_order(early: int, late: int) -> None:
    assert read_reply(json.dumps({FIELDS[late]: 9, FIELDS[early]: 8})) == OmniGuiPrediction(P.BACK)
    # One that says nothing usable is passed over.
    for useless in (12, -2, "fly", None, [8]):
        assert read_reply(json.dumps({FIELDS[late]: 9, FIELDS[early]: useless})) == OmniGuiPrediction(P.HOME)


@pytest.mark.parametrize(
    ("value", "action"),
    [*((number, P(number)) for number in range(-1, 12)), (11.9, P.TASK_IMPOSSIBLE), (7.99, P.INPUT), (-1.5, P.NONE)],
)
def test_numbers_lose_their_fraction(value: float, action: Primitive) -> None:
    found = read_reply(json.dumps({"action_type": value}))
    assert found is not None and found.action == action


@pytest.mark.parametrize("field", PLACES)
def test_a_place_without_an_action_is_a_tap_and_so_is_a_bare_swipe_with_one(field: str) -> None:
    assert read_reply(json.dumps({field: [5, 6]})) == OmniGuiPrediction(P.TAP, (5, 6))
    for verb in ("swipe", "Scroll"):
        assert read_reply(json.dumps({"action": verb, field: [5, 6]})) == OmniGuiPrediction(P.TAP, (5, 6))
        assert read_reply(json.dumps({"action": verb, "start": [5, 6], "end": [5, 9]})) is None


@pytest.mark.parametrize("value", [[12.9, 34.9], {"x": 12.9, "y": 34}, "12,34", "12.9, 34.2", ["12", "34.7"]])
def test_places_lose_their_fraction(value: Any) -> None:
    assert read_reply(json.dumps({"action_type": 0, "coordinate": value})) == OmniGuiPrediction(P.TAP, (12, 34))


@pytest.mark.parametrize("corners", [(0, 1), (1, 0)])
@pytest.mark.parametrize("down", [(0, 1), (1, 0)])
def test_corners_come_in_any_order_and_all_four_edges_count(corners: tuple[int, int], down: tuple[int, int]) -> None:
    across, along = (108, 540), (240, 480)  # 100..500 and 100..200 of 1080 x 2400
    box = target([[across[corners[0]], along[down[0]]], [across[corners[1]], along[down[1]]]])
    for x, y, hit in ((100, 100, True), (500, 200, True), (99, 150, False), (300, 201, False)):
        assert score_step(step(P.TAP, {"action_type": 0, "point": [x, y]}, touch=box)).exact_match is hit


def test_pixels_become_thousandths_by_cutting_off() -> None:
    # 700 / 1080 * 1000 = 648.1, 700 / 2400 * 1000 = 291.7: 648, 291; 140 to the right is a match and 141 is none.
    point = target([700, 700])
    for x, hit in ((788, True), (789, False)):
        assert score_step(step(P.TAP, {"action_type": 0, "point": [x, 291]}, touch=point)).exact_match is hit


def test_minus_one_is_no_place_however_near_the_target() -> None:
    corner = target([0, 0])
    assert score_step(step(P.TAP, {"action_type": 0, "point": [0, 0]}, touch=corner)).exact_match
    found = score_step(step(P.TAP, {"action_type": 0, "point": [-1, -1]}, touch=corner))
    assert (found.type_match, found.exact_match) == (True, False)


@pytest.mark.parametrize("action", list(P))
def test_two_rectangles_of_a_touch_flag_a_step_of_any_action_and_one_or_those_of_a_lift_do_not(action: P) -> None:
    first, second = [[0, 0], [108, 240]], [[540, 1200], [648, 1440]]
    said = {"action_type": int(action), "point": [50, 50], "start": [50, 50], "end": [50, 50], "text": "x"}
    for places, flagged in (
        ({"touch": target([first, second])}, True),
        ({"touch": target([first])}, False),
        ({"touch": target(first), "lift": target([first, second])}, False),
    ):
        assert score_step(step(action, said, text="x", **places)).flagged is flagged


@pytest.mark.parametrize("action", list(P))
def test_which_actions_match_exactly_in_which_variant(action: P) -> None:
    box = target([[0, 0], [108, 240]])
    said = {"action_type": int(action), "point": [50, 50], "start": [50, 50], "end": [50, 50], "text": "x"}
    one = step(action, said, touch=box, lift=box, text="x")
    never = action in (P.NONE, P.DOUBLE_TAP)
    assert (score_step(one).exact_match, score_step(one, "paper").exact_match) == (not never, True)


def test_a_swipe_of_the_wrong_way_through_the_right_places_is_no_match() -> None:
    box = target([[0, 0], [108, 240]])
    said = {"action_type": 4, "start": [50, 50], "end": [50, 50]}
    found = score_step(step(P.SWIPE_UP, said, touch=box, lift=box))
    assert (found.type_match, found.exact_match) == (False, False)


def test_progress_of_the_release_never_exceeds_the_papers_and_success_neither() -> None:
    flags = ("1101", "0111", "1111", "0000")
    steps = [
        ScoredStep(str(episode), at, P.HOME, "home()" if flag == "1" else "back()")
        for episode, some in enumerate(flags)
        for at, flag in enumerate(some)
    ]
    release, paper = score(steps), score(steps, "paper")
    assert release.goal_progress == pytest.approx((2 + 0 + 4 + 0) / 16)
    assert paper.goal_progress == pytest.approx((3 + 3 + 4 + 0) / 16)
    assert release.success_rate == paper.success_rate == 1 / 4


# Episodes and steps.
LANGUAGES = {"zh": (363, 1303, 15), "en": (346, 1276, 14)}
LEVELS = {"AV-Critical": (211, 803, 29.8), "AV-Supportive": (230, 860, 32.4), "AV-Present": (268, 916, 37.8)}
DIMENSIONS = {
    "localization": (145, 446, 20.5),
    "semantic": (137, 530, 19.3),
    "cross-modal": (141, 514, 19.9),
    "temporal": (156, 617, 22.0),
    "instant": (130, 472, 18.3),
}


def test_the_papers_counts_add_up_to_709_episodes_and_2579_steps() -> None:
    for table in (LANGUAGES, LEVELS, DIMENSIONS):
        assert tuple(sum(row[column] for row in table.values()) for column in (0, 1)) == (709, 2579)
    assert sum(apps for _, _, apps in LANGUAGES.values()) == 29
    for table in (LEVELS, DIMENSIONS):
        assert all(round(100 * episodes / 709, 1) == share for episodes, _, share in table.values())
    assert round(2579 / 709, 2) == 3.64
