"""docs/acting-parsers.md: its table is what ours answer, and ours mean what released parsers do or say why not."""

from __future__ import annotations

from pathlib import Path

import pytest
from acting_parsers import PARSERS, Reading, ReleasedParser
from acting_parsers_table import filled, ours

PAGE = (Path(__file__).resolve().parents[2] / "docs/acting-parsers.md").read_text(encoding="utf-8")
READINGS = [(parser, reading) for parser in PARSERS for reading in parser.reads]


def test_the_table_is_what_ours_answer() -> None:
    assert filled(PAGE) == PAGE, "run: python docs/figures/acting_parsers_table.py"


@pytest.mark.parametrize(("parser", "reading"), READINGS, ids=[f"{one.family}-{two.said}" for one, two in READINGS])
def test_ours_means_what_the_released_one_does(parser: ReleasedParser, reading: Reading) -> None:
    if reading.why:
        assert ours(parser, reading) != reading.means, "it is read alike: there is no reason to give"
    else:
        assert ours(parser, reading) == reading.means
