"""Real disks that get full, turn read-only or lose their power under a run: what had ended is there, and goes on."""

import subprocess
import time
from pathlib import Path

import pytest
from small_disk import SmallDisk
from toy_suite import table, toy_spec

from omnipilot.bench import load_run
from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import EpisodeEnded
from omnipilot.bench.journal.journal import FILE
from omnipilot.bench.journal.load_runs import load_checked
from omnipilot.bench.run import run

INSTANCES = 24


def asked(disk: SmallDisk, jobs: int = 0, delay: float = 0.0) -> tuple[str, ...]:
    """The command of a run of short episodes onto a disk."""
    what = ("run", "--suite", "toy_suite:ToySuite", "--tasks", "count", "--planner", "oracle")
    how = ("--instances", str(INSTANCES), "--jobs", str(jobs), "--option", f"suite.delay={delay}")
    return (*what, *how, "--out", str(disk.path / "run"))


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    """The table of a run that nothing disturbs."""
    return table(run(toy_spec("count", instances=INSTANCES), tmp_path_factory.mktemp("whole") / "run").episodes)


def told_in_a_line(done: subprocess.CompletedProcess[str]) -> str:
    """The one line of a command that could not go on."""
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr[-2_000:]
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("omnipilot:")]
    return line


def ended(disk: SmallDisk, wanted: list[dict[str, object]]) -> set[str]:
    """The keys of the episodes that are there, each of them right."""
    rows = table(load_run(disk.seen / "run").episodes)
    assert all(row in wanted for row in rows)
    return {str(row["key"]) for row in rows}


def goes_on(
    disk: SmallDisk, wanted: list[dict[str, object]], kept: set[str], jobs: int = 0, delay: float = 0.0
) -> None:
    """The same command plays what is missing, and no more; the record is whole."""
    again = disk.run(*asked(disk, jobs, delay))
    assert again.returncode == 0, again.stderr[-2_000:]
    done = load_checked(disk.seen / "run")
    assert table(done.episodes) == wanted
    assert not [problem for problem in done.problems if "captures" in problem or "cannot be used" in problem]
    attempts = {row.key: row.attempt for row in done.episodes}
    assert all(attempts[key] == 1 for key in kept)


@pytest.mark.parametrize("jobs", [0, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.needs("mounts")
def test_a_disk_that_gets_full(jobs: int, tmp_path: Path, wanted: list[dict[str, object]]) -> None:
    with SmallDisk(tmp_path, "160k") as disk:
        line = told_in_a_line(disk.run(*asked(disk, jobs)))
        assert "No space left" in line and "make room there, and run the same command again" in line
        kept = ended(disk, wanted)
        assert 0 < len(kept) < INSTANCES
        # Full is full: asking again changes nothing, and loses nothing.
        told_in_a_line(disk.run(*asked(disk, jobs)))
        assert ended(disk, wanted) >= kept
        disk.remount("size=16m")
        goes_on(disk, wanted, kept, jobs)


@pytest.mark.slow
@pytest.mark.needs("mounts")
def test_a_disk_that_takes_no_more_files(tmp_path: Path, wanted: list[dict[str, object]]) -> None:
    with SmallDisk(tmp_path, "16m", options="nr_inodes=30") as disk:
        line = told_in_a_line(disk.run(*asked(disk)))
        assert "No space left" in line and "takes no more files" in line and "delete some" in line
        kept = ended(disk, wanted)
        disk.remount("nr_inodes=10000")
        goes_on(disk, wanted, kept)


@pytest.mark.slow
@pytest.mark.needs("mounts")
def test_a_disk_that_is_read_only_between_two_starts(tmp_path: Path, wanted: list[dict[str, object]]) -> None:
    with SmallDisk(tmp_path, "160k") as disk:
        disk.remount("ro")
        line = told_in_a_line(disk.run(*asked(disk)))
        assert "Read-only" in line and "choose another place" in line
        disk.remount("rw")
        told_in_a_line(disk.run(*asked(disk)))
        kept = ended(disk, wanted)
        disk.remount("ro,size=16m")
        line = told_in_a_line(disk.run(*asked(disk)))
        assert "read-only" in line
        # What is there can be read and reported all the same.
        told = disk.run("report", str(disk.path / "run"))
        assert "Traceback" not in told.stderr and "count" in told.stdout, told.stderr[-2_000:]
        assert ended(disk, wanted) == kept
        disk.remount("rw")
        goes_on(disk, wanted, kept)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [0, 2])
@pytest.mark.needs("ext4")
def test_a_disk_that_turns_read_only_in_the_middle(jobs: int, tmp_path: Path, wanted: list[dict[str, object]]) -> None:
    with SmallDisk(tmp_path, "8m", "ext4", "errors=remount-ro") as disk:
        process = disk.start(*asked(disk, jobs, 0.02))
        _grow(disk, 12_000)
        while not (before := surely_ended(disk)):
            _grow(disk, disk.seen.joinpath("run", FILE).stat().st_size + 1)
        disk.fail()
        out, error = process.communicate(timeout=120)
        line = told_in_a_line(subprocess.CompletedProcess([], process.returncode, out, error))
        assert "read-only" in line.lower()
        kept = ended(disk, wanted)
        assert before and before <= kept and len(kept) < INSTANCES
        disk.power_on()
        # What the kernel had not written when the disk failed is gone, and nothing that was told to be done.
        assert ended(disk, wanted) >= before
        goes_on(disk, wanted, before, jobs, 0.02)


@pytest.mark.slow
@pytest.mark.parametrize(("jobs", "size"), [(0, 4_000), (0, 30_000), (2, 12_000), (2, 45_000)])
@pytest.mark.needs("ext4")
def test_a_disk_that_loses_its_power(jobs: int, size: int, tmp_path: Path, wanted: list[dict[str, object]]) -> None:
    with SmallDisk(tmp_path, "8m", "ext4") as disk:
        process = disk.start(*asked(disk, jobs, 0.02))
        _grow(disk, size)
        before = surely_ended(disk)
        disk.cut_power()
        out, error = process.communicate(timeout=120)
        line = told_in_a_line(subprocess.CompletedProcess([], process.returncode, out, error))
        assert "Input/output error" in line and "the disk fails" in line
        disk.power_on()
        assert ended(disk, wanted) >= before
        goes_on(disk, wanted, before, jobs, 0.02)


def surely_ended(disk: SmallDisk) -> set[str]:
    """The episodes that were told to be done: whatever follows the end of one is written when that end is synced."""
    *before, _ = read(disk.seen / "run")
    return {event.key for event in before if isinstance(event, EpisodeEnded)}


def _grow(disk: SmallDisk, size: int) -> None:
    """Wait until the journal has a size."""
    file, deadline = disk.seen / "run" / FILE, time.monotonic() + 60
    while not file.exists() or file.stat().st_size < size:
        assert time.monotonic() < deadline
        time.sleep(0.005)
