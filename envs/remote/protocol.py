"""What server and client say to each other: paths, limits, and the messages as msgpack maps.

Actions, elements and contexts travel as the JSON values of `omnipilot.envs.schema.codec`, media as the bytes of their
files: PNG pictures, 16-bit samples. Each is named by the SHA-256 of these bytes, and sent once: a client lists what it
still holds. Nothing is pickled, and no message names a class or a function.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from threading import Lock
from typing import Any, TypeAlias, cast, get_args

from omnipilot.envs.base import Capability, Heard
from omnipilot.envs.schema import codec
from omnipilot.envs.types.errors import EnvLost, require
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.media import AudioClip, Image, VideoClip
from omnipilot.envs.types.observation import Absent, Context, Elements, Modality, Observation, Reason

Message: TypeAlias = dict[str, Any]

WORLD_OFFERS = (Capability.SNAPSHOTS, Capability.ENDS, Capability.HEARS, Capability.RECORDED, Capability.TOGETHER)
"""The capabilities of a served world that need no judges' token."""
VERSION = 1
"""Of the protocol; a server and a client of different versions do not talk."""
PREFIX = f"/v{VERSION}"
CONTENT_TYPE = "application/msgpack"
INSTANCE = "omnipilot-instance"
"""Header with the server's instance id, by which a client notices that it was restarted."""
LARGEST_REQUEST = 4 << 20
"""Maximum bytes of a request's body: an action, or a simulated world's state."""
LARGEST_ANSWER = 96 << 20
"""Maximum bytes of an answer's body."""
LARGEST_MEDIA = 80 << 20
"""Maximum bytes of the media in one observation; clips beyond it are absent as `failed`."""
LARGEST_PLAIN = 8 << 20
"""Maximum bytes of an answer that carries no media and no files."""
MOST_VALUES = 400_000
"""Maximum number of values in a message, those within others included; each costs up to 250 bytes of memory."""
LARGEST_PICTURE = 34_000_000
"""Maximum pixels of a picture that a client takes: a screen of 7680x4320 has as many."""
LARGEST_CLIP = 200_000_000
"""Maximum pixels of all frames of a clip that a client takes, 600 MB decoded."""
LARGEST_FILE = 64 << 20
"""Maximum bytes of a file that judges read."""
KEPT_MEDIA = 64 << 20
"""Bytes of media that each side keeps, the latest."""
MOST_HELD = 256
"""Maximum number of media that a client says it holds."""
DEEPEST = 64
"""Maximum nesting depth of a message."""
ID = re.compile(r"[0-9a-f]{8,64}")
"""An id of a request that changes something."""
HASH = re.compile(r"[0-9a-f]{64}")


class BadMessage(ValueError):
    """A message that is not one of this protocol; it says what is wrong with it."""


def pack(message: Message) -> bytes:
    """A message as bytes.

    Raises:
        MissingExtra: msgpack is not installed.
    """
    return cast(bytes, require("msgpack", "remote").packb(message, use_bin_type=True))


def unpack(data: bytes) -> Message:
    """The message in some bytes: a map of plain values with string keys.

    Raises:
        BadMessage: it is not one; the length of every part is checked against that of the whole.
    """
    msgpack = require("msgpack", "remote")
    _check_count(data)
    try:
        message = msgpack.unpackb(data, raw=False, strict_map_key=True, ext_hook=_refuse_extension)
    except (ValueError, TypeError, RecursionError, msgpack.exceptions.UnpackException) as error:
        raise BadMessage(f"the body is not msgpack: {str(error)[:200]}") from None
    if not isinstance(message, dict):
        raise BadMessage(f"a message is a map, not {type(message).__name__}")
    _check_plain(message, 0)
    return message


