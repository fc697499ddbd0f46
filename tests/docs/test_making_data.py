"""What docs/making-data.md does without a model works, in its order."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import omnipilot
from page_commands import blocks, command_lines

PAGE = Path(__file__).parents[2] / "docs" / "making-data.md"


@pytest.mark.slow
@pytest.mark.exhibit("sim", "omniact", "mmbench_gui")
def test_the_commands_without_a_model_run_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = command_lines("".join(blocks(PAGE.read_text(encoding="utf-8"), "sh")))
    told = {}
    for line in lines:
        done = omnipilot(*line.split()[1:])
        assert done.returncode == 0, f"{line}: {done.stderr}"
        told[line] = done.stdout
    assert len(told) == 10
    assert "0 taken out" in told["omnipilot make check mine"]
    assert "0 with a mistake of their own" in told["omnipilot questions check l1-of-mine"]
    assert "0 were dropped" not in told["omnipilot questions targets --screens 10 --out l2-of-mine"]
    assert (tmp_path / "tuned/samples/train.jsonl").stat().st_size > 0
