"""The hash of a checkout changes with what judges, and with nothing else."""

from __future__ import annotations

from pathlib import Path

from omnipilot.bench.foreign import checkout_hash


def test_a_hash_is_of_names_and_contents_of_the_files_that_judge(tmp_path: Path) -> None:
    (tmp_path / "tasks" / "deep").mkdir(parents=True)
    judge = tmp_path / "tasks" / "deep" / "judge.py"
    judge.write_text("one")
    patterns = ("tasks/**/*.py", "tasks/**/*.json")
    first = checkout_hash(tmp_path, patterns)
    assert len(first) == 12
    (tmp_path / "README.md").write_text("words")
    (tmp_path / "tasks" / "made_pb2.py").write_text("generated")
    assert checkout_hash(tmp_path, (*patterns, *patterns)) == first
    judge.write_text("two")
    second = checkout_hash(tmp_path, patterns)
    judge.rename(judge.with_name("other.py"))
    assert len({first, second, checkout_hash(tmp_path, patterns)}) == 3
