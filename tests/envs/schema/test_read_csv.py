"""Tables of others: cells of any length, in quotes, over several lines."""

from __future__ import annotations

import csv

import pytest

from omnipilot.envs.schema import read_records, read_rows


@pytest.mark.parametrize("letters", [10, 131_072, 131_073, 1_000_000])
def test_a_cell_may_be_of_any_length(letters: int) -> None:
    long = "x" * letters
    assert read_records(f'index,prediction\n1,"{long}"\n2,B\n') == [
        {"index": "1", "prediction": long},
        {"index": "2", "prediction": "B"},
    ]
    assert list(read_rows(f'a,"{long}"\n')) == [["a", long]]


def test_a_cell_in_quotes_keeps_its_lines() -> None:
    assert list(read_rows('a,"b\r\nc"\n')) == [["a", "b\r\nc"]]


def test_what_is_read_does_not_lower_the_limit_of_the_process() -> None:
    before = csv.field_size_limit()
    read_records("a\n1\n")
    assert csv.field_size_limit() >= before


@pytest.mark.parametrize(("text", "said"), [("index;prediction\n1;A\n", "semicolons"), ("index\tprediction\n", "tabs")])
def test_other_separators_are_named_with_the_cure(text: str, said: str) -> None:
    with pytest.raises(csv.Error, match=f"separated by {said}; save it with commas"):
        read_records(text)


def test_one_column_needs_no_separator() -> None:
    assert read_records("prediction\n1;A\n") == [{"prediction": "1;A"}]
    assert read_records('"a;b",c\n1,2\n') == [{"a;b": "1", "c": "2"}]
