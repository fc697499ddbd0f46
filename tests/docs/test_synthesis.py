"""The commands of docs/synthesis.md run as they stand, each section on a small pool and with a small budget.

Those of the section Export are run beside the exporters.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import export_pools
import pytest
from chat_server import Answer, ChatServer
from command_line import omnipilot
from explored_ways import DELETED, NOTE, pool_of
from page_commands import blocks, commands
from shared_folders import ROOT

from omnipilot.bench.suites.pool.commands.stages import STAGES
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.templates import hand_written_subtasks

PAGE = (ROOT / "docs/synthesis.md").read_text(encoding="utf-8")
POOL = Path("pool")
NOTHING = '{"groups": [], "subtasks": []}'
"""What a model answers that has no ideas."""
INTRODUCTION, *PARTS = PAGE.split("\n## ")
SECTIONS = {head: text for head, _, text in (part.partition("\n") for part in PARTS)}
SMALL: Mapping[str, Sequence[str]] = {
    "explore": ("--app", "phone/notes", "--transitions", "20", "--instances", "1"),
    "compose": ("--graphs", "2", "--play", "1"),
    "--planted": ("--planted", "2"),
    "study": ("--sample", "2"),
    "all": ("--graphs", "2", "--play", "1", "--since", "compose"),
    "--play": ("--play", "1"),
}
"""What is added to a command that has this word; of an option that is given twice, the last one counts."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which commands are run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-types.toml").write_text(blocks(SECTIONS["Subtasks"], "toml")[0], encoding="utf-8")
    (tmp_path / "manuals").mkdir()
    (tmp_path / "manuals" / "notes.md").write_text("Notes keeps short texts.", encoding="utf-8")
    return tmp_path


def run(line: str, url: str = "") -> str:
    """Run a command of the page with a small budget; returns what it printed. A model is the one at `url`."""
    program, *words = shlex.split(line)
    more = [word for key, added in SMALL.items() if key in words for word in added]
    if "--model" in words:
        words[words.index("--model") + 1] = "openai-compatible/my-model"
        more += ["--url", url, "--price-in", "1", "--price-out", "1"]
    if program == "python":
        ran = subprocess.run([sys.executable, ROOT / words[0], *words[1:], *more], capture_output=True, text=True)
    else:
        ran = omnipilot(*words, *more)
    assert ran.returncode == 0, (line, ran.stdout, ran.stderr)
    return ran.stdout


def run_section(name: str, but: Callable[[str], bool] = lambda line: False) -> dict[str, str]:
    """Run the commands of a section in order, but for some; what each printed. A model has no ideas."""
    with ChatServer([Answer(NOTHING)]) as server:
        return {line: run(line, server.url) for line in commands(SECTIONS[name]) if not but(line)}


def printed(said: Mapping[str, str], part: str) -> str:
    """What the first command with a part printed."""
    return next(text for line, text in said.items() if part in line)


def test_the_introduction_has_a_row_for_each_stage() -> None:
    rows = [line.split("|")[1] for line in INTRODUCTION.splitlines() if line.startswith("| [")]
    assert set(STAGES) <= set(re.findall(r"`(\w+)`", " ".join(rows)))
    assert all(commands(text) for text in SECTIONS.values())


@pytest.mark.slow
def test_all_stages_go_on_with_what_the_folder_holds(folder: Path) -> None:
    export_pools.write(POOL)
    (line,) = commands(INTRODUCTION)
    said = {line: run(line), **run_section("All stages")}
    assert all("== done" in text for text in said.values())
    assert (POOL / "report.html").exists()


def is_web(line: str) -> bool:
    return "--world web" in line


@pytest.mark.slow
def test_explore(folder: Path) -> None:
    said = run_section("Explore", is_web)
    assert {edge.app for edge in PoolFolder(POOL).edges.read()} == {"phone/notes", "phone/tasks", "desktop/mail"}
    assert all("edges" in text for text in said.values())


@pytest.mark.slow
@pytest.mark.web
def test_explore_a_page(folder: Path) -> None:
    page = ROOT / "tests/bench/suites/pool/explore/shopping_list.html"
    (line,) = filter(is_web, commands(SECTIONS["Explore"]))
    words = [page.as_uri() if word.startswith("https:") else word for word in shlex.split(line)]
    ran = omnipilot(*words[1:], "--transitions", "5")
    assert ran.returncode == 0, (ran.stdout, ran.stderr)
    assert PoolFolder(Path("pages")).edges.read()


def is_measured(line: str) -> bool:
    return line.startswith("python")


def test_subtasks(folder: Path) -> None:
    pool_of(PoolFolder(POOL), "phone/notes", NOTE, DELETED)
    said = run_section("Subtasks", is_measured)
    assert "candidates became subtasks" in printed(said, "synth subtasks pool")
    assert "keeps the rule's name" in printed(said, "--docs manuals")
    assert PoolFolder(POOL).subtasks.read()


@pytest.mark.slow
def test_how_good_subtasks_are(folder: Path) -> None:
    pool = pool_of(PoolFolder(POOL), "phone/notes", NOTE, DELETED)
    run("omnipilot synth subtasks pool")
    assert pool.subtasks.read()
    names, played = run_section("Subtasks", lambda line: not is_measured(line)).values()
    assert "readings of duet, all: " in names
    assert "solved" in played


@pytest.mark.slow
def test_verify(folder: Path) -> None:
    few = [one for one in hand_written_subtasks() if one.id in ("start-timer", "text-contact")]
    for line in commands(SECTIONS["Verify"]):
        # On what was verified already a command has nothing to do, so each begins anew.
        pool = PoolFolder(folder / str(len(line)) / "pool")
        pool.subtasks.write(few, stage="subtasks", seed=0)
        with ChatServer([Answer(NOTHING)]) as server:
            said = run(line.replace("verify pool", f"verify {pool.root}"), server.url)
        if "--model" in line:
            assert "0 of 2 subtasks accepted" in said, said
        elif "--planted" in line:
            assert "planted" in said, said
        elif "--compare" in line:
            assert "the task alone" in said, said
        else:
            assert " of 2 subtasks accepted" in said and len(pool.verdicts.read()) >= 2, said


@pytest.mark.slow
def test_compose(folder: Path) -> None:
    said = run_section("Compose")
    assert len(PoolFolder(POOL).graphs.read()) == 8
    assert "graphs over" in printed(said, "--cell hhmee")


def test_tell_and_check(folder: Path) -> None:
    export_pools.write(POOL)
    said = run_section("Tell and check")
    assert "4 of 4 tasks say their graph" in printed(said, "synth check pool")
    assert "100.0% of the faulty texts refused" in printed(said, "--planted")


def test_rate_and_report(folder: Path) -> None:
    export_pools.write(POOL)
    run("omnipilot synth tell pool")
    run("omnipilot synth check pool")
    run_section("Rate")
    run_section("Report")
    assert len((folder / "sheet.csv").read_text().splitlines()) == 5
    assert (POOL / "report.json").exists()


@pytest.mark.slow
def test_study(folder: Path) -> None:
    export_pools.write(POOL)
    (said,) = run_section("Study").values()
    assert "drop" in said and (folder / "runs/levels/results.txt").exists()
