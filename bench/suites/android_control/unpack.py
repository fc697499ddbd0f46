"""Unpacks AndroidControl's files once, from TFRecords or from rows with base64 pictures, into rows and PNG files.

A picture in a gzip file can only be reached through all that stands before it, so a suite cannot read such files step
by step. What is unpacked lies in the user's cache and is found there the next time.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import hashlib
import json
import logging
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.android_control.tfrecord import example, records
from omnipilot.envs import ConfigError

ROWS = "episodes.jsonl"
SHARDS = ("android_control-*-of-*", "*/android_control-*-of-*")
PICTURES = "screenshots"
TREES = "accessibility_trees"
IN_BASE64 = "screenshots_b64"
TEXTS = ("goal", "actions", "step_instructions")
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Flat:
    """Rows with picture files: the base folder of the picture paths, and the row files."""

    source: Source
    paths: tuple[Path, ...]


def flat(source: Source, split: str, wanted: frozenset[int] | None) -> Flat:
    """The rows of a split; other formats are unpacked first, which takes minutes for the full export.

    Args:
        wanted: the split's episodes; None for all that are there.

    Raises:
        ConfigError: there are neither rows nor TFRecords, or they are damaged.
    """
    rows = _rows(source, split)
    if rows and not _in_base64(source, rows[0]):
        return Flat(source, rows)
    shards = rows or tuple(path for pattern in SHARDS for path in source.find(pattern))
    if not shards:
        raise ConfigError(f"{source.root} has neither {SHARDS[0]} nor {split}.jsonl nor {ROWS}. {source.get}")
    folder = _cache(shards, wanted) / split
    if not (folder / ROWS).is_file():
        _LOG.warning("unpacking %d files of %s, once, into %s", len(shards), source.root, folder)
        _unpack(source, shards, wanted, folder)
    unpacked = Source(folder, source.get)
    return Flat(unpacked, (folder / ROWS,))


def _rows(source: Source, split: str) -> tuple[Path, ...]:
    """The row files: of this split alone, or of all episodes, with `splits.json` naming the split's."""
    for name in (*(f"{split}.{ending}" for ending in ("jsonl", "json", "parquet")), f"data/{split}-*.parquet"):
        if found := source.find(name):
            return tuple(found)
    together = ["data/*.parquet"] if source.find("splits.json") else []
    for name in (ROWS, "episodes.json", "episodes.parquet", *together):
        if found := source.find(name):
            return tuple(found)
    return ()


def _in_base64(source: Source, rows: Path) -> bool:
    return any(record.has(IN_BASE64) for record, _ in zip(source.records(rows), range(1), strict=False))


def _cache(shards: tuple[Path, ...], wanted: frozenset[int] | None) -> Path:
    """The cache folder for these files and episodes, whether already unpacked or not."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    known = [(str(path.resolve()), path.stat().st_size, path.stat().st_mtime_ns) for path in shards]
    asked = None if wanted is None else sorted(wanted)
    digest = hashlib.sha256(repr((known, asked)).encode()).hexdigest()
    return home / "omnipilot" / "android-control" / digest[:16]


def _unpack(source: Source, shards: tuple[Path, ...], wanted: frozenset[int] | None, folder: Path) -> None:
    part = folder.with_name(f"{folder.name}.{os.getpid()}")
    shutil.rmtree(part, ignore_errors=True)
    (part / PICTURES).mkdir(parents=True)
    (part / TREES).mkdir()
    seen: set[str] = set()
    count = 0
    try:
        with (part / ROWS).open("w", encoding="utf-8") as rows:
            for shard in shards:
                for row, pictures, trees in _episodes(source, shard):
                    id = str(row.get("episode_id"))
                    # An episode without a number is kept: whoever reads the rows lists it as bad.
                    if wanted is not None and id.isdecimal() and int(id) not in wanted:
                        continue
                    # No name from the data is made a file's that could lie elsewhere, or be another episode's.
                    name = f"episode_{id}" if id.isdecimal() and id not in seen else f"row_{count}"
                    seen.add(id)
                    count += 1
                    row["screenshots"] = [f"{PICTURES}/{name}_screenshot_{i}.png" for i in range(len(pictures))]
                    for named, picture in zip(row["screenshots"], pictures, strict=True):
                        (part / named).write_bytes(picture)
                    # Beside the rows, which say what the episodes are: trees tell judges more, and change no task.
                    for named, tree in zip(row["screenshots"], trees, strict=False):
                        tree_file(part / named).write_bytes(gzip.compress(tree, 6, mtime=0))
                    rows.write(json.dumps(row, ensure_ascii=False) + "\n")
        try:
            part.rename(folder)
        except OSError:
            # Another process was faster; what it unpacked is the same.
            if not (folder / ROWS).is_file():
                raise
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _episodes(source: Source, shard: Path) -> Iterator[tuple[dict[str, Any], list[bytes], list[bytes]]]:
    if shard.suffix in (".json", ".jsonl", ".parquet"):
        for record in source.records(shard):
            row = {name: record.raw(name, None) for name in record.names if name != IN_BASE64}
            packed = record.raw(IN_BASE64, None) or ()
            yield row, [_decoded(source.name(shard), record.record, one) for one in packed], []
        return
    for at, data in records(shard, source.name(shard)):
        features = example(data, source.name(shard), at)
        row = {}
        for name in (*TEXTS, "episode_id", "screenshot_widths", "screenshot_heights"):
            values = [v.decode("utf-8", "replace") if isinstance(v, bytes) else v for v in features.get(name, ())]
            if name in ("goal", "episode_id"):
                row[name] = values[0] if values else None
            else:
                row[name] = values
        pictures, trees = (
            [one for one in features.get(name, ()) if isinstance(one, bytes)] for name in ("screenshots", TREES)
        )
        yield row, pictures, trees


def tree_file(picture: Path) -> Path:
    """Where the accessibility tree of a screen is, if it was recorded; `picture` is the screen's picture."""
    return picture.parent.with_name(TREES) / f"{picture.stem}.pb.gz"


def _decoded(name: str, record: str, text: Any) -> bytes:
    try:
        return base64.b64decode(str(text), validate=True)
    except (binascii.Error, ValueError) as error:
        raise ConfigError(
            f"{name}, record {record}, field {IN_BASE64}: a picture is not valid base64: {error}"
        ) from None
