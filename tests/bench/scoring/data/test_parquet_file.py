"""Parquet files that others wrote: right ones, damaged ones, and small ones that hold far too much."""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path
from typing import Any

import pytest
from command_line import omnipilot

from omnipilot.bench.scoring.data import parquet_file
from omnipilot.bench.scoring.data.parquet_file import check_parquet, read_parquet
from omnipilot.bench.scoring.data.source import records_of
from omnipilot.envs import ConfigError

arrow: Any = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'omnipilot[parquet]'")
parquet: Any = pytest.importorskip("pyarrow.parquet")


def written(path: Path, columns: dict[str, Any], **options: Any) -> Path:
    parquet.write_table(arrow.table(columns), path, **options)
    return path


def test_rows_are_read_as_they_were_written_over_many_batches(tmp_path: Path) -> None:
    rows = [{"id": n, "words": [str(n)] * (n % 3), "box": {"x": n / 7, "none": None}} for n in range(5000)]
    file = tmp_path / "x.parquet"
    parquet.write_table(arrow.Table.from_pylist(rows), file, row_group_size=700)
    assert list(read_parquet(file, "x")) == rows
    found = list(records_of(file))
    assert [one.raw("id") for one in found] == list(range(5000)) and found[-1].record == "4999"


@pytest.mark.parametrize("left", [0, 3, 4, 8, 100, -1, -4, -8, -20, -200])
def test_a_file_that_is_cut_is_told(left: int, tmp_path: Path) -> None:
    file = written(tmp_path / "x.parquet", {"id": list(range(1000))})
    os.truncate(file, left if left >= 0 else file.stat().st_size + left)
    with pytest.raises(ConfigError, match=r"x.parquet is no parquet file, or a damaged one"):
        list(records_of(file))


def test_damage_in_the_middle_is_told(tmp_path: Path) -> None:
    file = written(tmp_path / "x.parquet", {"id": [f"{n * 7919 % 1000}" for n in range(3000)]}, compression="zstd")
    whole = bytearray(file.read_bytes())
    for at in range(4, len(whole) // 2, 97):
        broken = bytes([*whole[:at], *[255 - byte for byte in whole[at : at + 16]], *whole[at + 16 :]])
        file.write_bytes(broken)
        try:
            rows = [one.raw("id") for one in records_of(file)]
        except ConfigError as error:
            assert "x.parquet" in str(error)
        else:
            assert len(rows) == 3000


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero"), Path.mkdir])
def test_what_is_no_file_is_told_at_once(make: Any, tmp_path: Path) -> None:
    make(tmp_path / "x.parquet")
    with pytest.raises(ConfigError, match="not a file"):
        check_parquet(tmp_path / "x.parquet", "x.parquet")


@pytest.mark.exhibit("os-atlas")
def test_ten_million_equal_rows_are_refused_at_once_in_little_memory(tmp_path: Path) -> None:
    file = tmp_path / "predictions.parquet"
    words = arrow.array(["the same"])
    column = arrow.DictionaryArray.from_arrays(arrow.array([0], arrow.int32()).take(arrow.array([0] * 10)), words)
    with parquet.ParquetWriter(file, arrow.schema([("response", column.type)]), compression="zstd") as writer:
        million = arrow.table({"response": arrow.concat_arrays([column] * 100_000)})
        for _ in range(10):
            writer.write_table(million)
    assert file.stat().st_size < 100_000
    assert omnipilot("miniature", str(tmp_path), "gui-odyssey").returncode == 0
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    done = omnipilot("score", "gui-odyssey", str(file), "--data", str(tmp_path / "gui-odyssey"))
    assert done.returncode == 2 and "predictions.parquet holds 10,000,000 rows, more than any data set" in done.stderr
    assert time.process_time() - began < 5
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000, "kilobytes"


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({"x": [[0] * 60] * 1000}, "60,000 values"),
        ({"x": ["long " * 20_000] * 900}, "rows or more"),
        ({"x": [os.urandom(2000) for _ in range(900)]}, "MB"),
    ],
    ids=["lists", "long texts that are equal", "more bytes than are allowed"],
)
def test_few_rows_that_unpack_to_too_much_are_refused(
    columns: dict[str, Any], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_file, "MOST_VALUES", 50_000)
    monkeypatch.setattr(parquet_file, "FREE", 10**6)
    monkeypatch.setattr(parquet_file, "RATIO", 1 if told == "MB" else 2)
    file = written(tmp_path / "x.parquet", columns, compression="none" if told == "MB" else "zstd")
    if told == "MB":
        monkeypatch.setattr(parquet_file, "RATIO", 0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    with pytest.raises(ConfigError, match=told):
        list(records_of(file))
    assert time.process_time() - began < 2
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000
