"""The tutorial as a page and as a notebook: each of its cells is run, in order, and says what the page says."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import runpy
import shlex
from pathlib import Path
from typing import Any

import pytest
from command_line import omnipilot
from shared_folders import ROOT
from tutorial_notebook import notebook

PAGE = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
NOTEBOOK = (ROOT / "docs/tutorial.ipynb").read_text(encoding="utf-8")
pytestmark = pytest.mark.exhibit("duet", "rules")


def run_cell(code: str, names: dict[str, Any]) -> str:
    """What a cell prints: Python, `%%writefile`, `%env`, or commands of ours behind a `!`."""
    if file := re.match(r"%%writefile (\S+)\n", code):
        Path(file[1]).write_text(code[file.end() :], encoding="utf-8")
        return ""
    if code.startswith(("!", "%env ")):
        said = ""
        for line in code.splitlines():
            if line.startswith("%env "):
                assert line == "%env PYTHONPATH=.", "which the fixture does in this process"
                continue
            done = omnipilot(*shlex.split(line.removeprefix("!omnipilot ")))
            assert done.returncode == 0, done.stderr
            said += done.stdout
        return said
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        Path("cell.py").write_text(code, encoding="utf-8")
        names |= runpy.run_path("cell.py", names)
    return out.getvalue()


def test_the_notebook_is_made_from_the_page() -> None:
    assert notebook(PAGE) == NOTEBOOK, "run: python docs/figures/tutorial_notebook.py docs/tutorial.ipynb"


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_every_cell_runs_and_says_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(os.fspath(tmp_path))
    cells = ["".join(cell["source"]) for cell in json.loads(NOTEBOOK)["cells"] if cell["cell_type"] == "code"]
    names: dict[str, Any] = {}
    look, wrong, waited, agents, written, mine, deaf = (run_cell(code, names) for code in cells)
    assert "Dismiss" in look.splitlines()[0]
    assert wrong.splitlines() == ["unknown kind 'clik'; did you mean click?", "not_found"]
    assert waited.strip() == "True"
    assert "8/8" in agents and written == ""
    assert re.search(r"dismiss-alarm +2/2 +2/2", mine) and re.search(r"send-message +2/2 +0/2", mine)
    assert "turn limit" in mine
    assert "4 tasks, which share templates" in deaf
    lost = set(re.findall(r"^lost +([\w-]+)#", deaf, re.MULTILINE))
    assert lost == {"tones-to-message", "dismiss-alarm"}
    for run in ("rules", "noop", "mine", "deaf"):
        assert (tmp_path / "runs" / run / "report.html").exists()
