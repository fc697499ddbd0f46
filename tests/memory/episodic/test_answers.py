"""What a timeline answers to a question that is asked afterwards."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from secret_screens import ENVS, observation, secret, shows, told

from omnipilot.envs import AudioClip, Modality
from omnipilot.memory import Budget, Recalled, Role, Turn, Usage
from omnipilot.memory.base import TRANSCRIPT
from omnipilot.memory.episodic import EpisodicMemory
from omnipilot.memory.episodic.details import SoundDetail, TranscriptDetail

QUESTION = "what code was spoken on the phone"
ALL = Role("planner")


@cache
def lived() -> EpisodicMemory:
    """A memory of nine turns, which is only asked."""
    memory = EpisodicMemory()
    for turn in range(-2, 7):
        seen = {env: observation(env, turn, ["page", f"price ${turn + 20}", "save"]) for env in ENVS}
        memory.watch(turn, seen, [one for env in ENVS for one in told(env, turn)])
        memory.record(Turn(turn, seen, f"thought of a code {turn}", (), (), Usage()))
    return memory


def test_what_was_heard_and_its_words_are_one_answer() -> None:
    (best, *_) = lived().answer(QUESTION, ALL, ENVS, 5)
    assert (best.kind, best.env) == ("transcript", "phone") and "the code is 7394" in best.text
    assert isinstance(best.media, AudioClip) and best.start < best.end
    assert 'says "code"' in best.why and "the question asks for what was said" in best.why
    assert "turn" not in best.why, "when it was stands beside the reasons"


def test_a_sound_that_was_told_in_two_pieces_is_one_answer_in_order() -> None:
    memory = EpisodicMemory()
    for turn, words in enumerate(("the code is 4 …", "771")):
        seen = observation("phone", turn, ["page"])
        memory.watch(turn, {"phone": seen}, [Recalled(words, TRANSCRIPT, "phone", seen.audio.end, turn)])  # type: ignore[union-attr]
        memory.record(Turn(turn, {"phone": seen}, "", (), (), Usage()))
    first, second = (clip for clip in memory.timeline if clip.kind == "audio")
    spoken = SoundDetail("speech", 1.0)
    memory.take_events([replace(first, kind="sound", end=second.end, text="speech", detail=spoken, id=0)])
    answers = memory.answer("what code was spoken", ALL, ("phone",), 5)
    assert [one.text for one in answers if one.kind == "transcript"] == ["the code is 4 …; 771"]


def test_an_answer_begins_with_the_word_that_was_asked_for() -> None:
    memory = EpisodicMemory()
    seen = observation("phone", 0, ["page"])
    memory.watch(0, {"phone": seen})
    (heard,) = [event for event in memory.timeline if event.kind == "audio"]
    start, end = heard.start, heard.end
    timed = TranscriptDetail((" Call", " the", " plumber.", " Then", " bye."), (start, *[start + 0.5] * 4), (end,) * 5)
    said = replace(heard, kind="transcript", text="Call the plumber. Then bye.", detail=timed, id=0)
    memory.take_events([said])
    memory.record(Turn(0, {"phone": seen}, "", (), (), Usage()))
    (best, *_) = memory.answer("what was said of a plumber", ALL, ("phone",), 5)
    assert (best.kind, best.start, best.end) == ("transcript", start + 0.5, end)


def test_a_question_finds_what_is_old_as_what_is_new() -> None:
    answers = lived().answer("where was the price $18", ALL, ENVS, 2)
    assert answers[0].turn == -2 and "$18" in answers[0].text


def test_what_was_last_is_no_answer_to_a_question_about_something_else() -> None:
    assert lived().answer("xyzzy", ALL, ENVS, 5) == []
    assert lived().recall("xyzzy", Budget(), ALL, ENVS), "a decision is given what was last"


@pytest.mark.parametrize("most", [1, 3, 50])
def test_there_are_no_more_than_asked_for_and_each_says_something_else(most: int) -> None:
    answers = lived().answer(QUESTION, ALL, ENVS, most)
    assert 0 < len(answers) <= most
    on_screens = [(one.env, one.text) for one in answers if one.kind == "text"]
    assert len(set(on_screens)) == len(on_screens)


@given(
    modalities=st.frozensets(st.sampled_from(list(Modality))),
    granted=st.none() | st.frozensets(st.sampled_from(ENVS)),
    asked=st.frozensets(st.sampled_from(ENVS)),
    question=st.sampled_from([QUESTION, "what was shown", "secret", "price and save", ""]),
)
def test_nobody_is_answered_what_the_role_may_not_see(
    modalities: frozenset[Modality], granted: frozenset[str] | None, asked: frozenset[str], question: str
) -> None:
    role = Role("someone", modalities, granted)
    for one in lived().answer(question, role, asked, 30):
        assert not one.env or (one.env in asked and role.sees(one.env))
        for part in filter(None, (one.text, one.media)):
            recalled = Recalled(part, one.kind, one.env, one.start, one.turn, one.why)
            assert not any(shows(recalled, modality) for modality in set(Modality) - modalities)
        hidden = [env for env in ENVS if env not in asked or not role.sees(env)]
        assert all(secret(env, kind) not in one.text for env in hidden for kind in Modality)
