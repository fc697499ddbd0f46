"""Adapts a conversation to what a model accepts: unsupported media are converted or refused, excess media dropped."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from omnipilot.envs import AudioClip, ConfigError, Image, VideoClip
from omnipilot.memory.messages import Message, Part
from omnipilot.memory.models.endpoint import LlmEndpoint, frames_of
from omnipilot.memory.models.media_captions import READERS, Captioner
from omnipilot.memory.models.pictures import shown_picture
from omnipilot.memory.models.providers import endpoint_forms


class UnsupportedPart(ConfigError):
    """A model does not accept a kind of media, and no replacement is configured."""


def kind_of(part: Part) -> str:
    """ "text", "image", "audio" or "video"."""
    match part:
        case str():
            return "text"
        case Image():
            return "image"
        case AudioClip():
            return "audio"
        case VideoClip():
            return "video"


def fit(
    messages: Sequence[Message], endpoint: LlmEndpoint, readers: Mapping[str, Captioner] | None = None
) -> tuple[tuple[Message, ...], tuple[str, ...]]:
    """The conversation with only media that the endpoint accepts, in order and within its limits.

    Args:
        messages: in order.
        endpoint: says what is taken (by its provider, and its limits) and what becomes of the rest (`degrade`).
        readers: tell media in words, by kind; `READERS` where None.

    Returns:
        The messages, and what gave way to a limit, in words. A note in the conversation tells the model, too.

    Raises:
        UnsupportedPart: of media that are not taken and have no rule.
    """
    told = READERS if readers is None else readers
    taken = [_accepted(message, endpoint, told) for message in messages]
    excess = Counter[str]()
    for kind, count in Counter(kind_of(part) for message in taken for part in message.parts).items():
        limit = None if kind == "text" else endpoint.limit(kind)
        if limit is not None and count > limit:
            excess[kind] = count - limit
    if not excess:
        return tuple(taken), ()
    notes = tuple(f"{_count(gone, kind)} over the limit of {endpoint.limit(kind)}" for kind, gone in excess.items())
    return tuple(replace(message, parts=tuple(_trimmed(message.parts, excess))) for message in taken), notes


def _accepted(message: Message, endpoint: LlmEndpoint, readers: Mapping[str, Captioner]) -> Message:
    parts = tuple(new for part in message.parts for new in _taken(part, message, endpoint, readers))
    same = len(parts) == len(message.parts) and all(map(operator.is_, parts, message.parts))
    # Most messages go as they are; this is done for every call.
    return message if same else replace(message, parts=parts)


def _taken(part: Part, message: Message, endpoint: LlmEndpoint, readers: Mapping[str, Captioner]) -> tuple[Part, ...]:
    kind = kind_of(part)
    if isinstance(part, str):
        return (part,)
    if message.role in ("system", "assistant"):
        raise ConfigError(f"a message of the {message.role} takes words only, and there is {part!r} in it")
    if endpoint_forms(endpoint).of(kind) and endpoint.limit(kind) != 0:
        return (
            shown_picture(part, endpoint.scale, endpoint.jpeg, endpoint.square) if isinstance(part, Image) else part,
        )
    rule = endpoint.degrade.get(kind, "")
    if isinstance(part, VideoClip) and (number := frames_of(rule)):
        return tuple(new for piece in frames(part, number) for new in _taken(piece, message, endpoint, readers))
    if rule == "describe" and kind in readers:
        return (readers[kind](part),)
    why = f"its limit of {kind}s is 0" if endpoint.limit(kind) == 0 else f"{endpoint.provider}/ passes none on"
    rules = "'describe' or 'frames'" if kind == "video" else "'describe'"
    raise UnsupportedPart(
        f"{endpoint.model} takes no {kind} ({why}), and there is {part!r} for it; say what it gets instead with "
        f"degrade = {{{kind} = …}}, {rules}, grant it no {kind}, or choose another model; if it does take "
        f'{kind}, say so with takes = "image,{kind}"'
        + (" (a server of vLLM is hosted_vllm/NAME)" if endpoint.provider == "openai" and endpoint.url else "")
    )


def frames(clip: VideoClip, number: int) -> tuple[Part, ...]:
    """Evenly spaced frames of a video, from first to last, each after its time; fewer if it has fewer.

    Args:
        number: of pictures, at least 1; 1 is the last one.
    """
    spaced = range(number) if number > 1 else [1]
    times = [clip.start + clip.seconds * step / max(number - 1, 1) for step in spaced]
    shown = [max((i for i, frame in enumerate(clip.frames) if frame.start <= time + 1e-9)) for time in times]
    chosen = [clip.frames[i] for i in sorted(set(shown))]
    head = (
        f"(video of {clip.env or 'the screen'}, {clip.start:.2f}-{clip.end:.2f} s, in {_count(len(chosen), 'frame')})"
    )
    told: list[Part] = [head]
    for frame in chosen:
        told += [f"(at {frame.start:.2f} s)", frame]
    return tuple(told)


def _trimmed(parts: Iterable[Part], excess: Counter[str]) -> Iterable[Part]:
    """The parts without the first `excess` ones of each kind; `excess` is counted down."""

    def gone(part: Part) -> str:
        kind = kind_of(part)
        if excess[kind] < 1:
            return ""
        excess[kind] -= 1
        return kind

    for kind, run in groupby(((gone(part), part) for part in parts), key=lambda pair: pair[0]):
        members = [part for _, part in run]
        if kind:
            yield f"({_count(len(members), kind)} left out: only the latest are shown)"
        else:
            yield from members


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' if number != 1 else ''}"
