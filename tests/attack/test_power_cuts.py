"""After a power cut at any moment, every episode that was told to be done is there with all its captures.

The writes of a run are recorded as the system saw them. What a power cut can leave after each of them is put into a
folder, which is read, reported and gone on with. `test_disks.py` cuts the power of a real disk.
"""

import hashlib
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from command_line import omnipilot
from power_cut import Call, Disk, Node, promised, record, torn, zeros
from toy_suite import table, toy_spec

from omnipilot.bench.journal.evidence import check_media
from omnipilot.bench.journal.journal import FILE, MEDIA
from omnipilot.bench.journal.load_runs import load_checked
from omnipilot.bench.run import run

pytestmark = pytest.mark.needs("strace")
TOY = Path(__file__).parents[1] / "fixtures" / "toy_suite.py"
TASKS, INSTANCES = ("count", "answer"), 2
EVERY = 12
"""One call of so many is looked at by default, beside those that sync the journal."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
_ENDED = re.compile(r'"event":"episode_ended","key":"([^"]*)"')


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    """The table of a run that nothing disturbs."""
    return table(run(toy_spec(*TASKS, instances=INSTANCES), tmp_path_factory.mktemp("whole") / "run").episodes)


@pytest.fixture(scope="module", params=[0, pytest.param(2, marks=pytest.mark.slow)], ids=["here", "workers"])
def calls(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Call]:
    """The writes of such a run, in order."""
    folder = tmp_path_factory.mktemp("recorded") / "disk"
    folder.mkdir()
    command = [sys.executable, str(TOY), str(folder / "run"), str(request.param), ",".join(TASKS), str(INSTANCES), "0"]
    found = record(command, folder, folder.parent / "log")
    # The recording is one: what it says was written is what is there.
    disk = Disk()
    for call in found:
        disk.take(call)
    disk.leave(folder.parent / "again", lambda node: node.written, promised_names=False)
    for path in (folder / "run").rglob("*"):
        if path.is_file():
            again = folder.parent / "again" / path.relative_to(folder)
            assert path.read_bytes() == again.read_bytes(), path
    return found


def ended(content: str) -> set[str]:
    """The episodes that a journal says have ended."""
    return set(_ENDED.findall(content))


def synced(disk: Disk) -> str:
    """What of the journal is on the disk, by all that was promised."""
    node: Node | None = disk.root
    for name in ("run", FILE):
        assert node is not None
        node = node.synced_names.get(name)
        if node is None:
            return ""
    return node.synced.decode()


def syncs(calls: list[Call]) -> list[int]:
    """The calls that sync the journal: each but the first and the last ends an episode."""
    return [number for number, call in enumerate(calls) if call.name == "sync" and call.paths[0].endswith(FILE)]


def moments(calls: list[Call], every: int) -> set[int]:
    """One call of `every`, and those around each that syncs the journal."""
    around = {near for number in syncs(calls) for near in (number - 1, number)}
    return {*around, *range(0, len(calls), every), len(calls) - 1}


def cuts(calls: list[Call], when: set[int]) -> Iterator[tuple[int, Disk]]:
    """The disk after some of the calls."""
    disk = Disk()
    for number, call in enumerate(calls):
        disk.take(call)
        if number in when:
            yield number, disk


def states(number: int, disk: Disk, folder: Path) -> Iterator[Path]:
    """What a power cut can leave, from the least to the strangest; each in a folder that is gone afterwards."""
    ways = ((promised, True), (promised, False), (zeros, False), (torn(Random(number)), False))
    seen = set()
    for way, names in ways:
        disk.leave(folder, way, names)
        content = [(str(path), path.is_file() and path.read_bytes()) for path in sorted(folder.rglob("*"))]
        stamp = hashlib.sha256(repr(content).encode()).hexdigest()
        if stamp not in seen:
            yield folder
        seen.add(stamp)
        shutil.rmtree(folder)


def captures_of(keys: set[str], journal: str) -> set[str]:
    """The digests that the lines of episodes name."""
    lines = [line for line in journal.splitlines() if any(f'"key":"{key}"' in line for key in keys)]
    return {digest for line in lines for digest in _DIGEST.findall(line)}


def is_begun(out: Path) -> bool:
    """Whether there is a run to read: without a specification or a journal, readers say so in a line."""
    return (out / "spec.json").exists() and (out / FILE).exists()


def is_kept(out: Path, finished: set[str], journal: str, wanted: list[dict[str, object]], all_media: set[str]) -> None:
    """A run directory after a power cut holds the finished episodes and what they name, and no wrong one."""
    if not is_begun(out):
        assert not finished
        return
    rows = table(load_checked(out).episodes)
    assert all(row in wanted for row in rows)
    assert finished <= {str(row["key"]) for row in rows}
    named = captures_of(finished, journal) & all_media
    there = {path.stem for path in (out / MEDIA).glob("??/*")}
    damaged = {digest for line in check_media(out) for digest in _DIGEST.findall(line)}
    assert named <= there and not named & damaged


def look(calls: list[Call], when: set[int], folder: Path, wanted: list[dict[str, object]]) -> int:
    """Look at the states after calls; how many there were."""
    all_media = {Path(path).stem for call in calls for path in call.paths if f"/{MEDIA}/" in path}
    count = 0
    for number, disk in cuts(calls, when):
        journal = synced(disk)
        for state in states(number, disk, folder):
            is_kept(state / "run", ended(journal), journal, wanted, all_media)
            count += 1
    assert ended(synced(disk)) == {str(row["key"]) for row in wanted}
    return count


@pytest.mark.slow
def test_what_was_done_is_there_after_a_power_cut(
    calls: list[Call], tmp_path: Path, wanted: list[dict[str, object]]
) -> None:
    assert look(calls, moments(calls, EVERY), tmp_path / "state", wanted) > 20


@pytest.mark.slow
def test_what_was_done_is_there_after_one_at_every_moment(
    calls: list[Call], tmp_path: Path, wanted: list[dict[str, object]]
) -> None:
    assert look(calls, moments(calls, 1), tmp_path / "state", wanted) > len(calls)


def goes_on(calls: list[Call], when: set[int], folder: Path, wanted: list[dict[str, object]]) -> None:
    """What is left is reported, and the same command plays the rest and leaves a whole record."""
    for number, disk in cuts(calls, when):
        for state in states(number, disk, folder):
            out = state / "run"
            told = omnipilot("report", str(out))
            assert told.returncode in (0, 2) and "Traceback" not in told.stderr, told.stderr[-2_000:]
            finished = {row.key for row in load_checked(out).episodes} if is_begun(out) else set()
            again = run(toy_spec(*TASKS, instances=INSTANCES), out)
            assert table(again.episodes) == wanted and again.ran == len(wanted) - len(finished)
            assert not check_media(out)


def test_a_run_goes_on_after_a_power_cut(calls: list[Call], tmp_path: Path, wanted: list[dict[str, object]]) -> None:
    # In the middle of an episode, before its captures are synced: their names may be there without their content.
    middle = syncs(calls)[len(wanted) // 2]
    before = next(number for number in range(middle + 1, len(calls)) if calls[number].name == "sync") - 1
    goes_on(calls, {before}, tmp_path / "state", wanted)


@pytest.mark.slow
def test_a_run_goes_on_after_one_at_many_moments(
    calls: list[Call], tmp_path: Path, wanted: list[dict[str, object]]
) -> None:
    goes_on(calls, moments(calls, EVERY), tmp_path / "state", wanted)


def test_names_come_after_content_and_what_refers_to_them_last(calls: list[Call]) -> None:
    """The order by itself: a specification gets its name when it is on the disk, and a journal its episode's end when
    the captures are."""
    disk, named = Disk(), 0
    for call in calls:
        if call.name == "rename" and call.paths[1].endswith("spec.json"):
            node = disk.root.names["run"].names["spec.json.new"]  # type: ignore[index]
            assert node.synced == node.written and node.written
            named += 1
        if call.name == "write" and call.paths[0].endswith(FILE) and _ENDED.search(call.data.decode()):
            unsynced = captures(disk, promised_names=False) - captures(disk, promised_names=True)
            keys = ended(call.data.decode())
            before = disk.root.names["run"].names[FILE].written.decode()  # type: ignore[index]
            assert not captures_of(keys, before + call.data.decode()) & unsynced
            named += 1
        disk.take(call)
    assert named > INSTANCES


def captures(disk: Disk, promised_names: bool) -> set[str]:
    """The digests of the captures on a disk; those that are promised with their content."""

    def inside(node: Node | None) -> dict[str, Node]:
        return {} if node is None else node.synced_names if promised_names else node.names or {}

    media = inside(inside(disk.root).get("run")).get(MEDIA)
    files = {Path(name).stem: file for folder in inside(media).values() for name, file in inside(folder).items()}
    return {name for name, file in files.items() if not promised_names or file.synced == file.written}
