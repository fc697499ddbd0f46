"""`omnipilot ablate` prints its conclusion and its tables, and writes its page."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from omnipilot.bench.cli.app import app

TASKS = """
from omnipilot.bench import task
notes = task("Open Notes.", world={"phone": "toy"}, checks=["element textbox exists"], tags={"place": "notes"})
maps = task("Open Maps.", world={"phone": "toy"}, checks=["text contains harbour"], tags={"place": "maps"})
"""


def test_the_groups_of_a_tag_are_printed_and_on_the_page(tmp_path: Path) -> None:
    (tmp_path / "tagged.py").write_text(TASKS, encoding="utf-8")
    out = tmp_path / "ablation"
    command = f"ablate --suite {tmp_path / 'tagged.py'} --planner noop --turns 2 --jobs 0 --out {out}"
    done = CliRunner().invoke(app, [*command.split(), "--by", "place", "--conditions", "no-audio"])
    assert done.exit_code == 0, done.output
    assert "full set" in done.output and "maps" in done.output and f"report: {out / 'report.html'}" in done.output
    assert "By place" in (out / "report.html").read_text(encoding="utf-8")
    assert "maps" in (out / "results.json").read_text(encoding="utf-8")
