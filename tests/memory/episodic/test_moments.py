"""Moments that a task names: which words are read as one, and which events they stand for."""

from __future__ import annotations

import pytest

from omnipilot.envs import Modality
from omnipilot.memory.episodic.events import EventKind, TimelineEvent
from omnipilot.memory.episodic.moments import Moment, NamedMoment, find_moment, named_moments
from omnipilot.memory.episodic.ranking import content_words


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        ("open the file that was open before Anna Smith called, and close it", ("before", ("anna", "smith", "called"))),
        ("which page came after the alarm as the text", ("after", ("alarm",))),
        ("say what was shown while the train stood still.", ("during", ("train", "stood", "still"))),
    ],
)
def test_a_clause_after_its_word_is_a_moment(task: str, expected: tuple[str, tuple[str, ...]]) -> None:
    (named,) = named_moments(task, content_words)
    assert (named.side, named.words) == expected


def test_a_task_without_such_a_clause_names_none() -> None:
    assert not list(named_moments("type the code into the form", content_words))


def event(id: int, kind: EventKind, turn: int, text: str = "", env: str = "phone") -> TimelineEvent:
    return TimelineEvent(kind, env, float(turn), float(turn), turn, text, Modality.AUDIO, id=id)


CALLED = NamedMoment("before", ("anna", "smith", "called"), True)
NAME = frozenset({"anna", "smith"})


def test_a_call_is_where_a_name_and_a_sound_are_together() -> None:
    lists, rings, ring = event(1, "text", 3, "Anna Smith"), event(5, "text", 9, "Anna Smith"), event(4, "sound", 9)
    turns = {3: [lists], 9: [ring, rings]}
    moment = find_moment(CALLED, [(lists, NAME), (rings, NAME)], lambda turn: turns[turn])
    assert moment is not None and moment.events == (ring, rings)


def test_half_of_the_words_are_no_moment() -> None:
    other = event(1, "text", 3, "Anna Jones")
    assert find_moment(CALLED, [(other, frozenset({"anna"}))], lambda _: []) is None
    assert find_moment(CALLED, [], lambda _: []) is None


def test_nearness_falls_on_the_side_that_is_asked_for() -> None:
    at = event(10, "text", 20)
    before, after = Moment(CALLED, (at,)), Moment(NamedMoment("after", ("alarm",), True), (at,))
    near, far, later = event(9, "text", 19), event(2, "text", 12), event(11, "text", 21)
    assert before.nearness(at) == 1.0 > before.nearness(near) > before.nearness(far) > 0
    assert before.nearness(later) == 0.0 < after.nearness(later)
    assert after.nearness(near) == 0.0
