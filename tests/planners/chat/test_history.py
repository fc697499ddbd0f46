"""The history: nothing is forgotten within the budget, what goes is named, and a request begins like the one before."""

from __future__ import annotations

import json
from itertools import takewhile
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from scripted import SIZE, element, shade
from scripted_model import ScriptedModel, calls

from omnipilot.envs import AudioClip, Elements, Image, Noop, Observation
from omnipilot.memory import Message, Move, Outcome, Recalled, estimate_tokens
from omnipilot.planners import Brief, Feedback, FunctionCallingPlanner, Request, Verbs

ENVS = {name: Verbs("desktop", frozenset({"click"}), size=SIZE) for name in ("pc", "tv")}
BRIEF = Brief("Save it.", ENVS)
LOUD = b"\1\40" * 16_000


def seen(turn: int, shades: tuple[int, int], loud: bool = False) -> dict[str, Observation]:
    """Two screens of these shades."""
    listed = Elements((element("Save", id=f"e{turn}"),))
    sound = AudioClip(LOUD if loud else bytes(32_000), "pc", float(turn))
    return {
        "pc": Observation("pc", float(turn), SIZE, shade(shades[0], "pc", turn), listed, audio=sound),
        "tv": Observation("tv", float(turn), SIZE, shade(shades[1], "tv", turn)),
    }


def lived(turns: list[tuple[int, int]], recalled: Any = (), **options: Any) -> list[tuple[Message, ...]]:
    """The conversations of an episode whose screens have these shades, turn by turn."""
    model = ScriptedModel(lambda asked: calls(("noop", {"thought": f"This is thought {len(model.asked)}."})))
    planner = FunctionCallingPlanner.over(model, **options)
    planner.begin(BRIEF)
    for turn, shades in enumerate(turns):
        told = [Feedback(Move("", Noop()), Outcome("control"))] if turn else []
        planner.plan(Request(BRIEF, turn, seen(turn, shades, turn == 1), recalled if turn else (), told))
    return [asked.messages for asked in model.asked]


def words(messages: tuple[Message, ...]) -> str:
    told = [part for message in messages for part in message.parts if isinstance(part, str)]
    return "\n".join([*told, *(arguments for message in messages for _, arguments in message.calls)])


def pictures(messages: tuple[Message, ...]) -> list[str]:
    return [f"{part.env}{part.start:.0f}" for message in messages for part in message.parts if isinstance(part, Image)]


