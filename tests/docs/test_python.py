"""The page on Python: its blocks are run one after the other, its programs are run, and all come to what it says."""

from __future__ import annotations

import io
import re
import runpy
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from page_commands import blocks, commands, invoke
from shared_folders import ROOT

from omnipilot.bench.journal.load_runs import load_run

PAGE = (ROOT / "docs/python.md").read_text(encoding="utf-8")
PROGRAMS = sorted((ROOT / "docs/examples").glob("*.py"))
FRAMES = ("to_frame",)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def run_blocks(folder: Path, texts: list[str]) -> str:
    """What the blocks print, run as one program."""
    (folder / "page.py").write_text("\n".join(texts), encoding="utf-8")
    said = io.StringIO()
    with redirect_stdout(said):
        runpy.run_path("page.py", run_name="__main__")
    return said.getvalue()


def test_the_blocks_run_one_after_the_other(folder: Path) -> None:
    texts = [text for text in blocks(PAGE, "python") if not text.startswith("# my_task.py")]
    plain = ["\n".join(line for line in text.splitlines() if "frame" not in line) for text in texts]
    said = run_blocks(folder, plain)
    assert "<oracle: oracle on toy, 1/1 solved, SR 100.0 [—] %>" in said
    assert "0 -1.0" in said and "[('save-code', (1, 1), (0, 1))]" in said
    assert '"estimate": 1.0' in said and "1 1/1 solved, SR" in said
    assert "Interval(estimate=1.0" in said


@pytest.mark.needs("omnipilot[frames]")
def test_the_blocks_with_data_frames_run(folder: Path) -> None:
    texts = [text for text in blocks(PAGE, "python") if not text.startswith("# my_task.py")]
    said = run_blocks(folder, texts)
    assert "typed_low" in said and "sr_high" in said and "success" in said


def test_a_task_of_twelve_lines_is_proved_and_played(folder: Path) -> None:
    (text,) = [text for text in blocks(PAGE, "python") if text.startswith("# my_task.py")]
    assert sum(bool(line.strip()) for line in text.splitlines()) <= 12
    assert text.count("import") == 1
    Path("my_task.py").write_text(text, encoding="utf-8")
    for line in commands(PAGE):
        invoke(line.split()[1:])
    (episode,) = load_run(Path("runs/own")).episodes
    assert (episode.task, episode.success) == ("save-code", False)


def test_the_page_lists_the_programs() -> None:
    assert len(PROGRAMS) == 5
    for program in PROGRAMS:
        assert f"(examples/{program.name})" in PAGE


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_stands_whole_on_the_one_page_that_it_names(program: Path) -> None:
    text = program.read_text(encoding="utf-8")
    (page,) = re.findall(r"written from (docs/[\w-]+\.md)", text)
    assert f"```python\n{text}```" in (ROOT / page).read_text(encoding="utf-8")
    assert re.search(rf"\[`{program.name}`\].*\({Path(page).name}[#)]", PAGE)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_is_short_and_runs(program: Path, folder: Path) -> None:
    assert sum(bool(line.strip()) for line in program.read_text(encoding="utf-8").splitlines()) <= 40
    said = io.StringIO()
    with redirect_stdout(said):
        runpy.run_path(str(program), run_name="__main__")
    last = said.getvalue().splitlines()[-1]
    assert "solved" in last and " 0/" not in last, said.getvalue()
