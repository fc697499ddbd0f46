"""A worker on another machine, with a stand-in for the cluster: lines, media, and how it is refused and lost."""

from __future__ import annotations

import hashlib
import os
import platform
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from toy_suite import toy_spec

from omnipilot.bench.journal.events import WorkerJoined
from omnipilot.bench.journal.journal import read
from omnipilot.bench.run import runner
from omnipilot.bench.run.cluster.address import is_ray
from omnipilot.bench.run.cluster.node_worker import MediaNames, NodeWorker
from omnipilot.bench.run.cluster.remote_process import FetchedMedia, NodeLost, RemoteProcess
from omnipilot.bench.run.cluster.same_code import code_here
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.executors.coordinator import RunFailed
from omnipilot.bench.run.executors.processes import ChildProcess
from omnipilot.envs import ConfigError
from omnipilot.memory import MediaStore
from omnipilot.memory.store.media_store import MediaError


class LocalNode:
    """A node on this machine, which may be lost after some lines, or never come."""

    def __init__(self, lost_after: int = 0, never: bool = False, code: str = "") -> None:
        self.fetched: list[str] = []
        self._code, self._lost_after, self._read = code, lost_after, 0
        self._killed = threading.Event()
        self._never = never
        self._worker = None if never else NodeWorker("")

    def about(self) -> dict[str, Any]:
        if self._worker is None:
            self._killed.wait(60)
            raise NodeLost("never came")
        found = self._worker.about()
        return {**found, "code": self._code or found["code"]}

    def order(self, line: bytes) -> None:
        assert self._worker is not None
        self._worker.order(line)

    def read(self) -> list[tuple[bytes, list[str]]] | None:
        assert self._worker is not None
        if self._killed.is_set() or (self._lost_after and self._read >= self._lost_after):
            raise NodeLost("the node died")
        lines = self._worker.read()
        self._read += len(lines or ())
        return lines

    def medium(self, name: str) -> bytes:
        assert self._worker is not None
        self.fetched.append(name)
        return self._worker.medium(name)

    def bury(self) -> int:
        assert self._worker is not None
        return self._worker.bury()

    def kill(self) -> None:
        self._killed.set()
        if self._worker is not None:
            self._worker.bury()


def cluster_of(nodes: list[LocalNode], then: Callable[[], LocalNode] = LocalNode) -> Callable[..., Any]:
    """A stand-in for `workers_of`, with these nodes first."""
    left = iter(list(nodes))

    @contextmanager
    def workers(cluster: str, media: Path, suite: object) -> Iterator[Callable[[tuple[int, int]], ChildProcess]]:
        captures = FetchedMedia(media)
        yield lambda handles: RemoteProcess(next(left, None) or then(), handles, code_here(), captures)

    return workers


def play(folder: Path, jobs: int = 2, cluster: str = "auto", trials: int = 4) -> Any:
    return runner.run(toy_spec("count", trials=trials), folder, RunExecution(jobs, cluster=cluster))


def table(result: Any) -> list[Any]:
    return sorted((episode.key, episode.success, episode.void) for episode in result.episodes)


def media_of(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in (folder / "media").glob("??/*")}


@pytest.mark.slow
def test_a_cluster_gives_the_same_table_and_the_same_media(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = play(tmp_path / "here", cluster="")
    nodes = [LocalNode(), LocalNode()]
    monkeypatch.setattr(runner, "workers_of", cluster_of(nodes))
    there = play(tmp_path / "there")
    assert table(here) == table(there) and media_of(tmp_path / "here") == media_of(tmp_path / "there")
    fetched = [name for node in nodes for name in node.fetched]
    assert fetched and len(set(fetched)) >= len(fetched) / 2
    joined = [event for event in read(tmp_path / "there") if isinstance(event, WorkerJoined)]
    assert 1 <= len(joined) <= 2 and {one.host for one in joined} == {socket.gethostname()}
    assert all(one.provenance["python"] == platform.python_version() for one in joined)
    assert not [event for event in read(tmp_path / "here") if isinstance(event, WorkerJoined)]


@pytest.mark.slow
def test_the_episode_of_a_lost_node_is_played_again_with_its_number_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "workers_of", cluster_of([LocalNode(lost_after=3), LocalNode()]))
    there = play(tmp_path)
    keys = [episode.key for episode in there.episodes]
    assert len(keys) == len(set(keys)) == 4 and not any(episode.void for episode in there.episodes)
    assert sorted(episode.attempt for episode in there.episodes) == [1, 1, 1, 2]


@pytest.mark.slow
def test_workers_that_never_come_hold_nothing_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "workers_of", cluster_of([LocalNode(never=True), LocalNode()]))
    assert len(play(tmp_path, trials=2).episodes) == 2


@pytest.mark.slow
def test_a_cluster_that_only_loses_workers_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "workers_of", cluster_of([], lambda: LocalNode(lost_after=1)))
    with pytest.raises(RunFailed, match="workers died in a row"):
        play(tmp_path, jobs=1, trials=1)


def test_a_worker_with_other_code_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "workers_of", cluster_of([LocalNode(code="0" * 64)]))
    with pytest.raises(ConfigError, match="code 000000000000.*install the same on all machines"):
        play(tmp_path, jobs=1, trials=1)


def test_a_cluster_needs_workers(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--jobs 8"):
        play(tmp_path, jobs=0)


def test_files_are_named_once_before_the_line_and_after_what_they_name(tmp_path: Path) -> None:
    frame, film, late = (hashlib.sha256(name).hexdigest() for name in (b"frame", b"film", b"late"))

    def write(name: str, content: str) -> None:
        path = tmp_path / name[:2] / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)

    write(f"{frame}.png", "x")
    write(f"{film}.json", f'{{"frames":[[0,"{frame}"]]}}')
    names = MediaNames(tmp_path)
    line = f'{{"event":"turn","video":"{film}","audio":"{late}"}}'.encode()
    assert names.before(line) == [f"{frame[:2]}/{frame}.png", f"{film[:2]}/{film}.json"]
    assert names.before(line) == []
    write(f"{late}.wav", "y")
    assert names.before(b'{"event":"episode_ended"}') == [f"{late[:2]}/{late}.wav"]


def test_a_store_takes_no_file_under_another_name(tmp_path: Path) -> None:
    with pytest.raises(MediaError, match="no file of a media store"):
        MediaStore(tmp_path).add_file("../spec.json", b"")


def test_whoever_sees_the_mark_writes_into_the_folder_of_the_run(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    mark.touch()
    worker = NodeWorker(str(mark))
    assert worker.bury() == -9 and os.listdir(tmp_path) == ["mark"]


@pytest.mark.parametrize(("name", "ray"), [("auto", True), ("ray://h:1", True), ("h:6379", True), ("slurm", False)])
def test_addresses_of_ray(name: str, ray: bool) -> None:
    assert is_ray(name) is ray
