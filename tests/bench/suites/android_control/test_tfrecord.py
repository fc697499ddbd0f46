"""TFRecords read without TensorFlow: against bytes put together here by hand, whole, cut off and damaged."""

from __future__ import annotations

import gzip
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.bench.suites.android_control.tfrecord import crc32c, example, mask_checksum, records
from omnipilot.envs import ConfigError

# An Example with {"id": [300, -1], "t": ["ab", ""], "f": [0.5]}, byte by byte after the protocol buffers' documents.
ID = b"\x0a\x02id\x12\x10\x1a\x0e" + b"\x0a\x0c" + b"\xac\x02" + b"\xff" * 9 + b"\x01"
TEXT = b"\x0a\x01t\x12\x08\x0a\x06" + b"\x0a\x02ab" + b"\x0a\x00"
FLOAT = b"\x0a\x01f\x12\x08\x12\x06" + b"\x0a\x04\x00\x00\x00\x3f"
ENTRIES = b"".join(b"\x0a" + bytes([len(e)]) + e for e in (ID, TEXT, FLOAT))
EXAMPLE = b"\x0a" + bytes([len(ENTRIES)]) + ENTRIES


def checksum(data: bytes) -> int:
    """CRC-32C bit by bit, after its polynomial, masked as TFRecord files have it."""
    value = 0xFFFFFFFF
    for byte in data:
        for bit in range(8):
            top = (value ^ (byte >> bit)) & 1
            value = (value >> 1) ^ (0x82F63B78 if top else 0)
    value ^= 0xFFFFFFFF
    return ((value >> 15 | value << 17) + 0xA282EAD8) % 2**32


def record(data: bytes) -> bytes:
    """One framed record."""
    head = struct.pack("<Q", len(data))
    return head + struct.pack("<I", checksum(head)) + data + struct.pack("<I", checksum(data))


def written(folder: Path, data: bytes, name: str = "android_control-00000-of-00001", packed: bool = True) -> Path:
    path = folder / name
    path.write_bytes(gzip.compress(data) if packed else data)
    return path


def test_the_checksum_is_castagnolis() -> None:
    assert crc32c(b"123456789") == 0xE3069283  # the check value of the catalogue of CRCs
    assert crc32c(b"\x00" * 32) == 0x8A9136AA  # RFC 3720, B.4
    assert mask_checksum(b"123456789") == checksum(b"123456789")


def test_an_example_by_hand() -> None:
    found = example(EXAMPLE, "a file", 0)
    assert found == {"id": [300, -1], "t": [b"ab", b""], "f": [0.5]}
    unpacked = b"\x0a\x03num\x12\x07\x1a\x05" + b"\x08\xac\x02" + b"\x08\x07"
    entries = b"\x0a" + bytes([len(unpacked)]) + unpacked + b"\x0a\x03\x0a\x01e"
    assert example(b"\x0a" + bytes([len(entries)]) + entries, "a file", 0) == {"num": [300, 7], "e": []}
    assert example(b"", "a file", 0) == {}


@pytest.mark.parametrize("packed", [True, False])
def test_records_come_with_their_places(tmp_path: Path, packed: bool) -> None:
    path = written(tmp_path, record(EXAMPLE) + record(b"") + record(b"abc"), packed=packed)
    assert list(records(path, "shard")) == [(0, EXAMPLE), (len(EXAMPLE) + 16, b""), (len(EXAMPLE) + 32, b"abc")]
    assert list(records(written(tmp_path, b"", packed=packed), "shard")) == []


@pytest.mark.parametrize(
    ("cut", "told"),
    [
        (7, "the head ends after 7 of 12 bytes"),
        (20, "the data ends after 8 of 100"),
        (114, "the checksum ends after 2"),
    ],
)
def test_a_file_that_is_cut_off_names_itself_and_the_place(tmp_path: Path, cut: int, told: str) -> None:
    whole = record(b"x" * 100)
    path = written(tmp_path, whole + whole[:cut])
    found = records(path, "data/shard-3")
    assert next(found) == (0, b"x" * 100)
    with pytest.raises(ConfigError, match=rf"data/shard-3, the record at byte 116 \(unpacked\): {told}"):
        next(found)


def test_lengths_are_not_believed_blindly(tmp_path: Path) -> None:
    head = struct.pack("<Q", 1 << 60)
    wrong = written(tmp_path, head + b"\x00\x00\x00\x00" + b"data", "a")
    with pytest.raises(ConfigError, match=r"a, the record at byte 0 .*the checksum of its length is wrong"):
        list(records(wrong, "a"))
    huge = written(tmp_path, head + struct.pack("<I", checksum(head)) + b"data", "b")
    with pytest.raises(ConfigError, match="it claims 1152921504606846976 bytes"):
        list(records(huge, "b"))


def test_a_damaged_gzip_file_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, record(bytes(range(256)) * 40))
    data = bytearray(path.read_bytes())
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(ConfigError, match="cannot be unpacked"):
        list(records(path, "shard"))
    data[-6] ^= 0xFF  # the checksum of the whole
    path.write_bytes(data)
    with pytest.raises(ConfigError, match="cannot be unpacked"):
        list(records(path, "shard"))


@pytest.mark.parametrize(
    "data",
    [
        b"\x0a\x7f" + b"abc",  # a field longer than the message
        b"\x08\x01",  # a number where a message has to be
        b"\x0a",  # a length that is cut off
        b"\x0a" + b"\xff" * 10 + b"\x01",  # a length of more than 64 bits
        EXAMPLE[:3] + b"\x7e" + EXAMPLE[4:],  # an entry longer than its map
        b"\x0a\x0a\x0a\x08\x0a\x01n\x12\x03\x1a\x01\x0d",  # a fixed-size number in a list of whole ones
    ],
)
def test_bytes_that_are_no_example_name_the_file_and_the_place(data: bytes) -> None:
    with pytest.raises(ConfigError, match=r"shard, the record at byte 42 \(unpacked\): it is not a tf.train.Example"):
        example(data, "shard", 42)


@given(
    st.one_of(
        st.binary(max_size=60), st.integers(0, 255).flatmap(lambda b: st.just(EXAMPLE.replace(b"\x0a", bytes([b]), 2)))
    )
)
def test_any_bytes_are_an_example_or_an_error(data: bytes) -> None:
    try:
        found = example(data, "shard", 0)
    except ConfigError:
        return
    assert all(isinstance(name, str) and isinstance(values, list) for name, values in found.items())


@given(st.lists(st.binary(max_size=40), max_size=4), st.integers(0, 300))
def test_a_file_cut_anywhere_gives_whole_records_and_then_an_error(many: list[bytes], cut: int) -> None:
    import tempfile

    whole = b"".join(map(record, many))
    ends = [0]
    for one in many:
        ends.append(ends[-1] + len(one) + 16)
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), whole[:cut], packed=False)
        found: list[bytes] = []
        try:
            for _, data in records(path, "shard"):
                found.append(data)
            assert min(cut, len(whole)) in ends
        except ConfigError:
            assert min(cut, len(whole)) not in ends
        assert found == many[: len(found)] and len(found) == sum(end <= cut for end in ends[1:])
