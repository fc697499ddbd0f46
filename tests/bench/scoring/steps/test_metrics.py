"""Step metrics as OS-Atlas scores them, by hand: AndroidControl, GUIAct-Web, GUI-Odyssey, OmniACT."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.bench.scoring.steps.metrics import AnsweredStep, omniact_part, score, split_of
from omnipilot.bench.scoring.steps.rules import ActionMatch, Benchmark, after_header, argument, compare, word_f1

ALL: tuple[Benchmark, ...] = ("android_control", "guiact_web", "gui_odyssey", "omniact")


def click(x: int, y: int, kind: str = "CLICK") -> str:
    return f"{kind} <point>[[{x}, {y}]]</point>"


def reply(action: str) -> str:
    return f"thought:\nSo it is.\nactions:\n{action}<|im_end|>"


def full(truth: str, said: str, benchmark: Benchmark = "android_control") -> bool:
    return compare(truth, said, benchmark).full


@pytest.mark.parametrize("benchmark", ALL)
@pytest.mark.parametrize("kind", ["CLICK", "LONG_PRESS"])
def test_a_place_may_be_140_thousandths_away(benchmark: Benchmark, kind: str) -> None:
    truth = click(500, 500, kind)
    for x, y, near in ((500, 500, True), (584, 612, True), (585, 612, False), (360, 500, True), (359, 500, False)):
        assert compare(truth, click(x, y, kind), benchmark) == ActionMatch(True, near, near)
    assert compare(truth, "TYPE [x]", benchmark) == ActionMatch(False, False, False)


def test_places_that_cannot_be_read() -> None:
    near, decimals = click(50, 60), "CLICK 50.5, 60"  # three whole numbers: 50, 5, 60
    assert [full(near, "CLICK here", benchmark) for benchmark in ALL] == [False, False, True, False]
    assert [full(near, decimals, benchmark) for benchmark in ALL] == [True, True, True, False]
    assert not full(click(0, 0), "CLICK here")  # (-100, -100) is just too far from the corner
    assert not full(near, f"CLICK {'9' * 5000} 60")
    assert full(near, "CLICK 0000000000050 60")
    with pytest.raises(ValueError, match="contains no place"):
        full("CLICK there", near)


@pytest.mark.parametrize("kind", ["TYPE", "OPEN_APP"])
@pytest.mark.parametrize(
    ("truth", "said", "released", "strict"),
    [
        ("[Google Maps]", "[Google Play]", True, False),  # the second word alone is looked at
        ("[Google Maps]", "[google maps]", True, True),
        ("[a b c]", "[x b c]", False, True),
        ("[Gmail]", "[Mail]", False, False),
        ("[Google]", "[Google Play]", False, True),  # "[Google]" is not "[Google"
        ("[a b c]", "[x b a y]", False, True),  # two of three and four: 4/7
        ("[x]", "", False, False),  # raises there
        ("", "", True, True),
    ],
)
def test_texts_of_android_control(kind: str, truth: str, said: str, released: bool, strict: bool) -> None:
    found = compare(f"{kind} {truth}".strip(), f"{kind} {said}".strip(), "android_control")
    assert found == ActionMatch(True, released, strict)


def test_texts_of_gui_odyssey_are_whole_and_count_the_word_type() -> None:
    # {type, [hello, world]} and {type, [hello, there]}: two of three.
    assert full("TYPE [hello world]", "TYPE [hello there]", "gui_odyssey")
    assert not full("TYPE [hello]", "TYPE [there]", "gui_odyssey")  # one of two is not more than half
    assert full("OPEN_APP [Maps]", "OPEN_APP [Mail]", "gui_odyssey")  # by its kind alone
    assert not full("OPEN_APP [Maps]", "OPEN_APP [maps]", "guiact_web")


def test_scrolls_and_other_actions() -> None:
    assert [full("SCROLL [DOWN]", "SCROLL [DOWN] ", b) for b in ALL] == [False, True, False, True]
    assert [full("SCROLL [DOWN]", "SCROLL [DOWN][1]", b) for b in ALL] == [False, True, False, True]
    assert [full("SCROLL [DOWN]", "SCROLL", b) for b in ALL] == [False] * 4
    assert [full("SCROLL [DOWN]", "SCROLL [UP]", b) for b in ALL] == [False] * 4
    assert [full("PRESS_BACK", "PRESS_BACK now", b) for b in ALL] == [False, False, True, False]
    assert full("PRESS_HOME", "PRESS_HOME: ", "gui_odyssey")  # colons around the kind are forgiven
    moved = click(1, 1, "MOVETO"), click(9, 9, "MOVETO")
    assert [full(*moved, b) for b in ALL] == [False, False, True, True]


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        (reply("PRESS_BACK"), "PRESS_BACK"),
        ("PRESS_BACK", None),
        ("actions: PRESS_BACK", None),
        ("actions:\nTYPE hidden", "TYPE h"),  # a set of characters, not an ending
        ("actions:\nWAIT\n", "WAIT\n"),
        ("actions:\nA\nactions:\nB", "A\n"),
        ("actions:\n", ""),
    ],
)
def test_what_stands_after_the_header(text: str, actions: str | None) -> None:
    assert after_header(text) == actions


def test_three_rates_by_hand() -> None:
    steps = [
        AnsweredStep(click(100, 100), reply(click(120, 100)), "IDD"),
        AnsweredStep(click(100, 100), reply(click(900, 100)), "IDD"),
        AnsweredStep(click(100, 100), reply("PRESS_BACK"), "app_unseen"),
        AnsweredStep(click(5, 5, "LONG_PRESS"), reply(click(900, 5, "LONG_PRESS")), "app_unseen"),
        AnsweredStep("OPEN_APP [Google Maps]", reply("OPEN_APP [Google Play]"), "app_unseen"),
        AnsweredStep("PRESS_BACK", "I press back.", "IDD"),
        AnsweredStep("PRESS_BACK", "actions:\n", "IDD"),
        AnsweredStep("PRESS_BACK", reply("PRESS_BACK"), "IDD", void=True),
    ]
    found = score(steps)
    assert (found.overall.type, found.overall.success, found.overall.strict_success) == (4 / 8, 2 / 8, 1 / 8)
    assert found.overall.grounding == 1 / 2  # the long press is no part of it
    assert (found.format_errors, found.void, found.variant) == (2, 1, "release")
    assert {name: part.success for name, part in found.parts.items()} == {"IDD": 1 / 5, "app_unseen": 1 / 3}
    assert score(steps, "gui_odyssey").overall.grounding == 1 / 3  # there it is
    assert score([AnsweredStep("WAIT", reply("WAIT"))]).overall.grounding is None
    assert score([]).overall.success is None


def test_omniact_counts_only_what_was_predicted() -> None:
    gold = "\n".join((click(100, 100), "TYPE [a b]", "SCROLL [10]"))
    steps = [
        AnsweredStep(gold, reply(click(100, 100)), "web"),  # two missing lines cost nothing
        AnsweredStep(
            gold, reply(f"{click(900, 100)}\nTYPE [a c]\nSCROLL [100]\nPRESS_ENTER"), "web"
        ),  # nor does one too many
        AnsweredStep(gold, "no header", "desktop"),
    ]
    found = score(steps, "omniact")
    # The release reads no line at all in a reply without a header.
    assert (found.overall.actions, found.overall.strict_actions) == (4, 9)
    assert (found.overall.type, found.overall.success, found.overall.grounding) == (4 / 4, 2 / 4, 1 / 2)
    assert found.overall.strict_success == 1 / 9  # "a c" is half of "a b", and lines are missing
    assert found.parts["web"].success == 2 / 4 and found.parts["desktop"].success is None
    assert (found.format_errors, found.variant) == (1, "release")
    fixed = score(steps, "omniact", "fixed")
    assert (fixed.overall.actions, fixed.overall.type, fixed.overall.success) == (9, 4 / 9, 2 / 9)
    assert (fixed.overall.grounding, fixed.overall.strict_success, fixed.variant) == (1 / 2, 1 / 9, "fixed")
    assert fixed.parts["desktop"].success == 0 / 3
    void = score([AnsweredStep(gold, "", "web", void=True)], "omniact")
    assert (void.overall.actions, void.overall.success, void.format_errors) == (3, 0, 0)


def test_the_names_of_parts() -> None:
    assert omniact_part("data/web/amazon/screen1.png") == "web"
    assert omniact_part("data/desktop/notes/screen_1.png") == "desktop"
    splits = {"IDD": [1, 2], "app_unseen": [2, 3]}
    assert [split_of(episode, splits) for episode in (1, 2, 3, 4)] == ["IDD", "IDD", "app_unseen", ""]
    # Their order is OS-Atlas's, whatever that of the file; what it does not know comes last.
    mixed = {"own": [1, 9], "category_unseen": [1, 2], "task_unseen": [2, 3], "app_unseen": [3], "IDD": [4]}
    found = [split_of(episode, mixed) for episode in (1, 2, 3, 4, 9)]
    assert found == ["category_unseen", "task_unseen", "app_unseen", "IDD", "own"]


@pytest.mark.parametrize(
    ("said", "truth", "value"),
    [("a b", "b c", 0.5), ("A a b", "a b", 1), ("", "a", 0), ("", "", 0), ("a b c", "a", 0.5), ("a", "b", 0)],
)
def test_f1_by_hand(said: str, truth: str, value: float) -> None:
    assert word_f1(said, truth) == pytest.approx(value)


def test_arguments_without_their_brackets() -> None:
    assert [argument(a) for a in ("TYPE [a b]", "TYPE a b ", "TYPE", "OPEN_APP [ x ]")] == ["a b", "a b", "", "x"]


actions = st.one_of(
    st.builds(click, st.integers(0, 1000), st.integers(0, 1000), st.sampled_from(["CLICK", "LONG_PRESS"])),
    st.builds("TYPE [{}]".format, st.text("ab ", max_size=6)),
    st.sampled_from(["SCROLL [UP]", "SCROLL [DOWN]", "PRESS_BACK", "COMPLETE"]),
)


@given(
    st.lists(st.tuples(actions, st.one_of(actions, st.text(max_size=9))), min_size=1),
    st.sampled_from(ALL),
    st.randoms(),
)
def test_ranges_and_order(pairs: Any, benchmark: Benchmark, draw: random.Random) -> None:
    steps = [AnsweredStep(truth, reply(said), "ab"[i % 2]) for i, (truth, said) in enumerate(pairs)]
    found = score(steps, benchmark)
    figures = found.overall
    for rate in (figures.type, figures.grounding, figures.success, figures.strict_success):
        assert rate is None or 0 <= rate <= 1
    assert figures.full <= figures.kinds <= figures.actions
    assert sum(part.full for part in found.parts.values()) == figures.full
    assert score(draw.sample(steps, len(steps)), benchmark) == found


@given(st.lists(actions, min_size=1, max_size=8), st.sampled_from(ALL))
def test_the_right_actions_score_everything(right: list[str], benchmark: Benchmark) -> None:
    figures = score([AnsweredStep(action, reply(action)) for action in right], benchmark).overall
    assert figures.success == figures.type == figures.strict_success == 1
