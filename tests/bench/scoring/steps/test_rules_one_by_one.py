"""The step metrics' rules one by one (AndroidControl, GUIAct, GUI-Odyssey, OmniACT, as OS-Atlas scores them)."""

from __future__ import annotations

import pytest

from omnipilot.bench.scoring.steps.metrics import AnsweredStep, score, split_of
from omnipilot.bench.scoring.steps.rules import ActionMatch, after_header, compare

CLICK = "CLICK <point>[[500,500]]</point>"


def place(x: object, y: object, kind: str = "CLICK") -> str:
    return f"{kind} <point>[[{x},{y}]]</point>"


def full(truth: str, said: str, benchmark: str = "android_control") -> bool:
    return compare(truth, said, benchmark).full  # type: ignore[arg-type]


def reply(*actions: str) -> str:
    return "actions:\n" + "\n".join(actions)


@pytest.mark.parametrize(
    ("after", "left"),
    [
        ("WAIT<|im_end|>", "WAIT"),
        ("<|im_end|>WAIT", "WAIT"),  # from both ends
        ("TYPE denied", "TYPE "),  # all six letters are of the set
        ("middle", "l"),  # "midd" before and "e" behind
        ("TYPE [denied]", "TYPE [denied]"),  # a bracket is none of them
        ("<|im_end|>", ""),
        (" WAIT ", " WAIT "),  # a blank is none either
    ],
)
def test_a_set_of_characters_is_stripped_and_no_ending(after: str, left: str) -> None:
    assert after_header(f"thought:\nx\nactions:\n{after}") == left


@pytest.mark.parametrize("said", ["WAIT", "Actions:\nWAIT", "actions: WAIT", ""])
def test_without_the_header_an_action_is_invalid_and_stays_in_the_denominator(said: str) -> None:
    found = score([AnsweredStep("WAIT", said), AnsweredStep("WAIT", reply("WAIT"))])
    assert (found.overall.type, found.overall.success, found.format_errors) == (1 / 2, 1 / 2, 1)


def test_an_empty_action_on_which_the_release_fails_is_wrong() -> None:
    assert score([AnsweredStep("WAIT", reply(""))]).overall.success == 0
    assert score([AnsweredStep("WAIT", reply(" "))]).overall.success == 0


def test_blanks_around_an_action_count_in_android_control_alone() -> None:
    steps = [AnsweredStep("WAIT", reply("WAIT "))]
    found = {name: score(steps, name).overall.success for name in ("android_control", "guiact_web")}  # type: ignore[arg-type]
    assert found == {"android_control": 0, "guiact_web": 1}


@pytest.mark.parametrize("kind", ["CLICK", "LONG_PRESS"])
@pytest.mark.parametrize(
    ("x", "y", "near"), [(640, 500, True), (641, 500, False), (598, 598, True), (599, 599, False), (584, 388, True)]
)
def test_within_14_percent_of_the_place(kind: str, x: int, y: int, near: bool) -> None:
    # 98² + 98² is 19208, 99² + 99² is 19602, and 140² is 19600; 84 and 112 make 140.
    assert full(place(500, 500, kind), place(x, y, kind)) is near


def test_the_first_two_whole_numbers_count_and_none_is_far_away() -> None:
    assert full(CLICK, "CLICK [500, 500, 900, 900]")
    assert not full(CLICK, "CLICK [900, 900, 500, 500]")
    assert not full(CLICK, "CLICK [500]")
    # (-100, -100) is 141.4 from the corner, and further from every other place.
    for x, y in ((0, 0), (100, 0), (0, 100), (100, 100)):
        assert not full(place(x, y), "CLICK")


@pytest.mark.parametrize("kind", ["TYPE", "OPEN_APP"])
@pytest.mark.parametrize(
    ("truth", "said", "matches"),
    [
        ("[Google Maps]", "[Google Play]", True),
        ("[Maps Google]", "[Play Google]", False),
        ("[Clock]", "[clock]", True),  # in any case
        ("[Clock]", "[Clocks]", False),
        ("[x y]", "[x y]", True),
    ],
)
def test_of_a_text_the_second_word_alone_is_compared(kind: str, truth: str, said: str, matches: bool) -> None:
    assert compare(f"{kind} {truth}", f"{kind} {said}", "android_control").full is matches
    assert compare(f"{kind} {truth}", f"{kind}", "android_control") == ActionMatch(True, False, False)  # raises there


