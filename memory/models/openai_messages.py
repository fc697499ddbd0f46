"""The parts of a request in OpenAI's format, which both litellm and OpenAI-compatible servers accept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from omnipilot.envs import AudioClip, Image, VideoClip
from omnipilot.envs.types.media import Media
from omnipilot.memory.messages import Message, Part
from omnipilot.memory.models.exchange import Enclosed
from omnipilot.memory.models.media import kind_of
from omnipilot.memory.models.media_forms import Form, MediaForms
from omnipilot.memory.models.pictures import JpegImage
from omnipilot.memory.models.strict_schema import is_strict, without_repeated_bounds
from omnipilot.memory.models.tool import Tool

WriteMedia: TypeAlias = Callable[[Media, Form, str], Any]
"""One capture as a part of a message: in a form, and of a picture with how closely the model looks at it."""


def file_kind(media: Media) -> str:
    """The media type of a capture's file."""
    if isinstance(media, Image):
        return "image/jpeg" if isinstance(media, JpegImage) else "image/png"
    return "audio/wav" if isinstance(media, AudioClip) else "video/mp4"


def capture_file(media: Media) -> tuple[bytes, str]:
    """The bytes of a capture's file, and its media type.

    Raises:
        MissingExtra: PyAV is not installed, and it is a video.
    """
    if isinstance(media, AudioClip):
        return media.wav(), file_kind(media)
    if isinstance(media, VideoClip):
        return media.mp4(), file_kind(media)
    if isinstance(media, JpegImage):
        return media.jpeg, file_kind(media)
    assert isinstance(media, Image)
    return media.png(), file_kind(media)


def tool_choice(name: str) -> Any:
    """The request value for "required", "auto", "none" or a tool's name."""
    return name if name in ("required", "auto", "none") else {"type": "function", "function": {"name": name}}


def response_format(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The request value for an answer that must satisfy a JSON schema."""
    form = {"name": "answer", "schema": without_repeated_bounds(schema), "strict": is_strict(schema)}
    return {"type": "json_schema", "json_schema": form}


def function(tool: Tool, strict: bool = False) -> dict[str, Any]:
    """A tool's definition in a request.

    Args:
        strict: ask the server to hold the arguments to the schema.
    """
    written = {
        "name": tool.name,
        "description": tool.description,
        "parameters": without_repeated_bounds(tool.parameters),
    }
    return {"type": "function", "function": {**written, "strict": True} if strict else written}


def openai_messages(messages: Sequence[Message], forms: MediaForms, write: WriteMedia) -> list[dict[str, Any]]:
    """The messages of a request; their media are of kinds in `forms`.

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
            words, media = _words_and_media(message.parts)
            out.append({"role": "tool", "tool_call_id": waiting.pop(0), "content": words})
            held += media
            continue
        if waiting:
            raise ValueError(f"{len(waiting)} calls of tools have no answer; each wants a message of role 'tool'")
        if held:
            parts = (*held, *message.parts) if message.role == "user" else tuple(held)
            out.append({"role": "user", "content": _content(parts, forms, write)})
            held = []
            if message.role == "user":
                continue
        written: dict[str, Any] = {"role": message.role, "content": _content(message.parts, forms, write)}
        if message.calls:
            waiting = [f"call_{calls + i}" for i in range(len(message.calls))]
            calls += len(waiting)
            written["tool_calls"] = [
                {"id": name, "type": "function", "function": {"name": call[0], "arguments": call[1]}}
                for name, call in zip(waiting, message.calls, strict=True)
            ]
        out.append(written)
    if waiting:
        raise ValueError(f"{len(waiting)} calls of tools have no answer; each wants a message of role 'tool'")
    if held:
        out.append({"role": "user", "content": _content(held, forms, write)})
    return out


def media_part(form: Form, kind: str, data: str, detail: str = "") -> dict[str, Any]:
    """A capture's file as a message part.

    Args:
        kind: media type of the file, such as "image/png".
        data: the file in base64.
        detail: how closely the model looks at a picture; "" leaves it to the server.
    """
    url = f"data:{kind};base64,{data}"
    match form:
        case "image_url":
            return {"type": "image_url", "image_url": {"url": url, **({"detail": detail} if detail else {})}}
        case "input_audio":
            return {"type": "input_audio", "input_audio": {"data": data, "format": kind.partition("/")[2]}}
        case "video_url":
            return {"type": "video_url", "video_url": {"url": url}}
        case "file":
            return {"type": "file", "file": {"file_data": url, "format": kind}}
    raise ValueError(f"{kind} travels in no form; fit() the conversation first")


def enclosed_part(media: Media, form: Form, detail: str = "") -> dict[str, Any]:
    """A capture as a message part, as `media_part` writes it, with an `Enclosed` in the place of its file."""
    kind = file_kind(media)
    part = media_part(form, kind, "", detail)
    match form:
        case "image_url" | "video_url":
            part[form]["url"] = Enclosed(media, kind, part[form]["url"])
        case "input_audio":
            part[form]["data"] = Enclosed(media, kind)
        case "file":
            part[form]["file_data"] = Enclosed(media, kind, part[form]["file_data"])
    return part


def _words_and_media(parts: Sequence[Part]) -> tuple[str, list[Part]]:
    """The text of a tool's answer, and its media for the following message."""
    words = [part if isinstance(part, str) else f"({kind_of(part)}: see the next message)" for part in parts]
    return "\n".join(words), [part for part in parts if not isinstance(part, str)]


def _content(parts: Sequence[Part], forms: MediaForms, write: WriteMedia) -> str | list[dict[str, Any]]:
    if all(isinstance(part, str) for part in parts) and len(parts) < 2:
        # Chat templates of many models take the words of a system or assistant message as plain text only.
        return str(parts[0]) if parts else ""
    return list(_pieces(parts, forms, write))


def _pieces(parts: Sequence[Part], forms: MediaForms, write: WriteMedia) -> Iterator[dict[str, Any]]:
    shown = 0
    for part in parts:
        if isinstance(part, str):
            yield {"type": "text", "text": part + "\n" if forms.hoists else part}
            continue
        if forms.hoists:
            shown += 1
            yield {"type": "text", "text": f"({kind_of(part)} {shown} of this message)\n"}
        yield write(part, forms.of(kind_of(part)), forms.detail if kind_of(part) == "image" else "")
