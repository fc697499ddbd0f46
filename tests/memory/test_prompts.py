"""Prompts are read once, the same from any checkout."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from omnipilot.memory.prompts import read_prompt


def test_a_prompt_does_not_depend_on_line_endings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, ends in (("unix", b"\n"), ("dos", b"\r\n")):
        package = tmp_path / f"prompts_of_{name}"
        package.mkdir()
        (package / "__init__.py").touch()
        (package / "prompt_task.md").write_bytes(b"# Task" + ends + b"Look." + 2 * ends)
    monkeypatch.syspath_prepend(tmp_path)
    unix, dos = read_prompt("prompts_of_unix", "task"), read_prompt("prompts_of_dos", "task")
    assert unix.text == "# Task\nLook.\n" and unix == dos
    assert unix.digest == hashlib.sha256(unix.text.encode()).hexdigest()
    with pytest.raises(FileNotFoundError):
        read_prompt("prompts_of_unix", "none")
