"""Messages of the ADB protocol: there and back, cut anywhere, and what is no message."""

from __future__ import annotations

import contextlib
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.envs.sim.adb.wire import COMMANDS, MOST_PAYLOAD, AdbMessage, Decoder, WireError, parse_banner

WORD = st.integers(0, 0xFFFFFFFF)
MESSAGES = st.lists(
    st.builds(AdbMessage, st.sampled_from(sorted(COMMANDS)), WORD, WORD, st.binary(max_size=300)), max_size=6
)


def test_a_header_is_laid_out_as_the_protocol_says() -> None:
    raw = AdbMessage("CNXN", 0x01000001, 4096, b"ab").encode()
    assert raw[:4] == b"CNXN"
    assert struct.unpack("<6I", raw[:24]) == (
        *(0x4E584E43, 0x01000001, 4096, 2, ord("a") + ord("b"), 0x4E584E43 ^ 0xFFFFFFFF),
    )
    assert raw[24:] == b"ab"


@given(MESSAGES, st.lists(st.integers(1, 40), min_size=1, max_size=20))
def test_messages_come_back_however_the_stream_is_cut(messages: list[AdbMessage], cuts: list[int]) -> None:
    raw, decoder, found, at = b"".join(message.encode() for message in messages), Decoder(), [], 0
    for number in range(len(raw)):
        if at >= len(raw):
            break
        step = cuts[number % len(cuts)]
        found += decoder.feed(raw[at : at + step])
        at += step
    assert found == messages


@pytest.mark.parametrize(
    "header",
    [
        struct.pack("<6I", 0x12345678, 0, 0, 0, 0, 0x12345678 ^ 0xFFFFFFFF),
        struct.pack("<6I", COMMANDS["OPEN"], 0, 0, 0, 0, 0),
        struct.pack("<6I", COMMANDS["WRTE"], 0, 0, MOST_PAYLOAD + 1, 0, COMMANDS["WRTE"] ^ 0xFFFFFFFF),
    ],
    ids=["unknown command", "wrong magic", "too long"],
)
def test_what_is_no_message_is_refused(header: bytes) -> None:
    with pytest.raises(WireError):
        Decoder().feed(header)


@given(st.binary(max_size=400))
def test_random_bytes_are_refused_or_waited_on(data: bytes) -> None:
    with contextlib.suppress(WireError):
        Decoder().feed(data)


def test_the_features_of_a_banner() -> None:
    assert parse_banner(b"host::features=shell_v2,cmd") == {"shell_v2", "cmd"}
    assert parse_banner(b"host::\0") == frozenset()
    assert parse_banner(b"\xff\xfe") == frozenset()
