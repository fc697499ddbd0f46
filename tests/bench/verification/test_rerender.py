"""What a run did not keep comes back bit by bit, or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.cli.app import app
from omnipilot.bench.journal.events import RunStarted
from omnipilot.bench.journal.journal import FILE, MEDIA, read
from omnipilot.bench.journal.kept_media import not_kept_note
from omnipilot.bench.run import run
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.toy import TASK
from omnipilot.bench.verification import rerender_run, verify_run
from omnipilot.envs import ConfigError
from omnipilot.memory.store.media_store import NOTE, why_not_kept

KEY = f"{TASK}#0.0"


def toy_run(folder: Path, media: str, planner: str = "oracle", trials: int = 1, **settings: Any) -> Path:
    spec = RunSpec(AgentSpec(planner=PartSpec(planner)), PartSpec("toy"), tasks=(TASK,), trials=trials)
    run(spec, folder, RunExecution(media=media, **settings))
    return folder


def captures(folder: Path) -> dict[str, bytes]:
    """The files of a run's captures; texts, which are kept in any case, apart."""
    found = {path.name: path.read_bytes() for path in (folder / MEDIA).glob("??/*")}
    return {name: content for name, content in found.items() if not name.endswith(".json") or b'"frames"' in content}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy_run(tmp_path_factory.mktemp("whole") / "run", "all")


def test_what_was_not_kept_comes_back_as_it_was(whole: Path, tmp_path: Path) -> None:
    bare = toy_run(tmp_path / "run", "none")
    assert not captures(bare) and "--media none" in why_not_kept(bare / MEDIA)
    assert verify_run(bare).whole, "the journal names them all the same"
    found = rerender_run(bare)
    silent = {name for name, content in captures(whole).items() if name.endswith(".wav") and not any(content[44:])}
    assert {name: captures(whole)[name] for name in captures(whole) if name not in silent} == captures(bare)
    assert (found.attempts, found.played, found.problems) == (1, 1, ())
    assert not (bare / MEDIA / NOTE).exists()
    assert rerender_run(bare).attempts == 0
    assert verify_run(bare).whole


def test_which_media_are_kept_is_provenance_and_no_identity(whole: Path, tmp_path: Path) -> None:
    bare = toy_run(tmp_path / "run", "none")
    first, other = (next(event for event in read(folder) if isinstance(event, RunStarted)) for folder in (whole, bare))
    assert first.identity == other.identity
    assert (first.provenance["media"], other.provenance["media"]) == ("all", "none")
    toy_run(bare, "all", trials=2)
    assert captures(bare), "another start of the run may keep others"


def test_silence_alone_is_nothing_that_is_missing(whole: Path, tmp_path: Path) -> None:
    quiet = toy_run(tmp_path / "run", "changes")
    assert len(captures(quiet)) <= len(captures(whole)) and not not_kept_note(quiet)
    assert rerender_run(quiet).attempts == 0 and verify_run(quiet).whole
    said = CliRunner().invoke(app, ["report", str(quiet)])
    assert said.exit_code == 0 and "not kept" not in said.stderr
    bare = toy_run(tmp_path / "bare", "none")
    toy_run(bare, "changes", trials=2)
    assert not_kept_note(bare), "an earlier start left some out"


def test_of_failures_alone(tmp_path: Path, whole: Path) -> None:
    assert not captures(toy_run(tmp_path / "solved", "failures"))
    failed = toy_run(tmp_path / "failed", "failures", "noop")
    assert captures(failed) == captures(toy_run(tmp_path / "all", "all", "noop"))
    assert rerender_run(failed).attempts == 0


def test_an_episode_that_is_not_as_recorded_is_named_and_left_alone(tmp_path: Path) -> None:
    bare = toy_run(tmp_path / "run", "none", trials=2)
    lines = [json.loads(line) for line in (bare / FILE).read_text(encoding="utf-8").splitlines()]
    turn = next(line for line in lines if line["event"] == "turn" and line["key"] == KEY)
    next(iter(turn["observations"].values()))["screenshot"] = "0" * 64
    (bare / FILE).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    alone = rerender_run(bare, [KEY])
    assert (alone.attempts, alone.played, alone.captures) == (1, 0, 0) and not captures(bare)
    assert KEY in alone.problems[0] and "000000000000" in alone.problems[0]
    said = CliRunner().invoke(app, ["rerender", str(bare)])
    assert said.exit_code == 1 and "1 of 2 attempts played again" in said.stdout
    assert f"not brought back: {KEY}, attempt 1" in said.stderr
    assert captures(bare) and (bare / MEDIA / NOTE).exists(), "the other episode has its captures"


def test_a_run_of_another_version_of_its_suite_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from omnipilot.bench.toy import ToySuite

    bare = toy_run(tmp_path / "run", "none")
    monkeypatch.setattr(ToySuite, "version", "another")
    said = CliRunner().invoke(app, ["rerender", str(bare)])
    assert said.exit_code == 2 and "version" in said.stderr and not captures(bare)


def test_an_episode_that_is_not_there(whole: Path) -> None:
    with pytest.raises(ConfigError, match="no episode nothing#0.0"):
        rerender_run(whole, ["nothing#0.0"])


def test_readers_say_that_it_was_not_kept(tmp_path: Path) -> None:
    bare = toy_run(tmp_path / "run", "none")
    for command in (["report"], ["export"]):
        said = CliRunner().invoke(app, [*command, str(bare)])
        assert said.exit_code == 0, said.output
        assert "not kept (--media none); `omnipilot rerender RUN` brings it back" in said.stderr
    assert "not kept (--media none)" in "".join(
        path.read_text(encoding="utf-8") for path in bare.rglob("*.*") if path.suffix in (".html", ".js")
    )


def test_a_word_that_says_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="media must be all, changes, failures or none, not 'some'"):
        toy_run(tmp_path / "run", "some")
