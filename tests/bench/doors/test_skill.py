"""The skill that ships: it is printed and installed, and a client that follows its commands gets to a first table."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from command_line import omnipilot
from page_commands import command_lines

from omnipilot.bench.doors.skill import SKILL

TEXT = SKILL.read_text(encoding="utf-8")


def test_it_is_printed_and_installed(tmp_path: Path) -> None:
    assert omnipilot("skill").stdout == TEXT
    done = omnipilot("skill", "--to", str(tmp_path / "skills"))
    assert done.stdout.strip() == str(tmp_path / "skills/omnipilot/SKILL.md")
    assert (tmp_path / "skills/omnipilot/SKILL.md").read_text(encoding="utf-8") == TEXT


def test_its_head_is_what_agents_read_first() -> None:
    head = re.match(r"---\nname: omnipilot\ndescription: (.{80,1000})\n---\n", TEXT)
    assert head and "Use it when" in head[1]


@pytest.mark.slow
@pytest.mark.exhibit("duet", "rules")
def test_a_client_that_follows_its_commands_gets_to_a_first_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    commands = [line for block in re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL) for line in command_lines(block)]
    assert commands.pop(0).startswith("pip install ") and len(commands) == 4
    said = []
    for line in commands:
        done = omnipilot(*shlex.split(line)[1:])
        assert done.returncode == 0, done.stderr
        said.append(done.stdout)
    assert re.search(r"^duet,rules,.*2/2", said[2], re.MULTILINE), said[2]
    assert "cannot show any difference" in said[3] or "more tasks" in said[3]
