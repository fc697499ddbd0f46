"""What docs/omniact.md shows is what happens."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from command_line import omnipilot
from page_commands import join_lines

PAGE = Path(__file__).parents[2] / "docs" / "omniact.md"


@pytest.mark.slow
@pytest.mark.exhibit("sim")
@pytest.mark.needs("omnipilot[ocr]", "omnipilot[marks]")
def test_the_list_and_what_the_filter_leaves_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    exec(compile(block, str(PAGE), "exec"), {})  # noqa: S102
    whole, left = re.split(r"^5 elements", capsys.readouterr().out, flags=re.M)
    assert "text 'Compose'" in whole and "image 'send'" in whole and "color 'violet'" in whole
    assert "text 'Trash'" in left and "image 'trash'" in left


@pytest.fixture(scope="module")
def lexical(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the page's commands of the planner `lexical` were run."""
    folder = tmp_path_factory.mktemp("omniact")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for words in re.findall(r"^omnipilot (miniature mini omniact|run .*--out runs/lexical)$", _text(), re.M):
            assert (done := omnipilot(*words.split())).returncode == 0, done.stderr
    return folder


@pytest.mark.exhibit("sim")
def test_the_floor_without_a_model_has_the_figures_that_are_shown(
    lexical: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(lexical)
    told = omnipilot("score", "omniact", "runs/lexical", "--variant", "fixed").stdout
    (shown,) = re.findall(r"^these predictions.*$", _text(), re.M)
    assert shown.split() == re.findall(r"^these predictions.*$", told, re.M)[0].split()


@pytest.mark.exhibit("sim")
def test_a_table_shows_what_the_paper_prints_and_neither_ranks_nor_tests_it(
    lexical: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(lexical)
    told = omnipilot("table", "one=runs/lexical", "--printed", "--variant", "fixed", "--by", "part", "--format", "csv")
    assert told.returncode == 0, told.stderr
    lines = csv.DictReader(told.stdout.splitlines())
    human = {(row["figure"], row["group"] or row["column"]): row for row in lines if row["row"] == "human (as printed)"}
    assert human["AS", "Overall"]["estimate"] == "80.14" and not human["AS", "Overall"]["n"]
    assert human["SS", "Overall"]["estimate"] == "82.23" and not human["AS", "Web"]["estimate"]
    shown = omnipilot("table", "one=runs/lexical", "--printed", "--bold", "second", "--format", "markdown").stdout
    assert "| GPT-4V (as printed) | 17.02 |" in shown and "**" not in shown.split("\n\n")[1]
    some = omnipilot(
        "run", "--suite", "omniact", "--data", "mini/omniact", "--planner", "noop", "--tasks", "0,1", "--out", "two"
    )
    assert some.returncode == 0, some.stderr
    refused = omnipilot("table", "two", "--printed")
    assert refused.returncode != 0 and "no paper's rows are known for these runs" in refused.stderr


def _text() -> str:
    return join_lines(PAGE.read_text(encoding="utf-8"))
