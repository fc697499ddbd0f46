"""docs/pointing-parsers.md tells the truth: what ours read is derived anew, and each difference has a reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from pointing_parsers import PARSERS, WITHOUT, Reading, agree, ours, written

from omnipilot.grounders.families import families, get

PAGE = Path(__file__).resolve().parents[2] / "docs/pointing-parsers.md"
READINGS = [(one.families[0], reading) for one in PARSERS for reading in one.readings]


@pytest.mark.exhibit("mini")
def test_the_page_is_what_the_command_writes() -> None:
    assert PAGE.read_text(encoding="utf-8") == written(), "run: python docs/figures/pointing_parsers.py"


@pytest.mark.parametrize(("family", "reading"), READINGS)
def test_an_answer_is_read_as_the_released_parser_reads_it_or_says_why_not(family: str, reading: Reading) -> None:
    assert agree(reading.theirs, ours(family, reading.answer)) == (not reading.why)


def test_what_agrees() -> None:
    assert agree("500 250", "500.5 250.25") and not agree("500 250", "501 250")
    assert agree("fails", "nothing") and agree("nothing", "refused") and agree("refused", "refused")
    assert not agree("refused", "nothing") and not agree("0 0", "nothing") and not agree("nothing", "500 250")


@pytest.mark.exhibit("mini")
def test_every_family_has_its_parser_there_or_says_why_not() -> None:
    told = [name for one in PARSERS for name in one.families]
    assert sorted([*told, *WITHOUT]) == sorted(family.name for family in families())


def test_the_rule_of_a_family_names_the_parser_of_the_page() -> None:
    for one in PARSERS:
        for name in one.families:
            parser = get(name).syntax.rule.parser
            assert one.commit in parser and one.repository in parser, name
    assert not any(get(name).syntax.rule.parser for name in WITHOUT if name != "mini-grounder")
