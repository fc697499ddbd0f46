"""CHANGELOG.md tells the truth about this version: what it says of moved names holds."""

from __future__ import annotations

import importlib
import re
import tomllib
from importlib.util import find_spec

import pytest
from shared_folders import ROOT

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
SECTIONS = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split("|"))
    for line in SECTIONS[0].partition("### Moved names")[2].splitlines()
    if line.startswith("| `")
]
"""Of the newest section only: what an older one says held then."""


def test_the_newest_section_is_that_of_the_version() -> None:
    assert SECTIONS[0].startswith(f"{VERSION} – ")
    assert re.match(r"0\.1\.0 – \d{4}-\d\d-\d\d\n", SECTIONS[-1])


@pytest.mark.parametrize(("old", "new", "offered"), ROWS, ids=[row[0].strip("`") for row in ROWS])
def test_a_moved_name_is_where_it_is_said_to_be(old: str, new: str, offered: str) -> None:
    path = re.search(r"tests/[\w/.]+", new)
    if path:
        assert (ROOT / path[0]).exists()
        return
    for module in re.findall(r"`([a-z_0-9.]+)`", new):
        assert find_spec(f"omnipilot.{module}") is not None, module
    (defining, *_) = re.findall(r"`([a-z_0-9.]+)`", new)
    for part in filter(None, offered.split("; ")):
        package, *names = re.findall(r"`([\w.]+)`", part)
        assert names
        for name in names:
            found = getattr(importlib.import_module(f"omnipilot.{package}"), name)
            assert found is getattr(importlib.import_module(f"omnipilot.{defining}"), name)
