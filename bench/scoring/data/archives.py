"""Archives of data sets that others made: unpacked within bounds; a member that cannot be is left out and told."""

from __future__ import annotations

import logging
import lzma
import stat
import struct
import zipfile
import zlib
from pathlib import Path

from omnipilot.envs import ConfigError
from omnipilot.envs.types import open_file
from omnipilot.envs.types.regular_files import NotAFile

MOST_FILES = 500_000
MOST_BYTES = 200 * 10**9
"""Most files of an archive, and most bytes of all of them unpacked."""
RATIO, FREE = 200, 64 * 2**20
"""An archive may unpack to so many times its own size, and to so many bytes in any case: text packs well, pictures do
not."""
_PIECE = 2**20
_OF_THE_MEMBER = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    struct.error,
    ValueError,
    RuntimeError,  # it is encrypted, or packed in a way that this Python does not know
    FileExistsError,
    NotADirectoryError,
    IsADirectoryError,
)
_LOG = logging.getLogger(__name__)


def extract_zip(path: Path, into: Path) -> list[str]:
    """Unpack a ZIP archive below a folder, whatever its names say.

    Returns:
        The members that were left out, each with the reason: encrypted, damaged, packed in an unknown way, or no file.

    Raises:
        ConfigError: it is no archive, or is larger than any data set; the message names it. What was unpacked by then
            stays in the folder.
    """
    out: list[str] = []
    try:
        with open_file(path) as file, zipfile.ZipFile(file) as archive:
            left = min(MOST_BYTES, max(FREE, RATIO * path.stat().st_size))
            members = archive.infolist()
            if len(members) > MOST_FILES:
                raise ConfigError(f"{path} has {len(members):,} members, more than {MOST_FILES:,}; fetch it again")
            for member in members:
                kind = stat.S_IFMT(member.external_attr >> 16)
                if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
                    # A link could lead anywhere, for the member after it.
                    out.append(f"{member.filename!r}: it is no file")
                    continue
                try:
                    left -= _extract(archive, member, into, left)
                except _OF_THE_MEMBER as error:
                    out.append(f"{member.filename!r}: {error}")
                if left < 0:
                    raise ConfigError(
                        f"{path} unpacks to more than {RATIO} times its size, as no data set does; fetch it again"
                    )
    except NotAFile as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except (zipfile.BadZipFile, EOFError, ValueError, struct.error) as error:
        raise ConfigError(f"{path} is damaged ({error}); download it again") from None
    for reason in out[:3]:
        _LOG.warning("%s: left out %s", path.name, reason)
    if len(out) > 3:
        _LOG.warning("%s: left out %d members in all", path.name, len(out))
    return out


def _extract(archive: zipfile.ZipFile, member: zipfile.ZipInfo, into: Path, most: int) -> int:
    """Unpack one member, at most `most` bytes and a little more; how many they were."""
    if member.is_dir():
        archive.extract(member, into)
        return 0
    parts = [part for part in Path(member.filename.replace("\\", "/")).parts if part not in ("", ".", "..", "/")]
    if not parts or "\0" in member.filename:
        raise ValueError("it has no name")
    target = into.joinpath(*parts)
    size = 0
    with archive.open(member) as source:
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with target.open("wb") as file:
                while piece := source.read(_PIECE):
                    size += len(piece)
                    file.write(piece)
                    if size > most:
                        break
        except BaseException:
            target.unlink(missing_ok=True)
            raise
    return size


def gunzip(content: bytes, most: int) -> bytes:
    """Unpack gzip, one stream after another.

    Raises:
        ValueError: it is damaged, or unpacks to more than `most` bytes.
    """
    out = bytearray()
    try:
        while content:
            unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
            out += unpacker.decompress(content, most + 1 - len(out))
            if len(out) > most:
                raise ValueError(f"it unpacks to more than {most:,} bytes")
            if not unpacker.eof:
                raise ValueError("it is cut off")
            content = unpacker.unused_data.lstrip(b"\0")
    except zlib.error as error:
        raise ValueError(str(error)) from None
    return bytes(out)
