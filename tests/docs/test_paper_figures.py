"""docs/paper-figures.md: its commands draw the pictures that it shows, and its kind of figure is one."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from command_line import omnipilot
from page_commands import blocks, commands
from PIL import Image
from shared_folders import ROOT

from omnipilot.bench.report.figure_kinds.kind import FIGURES

TEXT = (ROOT / "docs/paper-figures.md").read_text(encoding="utf-8")
PICTURES = re.findall(r"\(pictures/(figure-\w+\.png)\)", TEXT)
DRAWN = [shlex.split(line) for line in commands(TEXT) if line.startswith("omnipilot figure ")]


def test_every_kind_has_a_command_and_a_small_picture() -> None:
    assert [words[2] for words in DRAWN] == list(FIGURES.names())
    assert [f"figure-{words[2]}.png" for words in DRAWN] == PICTURES
    assert all((ROOT / "docs/pictures" / name).stat().st_size < 150_000 for name in PICTURES)


@pytest.mark.slow
@pytest.mark.exhibit("duet", "rules", "mmbench_gui")
def test_the_commands_draw_the_pictures_and_the_kind_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for line in commands(TEXT):
        done = omnipilot(*shlex.split(line)[1:])
        assert done.returncode == 0, done.stderr
    for words, name in zip(DRAWN, PICTURES, strict=True):
        assert Path(f"{words[2]}.csv").read_text(encoding="utf-8").count("\n") > 3
        with Image.open(f"{words[2]}.png") as made, Image.open(ROOT / "docs/pictures" / name) as kept:
            # The page keeps it with as many pixels as a screen shows, and in fewer colours.
            assert abs(made.width / made.height - kept.width / kept.height) < 0.02
    (code,) = blocks(TEXT, "python")
    Path("my_figures.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    done = omnipilot(
        "figure", "my_figures:attempts", "runs/noop", "runs/rules", "--task", "tones-to-message", "--out", "own.svg"
    )
    assert done.returncode == 0, done.stderr
    assert Path("own.csv").read_text(encoding="utf-8").startswith("run,turns\nnoop,")
