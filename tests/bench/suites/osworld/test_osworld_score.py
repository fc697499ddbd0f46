"""`omnipilot score osworld`: results directories of OSWorld's runners."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from osworld_checkout import TASKS, write_checkout
from run_writer import Writer

from omnipilot.bench.suites.osworld.score import OSWorldScore, _progress, read_results
from omnipilot.envs import ConfigError


def write_results(folder: Path, results: dict[str, str], steps: int = 3) -> Path:
    for name, text in results.items():
        at = folder / "pyautogui" / "screenshot" / "some-model" / "os" / name
        at.mkdir(parents=True)
        (at / "result.txt").write_text(text)
        lines = [json.dumps({"step_num": number + 1, "action": "WAIT", "done": False}) for number in range(steps)]
        (at / "traj.jsonl").write_text("\n".join(lines) + "\n")
    return folder


def test_raw_and_solved_are_told_apart(tmp_path: Path) -> None:
    folder = write_results(tmp_path, {"right": "1.0\n", "half": "0.5", "wrong": "0"})
    found = OSWorldScore().score("", folder)
    assert found.figure("raw of judged").value == pytest.approx(0.5)
    assert found.figure("solved of judged").value == pytest.approx(1 / 3)
    assert any("3.0 on average" in note for note in found.notes)


def test_the_lists_of_the_checkout_are_the_denominators(tmp_path: Path) -> None:
    checkout = write_checkout(tmp_path / "checkout")
    folder = write_results(tmp_path / "results", {"right": "1.0", "half": "0.5", "stranger": "1.0"})
    found = OSWorldScore().score(str(checkout), folder)
    every, fewer = len(TASKS), len(TASKS) - 1
    assert found.figure(f"raw of {every}").value == pytest.approx(1.5 / every)
    assert found.figure(f"solved of {fewer}").value == pytest.approx(1 / fewer)
    assert found.figure(f"raw of {every}").void == every - 2
    assert "os/stranger" in found.extra
    assert len(found.missing) == every - 2


@pytest.mark.parametrize("text", ["nan", "inf", "1.5", "-1", "none", ""])
def test_what_is_no_score_is_no_zero(tmp_path: Path, text: str) -> None:
    folder = write_results(tmp_path, {"right": "1.0", "odd": text})
    found = read_results(folder)
    assert found.tasks["os/odd"].score is None
    assert found.extra and "os/odd" in found.extra[0]
    assert OSWorldScore().score("", folder).figure("raw of judged").of == 1


def test_a_trajectory_without_a_result_was_not_judged(tmp_path: Path) -> None:
    folder = write_results(tmp_path, {"right": "1.0", "cut": "1.0"})
    next(folder.rglob("cut/result.txt")).unlink()
    assert read_results(folder).tasks["os/cut"].score is None


def test_two_runs_in_one_folder_are_refused(tmp_path: Path) -> None:
    write_results(tmp_path / "a", {"right": "1.0"})
    write_results(tmp_path / "b", {"right": "0.0"})
    with pytest.raises(ConfigError, match="one run"):
        read_results(tmp_path)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"result\.txt"):
        OSWorldScore().score("", tmp_path)


CALL = 'I use a tool.\n<tool_call>\n{"name": "osworld_mcp_os_ours.set_volume", "arguments": {"level": 5}}'
CLICK = '<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click"}}'
CODE = "OsworldMcpClient.call_tool(name='osworld_mcp_vlc.play', params={});"


def write_mcp(folder: Path) -> Path:
    """A checkout of OSWorld-MCP with two tasks for which a tool helps and two others."""
    examples = folder / "evaluation_examples"
    examples.mkdir(parents=True)
    (examples / "has_tool.json").write_text(json.dumps({"os": ["a", "b"], "vlc": ["c"]}))
    (examples / "task_with_0_tools.json").write_text(json.dumps({"os": ["d", "e"]}))
    return folder


def test_tools_count_where_they_help_and_nowhere_else(tmp_path: Path) -> None:
    results = tmp_path / "results"
    write_results(results, {"a": "1.0", "b": "1.0", "d": "1.0", "e": "1"})
    said = {"a": [CLICK, CALL], "b": [CLICK, CLICK], "d": [CLICK], "e": [CODE]}
    for name, predictions in said.items():
        at = results / "pyautogui" / "screenshot" / "some-model" / "os" / name / "traj.jsonl"
        rows = [{"step_num": number, "prediction": one} for number, one in enumerate(predictions)]
        at.write_text("\n".join(map(json.dumps, rows)))
    found = OSWorldScore().score(str(write_mcp(tmp_path / "mcp")), results, "mcp")
    # Right are a, which called a tool, and d, which did not; b should have, e should not, and c was not played.
    assert found.figure("TIR").value == pytest.approx(2 / 5)
    assert found.figure("TIR where tools help").value == pytest.approx(1 / 3)
    assert found.figure("TIR elsewhere").value == pytest.approx(1 / 2)
    assert found.figure("raw of 5").value == pytest.approx(4 / 5)
    assert found.missing == ("vlc/c",)
    assert any("ACS, steps of a task: 1.0, over 2 tasks" in note for note in found.notes)


def test_what_is_not_solved_is_no_right_decision(tmp_path: Path) -> None:
    write_results(tmp_path / "results", {"a": "0.5", "d": "0.0"})
    found = OSWorldScore().score(str(write_mcp(tmp_path / "mcp")), tmp_path / "results", "mcp")
    assert found.figure("TIR").value == 0.0


def test_the_lists_of_tools_are_asked_for(tmp_path: Path) -> None:
    write_results(tmp_path / "results", {"a": "1.0"})
    with pytest.raises(ConfigError, match=r"has_tool\.json"):
        OSWorldScore().score("", tmp_path / "results", "mcp")


def test_a_run_of_ours_called_a_tool_where_a_turn_did(tmp_path: Path) -> None:
    run = Writer(tmp_path / "run")
    tool = {"env": "desktop", "intent": {"kind": "custom", "name": "os_add", "arguments": {}}}
    key = {"env": "desktop", "intent": {"kind": "press", "keys": ["enter"]}}
    for name, moves in (("os/a#0.0", [key, tool]), ("os/d#0.0", [key])):
        run.begin(name)
        run.turn(name, 0, {}, moves=moves)
        run.end(name, "done", 1)
    assert _progress(tmp_path / "run")[1] == {("os/a#0.0", 1)}
