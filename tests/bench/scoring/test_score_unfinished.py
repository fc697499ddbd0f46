"""A run that is scored before it is finished says so beside its figures."""

from __future__ import annotations

from pathlib import Path

from toy_suite import toy_spec

from omnipilot.bench.cli.commands.score import unfinished_note
from omnipilot.bench.run import runner


def test_a_run_that_lacks_episodes_says_how_many(tmp_path: Path) -> None:
    run = tmp_path / "run"
    runner.run(toy_spec("count"), run)
    assert unfinished_note(run) == ()
    journal = run / "journal.jsonl"
    lines = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    journal.write_text("".join(lines[:-1]), encoding="utf-8")
    assert unfinished_note(run) == ("not finished: 0 of 1 episodes; run it again to finish it, then score it",)
    assert unfinished_note(journal) == ()
