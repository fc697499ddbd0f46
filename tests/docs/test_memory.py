"""The page on memory shows what its command prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from command_line import omnipilot
from made_streams import write_video
from memory_tables import (
    FAR,
    NAMES,
    NEAR,
    WHOLE,
    Cell,
    infos,
    main,
    played,
    recall_table,
    success_table,
    withheld,
    withheld_cells,
    withheld_table,
)
from page_commands import blocks, commands
from shared_folders import ROOT

PAGE = (ROOT / "docs/memory.md").read_text(encoding="utf-8")
TASK = "price-seen-10"


def test_the_page_names_the_command_and_has_its_tables() -> None:
    assert "    python docs/figures/memory_tables.py --out runs/duet-memory" in PAGE
    assert len(blocks(PAGE.split("## What each part is worth")[1], "text")) >= 3


@pytest.mark.slow
def test_the_tables_are_made_from_runs(tmp_path: Path) -> None:
    chosen = [info for info in infos(NEAR) if info.id == TASK]
    cells = [Cell("from-memory", name) for name in ("none", "episodic")]
    near = {cell: played(cell, tmp_path, 0, lambda info: info.id == TASK) for cell in cells}
    assert [[one.success for one in episodes] for episodes in near.values()] == [[False], [True]]
    first, second = success_table(near, tmp_path).rows
    assert first[:2] == ("from-memory", "none") and first[2].startswith("0 [") and first[3:5] == ("—", "—")
    assert second[2].startswith("100 [") and float(second[5]) > 0
    found = withheld(tmp_path / cells[1].folder, chosen)
    assert list(found) == [
        *("keyframes", "episodic", "episodic without text", "episodic without recency", "episodic without device"),
        *("episodic without kind", "episodic without anchors", "episodic without moment"),
        "episodic without readers",
    ]
    assert found["episodic"][WHOLE][TASK] == 1.0
    assert list(withheld_cells()) == list(found)[1:], "each part is withheld in play too"
    assert withheld_table({"episodic": near[cells[1]]}).rows == (("episodic", "—"),), "none of 100 turns was played"
    assert recall_table(found).columns == ("memory", "recall@1", "recall@3", "recall@10", "whole budget")


def test_a_cell_is_kept_apart_from_others() -> None:
    cells = [Cell("from-memory", name, distances=far) for name in NAMES for far in (NEAR, FAR)]
    cells += [cell for name, cell in withheld_cells().items() if name != "episodic"]
    assert len({cell.folder for cell in cells}) == len(cells)


def test_the_commands_about_a_film_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_video(tmp_path / "talk.mp4", 14, 320, 200, 10)
    given = [shlex.split(command)[1:] for command in commands(PAGE) if "talk.mp4" in command]
    assert len(given) == 2
    answer, timeline = (omnipilot(*command) for command in given)
    assert answer.returncode == 0 and "heard, 11.6 to" in answer.stdout, answer.stderr
    # The film is over before the span that the page prints.
    assert timeline.returncode == 0 and timeline.stdout.startswith("talk.mp4: 0 events"), timeline.stderr


@pytest.mark.slow
def test_the_first_two_commands_print_the_answers_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    play, ask = (shlex.split(command)[1:] for command in commands(PAGE)[:2])
    assert omnipilot(*play).returncode == 0
    told = omnipilot(*ask)
    assert told.returncode == 0, told.stderr
    assert told.stdout.split() == blocks(PAGE, "text")[0].split()


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_command_prints_the_tables_of_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All but what hangs on the tasks of 1,000 turns, which take an hour: their column, and the table by kinds."""
    assert main(["--out", str(tmp_path), "--jobs", "2", "--near"]) == 0
    printed = _squeezed(capsys.readouterr().out)
    tables = blocks(PAGE.split("## What each part is worth")[1], "text")
    assert len(tables) == 5
    for shown in tables:
        if shown.startswith("planner"):
            shown = re.sub(r"(\]\s+\d+ \[\d+, \d+\]\s+)\d+ \[\d+, \d+\]", r"\1—", shown)
        if not shown.startswith("kind "):
            assert _squeezed(shown) in printed, f"not printed:\n{shown}\n\nprinted:\n{printed}"


def _squeezed(text: str) -> str:
    """A text without the rules of tables and the widths of columns."""
    return " ".join(re.sub("─+", "", text).split())
