"""A run is derived again from its actions; whatever was changed in its record is named."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from typer.testing import CliRunner

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.cli.app import app
from omnipilot.bench.journal.journal import FILE
from omnipilot.bench.run.runner import run
from omnipilot.bench.session import Session
from omnipilot.bench.spec import RunLimits, RunSpec
from omnipilot.bench.toy import TASK, ToySuite
from omnipilot.bench.verification.verify import verify_run
from omnipilot.envs import ConfigError, Thinking
from omnipilot.envs.toy import ToyPhone

Line: TypeAlias = dict[str, Any]
WRONG = "0" * 64


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two episodes: one with misses and described places, and one that is solved."""
    folder = tmp_path_factory.mktemp("verify") / "run"
    with Session("toy", record=folder) as session:
        session.open(TASK)
        session.act("nothing that could be read")
        session.act({"kind": "click", "at": "Nowhere"})
        session.act({"kind": "open_app", "app": "Maps"})
        session.act({"kind": "click", "at": "Notes"})
        session.act({"kind": "click", "at": {"x": 0.5, "y": 0.2}})
        session.act({"kind": "open_app", "app": "Voicemail"})
        session.act({"kind": "done", "status": "failure"})
        session.open(TASK)
        world = ToyPhone()
        task = session.suite.instantiate(TASK, 0)
        task.setup(world)
        assert task.solution is not None
        for move in task.solution(world):
            session.act(move.intent)
        assert session.ended == "success"
    return folder


@pytest.fixture
def copy(recorded: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(recorded, tmp_path / "run"))


def rewrite(folder: Path, change: Callable[[list[Line]], object]) -> None:
    lines = [json.loads(line) for line in (folder / FILE).read_text(encoding="utf-8").splitlines()]
    change(lines)
    (folder / FILE).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def of_kind(lines: list[Line], event: str, trial: int = 0) -> list[Line]:
    return [line for line in lines if line["event"] == event and line.get("key") == f"{TASK}#0.{trial}"]


def test_an_honest_run_is_equal(recorded: Path) -> None:
    found = verify_run(recorded)
    assert found.differences == () and found.whole and not found.impossible and not found.notes
    assert (found.attempts, found.turns) == (2, 12) and found.captures > 40
    alone = verify_run(recorded, [f"{TASK}#0.1"])
    assert alone.whole and (alone.attempts, alone.turns) == (1, 5)


def put(event: str, number: int, trial: int = 0, **values: Any) -> Callable[[list[Line]], object]:
    return lambda lines: of_kind(lines, event, trial)[number].update(values)


def put_look(turn: int, **values: Any) -> Callable[[list[Line]], object]:
    return lambda lines: of_kind(lines, "turn")[turn]["observations"]["phone"].update(values)


def put_verb(step: int, trial: int = 0, **values: Any) -> Callable[[list[Line]], object]:
    return lambda lines: of_kind(lines, "step", trial)[step]["executed"].update(values)


def delete_change(lines: list[Line]) -> None:
    next(step for step in of_kind(lines, "step", 1) if step["changes"])["changes"].pop()


def put_progress(lines: list[Line]) -> None:
    of_kind(lines, "step", 1)[-1]["changes"][0]["progress"] = 0.5


def delete_step(lines: list[Line]) -> None:
    lines.remove(of_kind(lines, "step")[4])


def delete_turn(lines: list[Line]) -> None:
    for event in ("turn", "step"):
        lines.remove(of_kind(lines, event, 1)[2])


def swap_steps(lines: list[Line]) -> None:
    first, second = of_kind(lines, "step", 1)[:2]
    for name in ("env", "proposed", "executed"):
        first[name], second[name] = second[name], first[name]


def leave_out(lines: list[Line]) -> None:
    lines[:] = [line for line in lines if line.get("key") != f"{TASK}#0.0"]


def leave_out_attempt(lines: list[Line]) -> None:
    for line in lines:
        if line.get("key") == f"{TASK}#0.0":
            line["attempt"] = 2


def put_pointing(lines: list[Line]) -> None:
    of_kind(lines, "step")[3]["pointing"][0]["right"] = False


def put_action(lines: list[Line]) -> None:
    of_kind(lines, "step")[2].update(executed={"kind": "open_app", "app": "Notes"}, result="done", message="")


def put_final(lines: list[Line]) -> None:
    of_kind(lines, "episode_ended")[0]["observations"]["phone"]["screenshot"] = WRONG


def put_clip(lines: list[Line]) -> None:
    of_kind(lines, "turn", 1)[3]["observations"]["phone"]["audio"]["digest"] = WRONG


def put_clip_start(lines: list[Line]) -> None:
    of_kind(lines, "turn", 1)[3]["observations"]["phone"]["audio"]["start"] = 0.05


