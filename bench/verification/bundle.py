"""The file that a run is packed into: a compressed archive of few members, a manifest, and one hash over it all.

A bundle is read as what a stranger sent: nothing of it is unpacked under a name of its own, nothing is larger than a
limit, and it is an archive only if it is byte by byte the one that would be written of its members.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import re
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from omnipilot.envs import OmnipilotError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import open_file

MANIFEST = "manifest.json"
SPECIFICATION, JOURNAL = "spec.json", "journal.jsonl"
MEDIA, REGISTERED, VERDICTS, TABLE, WEIGHTS = (
    "media.json",
    "registered.json",
    "verdicts.json",
    "table.json",
    "weights.json",
)
MEMBERS = (SPECIFICATION, REGISTERED, WEIGHTS, JOURNAL, MEDIA, VERDICTS, TABLE)
"""In the order in which they stand, after the manifest."""
FORMAT = 1
SUFFIX = ".tar.xz"
MOST_PACKED = 64 * 2**20
MOST_UNPACKED = 256 * 2**20
MOST_MEMORY = 32 * 2**20
MOST_LINE = 8 * 2**20
"""Bytes: of a bundle, of its members together, of memory that unpacking may take, and of a line of the journal."""
_PIECE = 2**20
_MAGIC = b"\xfd7zXZ\x00"
_ROOT = re.compile(r"[0-9a-f]{64}")


class BundleError(OmnipilotError):
    """A file is no bundle, or one that was damaged or edited; the message says what is wrong with it."""


def check_size(packed: bytes, members: Mapping[str, bytes], name: str) -> None:
    """Refuse what is larger than what is read back.

    Raises:
        BundleError: it is.
    """
    if len(packed) > MOST_PACKED or sum(map(len, members.values())) > MOST_UNPACKED:
        raise BundleError(f"{name} is larger than what `omnipilot verify` reads; run fewer tasks, instances or trials")
    if max(map(len, io.BytesIO(members[JOURNAL])), default=0) > MOST_LINE:
        raise BundleError(f"{name}: a line of {JOURNAL} is longer than {MOST_LINE // 2**20} MiB, which is not read")


def root_hash(manifest: bytes) -> str:
    """The hash that stands for a whole bundle: SHA-256 of its manifest, which holds that of each member."""
    return hashlib.sha256(manifest).hexdigest()


def check_root(root: str) -> str:
    """A published root hash as it is compared, in lower case.

    Raises:
        BundleError: it is none.
    """
    if not _ROOT.fullmatch(found := root.strip().lower()):
        raise BundleError(f"--root takes the 64 hexadecimal digits that `omnipilot pack` printed, not {root!r:.80}")
    return found


def to_json(value: Any) -> bytes:
    """JSON values as the text of a member, which is the same for the same values."""
    return (json.dumps(value, ensure_ascii=True, sort_keys=True, indent=1, allow_nan=False) + "\n").encode()


def manifest_of(members: Mapping[str, bytes]) -> bytes:
    """The manifest of members: the name, size and SHA-256 of each, in their order."""
    listed = [
        {"name": name, "bytes": len(members[name]), "sha256": hashlib.sha256(members[name]).hexdigest()}
        for name in MEMBERS
    ]
    return to_json({"format": FORMAT, "bundle": "omnipilot", "members": listed})


def bundle_bytes(members: Mapping[str, bytes], manifest: bytes | None = None) -> bytes:
    """The file of a bundle: the same bytes for the same members, wherever and whenever it is made.

    Args:
        members: of each name of `MEMBERS`. manifest: None for that of the members.
    """
    archive = _archive({MANIFEST: manifest or manifest_of(members), **members})
    return lzma.compress(archive, format=lzma.FORMAT_XZ, check=lzma.CHECK_SHA256, preset=6)


def read_bundle(path: Path) -> tuple[dict[str, bytes], str]:
    """The members of a bundle by name, and its root hash.

    Raises:
        BundleError: it is no bundle, its manifest does not fit its members, or it is larger than the limits.
        OSError: the file cannot be read.
    """
    with open_file(path) as file:
        packed = file.read(MOST_PACKED + 1)
    return members_of(packed, str(path))


def members_of(packed: bytes, name: str = "it") -> tuple[dict[str, bytes], str]:
    """As `read_bundle`, of the bytes of the file.

    Args:
        name: of the file, for messages.
    """
    if len(packed) > MOST_PACKED:
        raise BundleError(f"{name} is larger than {MOST_PACKED // 2**20} MiB, which no bundle is")
    if not packed.startswith(_MAGIC):
        raise BundleError(f"{name} is no bundle: `omnipilot pack RUN` makes one, a {SUFFIX} file")
    archive = _unpack(packed, name)
    found = _members(archive, name)
    if _archive(found) != archive:
        raise BundleError(f"{name}: the archive holds more than its members, or not as `omnipilot pack` writes them")
    manifest = found.pop(MANIFEST)
    _check_manifest(manifest, found, name)
    check_size(packed, found, name)
    return found, root_hash(manifest)


def _archive(members: Mapping[str, bytes]) -> bytes:
    """An uncompressed archive: fixed order, times, owners and rights."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in (MANIFEST, *MEMBERS):
            entry = tarfile.TarInfo(name)
            entry.size = len(members[name])
            entry.mode = 0o644
            archive.addfile(entry, io.BytesIO(members[name]))
    return out.getvalue()


