"""Unpacks OmniACT's archives once: the hub stores the files in zip archives, and its cache is left unchanged."""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
from pathlib import Path

from omnipilot.bench.scoring.data.archives import extract_zip
from omnipilot.bench.scoring.data.source import Source

ARCHIVES = ("data.zip", "ocr.zip", "detact_icon.zip", "detact_color.zip")
GROUPS = "groups.json"
"""Which app is of which system or category; the user's own, and so copied again each time."""
LISTS = ("test.json", "val.json", "train.json")
_LOG = logging.getLogger(__name__)


def unpack(source: Source) -> Source:
    """The data with archives unpacked: as given, or from the user's cache, which is reused the next time.

    Raises:
        ConfigError: an archive is damaged.
    """
    archives = [source.root / name for name in ARCHIVES if (source.root / name).is_file()]
    if (source.root / "data").is_dir() or not archives:
        return source
    known = [(str(path.resolve()), path.stat().st_size, path.stat().st_mtime_ns) for path in archives]
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = home / "omnipilot" / "omniact" / hashlib.sha256(repr(known).encode()).hexdigest()[:16]
    if not folder.is_dir():
        _LOG.warning("unpacking %d archives of %s, once, into %s", len(archives), source.root, folder)
        _unpack(source.root, archives, folder)
    if (source.root / GROUPS).is_file():
        shutil.copyfile(source.root / GROUPS, folder / GROUPS)
    return Source(folder, source.get)


def _unpack(root: Path, archives: list[Path], folder: Path) -> None:
    part = folder.with_name(f"{folder.name}.{os.getpid()}")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        for path in archives:
            extract_zip(path, part)
        for name in LISTS:
            if (root / name).is_file():
                shutil.copyfile(root / name, part / name)
        try:
            part.rename(folder)
        except OSError:
            # Another process was faster; what it unpacked is the same.
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
