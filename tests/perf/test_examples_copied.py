"""The writer that copies: it moves places to what the task names, and examples are worth something to it."""

from __future__ import annotations

from pathlib import Path

import examples_copied
import pytest
from examples_copied import ALL, NONE, OTHERS, copy_script, named_places, score_copies

from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.omniact import sample as mini_omniact
from omnipilot.bench.suites.omniact.data import load
from omnipilot.memory.examples import Example


def test_places_are_moved_and_all_else_is_copied(tmp_path: Path) -> None:
    mini_omniact.write(tmp_path)
    items = load(Source.open(str(tmp_path), ""), "test").items
    item = next(one for one in items if one.instruction.startswith("Click") and named_places(one))
    steps = ("pyautogui.doubleClick(1.5,2)", 'pyautogui.write("lamp")', "pyautogui.click(3,4)")
    example = Example("t", frozenset(), "x", True, steps, "train", "0", True, (), True)
    first, second, third = copy_script(item, example).split("\n")
    x, y = named_places(item)[0]
    assert (first, second) == (f"pyautogui.doubleClick({x},{y})", steps[1])
    assert third == steps[2] or len(named_places(item)) > 1, "a place that the task does not name stays"
    assert copy_script(item, None) == f"pyautogui.click({x},{y})"


def test_copied_examples_are_worth_something() -> None:
    found = score_copies(1)
    assert list(found) == list(examples_copied.SHOWN)
    assert found[OTHERS].action > found[NONE].action
    assert all(one.action <= one.sequence <= 1 and one.tasks == found[NONE].tasks for one in found.values())
    assert found[ALL].sequence > found[NONE].sequence


@pytest.mark.slow
def test_the_table_of_the_page_is_that_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    examples_copied.main()
    page = (Path(__file__).parents[2] / "docs/omniact.md").read_text(encoding="utf-8")
    assert capsys.readouterr().out.strip() in page, "run: python tests/perf/examples_copied.py"
