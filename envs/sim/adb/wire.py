"""ADB's messages: a header of six 32-bit words, and a payload.

Source: the protocol description of the Android Open Source Project (packages/modules/adb/docs/dev/protocol.md).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

VERSION = 0x01000001
"""The version from which on checksums are neither sent nor checked, once connected."""
MOST_PAYLOAD = 1024 * 1024
_HEADER = struct.Struct("<6I")
COMMANDS = {
    name: int.from_bytes(name.encode(), "little")
    for name in ("CNXN", "AUTH", "OPEN", "OKAY", "CLSE", "WRTE", "SYNC", "STLS")
}
_NAMES = {number: name for name, number in COMMANDS.items()}


class WireError(Exception):
    """The other side does not speak this protocol; the connection is closed."""


@dataclass(frozen=True, slots=True)
class AdbMessage:
    """One message: its command's four letters, two arguments of 32 bits, and its payload."""

    command: str
    arg0: int = 0
    arg1: int = 0
    payload: bytes = b""

    def encode(self) -> bytes:
        """The message as bytes, with a checksum (which newer sides ignore)."""
        number = COMMANDS[self.command]
        size = len(self.payload)
        checksum = sum(self.payload) & 0xFFFFFFFF if self.command == "CNXN" else 0
        return _HEADER.pack(number, self.arg0, self.arg1, size, checksum, number ^ 0xFFFFFFFF) + self.payload


class Decoder:
    """Cuts a stream of bytes into messages."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[AdbMessage]:
        """The messages that are complete with `data`.

        Raises:
            WireError: an unknown command, a wrong magic number, or a payload above 1 MiB. Nothing is kept of it.
        """
        self._buffer += data
        found = []
        while len(self._buffer) >= _HEADER.size:
            number, arg0, arg1, size, _, magic = _HEADER.unpack_from(self._buffer)
            if number ^ 0xFFFFFFFF != magic or number not in _NAMES:
                raise WireError("a header that is none of the protocol's")
            if size > MOST_PAYLOAD:
                raise WireError(f"a payload of {size} bytes, above {MOST_PAYLOAD}")
            end = _HEADER.size + size
            if len(self._buffer) < end:
                break
            found.append(AdbMessage(_NAMES[number], arg0, arg1, bytes(self._buffer[_HEADER.size : end])))
            del self._buffer[:end]
        return found


def parse_banner(payload: bytes) -> frozenset[str]:
    """The features that a CNXN's payload names (`host::features=a,b`)."""
    _, _, properties = payload.rstrip(b"\0").decode("utf-8", "replace").partition("::")
    for pair in properties.split(";"):
        name, _, value = pair.partition("=")
        if name == "features":
            return frozenset(value.split(","))
    return frozenset()
