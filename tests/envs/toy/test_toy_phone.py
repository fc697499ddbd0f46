"""The toy phone: a complete world of its own, whose message is heard, seen and written down."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from omnipilot.envs import ActionRejected, Click, Modality, OpenApp, Point, Press, System, Thinking, TypeText, check_env
from omnipilot.envs.remote.states import PLAIN, form_of
from omnipilot.envs.toy import ToyPhone
from omnipilot.envs.types.media import SAMPLE_RATE
from omnipilot.memory.perception import read_sounds


def place(phone: ToyPhone, id: str) -> Point:
    found = phone.ui_tree().by_id(id)
    assert found is not None, phone.ui_tree()
    return found.box.center


def texts(phone: ToyPhone) -> list[str]:
    return [element.name for element in phone.ui_tree()]


def test_it_keeps_the_contract_of_worlds() -> None:
    check_env(ToyPhone)
    check_env(lambda: ToyPhone(name="handset"), start=lambda world: world.reset(7))


def test_instances_have_codes_of_their_own() -> None:
    codes = set()
    for instance in range(50):
        phone = ToyPhone()
        phone.reset(instance)
        codes.add(phone.state().code)
    assert len(codes) > 40


def test_the_message_is_heard_in_sound_and_transcript_while_it_is_played_and_only_then() -> None:
    phone = ToyPhone()
    phone.act(OpenApp("Voicemail"))
    phone.act(Click(place(phone, "play")))
    assert "Playing" in texts(phone)
    phone.act(Click(place(phone, "play")))
    assert len(phone.state().plays) == 1, "what is played does not begin again"
    phone.wait(5.0)
    assert "New message" in texts(phone)
    clip = phone.observe({Modality.AUDIO}, 0.0).audio
    assert clip and clip.seconds == pytest.approx(phone.now)
    assert {event.kind for event in read_sounds(clip).events} >= {"speech"}
    (heard,) = phone.transcript(0.0, phone.now)
    assert heard.words == f"the code is {phone.state().code}"
    sounding = np.flatnonzero(clip.array()) / SAMPLE_RATE
    assert heard.start <= sounding[0] and sounding[-1] <= heard.end
    halves = phone.transcript(0.0, 1.5) + phone.transcript(1.5, phone.now)
    assert "".join(half.words for half in halves).replace(" ", "") == heard.words.replace(" ", "")


def test_a_note_is_typed_and_saved() -> None:
    phone = ToyPhone()
    phone.act(OpenApp("Notes"))
    with pytest.raises(ActionRejected, match="tap the field"):
        phone.act(TypeText("47"))
    phone.act(Click(place(phone, "field")))
    phone.act(TypeText("47"))
    phone.act(TypeText("AB"))
    assert phone.ui_tree().by_id("field").value == "47AB"  # type: ignore[union-attr]
    phone.act(TypeText("4711", place(phone, "field"), clear=True))
    phone.act(Click(place(phone, "save")))
    assert phone.state().note == "4711" and "Saved: 4711" in texts(phone)
    phone.act(TypeText("漢\n" * 50, place(phone, "field"), submit=True))
    assert phone.observe({Modality.SCREENSHOT}, phone.now).screenshot


def test_every_screen_shows_what_its_elements_say() -> None:
    phone = ToyPhone()
    pictures = set()
    for action in (OpenApp("Voicemail"), System("home"), OpenApp("Notes"), TypeText("4", Point(0.5, 0.22))):
        phone.act(action)
        look = phone.observe({Modality.SCREENSHOT, Modality.CONTEXT}, phone.now)
        pictures.add(look.screenshot.digest)  # type: ignore[union-attr]
    assert len(pictures) == 4


def test_what_it_cannot_do_is_refused_and_takes_no_time() -> None:
    phone = ToyPhone()
    for action in (OpenApp("Maps"), System("power"), Press(("a",)), Click()):
        with pytest.raises(ActionRejected):
            phone.act(action)
    assert phone.now == 0.0


def test_thinking_takes_the_time_that_it_is_said_to() -> None:
    phone = ToyPhone(Thinking("fixed", 2.5))
    phone.think(60.0)
    assert phone.now == 2.5


def test_its_state_is_a_record_that_needs_a_codec_to_be_sent() -> None:
    state = ToyPhone().state()
    assert form_of(state) == "" and form_of(dataclasses.asdict(state)) == PLAIN
