"""A conversation is made to fit what a model takes: nothing is dropped in silence, and order is kept."""

from __future__ import annotations

import math
from array import array

import pytest

from omnipilot.envs import AudioClip, ConfigError, Image, Size, VideoClip
from omnipilot.memory import Message
from omnipilot.memory.messages import Part
from omnipilot.memory.models import LlmEndpoint
from omnipilot.memory.models.media import UnsupportedPart, fit, frames, kind_of
from omnipilot.memory.models.providers import provider_of

SIZE = Size(32, 32)


def picture(shade: int, time: float = 0.0) -> Image:
    return Image.raw(SIZE, bytes((shade, shade, shade)) * SIZE.pixels, "phone", time)


IMAGES = [picture(shade) for shade in range(6)]
SOUND = AudioClip(array("h", (int(9000 * math.sin(i * 0.1728)) for i in range(16_000))).tobytes(), "phone", 3.0)
FILM = VideoClip([picture(i * 20, 2 + i * 0.25) for i in range(8)], 4.0, "phone")
ROW = bytes((255, 255, 255)) * 40 + bytes((20, 20, 20)) * 120
LAMP = Image.raw(Size(160, 160), ROW * 40 + bytes((20, 20, 20)) * 160 * 120)
DARK = Image.raw(Size(160, 160), bytes((20, 20, 20)) * 160 * 160)
BLINKING = VideoClip([(LAMP if i % 4 == 2 else DARK).at("phone", 2 + i * 0.25) for i in range(8)], 4.0, "phone")
PARTS: dict[str, Part] = {"image": IMAGES[0], "audio": SOUND, "video": FILM}
TAKEN = {
    "hosted_vllm/qwen-omni": "image audio video",
    "gemini/gemini-2.5-pro": "image audio video",
    "vertex_ai/gemini-2.5-pro": "image audio video",
    "vertex_ai/claude-sonnet-4-5": "image",
    "anthropic/claude-sonnet-4-5": "image",
    "bedrock/anthropic.claude-sonnet-4-5": "image",
    "bedrock/amazon.nova-pro-v1:0": "image video",
    "openai/gpt-4o": "image",
    "openai/gpt-4o-audio-preview": "image audio",
    "ollama_chat/llava": "image",
    "openrouter/some/model": "image",
}


def end(model: str = "hosted_vllm/omni", **options: object) -> LlmEndpoint:
    return LlmEndpoint(model, "http://127.0.0.1:9/v1", **options)  # type: ignore[arg-type]


def user(*parts: Part) -> Message:
    return Message("user", parts)


@pytest.mark.parametrize("model", TAKEN)
@pytest.mark.parametrize("kind", PARTS)
def test_a_part_is_passed_on_or_refused_by_name(model: str, kind: str) -> None:
    talk = (user("before", PARTS[kind], "after"),)
    if kind in TAKEN[model].split():
        assert fit(talk, end(model)) == (talk, ()) and provider_of(model).forms(model.partition("/")[2]).of(kind)
    else:
        with pytest.raises(UnsupportedPart, match=rf"{model} takes no {kind} .*{model.split('/')[0]}/.*degrade"):
            fit(talk, end(model))


def test_a_limit_of_none_at_all_is_a_model_that_takes_none() -> None:
    with pytest.raises(UnsupportedPart, match="its limit of images is 0"):
        fit((user(IMAGES[0]),), end(images=0))
    words, _ = fit((user(IMAGES[0]),), end(images=0, degrade={"image": "describe"}), {"image": lambda _: "a screen"})
    assert words == (user("a screen"),)


def test_the_oldest_media_give_way_and_both_model_and_reply_are_told() -> None:
    talk = (
        user("first", IMAGES[0], IMAGES[1], "screens"),
        Message("assistant", ("ok",)),
        user("second", IMAGES[2], SOUND),
        user("third", IMAGES[3], IMAGES[4], "now"),
    )
    shown, notes = fit(talk, end(images=2))
    assert [message.parts for message in shown] == [
        ("first", "(2 images left out: only the latest are shown)", "screens"),
        ("ok",),
        ("second", "(1 image left out: only the latest are shown)", SOUND),
        ("third", IMAGES[3], IMAGES[4], "now"),
    ]
    assert notes == ("3 images over the limit of 2",)
    assert fit(talk, end(images=5, audios=1)) == (talk, ())
    assert fit(talk, end(images=4))[0][0].parts == (
        "first",
        "(1 image left out: only the latest are shown)",
        IMAGES[1],
        "screens",
    )


def test_a_video_becomes_frames_with_their_times_where_it_was() -> None:
    ((message,), notes) = fit((user("a", FILM, "b"),), end("openai/gpt-4o", degrade={"video": "frames:3"}))
    assert message.parts == (
        "a",
        "(video of phone, 2.00-4.00 s, in 3 frames)",
        "(at 2.00 s)",
        FILM.frames[0],
        "(at 3.00 s)",
        FILM.frames[4],
        "(at 3.75 s)",
        FILM.frames[7],
        "b",
    )
    assert notes == ()


@pytest.mark.parametrize(("number", "times"), [(1, [3.75]), (2, [2.0, 3.75]), (99, [2 + i / 4 for i in range(8)])])
def test_frames_are_spaced_evenly_and_never_shown_twice(number: int, times: list[float]) -> None:
    assert [part.start for part in frames(FILM, number) if isinstance(part, Image)] == times


def test_frames_of_a_video_count_as_images() -> None:
    rules = {"video": "frames:4"}
    ((message,), notes) = fit((user(FILM),), end("openai/gpt-4o", images=2, degrade=rules))
    assert sum(kind_of(part) == "image" for part in message.parts) == 2
    assert notes == ("2 images over the limit of 2",)
    with pytest.raises(UnsupportedPart, match="takes no image"):
        fit((user(FILM),), end("openai/gpt-4o", images=0, degrade=rules))


def test_readers_tell_sound_and_motion_in_words_with_times() -> None:
    rules = {"audio": "describe", "video": "describe"}
    ((message,), _) = fit((user("x", SOUND, BLINKING),), end("anthropic/claude-sonnet-4-5", degrade=rules))
    _, heard, seen = message.parts
    assert isinstance(heard, str) and heard.startswith("sound of phone, 3.00-4.00 s: ") and "Hz" in heard
    assert isinstance(seen, str) and seen.startswith("video of phone, 2.00-4.00 s: ") and "blinked 2 times" in seen


def test_a_reader_that_is_passed_in_is_asked_instead() -> None:
    rules = {"audio": "describe"}
    told, _ = fit((user(SOUND),), end("openai/gpt-4o", degrade=rules), {"audio": lambda clip: f"{clip.seconds:g} s"})
    assert told == (user("1 s"),)
    with pytest.raises(UnsupportedPart):
        fit((user(SOUND),), end("openai/gpt-4o", degrade=rules), {})


def test_a_rule_is_for_what_is_not_taken_only() -> None:
    talk = (user(SOUND, FILM),)
    assert fit(talk, end(degrade={"audio": "describe", "video": "frames"})) == (talk, ())


@pytest.mark.parametrize("role", ["system", "assistant"])
def test_only_users_and_tools_show_media(role: str) -> None:
    with pytest.raises(ConfigError, match=f"a message of the {role} takes words only"):
        fit((Message(role, (IMAGES[0],)),), end())  # type: ignore[arg-type]
