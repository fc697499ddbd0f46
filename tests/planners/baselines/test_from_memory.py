"""The planner `from-memory`: what a perfect reader of the parts it is given concludes, and what it then does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from fixed_truth import FixedTruth, told

from omnipilot.envs import (
    Absent,
    Answer,
    AudioClip,
    Click,
    Done,
    Image,
    Modality,
    Observation,
    Ref,
    Size,
    TypeText,
    VideoClip,
)
from omnipilot.memory import Move, Recalled
from omnipilot.memory.messages import Part
from omnipilot.memory.truth import CandidateValue, Evidence, NeededFact
from omnipilot.planners import Brief, Request
from omnipilot.planners.base import Feedback
from omnipilot.planners.baselines.from_memory import FromMemoryPlanner, read_fact

SIZE = Size(4, 4)
PICTURE = Image.raw(SIZE, bytes(48), "pc", 12.0)


def evidence(modality: Modality = Modality.AUDIO, *words: str, **more: float) -> Evidence:
    return Evidence("pc", 10.0, 14.0, modality, words, **more)


def fact(*candidates: tuple[str, float, Sequence[Sequence[Evidence]]], value: str = "4711") -> NeededFact:
    made = tuple(
        CandidateValue(said, tuple(map(tuple, ways)), seen, (f"row-{said}",)) for said, seen, ways in candidates
    )
    return NeededFact("the code", value, made)


def known(one: Evidence, *parts: Recalled) -> bool:
    """Whether parts hold an evidence."""
    return read_fact(fact(("4711", 14.0, [[one]])), parts) is not None


def part(of: Part, env: str = "pc", time: float = 12.0) -> Recalled:
    return Recalled(of, "x", env, time, -3)


def sound(start: float, end: float, env: str = "pc") -> Recalled:
    return part(AudioClip(bytes(2 * round((end - start) * 16_000)), env, start), env, start)


def film(start: float, end: float) -> Recalled:
    return part(VideoClip([PICTURE.at("pc", start)], end, "pc"), time=start)


@pytest.mark.parametrize(
    ("given", "holds"),
    [
        ([sound(10, 14)], True),
        ([sound(8, 20)], True),
        ([sound(10.04, 13.96)], True),
        ([sound(10, 12), sound(12, 14)], True),
        ([sound(12, 14), sound(10, 12)], True),
        ([sound(10, 12), sound(12.5, 14)], False),
        ([sound(10, 13)], False),
        ([sound(11, 14)], False),
        ([sound(10, 14, "phone")], False),
        ([film(10, 14)], False),
        ([part(PICTURE)], False),
        ([], False),
    ],
)
def test_a_sound_is_known_from_clips_that_cover_it(given: list[Recalled], holds: bool) -> None:
    assert known(evidence(Modality.AUDIO), *given) is holds


def test_a_film_is_known_from_films_and_a_screen_from_pictures_of_its_time() -> None:
    assert known(evidence(Modality.VIDEO), film(9, 15)) and not known(evidence(Modality.VIDEO), sound(9, 15))
    screen = evidence(Modality.SCREENSHOT)
    assert known(screen, part(PICTURE, time=10.0)) and known(screen, part(PICTURE, time=14.0))
    assert not known(screen, part(PICTURE, time=14.1)) and not known(screen, part(PICTURE, "phone"))


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Red: the code is 4711.", True),
        ("the code is 4711", False),
        ("red, the code is 47110", False),
        ("blue 4711 | red 5822", True),  # A reader can see that both are there; templates choose words that tell.
    ],
)
def test_a_text_needs_the_value_and_its_words_as_whole_words(text: str, holds: bool) -> None:
    assert known(evidence(Modality.AUDIO, "red", "4711"), part(text)) is holds


def test_a_text_is_of_the_place_and_where_that_matters_of_the_time() -> None:
    said = evidence(Modality.AUDIO, "4711")
    assert known(said, part("4711", "")) and known(said, part("4711", time=99.0)) and not known(said, part("4711", "x"))
    dated = evidence(Modality.AUDIO, "4711", until=15.0)
    assert known(dated, part("4711", time=15.0)) and not known(dated, part("4711", time=15.1))
    assert not known(dated, part("4711", time=9.9)) and not known(evidence(), part("4711"))


def test_all_of_a_way_is_needed_and_the_newest_value_is_taken() -> None:
    first, second = evidence(Modality.AUDIO, "one"), evidence(Modality.AUDIO, "two")
    both = fact(("4711", 9.0, [[first, second]]))
    assert read_fact(both, [part("one")]) is None and read_fact(both, [part("one two")])
    changed = fact(("1234", 5.0, [[first]]), ("4711", 9.0, [[second]]))
    assert [read_fact(changed, [part(text)]).value for text in ("one", "two", "one two")] == ["1234", "4711", "4711"]  # type: ignore[union-attr]


MOVES = (
    Move("pc", Click(Ref("form"))),
    Move("pc", TypeText("Code 4711, not 47112", Ref("text"))),
    Move("pc", Click(Ref("row-4711"))),
    Move("", Answer("4711")),
)


def planner(one: NeededFact) -> FromMemoryPlanner:
    class Truth(FixedTruth):
        def facts(self) -> tuple[NeededFact, ...]:
            return (one,)

    made = told(FromMemoryPlanner(), Truth(moves=MOVES))
    made.begin(Brief("x", {}))
    return made


def asked(turn: int, *parts: Recalled, seen: Any = None) -> Request:
    done: tuple[Feedback, ...] = ()
    return Request(Brief("x", {}), turn, {} if seen is None else {"pc": seen}, parts, done)


def test_the_concluded_value_stands_wherever_the_right_one_did() -> None:
    old = evidence(Modality.AUDIO, "old")
    one = planner(fact(("1234", 5.0, [[old]]), ("4711", 9.0, [[evidence()]])))
    moves = [one.plan(asked(turn, part("old"))).moves[0] for turn in range(5)]
    assert moves[0] == MOVES[0] and isinstance(moves[4].intent, Done) and moves[4].intent.status == "success"
    assert moves[1].intent == TypeText("Code 1234, not 47112", Ref("text"))
    assert moves[2].intent == Click(Ref("row-1234")) and moves[3].intent == Answer("1234")


def test_a_fact_is_concluded_when_it_is_first_needed_and_then_kept() -> None:
    one = planner(fact(("4711", 9.0, [[evidence(Modality.AUDIO, "told")]])))
    one.plan(asked(0, part("told")))
    lacking = one.plan(asked(1))
    assert isinstance(lacking.moves[0].intent, Done) and lacking.moves[0].intent.status == "failure"
    assert "the code" in lacking.thought
    one.begin(Brief("x", {}))
    one.plan(asked(0))
    assert "the code is 4711" in one.plan(asked(1, part("told"))).thought
    assert one.plan(asked(2)).moves[0] == MOVES[2]
    one.begin(Brief("x", {}))
    one.plan(asked(0))
    assert isinstance(one.plan(asked(1)).moves[0].intent, Done)


def test_what_is_seen_and_heard_now_counts_too() -> None:
    one = planner(fact(("4711", 9.0, [[evidence(Modality.SCREENSHOT)]])))
    nothing = Absent("unasked")
    one.plan(asked(0))
    now = Observation("pc", 12.0, SIZE, PICTURE, nothing, nothing, nothing, nothing)
    assert one.plan(asked(1, seen=now)).moves == (MOVES[1],)
