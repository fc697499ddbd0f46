"""A report says where a run's files are no longer what was recorded, and what is left of them is still read."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import omnipilot
from toy_suite import toy_spec

from omnipilot.bench import load_run
from omnipilot.bench.run import run

DAMAGED = "captures are not what was recorded"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two episodes, both solved."""
    folder = tmp_path_factory.mktemp("evidence") / "run"
    run(toy_spec("count", instances=2), folder)
    return folder


@pytest.fixture
def copied(played: Path, tmp_path: Path) -> Path:
    """A copy to be spoilt."""
    return Path(shutil.copytree(played, tmp_path / "run"))


def edit(path: Path, change: Callable[[str], str]) -> None:
    """Change a text file by hand."""
    before = path.read_text(encoding="utf-8")
    after = change(before)
    assert after != before
    path.write_text(after, encoding="utf-8")


def lines(folder: Path, change: Callable[[list[str]], list[str]]) -> None:
    """Change the lines of a journal by hand."""
    edit(folder / "journal.jsonl", lambda text: "".join(change(text.splitlines(keepends=True))))


def reported(folder: Path) -> str:
    """What `omnipilot report` says, which never stops."""
    done = omnipilot("report", str(folder))
    assert done.returncode == 0, done.stderr
    assert (folder / "report.html").exists()
    return done.stdout


def test_an_untouched_run_has_no_doubt(copied: Path):
    assert load_run(copied).problems == ()
    told = reported(copied)
    assert "changed" not in told and DAMAGED not in told and "cannot be used" not in told


def test_an_edited_specification_is_told_by_report_and_compare(copied: Path, played: Path):
    edit(copied / "spec.json", lambda text: text.replace('"trials": 1', '"trials": 2'))
    assert "spec.json was changed after it was written" in reported(copied)
    compared = omnipilot("compare", str(played), str(copied))
    assert "spec.json was changed" in compared.stdout


def test_a_specification_with_a_new_identity_is_still_not_the_journals(copied: Path):
    from omnipilot.bench.spec import RunSpec

    data = json.loads((copied / "spec.json").read_text())
    data["spec"]["trials"] = 2
    data["identity"] = RunSpec.from_json(data["spec"]).identity
    (copied / "spec.json").write_text(json.dumps(data))
    assert "spec.json is not what the run was last started with" in reported(copied)


