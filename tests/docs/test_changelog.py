"""CHANGELOG.md has the form of Keep a Changelog, and begins with this version."""

from __future__ import annotations

import re
import tomllib

from shared_folders import ROOT

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
VERSIONS = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
SECTIONS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")


def test_the_newest_version_is_that_of_the_package() -> None:
    assert VERSIONS[0].startswith(f"[{VERSION}] - ")


def test_each_version_has_a_day_or_is_unreleased_and_its_sections_are_the_known_ones() -> None:
    for text in VERSIONS:
        assert re.match(r"\[\d+\.\d+\.\d+\] - (unreleased|\d{4}-\d\d-\d\d)\n", text), text[:40]
        found = re.findall(r"^### (.+)$", text, flags=re.MULTILINE)
        assert found == [name for name in SECTIONS if name in found], "in this order, each once"
    assert all("unreleased" not in text.partition("\n")[0] for text in VERSIONS[1:])
