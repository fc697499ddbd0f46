"""Arrays in the format safetensors, read with numpy alone; whatever is wrong with a file is told before it is used.

The format: eight bytes with the length of a header, the header as JSON, and the numbers; see the README of
github.com/huggingface/safetensors, "Format".
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any

from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import open_file

LONGEST_HEADER = 100_000_000
"""Bytes of a header at most, as the authors of the format have it."""
SIZES = {
    "F64": 8,
    "F32": 4,
    "F16": 2,
    "BF16": 2,
    "F8_E4M3": 1,
    "F8_E5M2": 1,
    "I64": 8,
    "I32": 4,
    "I16": 2,
    "I8": 1,
    "U64": 8,
    "U32": 4,
    "U16": 2,
    "U8": 1,
    "BOOL": 1,
}
"""Bytes of a number, by the name of its type."""
ANEW = "fetch or train the model anew"
"""What mends a file of a model that is not known."""
_READ = {"F16": "<f2", "F32": "<f4"}
_PIECE = 1 << 22
"""Numbers that are checked at a time."""


@dataclass(frozen=True, slots=True)
class Stored:
    """An array as a file describes it.

    Attributes:
        type: one of `SIZES`. start, end: its bytes in the file.
    """

    type: str
    shape: tuple[int, ...]
    start: int
    end: int


def read_safetensors(path: Path) -> dict[str, Any]:
    """The arrays of a file of the format safetensors, by name, as numpy arrays of float32.

    Raises:
        ConfigError: it is no such file, is damaged, holds numbers of another type than float16 and float32, or some
            that are infinite or none at all (NaN).
    """
    import numpy as np

    found = {}
    with _opened(path) as file:
        for name, stored in _header(path, file).items():
            _check_readable(path, name, stored)
            file.seek(stored.start)
            array = np.frombuffer(file.read(stored.end - stored.start), _READ[stored.type]).astype(np.float32)
            if not np.isfinite(array).all():
                raise damaged_file_error(path, f"{name} holds numbers that are infinite or none (NaN)")
            found[name] = array.reshape(stored.shape)
    return found


def stored_arrays(path: Path) -> Mapping[str, Stored]:
    """What a file says of its arrays, by name; the arrays are not read.

    Raises:
        ConfigError: it is no such file, or is damaged.
    """
    with _opened(path) as file:
        return _header(path, file)


def safetensors_shapes(path: Path) -> dict[str, tuple[int, ...]]:
    """The shapes of the arrays that `read_safetensors` would give, by name; their numbers are not read.

    Raises:
        ConfigError: it is no such file, is damaged, or holds numbers of another type than float16 and float32.
    """
    found = stored_arrays(path)
    for name, stored in found.items():
        _check_readable(path, name, stored)
    return {name: stored.shape for name, stored in found.items()}


def check_safetensors(path: Path) -> None:
    """Check that a file of the format safetensors is whole, and that no number in it is infinite or none (NaN).

    It is read piece by piece, so that it may be larger than the memory. Whole numbers and those of 8 bits are not
    looked at.

    Raises:
        ConfigError: it is not.
    """
    import numpy as np

    # The exponent of such a number has all bits set, and that of no other.
    exponents = {"F64": ("<u8", 0x7FF << 52), "F32": ("<u4", 0xFF << 23), "F16": ("<u2", 0x1F << 10)}
    exponents["BF16"] = ("<u2", 0xFF << 7)
    with _opened(path) as file:
        for name, stored in _header(path, file).items():
            if stored.type not in exponents:
                continue
            kind, bits = exponents[stored.type]
            file.seek(stored.start)
            left = stored.end - stored.start
            while left > 0:
                piece = np.frombuffer(file.read(min(left, _PIECE * SIZES[stored.type])), kind)
                left -= piece.nbytes
                if (piece & bits == bits).any():
                    raise damaged_file_error(path, f"{name} holds numbers that are infinite or none (NaN)")


def damaged_file_error(path: Path, why: str, cure: str = ANEW) -> ConfigError:
    """The error about a file of a model."""
    return ConfigError(f"{path}: {why}" + (f"; {cure}" if cure else ""))


def _check_readable(path: Path, name: str, stored: Stored) -> None:
    if stored.type not in _READ:
        raise damaged_file_error(path, f"{name} holds {stored.type}; write it as F16 or F32", "")


def _opened(path: Path) -> BufferedReader:
    try:
        return open_file(path)
    except OSError as error:
        raise damaged_file_error(path, str(error.strerror)) from None


def _header(path: Path, file: BufferedReader) -> dict[str, Stored]:
    whole = os.fstat(file.fileno()).st_size
    length = int.from_bytes(file.read(8), "little")
    if whole < 8 or not 2 <= length <= min(whole - 8, LONGEST_HEADER):
        raise damaged_file_error(path, "it is no safetensors file, or is cut off")
    try:
        told = parse_json(file.read(length).decode("utf-8"))
    except ValueError as error:
        raise damaged_file_error(path, f"its header is no JSON ({error})") from None
    if not isinstance(told, dict):
        raise damaged_file_error(path, "its header is no object of arrays")
    told.pop("__metadata__", None)
    found = {name: _stored(path, name, about, 8 + length, whole) for name, about in told.items()}
    end = 8 + length
    for name, stored in sorted(found.items(), key=lambda item: (item[1].start, item[1].end)):
        if stored.start < end:
            raise damaged_file_error(path, f"{name} lies over another array")
        end = stored.end
    return found


def _stored(path: Path, name: str, about: Any, first: int, whole: int) -> Stored:
    """The description of one array; numbers begin at `first`, and the file ends at `whole`."""
    if not isinstance(about, dict) or not {"dtype", "shape", "data_offsets"} <= set(about):
        raise damaged_file_error(path, f"{name} is not described by dtype, shape and data_offsets")
    kind, shape, offsets = about["dtype"], about["shape"], about["data_offsets"]
    if not isinstance(kind, str) or kind not in SIZES:
        raise damaged_file_error(path, f"{name} is of the unknown type {kind!r:.40}")
    if not _counts(shape) or len(shape) > 8:
        raise damaged_file_error(path, f"{name} has the shape {shape!r:.80}, which is no list of sizes")
    if not _counts(offsets) or len(offsets) != 2 or not offsets[0] <= offsets[1] <= whole - first:
        raise damaged_file_error(
            path, f"{name} lies at {offsets!r:.80}, outside the file's {whole - first} bytes of numbers"
        )
    if math.prod(shape) * SIZES[kind] != offsets[1] - offsets[0]:
        raise damaged_file_error(
            path, f"{name} has {offsets[1] - offsets[0]} bytes, not those of {kind} in the shape {shape}"
        )
    return Stored(kind, tuple(shape), first + offsets[0], first + offsets[1])


def _counts(value: Any) -> bool:
    """Whether a value is a list of whole numbers, none below zero."""
    return isinstance(value, list) and all(type(one) is int and 0 <= one < 2**63 for one in value)
