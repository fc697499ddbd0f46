"""`omnipilot compare` with gates: its exit status, what it prints, and the files it writes."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from toy_suite import toy_spec

from omnipilot.bench.cli.commands.compare import FAILED_GATE, CompareOptions, compare_command
from omnipilot.bench.gates.rule import GateVerdict, read_gate
from omnipilot.bench.run import run
from omnipilot.envs import ConfigError


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two tasks, of which the first run solves one and the second none."""
    folder = tmp_path_factory.mktemp("played")
    for planner in ("oracle", "noop"):
        run(toy_spec("count", "far", planner=planner), folder / planner)
    return folder / "oracle", folder / "noop"


def test_a_gate_that_fails_ends_the_command_with_its_own_status_when_all_is_written(
    played: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Two tasks can fail no gate; what the rule does is tested beside it.
    monkeypatch.setattr("omnipilot.bench.gates.rule.GateVerdict", lambda *told: GateVerdict(*told[:2], True, *told[3:]))
    files = tmp_path / "of" / "gate.xml", tmp_path / "gate.md"
    how = CompareOptions(gates=(read_gate("SR < -5"),), junit=files[0], markdown=files[1])
    with pytest.raises(typer.Exit) as ended:
        compare_command(*played, how)
    assert ended.value.exit_code == FAILED_GATE == 5
    printed = capsys.readouterr().out
    assert "SR < -5 fails: B − A is -50.0" in printed and f"written: {files[0]}" in printed
    assert files[0].read_text(encoding="utf-8").count("<failure") == 2
    assert files[1].read_text(encoding="utf-8").startswith("## Failed: SR < -5 (1 worse, 0 better)\n")


def test_a_gate_that_passes_prints_its_strength_and_ends_well(
    played: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    compare_command(*played, CompareOptions(gates=(read_gate("SR < -5"), read_gate("CR < -5"))))
    printed = capsys.readouterr().out
    assert "SR < -5 passes" in printed and "CR < -5 passes" in printed and "too weak for its threshold" in printed


def test_files_are_of_whole_runs() -> None:
    with pytest.raises(ConfigError, match="leave out --turns"):
        CompareOptions(turns="2,5", junit=Path("x.xml"))
