"""Parquet files that others wrote: read a few rows at a time, within bounds that a small file cannot break.

Equal values are stored once, so that a file of a few kilobytes can hold any number of rows, and a row any number of
values.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from omnipilot.envs import ConfigError
from omnipilot.envs.types import open_file, require
from omnipilot.envs.types.regular_files import NotAFile

MOST_ROWS = 1_000_000
"""Rows of a file, at most; the largest benchmark that is read has 15,283 episodes."""
MOST_VALUES = 50 * MOST_ROWS
"""Values of a file, at most, those of lists counted one by one."""
RATIO, FREE = 200, 256 * 2**20
"""A file may unpack to so many times its own size, and to so many bytes in any case."""
_BATCH = 64 * 2**20
"""Bytes that are unpacked at a time, about."""


def read_parquet(path: Path, name: str) -> Iterator[dict[str, Any]]:
    """The rows of a file, each by the names of its columns.

    Args:
        name: of the file in messages.

    Raises:
        ConfigError: it is no parquet file, is damaged, or holds more than any data set.
        MissingExtra: pyarrow is not installed.
    """
    with _opened(path, name) as (raw, file):
        left = max(FREE, RATIO * os.fstat(raw.fileno()).st_size)
        largest = _check_size(file.metadata, left, name)
        rows = 0
        for batch in file.iter_batches(max(1, min(1024, _BATCH // max(1, largest))), use_threads=False):
            rows += batch.num_rows
            left -= batch.nbytes
            if rows > MOST_ROWS or left < 0:
                raise _too_much(name, f"{rows:,} rows or more, the last of {batch.nbytes / batch.num_rows:,.0f} bytes")
            yield from batch.to_pylist()


def check_parquet(path: Path, name: str) -> None:
    """Check that a file is parquet, and within the bounds, from its end alone.

    Raises:
        ConfigError, MissingExtra: as in `read_parquet`.
    """
    with _opened(path, name) as (raw, file):
        _check_size(file.metadata, max(FREE, RATIO * os.fstat(raw.fileno()).st_size), name)


@contextmanager
def _opened(path: Path, name: str) -> Iterator[tuple[BinaryIO, Any]]:
    """The file, and what pyarrow makes of it; whatever fails within on its content is told as its damage."""
    arrow: Any = require("pyarrow", "parquet")
    parquet: Any = require("pyarrow.parquet", "parquet")
    try:
        with open_file(path) as raw:
            yield raw, parquet.ParquetFile(raw)
    except NotAFile as error:
        raise ConfigError(f"{name} cannot be read: {error.strerror}") from None
    except (OSError, ValueError, arrow.ArrowException) as error:
        # Damaged pages are OSErrors of pyarrow's, damaged ends ValueErrors.
        told = str(getattr(error, "strerror", None) or error).partition("\n")[0].rstrip(".")
        raise ConfigError(f"{name} is no parquet file, or a damaged one ({told}); fetch it again") from None


def _check_size(about: Any, most: int, name: str) -> int:
    """Bytes of the largest group of rows, unpacked, as the file says them.

    Raises:
        ConfigError: the file holds too much.
    """
    groups = [about.row_group(number) for number in range(about.num_row_groups)]
    if about.num_rows > MOST_ROWS:
        raise _too_much(name, f"{about.num_rows:,} rows")
    values = sum(group.column(number).num_values for group in groups for number in range(group.num_columns))
    if values > MOST_VALUES:
        raise _too_much(name, f"{values:,} values")
    sizes = [
        sum(group.column(number).total_uncompressed_size for number in range(group.num_columns)) for group in groups
    ]
    if sum(sizes) > most:
        raise _too_much(name, f"{sum(sizes) / 1e6:,.0f} MB")
    return max(sizes, default=0)


def _too_much(name: str, what: str) -> ConfigError:
    return ConfigError(f"{name} holds {what}, more than any data set that is read here; fetch it again")
