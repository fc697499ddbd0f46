"""What holds of every recall: within its budget, in order, nothing withheld, and nothing changed by it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from secret_screens import BOX, ENVS, SIZE, observation, secret, shade, shows, told, tone

from omnipilot.envs import (
    AudioClip,
    Element,
    Elements,
    Image,
    Modality,
    Observation,
    VideoClip,
)
from omnipilot.envs.types.media import SAMPLE_RATE
from omnipilot.memory import Budget, MediaStore, Recalled, Role, Turn, Usage, WindowMemory
from omnipilot.memory.allowance import estimate_tokens
from omnipilot.memory.base import TRANSCRIPT
from omnipilot.memory.episodic import EpisodicMemory, TimelineEvent
from omnipilot.memory.episodic.composed import ComposedMemory
from omnipilot.memory.episodic.memory import TimelineMemory
from omnipilot.memory.episodic.packing import LONGEST_CLIP, MARGIN
from omnipilot.memory.episodic.policies import KeyframesMemory
from omnipilot.memory.episodic.summary import SummaryMemory

AUDIO = Modality.AUDIO
WORDS = "code door price ringtone spoken counter file phone desktop 7394 $514 call window save".split()
MAKES = {
    "episodic": EpisodicMemory,
    "omnigui": lambda: EpisodicMemory(order="omnigui"),
    "keyframes": KeyframesMemory,
    "composed": lambda: ComposedMemory(of=(EpisodicMemory(), WindowMemory(3, 2, 2), KeyframesMemory())),
}


def lived(memory: TimelineMemory, screens: Sequence[Sequence[str]]) -> TimelineMemory:
    """The memory after turns with these words on the screens, the first two of which were before the task."""
    for index, words in enumerate(screens, -2):
        seen = {env: observation(env, index, words) for env in ENVS}
        memory.watch(index, seen, [one for env in ENVS for one in told(env, index)])
        memory.record(Turn(index, seen, f"thought {' '.join(words)}", (), (), Usage()))
    return memory


@cache
def shared(name: str) -> TimelineMemory:
    """The memory of a name after nine turns, which is only asked."""
    return lived(MAKES[name](), [WORDS[i : i + 4] for i in range(9)])


budgets = st.builds(
    Budget,
    texts=st.integers(0, 12),
    images=st.integers(0, 4),
    clips=st.integers(0, 4),
    characters=st.integers(0, 600),
    tokens=st.none() | st.integers(0, 200),
    audio_seconds=st.floats(0, 5),
    video_seconds=st.floats(0, 5),
)
roles = st.builds(
    Role,
    st.just("someone"),
    st.frozensets(st.sampled_from(list(Modality))),
    st.none() | st.frozensets(st.sampled_from(ENVS)),
)
queries = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)


def within(recalled: Sequence[Recalled], budget: Budget) -> bool:
    texts = [one.part for one in recalled if isinstance(one.part, str)]
    sounds = [one.part for one in recalled if isinstance(one.part, AudioClip)]
    films = [one.part for one in recalled if isinstance(one.part, VideoClip)]
    return (
        len(texts) <= budget.texts
        and sum(isinstance(one.part, Image) for one in recalled) <= budget.images
        and len(sounds) + len(films) <= budget.clips
        and sum(map(len, texts)) <= budget.characters
        and (budget.tokens is None or sum(map(estimate_tokens, texts)) <= budget.tokens)
        and sum(clip.seconds for clip in sounds) <= budget.audio_seconds + 1e-6
        and sum(clip.seconds for clip in films) <= budget.video_seconds + 1e-6
    )


@pytest.mark.parametrize("name", MAKES)
@given(query=queries, budget=budgets, role=roles, asked=st.frozensets(st.sampled_from(ENVS)))
def test_a_recall_keeps_its_budget_its_order_and_what_the_role_may_see(
    name: str, query: str, budget: Budget, role: Role, asked: frozenset[str]
) -> None:
    memory = shared(name)
    events = len(memory.timeline)
    recalled = memory.recall(query, budget, role, asked)
    assert within(recalled, budget)
    if memory.order == "time":
        assert [one.time for one in recalled] == sorted(one.time for one in recalled)
    for one in recalled:
        assert one.why, "each part says why it was chosen"
        assert not one.env or (one.env in asked and role.sees(one.env))
        for modality in set(Modality) - role.modalities:
            assert not shows(one, modality)
        for env in ENVS:
            if env not in asked or not role.sees(env):
                assert not isinstance(one.part, str) or all(secret(env, kind) not in one.part for kind in Modality)
    memory._answers.clear()
    assert memory.recall(query, budget, role, asked) == recalled, "recalling changes nothing"
    assert len(memory.timeline) == events


@pytest.mark.parametrize("name", MAKES)
def test_all_kinds_of_parts_are_recalled_where_there_is_room(name: str) -> None:
    budget = Budget(texts=60, images=6, clips=12, characters=20_000)
    recalled = shared(name).recall("the code and the film", budget, Role("planner"), ENVS)
    expected = {str, Image} if name == "keyframes" else {str, Image, AudioClip, VideoClip}
    assert {type(one.part) for one in recalled} == expected


def test_what_was_said_long_ago_is_found_and_says_why() -> None:
    memory = EpisodicMemory()
    for turn in range(41):
        seen = {"phone": observation("phone", turn, ["page", str(turn % 4)])}
        heard = [Recalled("the door code is 7394", TRANSCRIPT, "phone", seen["phone"].time, turn)] if not turn else []
        memory.watch(turn, seen, heard)
        memory.record(Turn(turn, seen, f"thought {turn}", (), (), Usage()))
    recalled = memory.recall("Type the door code heard on the phone", memory.budget, Role("planner"), ("phone",))
    (found,) = (one for one in recalled if one.source == TRANSCRIPT)
    assert found.part == "the door code is 7394"
    for reason in ('says "door", "code"', "41 turns ago on the phone", "the task names the phone"):
        assert reason in found.why


def test_of_five_rings_each_is_recalled_with_its_number() -> None:
    memory = EpisodicMemory(clips=5)
    for turn in range(30):
        sounds = tone(440 + 200 * turn, 1.0, "phone", 3.0 * turn) if turn in (2, 5, 8, 11, 14) else None
        seen = Observation("phone", 3.0 * turn + 1, SIZE, **({} if sounds is None else {"audio": sounds}))
        memory.record(Turn(turn, {"phone": seen}, f"thought {turn}", (), (), Usage()))
    recalled = memory.recall("Which was the third of the five ringtones?", memory.budget, Role("planner"), ("phone",))
    rings = [one for one in recalled if one.source == "sound"]
    assert [one.turn for one in rings] == [2, 5, 8, 11, 14]
    for number, one in zip(("1st", "2nd", "3rd", "4th", "5th"), rings, strict=True):
        assert f"{number} of 5 like it" in one.why
    assert [one.turn for one in recalled if isinstance(one.part, AudioClip)] == [2, 5, 8, 11, 14]


def test_of_very_many_those_beside_the_one_that_was_found_are_recalled() -> None:
    memory = EpisodicMemory(anchors=False, use="text")
    memory.take_events(
        TimelineEvent("transcript", "phone", at, at + 0.5, at - 400, f"{'hall' if at == 300 else 'room'} {at}", AUDIO)
        for at in range(400)
    )
    recalled = memory.recall("when was the hall named", memory.budget, Role("planner"), ("phone",))
    rooms = [f"room {at}" for at in range(297, 304)]
    assert [one.part for one in recalled] == [*rooms[:3], "hall 300", *rooms[4:]]
    assert not any("like it" in one.why for one in recalled), "so many are not numbered"


def test_the_same_screen_again_is_told_once_by_its_newest_and_another_price_is_told_too() -> None:
    memory = EpisodicMemory()
    for turn, price in enumerate(("$514", "$599", "$514", "$514", "$620")):
        elements = Elements((Element("text", f"Lamp price {price}", BOX),))
        seen = Observation("desktop", float(turn), SIZE, elements=elements)
        memory.record(Turn(turn, {"desktop": seen}, "", (), (), Usage()))
    recalled = memory.recall("the price of the lamp", memory.budget, Role("planner"), ("desktop",))
    assert [(one.part, one.turn) for one in recalled if one.source == "text"] == [
        ("Lamp price $599", 1),
        ("Lamp price $514", 2),
        ("Lamp price $620", 4),
    ]


def test_a_clip_is_cut_to_the_sound_in_it() -> None:
    memory = EpisodicMemory()
    quiet = np.zeros(SAMPLE_RATE * 20, np.int16)
    beep = tone(1000, 0.6, "phone", 0.0).array()
    quiet[SAMPLE_RATE * 12 : SAMPLE_RATE * 12 + len(beep)] = beep
    seen = Observation("phone", 20.0, SIZE, audio=AudioClip.from_array(quiet, "phone", 0.0))
    memory.record(Turn(0, {"phone": seen}, "", (), (), Usage()))
    clips = [
        one for one in memory.recall("the beep", memory.budget, Role("planner"), ("phone",)) if one.source == "audio"
    ]
    part = clips[0].part
    assert (
        isinstance(part, AudioClip) and 12.0 - 2 * MARGIN <= part.start <= 12.0 < 12.5 <= part.end <= 12.6 + 2 * MARGIN
    )
    assert clips[0].time == part.start and part.loudness() > 0.05
    assert all(one.part.seconds <= LONGEST_CLIP for one in clips if isinstance(one.part, AudioClip))


def test_a_signal_that_is_withheld_finds_nothing() -> None:
    def found(use: str) -> bool:
        memory = EpisodicMemory(use=use)
        for turn in range(60):
            line = "the vault opens with quartz" if turn == 1 else f"page {turn}"
            elements = Elements((Element("text", line, BOX),))
            seen = Observation("desktop", float(turn), SIZE, elements=elements)
            memory.record(Turn(turn, {"desktop": seen}, "", (), (), Usage()))
        recalled = memory.recall("what opens the vault", memory.budget, Role("planner"), ("desktop",))
        return any("quartz" in str(one.part) for one in recalled)

    assert found("text") and found("text,recency")
    assert not found("recency,device,kind,anchors")


def test_captures_are_kept_in_the_run_s_store_and_read_from_it(tmp_path) -> None:  # type: ignore[no-untyped-def]
    memory = EpisodicMemory(images=1)
    memory.take_store(MediaStore(tmp_path))
    for turn in range(25):
        seen = {"phone": observation("phone", turn, ["vault"] if turn == 0 else ["page", str(turn)])}
        memory.record(Turn(turn, seen, "", (), (), Usage()))
    recalled = memory.recall("vault", Budget(texts=1, images=1, clips=0), Role("planner"), ("phone",))
    (image,) = (one.part for one in recalled if isinstance(one.part, Image))
    assert image == shade(0, "phone", 0.0) and image.env == "phone"


def test_a_timeline_that_is_restored_answers_the_same() -> None:
    lived_through = shared("episodic")
    lived_through.conclude()
    events = [TimelineEvent.from_json(event.to_json()) for event in lived_through.timeline]
    again = EpisodicMemory()
    again._own = again._readings.store = lived_through._own
    again.restore(events, lived_through._now)
    asked = ("the code", Budget(texts=20, images=2, clips=2), Role("planner"), ENVS)
    assert again.recall(*asked) == lived_through.recall(*asked)


def test_a_summary_is_within_its_budget_too() -> None:
    class Silent:
        def complete(self, messages: object, **options: object) -> object:
            from omnipilot.memory import Reply

            return Reply('{"claims": [{"turns": [0], "text": "The price is $514."}]}')

    memory = lived(SummaryMemory.over(Silent(), block=2, keep=1), [WORDS[i : i + 4] for i in range(9)])
    for budget in (Budget(tokens=20), Budget(texts=1), Budget(0, 0, 0, 0)):
        assert within(memory.recall("price", budget, Role("planner"), ENVS), budget)
