"""docs/outside.md: its commands have the options that they name. They need packages of others, so none is run here."""

from __future__ import annotations

from pathlib import Path

from page_commands import blocks, check_options, command_lines

TEXT = (Path(__file__).resolve().parents[2] / "docs/outside.md").read_text(encoding="utf-8")


def test_its_commands_have_the_options_that_they_name() -> None:
    lines = [line for line in command_lines("".join(blocks(TEXT, "shell"))) if line.startswith("omnipilot ")]
    assert lines
    for line in lines:
        check_options(line)


def test_every_section_says_what_was_verified_and_how_far() -> None:
    for section in TEXT.split("\n## ")[1:]:
        assert "**What you bring.**" in section and "**Verified.**" in section, section.splitlines()[0]
