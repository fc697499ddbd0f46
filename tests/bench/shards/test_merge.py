"""Shards become one run: the table is that of a run in one piece, nothing is there twice, nothing is lost."""

from __future__ import annotations

import errno
import os
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import omnipilot
from toy_suite import table, toy_spec

from omnipilot.bench import RunSpec, load_run
from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import EpisodeEnded
from omnipilot.bench.journal.evidence import media_notes
from omnipilot.bench.journal.journal import FILE
from omnipilot.bench.journal.kept_media import forget_not_kept, not_kept_note, note_not_kept
from omnipilot.bench.journal.lock import RunLock
from omnipilot.bench.journal.provenance import version_changes
from omnipilot.bench.report.main_table import main_table
from omnipilot.bench.run import run
from omnipilot.bench.run.executors.workers_file import WorkersFile
from omnipilot.bench.shards import merge
from omnipilot.bench.shards.merge import _comparable, _take_media, merge_runs
from omnipilot.bench.shards.shard import Shard
from omnipilot.envs import ConfigError

SPEC = toy_spec("count", "far", "lost", "guard", instances=2, trials=2)
COUNT = 16


def play(folder: Path, number: int, of: int = 3, spec: RunSpec = SPEC) -> Path:
    """A shard, played in this process."""
    run(spec, folder / str(number), shard=Shard(number, of))
    return folder / str(number)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three shards, and `whole`, the run in one piece."""
    folder = tmp_path_factory.mktemp("made")
    run(SPEC, folder / "whole")
    for number in (1, 2, 3):
        play(folder, number)
    return folder


@pytest.fixture
def shards(made: Path, tmp_path: Path) -> list[Path]:
    """Copies of the three shards, to be spoiled."""
    return [Path(shutil.copytree(made / str(number), tmp_path / str(number))) for number in (1, 2, 3)]


def media_of(folder: Path) -> set[str]:
    return {path.name for path in (folder / "media").glob("??/*")}


def test_the_table_is_that_of_a_run_in_one_piece(made: Path, shards: list[Path], tmp_path: Path) -> None:
    told = merge_runs(shards, tmp_path / "run")
    assert (told.episodes, told.planned, told.added) == (COUNT, COUNT, COUNT)
    assert told.left == told.absent == told.torn == ()
    whole, merged = load_run(made / "whole"), load_run(tmp_path / "run")
    assert table(merged.episodes) == table(whole.episodes)
    assert main_table([replace(merged, name="run")]).rows == main_table([replace(whole, name="run")]).rows
    assert merged.spec == whole.spec and merged.planned == whole.planned and not merged.problems
    assert media_of(tmp_path / "run") == media_of(made / "whole") and not media_notes(tmp_path / "run")
    ended = Counter(event.key for event in read(tmp_path / "run") if isinstance(event, EpisodeEnded))
    assert len(ended) == COUNT and set(ended.values()) == {1}


def test_the_specification_is_that_of_all_and_provenance_says_which_shard(made: Path) -> None:
    runs = [load_run(made / name) for name in ("whole", "1", "2", "3")]
    assert len({one.spec.identity for one in runs}) == 1
    assert [Shard.of_provenance(one.made_with[-1]) for one in runs] == [None, Shard(1, 3), Shard(2, 3), Shard(3, 3)]
    assert sum(len(one.episodes) for one in runs[1:]) == COUNT
    assert sum(one.made_with[-1]["shard"]["episodes"] for one in runs[1:]) == COUNT


def test_merging_again_adds_what_came_since_and_nothing_twice(shards: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "run"
    told = merge_runs([shards[0], shards[2]], out)
    assert told.absent == (Shard(2, 3),) and len(told.left) == COUNT - told.episodes > 0
    again = merge_runs([out, *shards], out)
    assert again.added == len(told.left) and again.episodes == COUNT and again.absent == ()
    before = (out / FILE).read_bytes()
    third = merge_runs(shards, out)
    assert third.added == 0 and (out / FILE).read_bytes() == before


def test_a_merged_run_goes_on_as_any_other(made: Path, shards: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "run"
    told = merge_runs(shards[:2], out)
    result = run(SPEC, out)
    assert result.ran == len(told.left) and result.left == 0
    assert table(result.episodes) == table(load_run(made / "whole").episodes)


def test_an_attempt_that_was_cut_off_is_merged_and_so_is_what_came_of_it(shards: list[Path], tmp_path: Path) -> None:
    out, journal = tmp_path / "run", shards[0] / FILE
    whole = journal.read_bytes()
    last = whole.rindex(b'{"event":"episode_started"')
    cut = whole.index(b"\n", last) + 1
    journal.write_bytes(whole[:cut] + whole[cut : cut + 40])
    told = merge_runs(shards, out)
    assert told.torn == (shards[0],) and len(told.left) == 1 and told.episodes == COUNT - 1
    journal.write_bytes(whole)
    again = merge_runs(shards, out)
    assert again.left == () and again.added == 1 and not load_run(out).problems


def test_other_specifications_are_refused_and_named(shards: list[Path], tmp_path: Path) -> None:
    other = play(tmp_path / "other", 2, spec=replace(SPEC, retries=1))
    with pytest.raises(ConfigError) as refused:
        merge_runs([shards[0], other], tmp_path / "run")
    assert f"retries: 3 in {shards[0]}, 1 in {other}" in str(refused.value)
    merge_runs(shards[:1], tmp_path / "run")
    with pytest.raises(ConfigError, match=r"other settings.*\n.*retries"):
        merge_runs([other], tmp_path / "run")


def test_other_versions_are_refused_unless_they_are_wanted(shards: list[Path], tmp_path: Path) -> None:
    journal = shards[1] / FILE
    journal.write_bytes(journal.read_bytes().replace(b'"pydantic":"', b'"pydantic":"0.', 1))
    with pytest.raises(ConfigError, match=f"{shards[1]} were made with different versions: pydantic .* --mixed-ver"):
        merge_runs(shards, tmp_path / "run")
    assert not (tmp_path / "run").exists()
    assert merge_runs(shards, tmp_path / "run", mixed_versions=True).episodes == COUNT


def test_a_commit_that_only_one_of_them_knows_is_no_other_version() -> None:
    known = {"omnipilot": "0.3.0", "python": "3.11.7", "commit": "abc", "dirty": True}
    unknown = {"omnipilot": "0.3.0", "python": "3.11.7"}
    assert version_changes(*_comparable(known, unknown)) == {}
    assert version_changes(*_comparable(known, {**known, "commit": "def"})) != {}
    assert version_changes(*_comparable(known, {**unknown, "omnipilot": "0.4.0"})) != {}


def test_an_episode_with_two_records_is_refused_and_named(shards: list[Path], tmp_path: Path) -> None:
    half = play(tmp_path / "half", 1, of=2)
    with pytest.raises(ConfigError, match=rf"played more than once.*#\d\.\d in {shards[0]} and in {half}"):
        merge_runs([*shards, half], tmp_path / "run")
    assert not (tmp_path / "run" / FILE).exists()


def test_what_is_no_run_or_is_being_written_is_refused(shards: list[Path], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match="there is no run in .*empty"):
        merge_runs([*shards, tmp_path / "empty"], tmp_path / "run")
    with RunLock(shards[1]), pytest.raises(ConfigError, match=f"{shards[1]} is being written"):
        merge_runs(shards, tmp_path / "run")
    with WorkersFile(shards[1]) as workers:
        workers.write([])
        # A lock of another machine may not be seen.
        with pytest.raises(ConfigError, match=f"{shards[1]} is being written"):
            merge_runs(shards, tmp_path / "run")
    with pytest.raises(ConfigError, match="nothing to merge"):
        merge_runs([], tmp_path / "run")
    strange = tmp_path / "strange"
    strange.mkdir()
    (strange / "notes.txt").touch()
    with pytest.raises(ConfigError, match="contains no run"):
        merge_runs(shards, strange)


def test_media_are_copied_where_they_cannot_be_linked(
    shards: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    merge_runs(shards[:1], tmp_path / "linked")
    name = sorted(media_of(shards[0]))[0]
    assert (tmp_path / "linked/media" / name[:2] / name).samefile(shards[0] / "media" / name[:2] / name)

    def refuse(*_: object) -> None:
        raise OSError(errno.EXDEV, "on another device")

    monkeypatch.setattr(os, "link", refuse)
    merge_runs(shards, tmp_path / "run")
    assert media_of(tmp_path / "run") == set().union(*map(media_of, shards)) and not media_notes(tmp_path / "run")
    # What a power cut left empty is written again.
    (tmp_path / "run/media" / name[:2] / name).write_bytes(b"")
    merge_runs(shards, tmp_path / "run")
    assert not media_notes(tmp_path / "run")


def test_what_shards_left_out_on_purpose_is_said_of_the_merged_run(shards: list[Path], tmp_path: Path) -> None:
    note_not_kept(shards[1] / "media", "none")
    merge_runs(shards, tmp_path / "run")
    assert "not kept (--media none)" in not_kept_note(tmp_path / "run")
    merge_runs(shards[2:], tmp_path / "other")
    assert not not_kept_note(tmp_path / "other")


def test_what_a_shard_left_out_is_said_again_only_with_further_lines(shards: list[Path], tmp_path: Path) -> None:
    out, journal = tmp_path / "run", shards[1] / FILE
    note_not_kept(shards[1] / "media", "none")
    whole = journal.read_bytes()
    journal.write_bytes(whole[: whole.rindex(b'{"event":"episode_started"')])
    merge_runs(shards, out)
    # As `rerender` does once every capture is there.
    forget_not_kept(out / "media")
    merge_runs(shards, out)
    assert not not_kept_note(out)
    journal.write_bytes(whole)
    merge_runs(shards, out)
    assert "--media none" in not_kept_note(out)


def test_lines_that_come_in_while_media_are_copied_are_left_for_later(
    shards: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, media, aside = shards[0] / FILE, shards[0] / "media", tmp_path / "aside"
    whole = journal.read_bytes()
    cut = whole.index(b"\n") + 1
    journal.write_bytes(whole[:cut])
    media.rename(aside)

    def take_and_go_on(*arguments: Any) -> None:
        _take_media(*arguments)
        aside.rename(media)
        journal.write_bytes(whole)

    monkeypatch.setattr(merge, "_take_media", take_and_go_on)
    told = merge_runs(shards[:1], tmp_path / "run")
    assert told.episodes == 0 and told.torn == () and (tmp_path / "run" / FILE).read_bytes() == whole[:cut]
    monkeypatch.undo()
    assert merge_runs(shards[:1], tmp_path / "run").episodes > 0 and not media_notes(tmp_path / "run")


def test_the_commands_play_shards_merge_them_and_say_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["run", "--suite", "toy", "--planner", "oracle", "--trials", "3"]
    said = omnipilot(*words, "--shard", "1/2", "--out", "part/1")
    assert said.returncode == 0 and "this was shard 1/2" in said.stderr
    said = omnipilot("merge", "part/1", "--out", "whole")
    assert said.returncode == 0 and "not there: shard 2/2" in said.stdout and "not finished: " in said.stdout
    assert omnipilot(*words, "--shard", "2/2", "--out", "part/2").returncode == 0
    (tmp_path / "part/logs").mkdir()
    (tmp_path / "part/merge.sbatch").touch()
    parts = sorted(map(str, Path("part").glob("*")))
    said = omnipilot("merge", *parts, "--out", "whole")
    assert said.stderr.startswith("left out, as there is no run in them: part/logs, part/merge.sbatch\n")
    assert said.stdout.splitlines() == [
        "whole: 3 of 3 episodes, 1 of them new",
        "table and page: omnipilot report whole",
    ]
    assert omnipilot("report", "whole").returncode == 0
    said = omnipilot("merge", "part/1", "part/7", "--out", "whole")
    assert said.returncode == 2 and "there is no run in part/7" in said.stderr
    said = omnipilot(*words, "--shard", "3/2", "--out", "part/3")
    assert said.returncode == 2 and "counted from 1/2 to 2/2" in said.stderr
    said = omnipilot(*words, "--shard", "2/2", "--out", "part/2", "--dry-run")
    assert " of shard 2/2: " in said.stdout and " 0 to run" in said.stdout


def test_a_shard_without_episodes_is_no_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["run", "--suite", "toy", "--planner", "oracle"]
    for number in "123":
        said = omnipilot(*words, "--shard", f"{number}/3", "--out", f"part/{number}")
        assert said.returncode == 0, said.stderr
    said = omnipilot("merge", "part/1", "part/2", "part/3", "--out", "whole")
    assert said.stdout.startswith("whole: 1 of 1 episodes") and "not there" not in said.stdout


def test_a_sweep_is_played_in_shards_and_merged_cell_by_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["sweep", "--suite", "toy", "--planner", "oracle", "--planner", "noop", "--trials", "2", "--turns", "3"]
    for number in "12":
        said = omnipilot(*words, "--shard", f"{number}/2", "--out", f"part/{number}")
        assert said.returncode == 0 and f"this was shard {number}/2" in said.stderr, said.stderr
    said = omnipilot("merge", "part/1", "part/2", "--out", "whole")
    assert said.stdout.count("2 of 2 episodes") == 2, said.stdout + said.stderr
    said = omnipilot(*words, "--out", "whole")
    assert said.returncode == 0 and "episodes to run" not in said.stderr
    said = omnipilot("merge", "part/1", "whole/" + sorted(os.listdir("whole"))[0], "--out", "other")
    assert said.returncode == 2 and "merge them apart" in said.stderr
    (tmp_path / "ablation.toml").write_text('suite = "toy"\nplanner = "oracle"\nshard = "1/2"\n', encoding="utf-8")
    said = omnipilot("ablate", "--config", "ablation.toml")
    assert said.returncode == 2 and "not played in shards" in said.stderr