def _check_count(data: bytes) -> None:
    """Refuse what holds too many values, before any of them is made: a list takes one byte here, and 64 in memory.

    Raises:
        BadMessage: there are too many, or the last one is cut off.
    """
    at, due, count, end = 0, 1, 0, len(data)
    while due:
        if at >= end:
            raise BadMessage("the body is not msgpack: it is cut off")
        kind = data[at]
        skipped, length_bytes, values = _LAYOUT[kind]
        size = int.from_bytes(data[at + 1 : at + 1 + length_bytes], "big") if length_bytes else 0
        at += 1 + length_bytes + skipped
        if values < 0:  # lists and maps of a number of values that is written behind their kind
            due += size * -values
        else:
            at += size
            due += values
        due -= 1
        count += 1
        if count + due > MOST_VALUES:
            raise BadMessage(f"a message has at most {MOST_VALUES} values")


def _layout(kind: int) -> tuple[int, int, int]:
    """Bytes after a kind of msgpack, bytes of its length, and the values within: -1 or -2 for each that is counted."""
    if kind < 0x80 or kind >= 0xE0:
        return 0, 0, 0
    if kind < 0x90:
        return 0, 0, 2 * (kind & 0x0F)
    if kind < 0xA0:
        return 0, 0, kind & 0x0F
    if kind < 0xC0:
        return kind & 0x1F, 0, 0
    fixed = {**dict.fromkeys((0xCC, 0xD0), 1), **dict.fromkeys((0xCD, 0xD1), 2), **dict.fromkeys((0xCA, 0xCE, 0xD2), 4)}
    fixed |= {**dict.fromkeys((0xCB, 0xCF, 0xD3), 8), **{0xD4 + power: 1 + 2**power for power in range(5)}}
    lengths = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4}
    counted = {0xDC: (0, 2, -1), 0xDD: (0, 4, -1), 0xDE: (0, 2, -2), 0xDF: (0, 4, -2)}
    extensions = {0xC7: 1, 0xC8: 2, 0xC9: 4}
    if kind in extensions:
        return 1, extensions[kind], 0
    return counted.get(kind) or (fixed.get(kind, 0), lengths.get(kind, 0), 0)


_LAYOUT = tuple(_layout(kind) for kind in range(256))


def _refuse_extension(code: int, _data: bytes) -> Any:
    raise ValueError(f"an extension of type {code}")


def _check_plain(value: Any, depth: int) -> None:
    if depth > DEEPEST:
        raise BadMessage(f"nested more than {DEEPEST} deep")
    if isinstance(value, dict):
        for name, item in value.items():
            if not isinstance(name, str):
                raise BadMessage("the keys of a map are strings")
            _check_plain(item, depth + 1)
    elif isinstance(value, list):
        for item in value:
            _check_plain(item, depth + 1)
    elif not isinstance(value, str | bytes | bool | int | float | None):
        raise BadMessage(f"a {type(value).__name__} is no plain value")


def field(message: Mapping[str, Any], name: str, kind: type | tuple[type, ...], default: Any = ...) -> Any:
    """A field of a message; integers are numbers, truth values are not.

    Raises:
        BadMessage: it is missing or of another type.
    """
    value = message.get(name, default)
    if value is ...:
        raise BadMessage(f"{name!r} is missing")
    kinds = kind if isinstance(kind, tuple) else (kind,)
    if float in kinds and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if value is not default and (not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds)):
        raise BadMessage(f"{name!r} must be a {' or '.join(one.__name__ for one in kinds)}, not {_shown(value)}")
    return value


def number(message: Mapping[str, Any], name: str, low: float = 0.0, high: float = math.inf) -> float:
    """A finite number in a range.

    Raises:
        BadMessage: it is missing, or none.
    """
    value = cast(float, field(message, name, float))
    if not (math.isfinite(value) and low <= value <= high):
        raise BadMessage(f"{name!r} must be a finite number from {low:g} to {high:g}, not {value!r}")
    return value


def _shown(value: Any) -> str:
    return f"{type(value).__name__} {value!r:.60}"


