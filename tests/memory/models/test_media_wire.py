"""What really arrives: every form of every provider, sent through litellm and read on the server's side."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from chat_server import ChatServer

from omnipilot.envs import AudioClip, ConfigError, Image, Size, VideoClip
from omnipilot.memory import Message
from omnipilot.memory.models import ChatModel, LlmEndpoint
from omnipilot.memory.models.litellm.client import litellm_messages
from omnipilot.memory.models.litellm.library import library
from omnipilot.memory.models.providers import endpoint_forms

SIZE = Size(32, 32)
RED = Image.raw(SIZE, bytes((200, 0, 0)) * SIZE.pixels)
BLUE = Image.raw(SIZE, bytes((0, 0, 200)) * SIZE.pixels)
SOUND = AudioClip(b"\1\0" * 800)
PNG, WAV = base64.b64encode(RED.png()).decode(), base64.b64encode(SOUND.wav()).decode()


class Film(VideoClip):
    """A video whose file needs no encoder."""

    def mp4(self, fps: int = 10) -> bytes:
        return b"\0\0\0\x18ftypmp42" + bytes(12)


FILM = Film([RED, BLUE.at("", 0.5)], 1.0)


def sent(model: str, message: Message, **options: Any) -> Any:
    """The body that a server gets. Those that speak no OpenAI refuse with 404, after they were told all."""
    with ChatServer() as server:
        try:
            ChatModel(LlmEndpoint(model, server.url, **options)).complete((message,))
        except ConfigError as error:
            assert "HTTP 404" in f"{error}"
    (request,) = server.requests
    return request.json


@pytest.mark.parametrize("model", ["hosted_vllm/omni", "openai/gpt-4o-audio-preview"])
def test_openai_form(model: str) -> None:
    told = sent(model, Message("user", ("a", RED, "b", SOUND, "c")))
    assert told["messages"][0]["content"] == [
        {"type": "text", "text": "a"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
        {"type": "text", "text": "b"},
        {"type": "input_audio", "input_audio": {"data": WAV, "format": "wav"}},
        {"type": "text", "text": "c"},
    ]


def test_vllm_takes_videos() -> None:
    (first, second) = sent("hosted_vllm/omni", Message("user", (FILM, "b")))["messages"][0]["content"]
    head, _, data = first["video_url"]["url"].partition(",")
    assert (first["type"], head) == ("video_url", "data:video/mp4;base64")
    assert base64.b64decode(data)[4:8] == b"ftyp" and second["text"] == "b"


def test_gemini_takes_them_all_inline_and_in_order() -> None:
    told = sent("gemini/gemini-2.5-pro", Message("user", ("a", RED, "b", SOUND, "c", FILM, "d")))
    parts = told["contents"][0]["parts"]
    assert [part.get("text") or part["inline_data"]["mime_type"] for part in parts] == [
        "a",
        "image/png",
        "b",
        "audio/wav",
        "c",
        "video/mp4",
        "d",
    ]
    assert parts[1]["inline_data"]["data"] == PNG and parts[3]["inline_data"]["data"] == WAV


def test_anthropic_takes_images() -> None:
    told = sent("anthropic/claude-sonnet-4-5", Message("user", ("a", RED, "b")))
    before, shown, after = told["messages"][0]["content"]
    assert (before["text"], after["text"]) == ("a", "b")
    assert shown["source"] == {"type": "base64", "media_type": "image/png", "data": PNG}


def test_ollama_loses_the_place_of_images_so_the_words_say_it() -> None:
    told = sent("ollama_chat/llava", Message("user", ("before", RED, "between", BLUE, "after")))
    (message,) = told["messages"]
    assert message["content"] == "before\n(image 1 of this message)\nbetween\n(image 2 of this message)\nafter\n"
    assert message["images"] == [PNG, base64.b64encode(BLUE.png()).decode()]


def test_nova_takes_videos_as_bedrock_wants_them() -> None:
    library()
    from litellm.litellm_core_utils.prompt_templates.factory import _bedrock_converse_messages_pt

    model = "bedrock/amazon.nova-pro-v1:0"
    written = litellm_messages((Message("user", ("a", RED, FILM, "b")),), endpoint_forms(LlmEndpoint(model)))
    (told,) = _bedrock_converse_messages_pt(written, "amazon.nova-pro-v1:0", "bedrock")
    assert [next(iter(part)) for part in told["content"]] == ["text", "image", "video", "text"]
    assert told["content"][2]["video"]["format"] == "mp4"


def test_what_tools_show_follows_as_a_message_of_the_user() -> None:
    talk = (
        Message("user", ("go",)),
        Message("assistant", (), (("look", "{}"), ("look", "{}"))),
        Message("tool", ("first", RED)),
        Message("tool", (BLUE,)),
        Message("user", ("and now?",)),
    )
    told = litellm_messages(talk, endpoint_forms(LlmEndpoint("hosted_vllm/x", "http://127.0.0.1:9/v1")))
    assert [(m["role"], m["content"]) for m in told[2:4]] == [
        ("tool", "first\n(image: see the next message)"),
        ("tool", "(image: see the next message)"),
    ]
    assert [part["type"] for part in told[4]["content"]] == ["image_url", "image_url", "text"] and len(told) == 5
    last = litellm_messages(talk[:4], endpoint_forms(LlmEndpoint("hosted_vllm/x", "http://127.0.0.1:9/v1")))[-1]
    assert last["role"] == "user" and len(last["content"]) == 2


def test_the_same_conversation_is_the_same_bytes() -> None:
    talk = (Message("user", ("a", RED, SOUND)),)
    assert json.dumps(
        litellm_messages(talk, endpoint_forms(LlmEndpoint("hosted_vllm/x", "http://127.0.0.1:9/v1")))
    ) == json.dumps(litellm_messages(talk, endpoint_forms(LlmEndpoint("hosted_vllm/x", "http://127.0.0.1:9/v1"))))
