"""The location of a benchmark's data: a local folder, or a data set on the Hugging Face hub."""

from __future__ import annotations

import csv
import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.bench.scoring.data.json_file import Doubled, parse
from omnipilot.bench.scoring.data.parquet_file import check_parquet, read_parquet
from omnipilot.bench.scoring.data.records import Record
from omnipilot.envs import ConfigError
from omnipilot.envs.schema import read_records
from omnipilot.envs.types import open_file, read_text, require

HUB = "hf://"


@dataclass(frozen=True, slots=True)
class Source:
    """A folder of data.

    Attributes:
        root: the folder. get: how to obtain the data, in words, for messages.
    """

    root: Path
    get: str

    @classmethod
    def open(cls, data: str, get: str) -> Source:
        """Open a folder, or `hf://OWNER/NAME[@REVISION]`, which is downloaded into the hub's own cache.

        Raises:
            ConfigError: no such folder, or the data set cannot be downloaded; the message says how to obtain the data.
            MissingExtra: the hub is requested and its client is not installed.
        """
        if not data:
            raise ConfigError(f"the folder of the data is missing; give it with --data DIR. {get}")
        if data.startswith(HUB):
            return cls(_fetched(data.removeprefix(HUB), get), get)
        root = Path(data).expanduser()
        if not root.is_dir():
            raise ConfigError(f"there is no folder {root}. {get}")
        return cls(root, get)

    def path(self, *names: str) -> Path:
        """The first of these names, or patterns with a *, that exists.

        Raises:
            ConfigError: none is.
        """
        for name in names:
            if found := self.find(name):
                return found[0]
        raise ConfigError(f"{self.root} has no {' or '.join(names)}. {self.get}")

    def find(self, pattern: str) -> list[Path]:
        """All files and folders that match a name or a pattern with a *, sorted by name."""
        if "*" in pattern:
            return sorted(self.root.glob(pattern))
        return [self.root / pattern] if (self.root / pattern).exists() else []

    def name(self, path: Path) -> str:
        """The name of a file in messages: its path relative to the folder."""
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)

    def records(self, path: Path) -> Iterator[Record]:
        """The records of a file; see `records_of`."""
        return records_of(path, self.name(path))

    def digest(self, paths: Iterable[Path]) -> str:
        """A digest of file contents and names: 12 hexadecimal digits, for a suite's version.

        Raises:
            ConfigError: one of them cannot be read.
        """
        total = hashlib.sha256()
        for path in sorted(paths):
            try:
                with open_file(path) as file:
                    content = hashlib.file_digest(file, "sha256").digest()
            except OSError as error:
                raise ConfigError(f"{self.name(path)} cannot be read: {error.strerror}. {self.get}") from None
            total.update(f"{self.name(path)}\0".encode() + content)
        return total.hexdigest()[:12]


def records_of(path: Path, name: str = "") -> Iterator[Record]:
    """The records of a file, named by number from 0 or by key.

    Supported are `.json` (a list, or an object with a record under each key), `.jsonl` (one a line, empty lines apart),
    `.csv` (with a header), and `.parquet` (through the package `pyarrow`).

    Raises:
        ConfigError: the content does not match the file name's format.
        MissingExtra: it is a parquet file, and `pyarrow` is not installed.
    """
    name = name or path.name
    if path.suffix == ".parquet":
        check_parquet(path, name)
        return (Record(name, number, row) for number, row in enumerate(read_parquet(path, name)))
    try:
        text = read_text(path)
    except OSError as error:
        raise ConfigError(f"{name} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name} cannot be read: byte {error.start} is no UTF-8; save the file in it") from None
    if path.suffix == ".jsonl":
        return _lines(text, name)
    if path.suffix == ".csv":
        try:
            rows = read_records(text)
        except csv.Error as error:
            raise ConfigError(f"{name} is not valid CSV: {error}") from None
        return (Record(name, number, row) for number, row in enumerate(rows))
    if path.suffix != ".json":
        raise ConfigError(f"{name}: records must be in a .json, .jsonl, .csv or .parquet file")
    try:
        data = parse(text)
    except ValueError as error:
        raise ConfigError(f"{name} is not valid JSON: {error}") from None
    if isinstance(data, dict):
        return _under_keys(data, name)
    if not isinstance(data, list):
        raise ConfigError(f"{name} contains neither a list of records nor an object of records")
    return (Record(name, number, value) for number, value in enumerate(data))


def _under_keys(data: dict[str, Any], name: str) -> Iterator[Record]:
    seen: set[str] = set()
    for key, value in data.pairs if isinstance(data, Doubled) else data.items():
        yield Record(name, key, "a record whose key is there already" if key in seen else value)
        seen.add(key)


def _lines(text: str, name: str) -> Iterator[Record]:
    for number, line in enumerate(text.split("\n")):
        if line.strip():
            try:
                yield Record(name, number, parse(line))
            except ValueError:
                yield Record(name, number, line)


def media(source: Source, record: Record, field: str, *folders: str) -> Path:
    """The file that a field names, in one of the folders relative to the root ("" is the root).

    Raises:
        BadRecord: the file does not exist or is outside the data.
    """
    named = record.text(field)
    places = [source.root / folder / named for folder in folders or ("",)]
    for place in places:
        if is_file(place):
            # As it is written: the hub's files are links, and folders of media may be.
            if not Path(os.path.normpath(place)).is_relative_to(os.path.normpath(source.root)):
                raise record.wrong(field, f"it is outside the data folder: {named!r}")
            return place
    raise record.wrong(field, f"there is no file {' or '.join(source.name(place) for place in places)}")


def is_file(path: Path) -> bool:
    """Whether this file exists; false for impossible names, such as a base64 picture."""
    try:
        return path.is_file()
    except OSError:
        return False


def _fetched(named: str, get: str) -> Path:
    repository, _, revision = named.partition("@")
    hub: Any = require("huggingface_hub", "hub")
    try:
        return Path(hub.snapshot_download(repository, repo_type="dataset", revision=revision or None))
    except Exception as error:
        # The client raises its own errors, its HTTP library's and the system's; whichever, the data is not there.
        raise ConfigError(f"the data set {repository} cannot be downloaded: {error}. {get}") from error