def test_flipped_captures_are_told_each_time_and_whole_ones_are_decoded_once(copied: Path, monkeypatch):
    pictures = sorted((copied / "media").glob("??/*.png"))
    assert pictures and DAMAGED not in reported(copied)
    assert len((copied / "checked").read_text().splitlines()) == len(list((copied / "media").glob("??/*")))
    from omnipilot.bench.journal import evidence

    looked: list[Path] = []
    before = evidence._why_damaged
    monkeypatch.setattr(evidence, "_why_damaged", lambda store, path: looked.append(path) or before(store, path))
    assert DAMAGED not in reported(copied) and not looked
    from PIL import Image

    with Image.open(pictures[0]) as picture:
        spoilt = picture.convert("RGB")
    spoilt.putpixel((0, 0), (1, 2, 3))
    spoilt.save(pictures[0])
    for _ in range(2):
        looked.clear()
        assert "1 captures are not what was recorded" in reported(copied) and looked == [pictures[0]]


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The captures that are looked at."""
    from omnipilot.bench.journal import evidence

    paths: list[Path] = []
    before = evidence._why_damaged
    monkeypatch.setattr(evidence, "_why_damaged", lambda store, path: paths.append(path) or before(store, path))
    return paths


def play(out: Path, *more: str) -> str:
    """A run by the command line, with its report."""
    part = ("--suite", "toy_suite:ToySuite", "--tasks", "count", "--planner", "oracle")
    done = omnipilot("run", *part, "--out", str(out), *more)
    assert done.returncode == 0, done.stderr
    return done.stdout


def captures(folder: Path) -> list[Path]:
    return sorted((folder / "media").glob("??/*"))


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["0", "2"])
def test_what_a_run_wrote_itself_is_not_decoded_again(jobs: str, tmp_path: Path, looked: list[Path]):
    for instances in ("1", "3"):
        assert DAMAGED not in play(tmp_path / "run", "--instances", instances, "--jobs", jobs)
    names = [line.split()[0] for line in (tmp_path / "run" / "checked").read_text().splitlines()]
    assert sorted(set(names)) == [path.name for path in sorted(captures(tmp_path / "run"), key=lambda path: path.name)]
    assert captures(tmp_path / "run") and not looked
    # Nor by anybody later, as long as nobody touches it.
    assert DAMAGED not in reported(tmp_path / "run") and not looked
    spoilt = captures(tmp_path / "run")[0]
    spoilt.write_bytes(spoilt.read_bytes()[:-9])
    assert "1 captures are not what was recorded" in reported(tmp_path / "run") and looked == [spoilt]


def test_what_was_there_before_a_run_is_looked_at(copied: Path, looked: list[Path]):
    """Its checksums may be right, and its content another."""
    from PIL import Image

    for name in ("spec.json", "journal.jsonl", "checked"):
        (copied / name).unlink()
    picture = next((copied / "media").glob("??/*.png"))
    Image.new("RGB", (16, 12), "red").save(picture)
    there = captures(copied)
    told = play(copied, "--instances", "2")
    assert f"1 captures are not what was recorded (media/{picture.parent.name}/{picture.name}" in told
    assert looked == there


def test_the_check_of_what_others_wrote_shows_its_progress(copied: Path, monkeypatch, tmp_path: Path):
    from omnipilot.bench.run import progress

    monkeypatch.setattr(progress, "QUIET", 0.0)
    count = len(captures(copied))
    other = tmp_path / "other"
    play(other, "--instances", "2", "-o", "suite.delay=0.0")
    for command in (("report", str(copied)), ("compare", str(other), str(copied))):
        (copied / "checked").unlink()
        done = omnipilot(*command)
        assert done.returncode == 0 and f"0/{count} captures checked\n" in done.stderr, done.stderr
        assert f"\n{count}/{count} captures checked · in " in done.stderr
        assert "captures checked" not in omnipilot(*command).stderr


def test_a_capture_that_is_gone_is_told_each_time(copied: Path):
    for number, path in enumerate(captures(copied)[:2], 1):
        path.unlink()
        for _ in range(2):
            told = reported(copied)
            assert f"{number} captures are not what was recorded" in told and f"{path.name}: it is missing" in told


@pytest.mark.parametrize("content", [b"", b"RIFF", b"{", b'{"frames": 3}', b"\xff" * 50])
@pytest.mark.parametrize("suffix", [".png", ".wav", ".json"])
def test_damaged_captures_stop_no_report(content: bytes, suffix: str, copied: Path):
    (copied / "media" / "ab").mkdir(exist_ok=True)
    (copied / "media" / "ab" / f"{'ab' * 32}{suffix}").write_bytes(content)
    assert "1 captures are not what was recorded" in reported(copied)


@pytest.mark.parametrize(
    "bad", ["{}\n", "[" * 5_000 + "\n", '{"event":"turn"}\n', "\x00\x01\n", '{"event": "step", "key": "\\ud800"}\n']
)
def test_a_line_that_cannot_be_read_costs_that_line(bad: str, copied: Path):
    lines(copied, lambda all: [*all[:3], bad, *all[3:]])
    told = reported(copied)
    assert "1 lines of its journal cannot be used" in told and "line 4" in told and "2/2" in told
    again = omnipilot(
        "run", "--suite", "toy_suite:ToySuite", "--tasks", "count,far", "--planner", "oracle", "--out", str(copied)
    )
    assert again.returncode in (0, 2), again.stderr


def test_a_second_report_leaves_what_says_the_same_and_sees_what_changed(copied: Path):
    reported(copied)
    before = {path: path.stat().st_ino for path in (copied / "report").glob("*.js")}
    assert before and "2/2" in reported(copied)
    assert before == {path: path.stat().st_ino for path in (copied / "report").glob("*.js")}
    # In the same process, which remembers what it read.
    lines(copied, lambda all: [line for line in all if '"key":"count#1.0"' not in line])
    assert "1/1" in reported(copied) and len(load_run(copied).episodes) == 1
    assert len(list((copied / "report").glob("*.js"))) < len(before)


def test_an_emptied_journal_is_told(copied: Path):
    (copied / "journal.jsonl").write_bytes(b"")
    assert "its journal holds no start of the run" in reported(copied)


@pytest.mark.parametrize("length", [0, 8, 40, 100, 2**31 - 1, 2**32 - 1])
@pytest.mark.parametrize("at", [4, 16, 40])
def test_a_sound_with_odd_lengths_in_its_head_stops_no_report(at: int, length: int, copied: Path):
    sound = next((copied / "media").glob("??/*.wav"))
    content = sound.read_bytes()
    sound.write_bytes(content[:at] + length.to_bytes(4, "little") + content[at + 4 :])
    reported(copied)


def test_an_episode_whose_end_cannot_be_read_is_played_again(copied: Path):
    lines(copied, lambda all: [line[:40] + "\n" if '"event":"episode_ended"' in line else line for line in all])
    assert "0/0" in reported(copied) or "0 of 2 episodes" in reported(copied)
    done = run(toy_spec("count", instances=2), copied)
    assert [episode.success for episode in done.episodes] == [True, True] and done.ran == 2


@pytest.mark.parametrize(
    "values", [{"usage": 3}, {"completed": "many"}, {"changes": 7}, {"steps": None}, {"turns": "x" * 9}]
)
def test_values_that_make_no_sense_stop_no_report(values: dict[str, object], copied: Path):
    def change(all: list[str]) -> list[str]:
        out = []
        for line in all:
            data = json.loads(line)
            out.append(json.dumps({**data, **values} if set(values) <= set(data) else data) + "\n")
        return out

    edit(copied / "journal.jsonl", lambda text: "".join(change(text.splitlines())))
    reported(copied)


def test_a_second_end_of_an_episode_is_told(copied: Path):
    def doubled(all: list[str]) -> list[str]:
        of = [line for line in all if '"key":"count#0.0"' in line]
        return [*all, *(line.replace('"attempt":1', '"attempt":2').replace('"success"', '"turns"') for line in of)]

    lines(copied, doubled)
    told = reported(copied)
    assert "count#0.0 ended twice" in told and "1/2" in told
