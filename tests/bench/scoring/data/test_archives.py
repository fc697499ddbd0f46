"""Archives of others: within their folder, within bounds, and a bad member costs itself alone."""

import gzip
import os
import stat
import struct
import zipfile
from pathlib import Path

import pytest

from omnipilot.bench.scoring.data import archives
from omnipilot.bench.scoring.data.archives import extract_zip, gunzip
from omnipilot.envs import ConfigError


def files(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_good_members_are_unpacked_and_odd_ones_are_told(tmp_path: Path):
    path, into = tmp_path / "a.zip", tmp_path / "into"
    link = zipfile.ZipInfo("link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("good/a.txt", "one")
        archive.writestr(link, "/etc")
        archive.writestr("link/escaped", "no")
        archive.writestr("../../outside", "in after all")
        archive.writestr("/abs/olute", "in, too")
        archive.writestr("good", "a folder's name")
        archive.writestr("good/a.txt/b", "below a file")
        archive.writestr("broken", "spoilt" * 100)
        archive.writestr("locked", "secret")
        archive.writestr("last", "two")
    content = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        at = archive.getinfo("broken").header_offset + 30 + len("broken")
        locked = archive.getinfo("locked").header_offset
    content = content[:at] + b"\xff" * 4 + content[at + 4 :]
    # Flagged as encrypted, in its own head and in the list at the end.
    listed = content.rindex(b"locked") - 46
    for place in (locked + 6, listed + 8):
        content = content[:place] + struct.pack("<H", 1) + content[place + 2 :]
    path.write_bytes(content)
    told = extract_zip(path, into)
    assert [line.partition(":")[0] for line in told] == ["'link'", "'good'", "'good/a.txt/b'", "'broken'", "'locked'"]
    assert files(into) == {
        "good/a.txt": b"one",
        "link/escaped": b"no",
        "outside": b"in after all",
        "abs/olute": b"in, too",
        "last": b"two",
    }
    assert os.listdir(tmp_path) == ["a.zip", "into"] or sorted(os.listdir(tmp_path)) == ["a.zip", "into"]


def test_a_small_archive_of_gigabytes_is_refused_before_they_are_written(tmp_path: Path):
    path, into = tmp_path / "bomb.zip", tmp_path / "into"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for number in range(20):
            archive.writestr(f"{number}", bytes(16 * 2**20))
    assert path.stat().st_size < 2**19
    with pytest.raises(ConfigError, match=r"bomb\.zip unpacks to more than 200 times its size"):
        extract_zip(path, into)
    assert sum(map(len, files(into).values())) <= max(archives.FREE, 200 * path.stat().st_size) + 2**20


def test_an_archive_of_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(archives, "MOST_FILES", 3)
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for number in range(4):
            archive.writestr(f"{number}", b"")
    with pytest.raises(ConfigError, match="has 4 members, more than 3"):
        extract_zip(tmp_path / "a.zip", tmp_path / "into")
    assert not (tmp_path / "into").exists()


def test_gzip_is_bounded_and_its_damage_is_a_value_error():
    content = b"tree" * 1_000
    packed = gzip.compress(content)
    assert gunzip(packed, 4_000) == content and gunzip(packed + packed, 8_000) == content * 2
    for bad, most in (
        (packed, 3_999),
        (packed + packed, 7_999),
        (packed[:-9], 4_000),
        (b"no gzip", 9),
        (packed[:5], 9),
    ):
        with pytest.raises(ValueError, match=r"."):
            gunzip(bad, most)
