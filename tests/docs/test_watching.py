"""What the page on evidence says of watching runs is so."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from urllib.request import urlopen

from page_commands import blocks, commands
from shared_folders import ROOT
from toy_suite import toy_spec

from omnipilot.bench.journal import load_run
from omnipilot.bench.journal.control import CANCELLED, FILE, ControlFile
from omnipilot.bench.journal.events import PersonActed
from omnipilot.bench.report.main_table import main_table
from omnipilot.bench.run import run

PAGE = (ROOT / "docs/evidence.md").read_text(encoding="utf-8")


def test_the_command_prints_an_address_that_shows_the_runs(tmp_path: Path) -> None:
    run(toy_spec("count"), tmp_path / "runs/a")
    run(toy_spec("count"), tmp_path / "runs/b")
    [line] = [line for line in commands(PAGE) if line.startswith("omnipilot view")]
    script = "import sys; from omnipilot.bench.cli.app import main; sys.argv = sys.argv[1:]; main()"
    known = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    viewer = subprocess.Popen(
        [sys.executable, "-c", script, *line.split()],
        cwd=tmp_path,
        env={**os.environ, **known},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert viewer.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+/[\w-]{20,}/", viewer.stdout.readline())
        assert found
        with urlopen(f"{found[0]}runs") as reply:
            assert [one["name"] for one in json.load(reply)["runs"]] == ["a", "b"]
    finally:
        viewer.terminate()
        viewer.wait(30)


def test_the_line_of_the_page_is_a_command(tmp_path: Path) -> None:
    [line] = blocks(PAGE, "json")
    (tmp_path / FILE).write_text(line, encoding="utf-8")
    [command] = ControlFile(tmp_path).new()
    assert (command.action, command.key, command.limit, command.value) == ("raise", "send-message#0.0", "turns", 60)


def test_the_sentence_of_the_page_is_that_of_the_tables(tmp_path: Path) -> None:
    run(toy_spec("count"), tmp_path / "run")
    cancel = PersonActed("1", "cancel", "add-alarm#0.0", 1, "Ada", 1.0, 2.0)
    more = PersonActed("2", "raise", "send-message#0.0", 1, "Ada", 1.0, 2.0, "turns", 30, 60)
    loaded = load_run(tmp_path / "run")
    [note] = [one for one in main_table([replace(loaded, acts=(cancel, more))]).notes if "a person" in one]
    told = " ".join(PAGE.split())
    assert note.partition(": ")[2] in told
    assert CANCELLED in told
