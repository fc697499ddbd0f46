"""Runs that are kept: they are read, keep their identity, and made anew they are the same.

`tests/fixtures/record_runs.py` records them.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from command_line import omnipilot

from omnipilot.bench import RunSpec
from omnipilot.bench.run import run
from omnipilot.envs.types import png
from omnipilot.memory import MediaRef, MediaStore

RECORDED = Path(__file__).parents[2] / "fixtures" / "recorded"
RUNS = ("oracle", "rules", "omnigui")
MEASURED = {"wall", "wall_seconds"}
"""What every run has of its own; the seconds of calls, environments and judges too, see `repeatable`."""


def spec_of(name: str) -> tuple[str, RunSpec]:
    """The identity that was recorded, and the specification."""
    held = json.loads((RECORDED / name / "spec.json").read_text())
    return held["identity"], RunSpec.from_json(held["spec"])


def repeatable(event: dict[str, Any]) -> dict[str, Any]:
    """An event without the time that its making took."""
    kept = {name: value for name, value in event.items() if name not in MEASURED}
    if kept["event"] in ("turn", "step"):
        del kept["seconds"]
    if "usage" in kept:
        kept["usage"] = {name: value for name, value in kept["usage"].items() if name != "seconds"}
    return kept


def episodes(folder: Path) -> list[dict[str, Any]]:
    """The events of a journal that tell of its episodes."""
    lines = (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    return [repeatable(event) for event in map(json.loads, lines) if event["event"] != "run_started"]


@pytest.mark.parametrize("name", RUNS)
def test_a_recorded_run_keeps_its_identity(name: str) -> None:
    identity, spec = spec_of(name)
    assert spec.identity == identity


def test_the_table_of_recorded_runs_is_the_one_that_was_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folders = [str(shutil.copytree(RECORDED / name, name)) for name in RUNS]
    done = omnipilot("report", *folders, "--out", "report.html")
    assert done.returncode == 0, done.stderr
    kept = (RECORDED / "table.txt").read_text(encoding="utf-8")
    assert done.stdout.strip().startswith(kept.strip()), done.stdout


@pytest.mark.exhibit("omnigui", "rules", "mini")
@pytest.mark.parametrize("name", ["oracle", "rules", pytest.param("omnigui", marks=pytest.mark.slow)])
def test_made_anew_a_run_has_the_same_journal(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, spec = spec_of(name)
    monkeypatch.chdir(tmp_path)
    if name == "omnigui":
        assert omnipilot("miniature", "mini", "omnigui").returncode == 0
    result = run(spec, tmp_path / "run")
    assert result.spec.identity == spec.identity
    assert episodes(tmp_path / "run") == episodes(RECORDED / name)


@pytest.mark.exhibit("duet", "rules")
@pytest.mark.parametrize("first", ["pillow", "isal"])
def test_a_run_begun_with_one_encoder_of_pictures_is_finished_with_the_other(
    first: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert png._deflate is not None, "isal is not installed; run: pip install -e ."
    before, after = (None, png._deflate) if first == "pillow" else (png._deflate, None)
    _, spec = spec_of("oracle")
    monkeypatch.setattr(png, "_deflate", before)
    share_nothing(monkeypatch)
    run(spec, tmp_path)
    kept = pictures(tmp_path)

    # As if it had been killed in its second episode, with the pictures from there on still unwritten.
    lines = (tmp_path / "journal.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    begun = next(i for i, line in enumerate(lines) if "episode_ended" in line)
    lost = {digest for digest in kept if not any(digest in line for line in lines[: begun + 1])}
    for digest in lost:
        (tmp_path / "media" / digest[:2] / f"{digest}.png").unlink()
    (tmp_path / "journal.jsonl").write_text("".join(lines[: begun + 3]), encoding="utf-8")

    monkeypatch.setattr(png, "_deflate", after)
    share_nothing(monkeypatch)
    result = run(spec, tmp_path)
    assert result.spec.identity == spec.identity and (result.ran, result.left) == (1, 0)
    told = [event | {"attempt": 1} for event in episodes(tmp_path) if event.get("attempt") != 2]
    again = [event | {"attempt": 1} for event in episodes(tmp_path) if event.get("attempt") == 2]
    assert told[:begun] + again == episodes(RECORDED / "oracle")
    found = pictures(tmp_path)
    assert lost and set(found) == set(kept)
    assert {digest for digest, file in found.items() if file != kept[digest]} == lost
    for digest in found:
        assert MediaStore(tmp_path / "media").get(MediaRef(digest, "image")).digest == digest


def share_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process of its own, whose worlds find no picture that others have encoded."""
    from omnipilot.envs.sim import capture
    from omnipilot.envs.sim.shared_pictures import SharedPictures

    monkeypatch.setattr(capture, "SHARED", SharedPictures())


def pictures(folder: Path) -> dict[str, bytes]:
    """The picture files of a run, by digest."""
    return {path.stem: path.read_bytes() for path in (folder / "media").rglob("*.png")}


@pytest.mark.exhibit("duet")
def test_a_run_of_a_development_version_is_refused_in_one_line(tmp_path: Path) -> None:
    old = Path(shutil.copytree(RECORDED / "oracle", tmp_path / "old"))
    kept = json.loads((old / "spec.json").read_text())
    del kept["spec"]["format"]
    (old / "spec.json").write_text(json.dumps(kept))
    lines = [json.loads(line) for line in (old / "journal.jsonl").read_text("utf-8").splitlines()]
    lines[0]["spec"] = kept["spec"]
    (old / "journal.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    line = "written by a version before 0.3.0, which was never released; run it again, into another --out"
    again = (
        "run",
        "--suite",
        "duet",
        "--planner",
        "oracle",
        "--tasks",
        "send-message,dismiss-alarm",
        "--out",
        str(old),
    )
    for command in (("report", str(old)), again, ("memory", str(old), "send-message")):
        done = omnipilot(*command)
        assert (done.returncode, line in " ".join(done.stderr.split())) == (2, True), (command, done.stderr)
    (old / "spec.json").unlink()
    assert line in " ".join(omnipilot(*again).stderr.split()), "the journal alone tells it, too"
