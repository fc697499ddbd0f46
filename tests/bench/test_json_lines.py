"""Files of JSON lines: what is read, what a crash leaves, and what a line that is none is told as."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from omnipilot.bench import append_json_lines, mend_last_line, read_json_lines
from omnipilot.envs import ConfigError


def numbers(path: Path, **options: Any) -> list[int]:
    return list(read_json_lines(path, lambda values: int(values["n"]), "number", **options))


def test_what_was_appended_is_read_one_line_a_value(tmp_path: Path) -> None:
    file = tmp_path / "new" / "file.jsonl"
    assert numbers(file) == []
    # Separators of lines within a text are no ends of lines.
    assert append_json_lines(file, ({"n": n, "told": "a\u2028b\x85"} for n in range(3))) == 3
    assert append_json_lines(file, [{"n": 3}]) == 1
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes() + b"\n \n")
    assert numbers(file) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("last", "left"),
    [(b'{"n": 7, "tol', [1, 3]), (b'{"n": 7}', [1, 7, 3]), (b'{"n": "\xc3', [1, 3])],
    ids=["torn", "whole", "torn within a letter"],
)
def test_a_last_line_that_was_torn_is_left_out_and_cut_off(tmp_path: Path, last: bytes, left: list[int]) -> None:
    file = tmp_path / "file.jsonl"
    file.write_bytes(b'{"n": 1}\n' + last)
    assert numbers(file) == left[:-1]
    append_json_lines(file, [{"n": 3}])
    assert numbers(file, whole=True) == left
    mend_last_line(file)
    assert numbers(file) == left


@pytest.mark.parametrize(
    ("line", "told"),
    [("{", "Expecting"), ('{"m": 1}', "'n' is missing"), ('{"n": "x"}', "invalid literal"), ("[1]", "indices")],
)
def test_what_is_no_line_is_named_with_its_cure(tmp_path: Path, line: str, told: str) -> None:
    file = tmp_path / "file.jsonl"
    file.write_text(f'{{"n": 1}}\n{line}\n{{"n": 2}}\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=rf"file\.jsonl:2 is no number \(.*{told}.*\); mend or delete the line"):
        numbers(file)
    file.write_text(line, encoding="utf-8")
    assert numbers(file) == []
    with pytest.raises(ConfigError, match=r"file\.jsonl:1 is no number .*; write it anew"):
        numbers(file, whole=True, cure="write it anew")


def test_what_is_no_file_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: it is a folder, not a file$"):
        numbers(tmp_path)
