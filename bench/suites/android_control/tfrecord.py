"""Reads TFRecord files of `tf.train.Example` without TensorFlow.

A record is its length (8 bytes, little-endian), the checksum of the length, the data, and the checksum of the data
(https://www.tensorflow.org/tutorials/load_data/tfrecord). Lengths are checked before they are believed; the data is
covered by the checksum of the gzip file around it. An Example is a map from names to lists of bytes, floats or whole
numbers, in the wire format of protocol buffers (https://protobuf.dev/programming-guides/encoding).
"""

from __future__ import annotations

import gzip
import struct
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO, TypeAlias, cast

from omnipilot.envs import ConfigError
from omnipilot.envs.types import open_file

Values: TypeAlias = list[bytes] | list[int] | list[float]
LARGEST = 1 << 30
"""Bytes of one record that are believed; AndroidControl's longest episodes have some 50 MB."""
_HEAD = 12
_POLYNOMIAL = 0x82F63B78


def records(path: Path, name: str) -> Iterator[tuple[int, bytes]]:
    """The records of a file, gzipped or not, each with its offset in the unpacked bytes.

    Args:
        name: of the file in messages.

    Raises:
        ConfigError: the file is cut off or damaged; the message names the file and the place.
    """
    with open_file(path) as raw:
        packed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        stream = cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if packed else raw
        at = 0
        while head := _read(stream, _HEAD, name, at):
            length, check = struct.unpack("<QI", _whole(head, _HEAD, name, at, "the head"))
            if mask_checksum(head[:8]) != check:
                raise _damaged(name, at, "the checksum of its length is wrong")
            if length > LARGEST:
                raise _damaged(name, at, f"it claims {length} bytes, more than any episode can have")
            data = _whole(_read(stream, length, name, at), length, name, at, "the data")
            _whole(_read(stream, 4, name, at), 4, name, at, "the checksum")
            yield at, data
            at += _HEAD + length + 4


def example(data: bytes, name: str, at: int) -> dict[str, Values]:
    """The features of an Example.

    Raises:
        ConfigError: the bytes are none; the message names the file and the record's place.
    """
    try:
        features: dict[str, Values] = {}
        for field, inner in _messages(memoryview(data)):
            for entry in (e for f, e in _messages(inner) if field == 1 and f == 1):
                parts = dict(_messages(entry))
                features[bytes(parts.get(1, b"")).decode("utf-8")] = _values(parts.get(2, memoryview(b"")))
        return features
    except (ValueError, struct.error) as error:
        raise _damaged(name, at, f"it is not a tf.train.Example: {error}") from None


def crc32c(data: bytes) -> int:
    """The Castagnoli checksum (RFC 3720, B.4)."""
    table, value = _table(), 0xFFFFFFFF
    for byte in data:
        value = value >> 8 ^ table[(value ^ byte) & 0xFF]
    return value ^ 0xFFFFFFFF


@cache
def _table() -> tuple[int, ...]:
    found = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (_POLYNOMIAL if value & 1 else 0)
        found.append(value)
    return tuple(found)


def mask_checksum(data: bytes) -> int:
    """A checksum as TFRecord files store it: rotated by 15 bits, plus a constant."""
    value = crc32c(data)
    return ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF


def _read(stream: BinaryIO, count: int, name: str, at: int) -> bytes:
    try:
        return stream.read(count)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise _damaged(name, at, f"the gzip file around it cannot be unpacked ({error})") from None


def _whole(data: bytes, count: int, name: str, at: int, what: str) -> bytes:
    if len(data) < count:
        raise _damaged(name, at, f"{what} ends after {len(data)} of {count} bytes; the file is truncated")
    return data


def _damaged(name: str, at: int, reason: str) -> ConfigError:
    return ConfigError(f"{name}, the record at byte {at} (unpacked): {reason}; fetch the file again")


def _values(feature: memoryview) -> Values:
    """A Feature's list of bytes (1), floats (2) or integers (3)."""
    for kind, held in _messages(feature):
        if kind == 1:
            return [bytes(value) for field, value in _messages(held) if field == 1]
        if kind == 2:
            return [value for packed in _packed(held) for (value,) in struct.iter_unpack("<f", packed)]
        if kind == 3:
            return _whole_numbers(held)
    return []


def _whole_numbers(held: memoryview) -> list[int]:
    found: list[int] = []
    at = 0
    while at < len(held):
        key, at = read_varint(held, at)
        if key == 0x0A:  # packed
            length, at = read_varint(held, at)
            if length > len(held) - at:
                raise ValueError(f"a list claims {length} bytes, but {len(held) - at} are left")
            end = at + length
            while at < end:
                value, at = read_varint(held, at)
                found.append(_signed(value))
            if at != end:
                raise ValueError("a number extends past the end of its list")
        elif key == 0x08:
            value, at = read_varint(held, at)
            found.append(_signed(value))
        else:
            raise ValueError(f"field {key >> 3} of wire type {key & 7} in a list of integers")
    return found


def _packed(held: memoryview) -> Iterator[memoryview]:
    at = 0
    while at < len(held):
        key, at = read_varint(held, at)
        length, at = (4, at) if key & 7 == 5 else read_varint(held, at)
        if key >> 3 != 1 or key & 7 not in (2, 5) or length > len(held) - at or length % 4:
            raise ValueError("a list of floats is broken")
        yield held[at : at + length]
        at += length


def _messages(data: memoryview) -> Iterator[tuple[int, memoryview]]:
    """The length-delimited fields of a message; the path to an Example's lists has no others."""
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        if key & 7 != 2:
            raise ValueError(f"field {key >> 3} has wire type {key & 7}, not 2")
        length, at = read_varint(data, at)
        if length > len(data) - at:
            raise ValueError(f"field {key >> 3} claims {length} bytes, but {len(data) - at} are left")
        yield key >> 3, data[at : at + length]
        at += length


def read_varint(data: memoryview, at: int) -> tuple[int, int]:
    """A number of the wire format and where the next field begins.

    Raises:
        ValueError: it is cut off or too long.
    """
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise ValueError("a number is cut off" if at >= len(data) else "a number is longer than 64 bits")
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not byte & 0x80:
            return value, at


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value