class MediaCache:
    """The latest media by the SHA-256 of their bytes, up to some number of bytes; may be used by several threads."""

    def __init__(self, most: int = KEPT_MEDIA) -> None:
        self._most = most
        self._bytes = 0
        self._files: OrderedDict[bytes, bytes] = OrderedDict()
        self._lock = Lock()

    def put(self, file: bytes) -> bytes:
        """Keep a file; returns its hash (32 bytes)."""
        name = hashlib.sha256(file).digest()
        with self._lock:
            if name not in self._files:
                self._bytes += len(file)
            self._files[name] = file
            self._files.move_to_end(name)
            while self._bytes > self._most and len(self._files) > 1:
                self._bytes -= len(self._files.popitem(last=False)[1])
        return name

    def get(self, name: bytes) -> bytes | None:
        """The file of this hash, if it is still kept."""
        with self._lock:
            file = self._files.get(name)
            if file is not None:
                self._files.move_to_end(name)
            return file

    def names(self, most: int = MOST_HELD) -> list[bytes]:
        """The hashes of the latest files."""
        with self._lock:
            return list(self._files)[-most:]


class MediaWriter:
    """Collects the media of one answer.

    Args:
        held: hashes of what the client holds, which is not sent again.
        kept: where the server keeps what it sends.
        most: maximum bytes.
    """

    def __init__(self, held: Collection[bytes], kept: MediaCache, most: int = LARGEST_MEDIA) -> None:
        self._held = frozenset(held)
        self._kept = kept
        self._left = most
        self.files: dict[str, bytes] = {}

    def put(self, files: Sequence[bytes]) -> list[str]:
        """Add files, all or none; returns their hashes in hexadecimal.

        Raises:
            BadMessage: they are too large for one answer.
        """
        names = [self._kept.put(file) for file in files]
        new = {name.hex(): file for name, file in zip(names, files, strict=True) if name not in self._held}
        more = sum(len(file) for name, file in new.items() if name not in self.files)
        if more > self._left:
            raise BadMessage(f"{more >> 20} MB are too much for one answer")
        self._left -= more
        self.files |= new
        return [name.hex() for name in names]


def observation_to_message(look: Observation, media: MediaWriter) -> Message:
    """An observation; its media go into `media`."""
    out: Message = {"env": look.env, "time": look.time, "size": [look.size.width, look.size.height]}
    for modality in Modality:
        value = getattr(look, modality.value)
        try:
            out[modality.value] = _seen_to_message(value, media)
        except BadMessage as error:
            out[modality.value] = {"absent": "failed", "detail": f"the {modality} was not sent: {error}"}
    return out


def _seen_to_message(value: Any, media: MediaWriter) -> Message:
    if isinstance(value, Absent):
        return {"absent": value.reason, "detail": value.detail}
    if isinstance(value, Image):
        return {"file": media.put([value.png()])[0], "time": value.start}
    if isinstance(value, AudioClip):
        return {"file": media.put([value.pcm])[0], "start": value.start}
    if isinstance(value, VideoClip):
        names = media.put([frame.png() for frame in value.frames])
        times = [frame.start for frame in value.frames]
        return {"frames": [list(pair) for pair in zip(names, times, strict=True)], "end": value.end}
    if isinstance(value, Elements):
        return elements_to_message(value)
    assert isinstance(value, Context)
    return codec.context_to_json(value)


def elements_to_message(elements: Elements) -> Message:
    """A list of elements."""
    items = [codec.element_to_json(element) for element in elements.items]
    return {"items": items, "truncated": elements.truncated, "detail": elements.detail}


def elements_from_message(data: Any) -> Elements:
    """The inverse of `elements_to_message`.

    Raises:
        BadMessage: the data is no list of elements.
    """
    data = _map(data)
    try:
        items = tuple(codec.element_from_json(item) for item in field(data, "items", list))
    except ValueError as error:
        raise BadMessage(str(error)) from None
    return Elements(items, field(data, "truncated", bool, False), field(data, "detail", str, ""))


def observation_from_message(data: Any, files: Mapping[str, bytes], shift: float, env: str) -> Observation:
    """The inverse of `observation_to_message`.

    Args:
        files: every medium that is named, by hash in hexadecimal.
        shift: seconds to add to each time.
        env: the environment's name in this world.

    Raises:
        BadMessage: the data is no observation.
        EnvLost: a picture in it cannot be read.
    """
    data = _map(data)
    time = number(data, "time") + shift
    size = size_from_message(data.get("size"))
    seen: dict[str, Any] = {}
    for modality in Modality:
        value = _map(data.get(modality.value))
        if "absent" in value:
            reason = value["absent"]
            if reason not in get_args(Reason):
                raise BadMessage(f"unknown reason {_shown(reason)}")
            seen[modality.value] = Absent(reason, field(value, "detail", str, ""))
        else:
            seen[modality.value] = _seen_from_message(modality, value, files, shift, env)
    return Observation(env, time, size, **seen)


