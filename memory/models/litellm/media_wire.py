"""Messages as litellm takes them: OpenAI's form, whatever the provider behind it."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from omnipilot.envs import AudioClip, Image, VideoClip
from omnipilot.envs.types.media import Media
from omnipilot.memory.messages import Message, Part
from omnipilot.memory.models.media import kind_of
from omnipilot.memory.models.media_forms import Forms


def wire(messages: Sequence[Message], forms: Forms) -> list[dict[str, Any]]:
    """The messages of a request; their media are of kinds that `forms` has.

    Media in the answers of tools are not portable: they follow as a message of the user, after the tools have
    answered, with a word about it in each place.

    Raises:
        ValueError: a call of a tool has no answer, or an answer no call.
    """
    out: list[dict[str, Any]] = []
    calls, waiting, held = 0, list[str](), list[Part]()
    for message in messages:
        if message.role == "tool":
            if not waiting:
                raise ValueError("a message of role 'tool' answers a call of the assistant's message before it")
            words, media = _apart(message.parts)
            out.append({"role": "tool", "tool_call_id": waiting.pop(0), "content": words})
            held += media
            continue
        if waiting:
            raise ValueError(f"{len(waiting)} calls of tools have no answer; each wants a message of role 'tool'")
        if held:
            parts = (*held, *message.parts) if message.role == "user" else tuple(held)
            out.append({"role": "user", "content": _content(parts, forms)})
            held = []
            if message.role == "user":
                continue
        told: dict[str, Any] = {"role": message.role, "content": _content(message.parts, forms)}
        if message.calls:
            waiting = [f"call_{calls + i}" for i in range(len(message.calls))]
            calls += len(waiting)
            told["tool_calls"] = [
                {"id": name, "type": "function", "function": {"name": call[0], "arguments": call[1]}}
                for name, call in zip(waiting, message.calls, strict=True)
            ]
        out.append(told)
    if waiting:
        raise ValueError(f"{len(waiting)} calls of tools have no answer; each wants a message of role 'tool'")
    if held:
        out.append({"role": "user", "content": _content(held, forms)})
    return out


def _apart(parts: Sequence[Part]) -> tuple[str, list[Part]]:
    """The words of a tool's answer, and its media for the message after it."""
    words = [part if isinstance(part, str) else f"({kind_of(part)}: see the next message)" for part in parts]
    return "\n".join(words), [part for part in parts if not isinstance(part, str)]


def _content(parts: Sequence[Part], forms: Forms) -> str | list[dict[str, Any]]:
    if all(isinstance(part, str) for part in parts) and len(parts) < 2:
        # Chat templates of many models take the words of a system or assistant message as plain text only.
        return str(parts[0]) if parts else ""
    return list(_pieces(parts, forms))


def _pieces(parts: Sequence[Part], forms: Forms) -> Iterator[dict[str, Any]]:
    shown = 0
    for part in parts:
        if isinstance(part, str):
            yield {"type": "text", "text": part + "\n" if forms.hoists else part}
            continue
        if forms.hoists:
            shown += 1
            yield {"type": "text", "text": f"({kind_of(part)} {shown} of this message)\n"}
        yield _capture(part, forms.of(kind_of(part)))


def _capture(part: Image | AudioClip | VideoClip, form: str) -> dict[str, Any]:
    data, kind = encode_file(part)
    match form:
        case "image_url":
            return {"type": "image_url", "image_url": {"url": f"data:{kind};base64,{data}"}}
        case "input_audio":
            return {"type": "input_audio", "input_audio": {"data": data, "format": kind.partition("/")[2]}}
        case "video_url":
            return {"type": "video_url", "video_url": {"url": f"data:{kind};base64,{data}"}}
        case "file":
            return {"type": "file", "file": {"file_data": f"data:{kind};base64,{data}", "format": kind}}
    raise ValueError(f"{part!r} travels in no form; fit() the conversation first")


@lru_cache(maxsize=64)
def encode_file(part: Media) -> tuple[str, str]:
    """A capture's file in base64, and its media type. Kept for a while: a conversation is sent turn after turn.

    Raises:
        MissingExtra: PyAV is not installed, and it is a video.
    """
    if isinstance(part, AudioClip):
        return base64.b64encode(part.wav()).decode(), "audio/wav"
    if isinstance(part, VideoClip):
        return base64.b64encode(part.mp4()).decode(), "video/mp4"
    assert isinstance(part, Image)
    return base64.b64encode(part.png()).decode(), "image/png"