def same_beginning(before: tuple[Message, ...], after: tuple[Message, ...]) -> int:
    """The number of messages with which both begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))


def test_no_thought_and_no_outcome_is_forgotten() -> None:
    last = lived([(turn, 0) for turn in range(30)])[-1]
    assert [f"This is thought {turn}." in words(last) for turn in range(1, 30)] == [True] * 29
    assert words(last).count("carried out") >= 29 and "left out here" not in words(last)
    assert words(last).count("The elements of pc:") == 1 and "#e29 " in words(last) and "#e28 " not in words(last)


def test_over_the_budget_the_oldest_are_cut_several_at_once_and_that_is_said() -> None:
    every = lived([(turn, 0) for turn in range(60)], history_tokens=600)
    cut = [
        next((int(line.split()[3]) for line in words(one).splitlines() if line.endswith("left out here.)")), 0)
        for one in every
    ]
    assert cut == sorted(cut) and 40 < cut[-1] < 59
    steps = [after - before for before, after in zip(cut, cut[1:], strict=False) if after != before]
    assert len(steps) > 2 and min(steps) > 2, "in blocks"
    for one, gone in zip(every, cut, strict=True):
        assert f"This is thought {gone}." not in words(one)
        rounds = one[1:-1]
        told = sum(estimate_tokens(str(part)) for message in rounds for part in message.parts)
        assert told <= 600 + 60, "a round of leeway: the newest is always shown"


def test_a_request_begins_like_the_one_before() -> None:
    every = lived([(0, 0)] * 12)
    for before, after in zip(every, every[1:], strict=False):
        assert same_beginning(before, after) == len(before) - 1
        # The message that was the last is the same up to what is of its turn alone.
        (shown, *_), (then, *_) = after[len(before) - 1].parts, before[-1].parts
        assert shown == then


def test_only_the_last_pictures_are_shown_and_an_unchanged_screen_is_a_word() -> None:
    every = lived([(turn, 0) for turn in range(6)])
    assert [pictures(one) for one in every[:2]] == [["pc0", "tv0"], ["pc0", "tv0", "pc1"]]
    assert all(pictures(one)[-1] == f"pc{turn}" for turn, one in enumerate(every) if turn)
    assert all(2 <= len(pictures(one)) <= 3 and "tv0" in pictures(one) for one in every)
    assert "The screen of tv: unchanged since turn 1" in words(every[5])
    again = lived([(0, 0), (1, 0), (1, 0), (0, 0)])
    assert [f"pc{turn}" in pictures(one) for turn, one in enumerate(again)] == [True, True, False, True]
    plain = lived([(0, 0)] * 3, unchanged=False)
    assert "unchanged" not in words(plain[2]) and pictures(plain[2])[-2:] == ["pc2", "tv2"]
    limited = lived([(0, 0)] * 3, images=2)
    assert "unchanged since" not in words(limited[2]), "the picture before might be left out"


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=9), st.integers(0, 3))
def test_every_screen_of_now_is_in_the_request(turns: list[tuple[int, int]], media: int) -> None:
    for turn, messages in enumerate(lived(turns, history_media=media)):
        shown: dict[str, Any] = {}
        for message in messages:
            shown |= {part.env: part for part in message.parts if isinstance(part, Image)}
        assert {env: image.digest for env, image in shown.items()} == {
            env: one.screenshot.digest
            for env, one in seen(turn, turns[turn]).items()
            if isinstance(one.screenshot, Image)
        }


def test_a_sound_is_sent_once_or_twice_and_silence_is_a_word() -> None:
    every = lived([(turn, 0) for turn in range(6)])
    sounds = [sum(isinstance(part, AudioClip) for message in one for part in message.parts) for one in every]
    assert sounds[:2] == [0, 1] and sounds[-1] == 0
    assert "## pc, at 0.0 s; sound: silent" in words(every[0])
    assert "Sound of pc, 1.0 s to 2.0 s:" in words(every[1])
    assert "Sound of pc, 1.0 s to 2.0 s (left out)" in words(every[5])


def test_what_was_left_out_may_be_recalled_and_what_is_shown_is_not() -> None:
    told = [
        Recalled("heard of turn 1", "thought", "", 0.0, 0),
        Recalled(shade(9, "pc", 0), "screenshot", "pc", 0.0, 0),
    ]
    shown, left_out = lived([(0, 0), (0, 0)], told), lived([(turn, turn) for turn in range(9)], told)
    assert "heard of turn 1" not in words(shown[1]) and "From your memory" not in words(shown[1])
    assert "heard of turn 1" not in words(left_out[8]), "its words are still there"
    assert shade(9, "pc", 0) in left_out[8][-1].parts, "its picture is not"


def test_a_number_of_rounds_is_shown_as_they_were() -> None:
    last = lived([(turn, turn) for turn in range(6)], history=2)[-1]
    assert [message.role for message in last].count("assistant") == 2
    assert pictures(last) == ["pc3", "tv3", "pc4", "tv4", "pc5", "tv5"]
    assert "(Turns 1 to 3 are left out here.)" in words(last)


def test_the_beginning_of_a_conversation_is_one_text_however_often_it_is_made() -> None:
    assert lived([(1, 0), (2, 0)]) == lived([(1, 0), (2, 0)])
    assert json.loads(lived([(1, 0), (2, 0)])[1][2].calls[0][1]) == {"thought": "This is thought 1."}