def put_node(lines: list[Line]) -> None:
    of_kind(lines, "episode_started")[0]["nodes"][0]["name"] = "something easier"


def nonsense(lines: list[Line]) -> None:
    of_kind(lines, "step")[4]["executed"] = {"kind": "teleport"}


TAMPERED: dict[str, tuple[Callable[[list[Line]], object], str]] = {
    "an ending": (put("episode_ended", 0, reason="success"), "reason is success in the record, and done here"),
    "the status": (put("episode_ended", 0, status="success"), "status is success in the record, and failure here"),
    "completed": (put("step", 5, completed=1), "turn 6: completed is 1 in the record, and 0 here"),
    "a change is deleted": (delete_change, "what the judges found is [] in the record"),
    "the progress of a node": (put_progress, "what the judges found is"),
    "a place": (put_verb(4, at={"x": 0.5, "y": 0.98}), "the context is|context is|screenshot is"),
    "an app": (put_verb(5, app="Notes"), "turn 7, phone: screenshot is"),
    "a text": (put_verb(4, 1, text="X"), "turn 5: completed is 2 in the record, and 1 here"),
    "a step is deleted": (delete_step, "turn 5: what happened is turn in the record, and step here|turn 6"),
    "a turn is deleted": (delete_turn, "turn 4, phone: the time of the observation is|turn 4"),
    "steps are swapped": (swap_steps, "turn 1|turn 2"),
    "a screenshot": (put_look(4, screenshot=WRONG), "turn 5, phone: screenshot is 000000000000… in the record"),
    "elements": (put_look(4, elements={"digest": WRONG, "count": 5, "truncated": False}), "turn 5, phone: elements is"),
    "a context": (put_look(4, context={"app": "Mail"}), "turn 5, phone: context is {'app': 'Mail'}"),
    "a sound": (put_clip, "turn 4, phone: audio is 000000000000…"),
    "the start of a sound": (put_clip_start, "turn 4, phone: audio is"),
    "the last picture": (put_final, "save-code#0.0, phone: screenshot is 000000000000…"),
    "the instruction": (put("episode_started", 0, instruction="Save a code."), "instruction is Save a code. in"),
    "the instance": (put("episode_started", 0, instance=3), "key is save-code#0.0 in the record, and save-code#3.0"),
    "a sub-goal": (put_node, "nodes is [{'name': 'something easier'"),
    "a limit": (put("episode_started", 0, limits={"turns": 3}), "limits is {'turns': 3} in the record"),
    "a time": (put("step", 4, start=9.0), "start is 9.0 in the record"),
    "the time at the end": (put("episode_ended", 0, world_seconds=1.0), "world seconds is 1.0 in the record"),
    "a miss for a hit": (put("step", 4, result="rejected"), "result is rejected in the record, and done here"),
    "a hit for a miss": (put_action, "turn 4, phone: screenshot is"),
    "whether it counts": (put("step", 2, counts=True), "counts is True in the record, and False here"),
    "the number of actions": (put("episode_ended", 0, actions=1), "actions is 1 in the record, and 3 here"),
    "a verdict on pointing": (put_pointing, "turn 4: the verdict on pointing is"),
    "an episode is left out": (leave_out, "1 of 2 episodes have no end in the record: save-code#0.0"),
    "an attempt is left out": (leave_out_attempt, "save-code#0.0: the record has the attempts 2, and lacks others"),
    "nonsense": (nonsense, "it cannot be played again: MalformedAction: unknown kind 'teleport'"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_what_was_changed_is_named(what: str, copy: Path) -> None:
    change, words = TAMPERED[what]
    rewrite(copy, change)
    found = verify_run(copy)
    said = "\n".join(found.differences)
    assert any(option in said for option in words.split("|")), said or "nothing was found"
    assert not found.whole


def test_files_that_were_changed_are_named(copy: Path) -> None:
    spec = json.loads((copy / "spec.json").read_text(encoding="utf-8"))
    spec["spec"]["retries"] = 5
    (copy / "spec.json").write_text(json.dumps(spec), encoding="utf-8")
    picture = next((copy / "media").glob("??/*.png"))
    other = next(path for path in (copy / "media").glob("??/*.png") if path != picture)
    picture.write_bytes(other.read_bytes())
    said = "\n".join(verify_run(copy).differences)
    assert "spec.json was changed after it was written" in said and "1 captures are not what was recorded" in said


def test_what_no_world_can_tell_is_not_verified(copy: Path) -> None:
    rewrite(copy, put("turn", 4, thought="Another thought.", seconds=7.0))
    assert verify_run(copy).whole


def test_the_table_says_what_a_change_was_for(copy: Path) -> None:
    def claim(lines: list[Line]) -> None:
        of_kind(lines, "step")[-1].update(completed=2)
        of_kind(lines, "step")[-1]["changes"] = [
            {"node": node["name"], "progress": 1.0, "reason": "", "completed": True}
            for node in of_kind(lines, "episode_started")[0]["nodes"]
        ]
        of_kind(lines, "episode_ended")[0].update(reason="success", completed=2)

    rewrite(copy, claim)
    said = verify_run(copy).differences
    assert any(line.startswith("the table: SR % is 100.0") and line.endswith("and 50.0 here") for line in said), said


def test_an_agents_run_is_verified_with_its_limits(tmp_path: Path) -> None:
    agent = AgentSpec(planner=PartSpec("random"))
    for number, thinking in enumerate((Thinking(), Thinking("measured"))):
        spec = RunSpec(agent, PartSpec("toy"), trials=2, limits=RunLimits(turns=9), thinking=thinking)
        run(spec, tmp_path / str(number))
        found = verify_run(tmp_path / str(number))
        assert found.whole and found.attempts == 2, found.differences
    rewrite(tmp_path / "0", put("episode_ended", 0, reason="invalid"))
    assert not verify_run(tmp_path / "0").whole


def test_what_was_left_or_cut_off_is_noted(tmp_path: Path) -> None:
    with Session("toy", record=tmp_path / "left") as session:
        session.open(TASK)
        session.act({"kind": "open_app", "app": "Notes"})
    found = verify_run(tmp_path / "left")
    assert found.whole and found.notes == (
        f"{TASK}#0.0, attempt 1 was left by the caller of its session; its turns are verified",
    )
    rewrite(tmp_path / "left", lambda lines: lines.remove(of_kind(lines, "episode_ended")[0]))
    cut = verify_run(tmp_path / "left")
    assert "1 of 1 episodes have no end in the record" in cut.differences[0]
    rewrite(tmp_path / "left", put("step", 0, completed=1))
    assert len(verify_run(tmp_path / "left").differences) == len(cut.differences) + 1


def test_other_versions_are_noted(copy: Path) -> None:
    def older(lines: list[Line]) -> None:
        for made in [line["provenance"] for line in lines if "provenance" in line]:
            made["python"], made["libraries"]["numpy"] = "3.9.1", "1.0"

    rewrite(copy, older)
    found = verify_run(copy)
    assert found.whole and found.notes[0].startswith("recorded with python 3.9.1; this is 3.")
    assert found.notes[1].startswith("recorded with numpy 1.0; this is ")


class Unrestored(ToyPhone):
    capabilities = ToyPhone.capabilities - {"snapshots", "forks"}


class UnrestoredSuite(ToySuite):
    def world(self, thinking: Thinking) -> ToyPhone:
        return Unrestored(thinking)


@pytest.mark.slow
def test_a_world_that_is_not_the_same_each_time_is_told(tmp_path: Path) -> None:
    suite = PartSpec(f"{__name__}:UnrestoredSuite")
    run(RunSpec(AgentSpec(planner=PartSpec("noop")), suite, limits=RunLimits(turns=2)), tmp_path)
    found = verify_run(tmp_path)
    assert not found.differences and not found.whole and found.attempts == 0
    assert "the world of suite 'toy' is not the same each time" in found.impossible
    assert CliRunner().invoke(app, ["verify", str(tmp_path)]).exit_code == 2
    rewrite(tmp_path, put("episode_ended", 0, turns=1))
    assert "says something else than the steps before it" in verify_run(tmp_path).differences[0]
    assert CliRunner().invoke(app, ["verify", str(tmp_path)]).exit_code == 1


def test_the_command_says_what_it_found_by_its_words_and_its_status(copy: Path) -> None:
    def invoke(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(app, ["verify", str(copy), *words])
        return done.exit_code, done.stdout

    code, said = invoke()
    assert code == 0 and said.startswith("2 attempts, 12 turns and ") and said.endswith("again: no differences\n")
    assert invoke("--only", f"{TASK}#0.1")[1].startswith("1 attempts, 5 turns")
    assert invoke("--only", "other#0.0")[0] == 1
    rewrite(
        copy, lambda lines: [turn["observations"]["phone"].update(screenshot=WRONG) for turn in of_kind(lines, "turn")]
    )
    code, said = invoke()
    assert code == 1 and said.count("screenshot is") == 5 and "and 2 more; --all prints them" in said
    code, said = invoke("--all")
    assert code == 1 and said.count("screenshot is") == 7 and "7 differences" in said


def test_another_version_of_the_suite_cannot_be_verified(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ToySuite, "version", "2")
    assert "recorded on version 1 of suite 'toy', and this is version 2" in verify_run(copy).impossible


def test_where_there_is_no_run_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no run in"):
        verify_run(tmp_path)