def _seen_from_message(modality: Modality, value: Message, files: Mapping[str, bytes], shift: float, env: str) -> Any:
    try:
        if modality is Modality.ELEMENTS:
            return elements_from_message(value)
        if modality is Modality.CONTEXT:
            return codec.context_from_json({**value, **({"tabs": tuple(value["tabs"])} if "tabs" in value else {})})
        if modality is Modality.SCREENSHOT:
            return _picture(_file(value.get("file"), files), env, number(value, "time") + shift)
        if modality is Modality.AUDIO:
            return AudioClip(_file(value.get("file"), files), env, number(value, "start", -math.inf) + shift)
        frames: list[Image] = []
        pixels = 0
        for name, at in field(value, "frames", list):
            frames.append(_picture(_file(name, files), env, float(at) + shift))
            pixels += frames[-1].size.pixels
            if pixels > LARGEST_CLIP:
                raise BadMessage(f"a clip of more than {LARGEST_CLIP // 10**6} million pixels is too large")
        return VideoClip(frames, number(value, "end", -math.inf) + shift, env)
    except (ValueError, TypeError) as error:
        raise BadMessage(f"the {modality} of {env} cannot be read: {error}") from None


def _picture(file: bytes, env: str, time: float) -> Image:
    image = Image.encoded(file, env, time)
    if image.size.pixels > LARGEST_PICTURE:
        raise BadMessage(f"a picture of {image.size} is too large")
    return image


def _file(name: Any, files: Mapping[str, bytes]) -> bytes:
    if not isinstance(name, str) or name not in files:
        raise BadMessage(f"the file {name!r:.80} was not sent")
    return files[name]


def media_of(data: Any) -> set[str]:
    """The hashes of all media that an observation names.

    Raises:
        BadMessage: one of them is no hash.
    """
    data = _map(data)
    named: set[Any] = set()
    for modality in (Modality.SCREENSHOT, Modality.AUDIO, Modality.VIDEO):
        value = _map(data.get(modality.value))
        if "file" in value:
            named.add(value["file"])
        named |= {pair[0] for pair in value.get("frames", ()) if isinstance(pair, list) and len(pair) == 2}
    if wrong := [name for name in named if not isinstance(name, str) or not HASH.fullmatch(name)]:
        raise BadMessage(f"{wrong[0]!r:.80} is no hash")
    return named


def size_from_message(data: Any) -> Size:
    """A size from [width, height].

    Raises:
        BadMessage: it is none.
    """
    try:
        width, height = data
        return Size(width, height)
    except (TypeError, ValueError) as error:
        raise BadMessage(f"a size is [width, height]: {error}") from None


def heard_to_message(heard: Sequence[Heard]) -> list[Message]:
    """A transcript."""
    return [asdict(one) for one in heard]


def heard_from_message(data: Any, shift: float) -> tuple[Heard, ...]:
    """The inverse of `heard_to_message`, with times moved by `shift` seconds.

    Raises:
        BadMessage: the data is no transcript.
    """
    if not isinstance(data, list):
        raise BadMessage("a transcript is a list")
    try:
        return tuple(
            Heard(one["kind"], one["words"], one["start"] + shift, one["end"] + shift, one["voice"], one["continues"])
            for one in data
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BadMessage(f"no transcript: {error!r}") from None


def _map(value: Any) -> Message:
    if not isinstance(value, dict):
        raise BadMessage(f"expected a map, not {_shown(value)}")
    return value


def lost_error(url: str, problem: object) -> EnvLost:
    """The error of a remote that cannot be used any more."""
    return EnvLost(f"the remote world at {url} is lost: {problem}")
