"""The commands of the section on exports run as they stand, one after the other."""

from __future__ import annotations

import shlex
from pathlib import Path

import export_pools
import pytest
from command_line import omnipilot
from page_commands import commands

PAGE = Path(__file__).resolve().parents[5] / "docs/synthesis.md"


@pytest.mark.slow
@pytest.mark.needs("omnipilot[video]", "omnipilot[hub]")
def test_the_commands_of_the_section_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    export_pools.write(tmp_path / "pool")
    section = PAGE.read_text(encoding="utf-8").split("\n## Export\n")[1].split("\n## ")[0]
    lines = [line for line in commands(section) if line.startswith("omnipilot")]
    assert len(lines) >= 10
    lines.insert(-1, "omnipilot run --suite crab --data tasks --planner oracle --out runs/crab")
    for line in lines:
        done = omnipilot(*shlex.split(line)[1:])
        assert done.returncode == 0, (line, done.stdout, done.stderr)
        assert "bad:" not in done.stdout, line
        if "--check" in line:
            played, _, files = done.stdout.splitlines()[-1].split()[:3]
            assert played == files, done.stdout
