"""docs/benchmarks.md tells the truth: every command in it is run, on miniature data, and every benchmark has one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from page_commands import blocks, command_lines
from shell_commands import shell
from workshop_tables import BEGIN, END, table

from omnipilot.bench.cli.commands.catalogue import about, names, ways
from omnipilot.bench.scoring.benchmark import BENCHMARKS, MINIATURES

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs/benchmarks.md").read_text(encoding="utf-8")
OUTSIDE = (ROOT / "docs/outside.md").read_text(encoding="utf-8")
COMMANDS = [line for block in blocks(TEXT, "sh") for line in command_lines(block)]


OWN = {"free", "page", "file"}
"""Tasks of the reader's own: tests/docs/test_devices.py, test_any_page.py and test_python.py run those."""


def test_every_benchmark_has_its_commands_here() -> None:
    outside = (ROOT / "docs/outside.md").read_text(encoding="utf-8").splitlines()
    for name in set(about()) - OWN:
        for way in ways(name):
            option = rf"score {name} " if way == "score" else rf"{way} .*--suite {name}\b"
            told = [command for command in [*COMMANDS, *outside] if re.search(rf"omnipilot {option}", command)]
            assert told, f"docs/benchmarks.md has no command `omnipilot {option}`"


def test_every_benchmark_is_described_and_every_miniature_is_one() -> None:
    assert set(BENCHMARKS.names()) <= set(names()) == set(about())
    assert set(MINIATURES.names()) <= set(about())


def test_the_results_on_workshop_are_about_its_tasks_as_they_are() -> None:
    told = TEXT.partition(BEGIN)[2].partition(END)[0].strip().splitlines()
    tasks = table([]).splitlines()
    assert [line.split("|")[1:3] for line in told] == [line.split("|")[1:3] for line in tasks], (
        "the suite changed: run the commands above the table"
    )


@pytest.mark.slow
@pytest.mark.web
@pytest.mark.timeout(1200)
def test_the_commands_run_in_their_order_and_say_variant_denominator_void_and_interval(
    tmp_path: Path, chromium_path: str
) -> None:
    for command in COMMANDS:
        done = shell(command, tmp_path)
        if command.startswith("omnipilot score"):
            head = next(line for line in done.stdout.splitlines() if line.startswith("figure"))
            assert head.split() == ["figure", "value", "of", "void", "without", "void", "variant", "interval", "by"]
            assert "% intervals" in done.stdout and "—" not in head