def _unpack(packed: bytes, name: str) -> bytes:
    """The uncompressed archive; never more than the limit, whatever is packed."""
    unpacking = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_MEMORY)
    pieces, size, given = [], 0, packed
    try:
        while not unpacking.eof:
            piece = unpacking.decompress(given, _PIECE)
            given = b""
            size += len(piece)
            if size > MOST_UNPACKED:
                raise BundleError(f"{name} unpacks to more than {MOST_UNPACKED // 2**20} MiB, which no bundle does")
            if not piece and unpacking.needs_input and not unpacking.eof:
                raise BundleError(f"{name} ends too early: part of it is missing")
            pieces.append(piece)
    except lzma.LZMAError as error:
        raise BundleError(f"{name} is damaged: {error}") from None
    if unpacking.unused_data:
        raise BundleError(f"{name}: something follows after its end")
    return b"".join(pieces)


def _members(archive: bytes, name: str) -> dict[str, bytes]:
    """Manifest and members by name; what is no plain file, has another name or comes twice is refused."""
    found: dict[str, bytes] = {}
    wanted = (MANIFEST, *MEMBERS)
    try:
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r:") as opened:
            for entry in opened:
                if entry.name not in wanted or not entry.isreg():
                    raise BundleError(f"{name} holds {entry.name!r:.80}, which is no member of a bundle")
                if entry.name in found:
                    raise BundleError(f"{name} holds {entry.name} twice")
                file = opened.extractfile(entry)
                found[entry.name] = file.read() if file is not None else b""
    except (tarfile.TarError, ValueError, OverflowError, EOFError) as error:
        raise BundleError(f"{name} is no archive of a run: {error}") from None
    if lacking := [one for one in wanted if one not in found]:
        raise BundleError(f"{name} lacks {', '.join(lacking)}")
    return found


def _check_manifest(manifest: bytes, members: Mapping[str, bytes], name: str) -> None:
    try:
        told = parse_json(manifest, bounded=True)
        made = int(told["format"])
        listed = {str(one["name"]): str(one["sha256"]) for one in told["members"]}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BundleError(f"{name}: {MANIFEST} cannot be read: {error!r:.200}") from None
    if made != FORMAT:
        raise BundleError(f"{name} is of format {made}, and this version reads format {FORMAT}")
    wrong = [one for one in MEMBERS if listed.get(one) != hashlib.sha256(members[one]).hexdigest()]
    if wrong:
        raise BundleError(f"{name}: {', '.join(wrong)}: the content is not what {MANIFEST} says; it was edited")
    if manifest != manifest_of(members):
        raise BundleError(f"{name}: {MANIFEST} is not as `omnipilot pack` writes it; it was edited")