def test_grounding_is_of_clicks_whose_kind_is_right() -> None:
    steps = [
        AnsweredStep(CLICK, reply(CLICK)),
        AnsweredStep(CLICK, reply(place(0, 0))),
        AnsweredStep(CLICK, reply("WAIT")),
        AnsweredStep(place(5, 5, "LONG_PRESS"), reply(place(5, 5, "LONG_PRESS"))),
        AnsweredStep("WAIT", reply("WAIT")),
    ]
    found = score(steps).overall
    assert (found.type, found.grounding, found.success) == (4 / 5, 1 / 2, 3 / 5)
    # In GUI-Odyssey a long press is in the denominator, and never in the numerator.
    assert score(steps, "gui_odyssey").overall.grounding == 1 / 3
    assert score(steps[2:]).overall.grounding is None  # the release divides by zero


def test_a_step_of_several_splits_is_of_the_first() -> None:
    splits = {"IDD": {1}, "app_unseen": {1, 2}, "task_unseen": {2, 3}, "category_unseen": {3}}
    assert [split_of(episode, splits) for episode in (1, 2, 3, 4)] == ["IDD", "app_unseen", "task_unseen", ""]


@pytest.mark.parametrize(
    ("truth", "said", "guiact", "android"),
    [
        ("SCROLL [DOWN]", "SCROLL [DOWN]", True, True),
        ("SCROLL [DOWN]", "SCROLL [DOWN", True, False),  # one of them contains the other
        ("SCROLL [DOWN", "SCROLL [DOWN]", True, False),
        ("SCROLL [DOWN]", "SCROLL [UP]", False, False),
    ],
)
def test_scrolls(truth: str, said: str, guiact: bool, android: bool) -> None:
    assert full(truth, said, "guiact_web") is full(truth, said, "omniact") is guiact
    assert full(truth, said) is full(truth, said, "gui_odyssey") is android


def test_gui_odyssey_matches_the_rest_by_kind_and_texts_by_all_their_words() -> None:
    assert full("PRESS_BACK x", "PRESS_BACK y", "gui_odyssey")
    # TYPE, [a, b] against TYPE, [a, c]: two of three and two of three.
    assert full("TYPE [a b]", "TYPE [a c]", "gui_odyssey")
    assert not full("TYPE [ab]", "TYPE [ac]", "gui_odyssey")  # one of two is not above a half
    # Three numbers are no place there, and (0, 0) stands for it.
    assert full(place(140, 0), "CLICK [140, 0, 3]", "gui_odyssey")
    assert full(place(0, 140), "CLICK", "gui_odyssey")
    assert not full(place(141, 0), "CLICK", "gui_odyssey")
    assert not full(place(0, 141), "CLICK", "gui_odyssey")
    assert not full(place(500, 0), "CLICK [500, 0, 3]", "gui_odyssey")


@pytest.mark.parametrize("kind", ["CLICK", "LONG_PRESS", "MOVETO", "RIGHTCLICK", "DOUBLECLICK"])
def test_omniact_s_five_presses_want_two_numbers(kind: str) -> None:
    truth = place(500, 500, kind)
    assert compare(truth, place(600, 597, kind), "omniact") == ActionMatch(True, True, True)  # 139.3
    assert compare(truth, place(600, 599, kind), "omniact") == ActionMatch(True, False, False)  # 140.7
    assert compare(truth, f"{kind} [500, 500, 1]", "omniact") == ActionMatch(True, False, False)


def test_omniact_s_lines_are_zipped_over_what_was_predicted() -> None:
    truth = f"{CLICK}\nTYPE [hello]\nPRESS_ENTER"
    none, one, two, four = (
        score([AnsweredStep(truth, said)], "omniact").overall
        for said in ("", reply(CLICK), reply("TYPE [hello]", "TYPE [hello]"), reply(CLICK, "x", "PRESS_ENTER", "y"))
    )
    # Without a header the release has no line (`pred_action_list = []`), and nothing to divide by.
    assert (none.actions, none.type, none.success, none.strict_success) == (0, None, None, 0)
    assert (one.actions, one.success, one.grounding, one.strict_success) == (1, 1, 1, 1 / 3)
    # Line by line: no click, and then the right text; a step left out shifts all others.
    assert (two.actions, two.type, two.success) == (2, 1 / 2, 1 / 2)
    assert (four.actions, four.success, four.strict_success) == (3, 2 / 3, 2 / 3)
    # Only the click is a click: its denominator is empty where the type is wrong.
    assert two.grounding is None
