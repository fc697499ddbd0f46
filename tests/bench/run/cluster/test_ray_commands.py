"""Commands that play in a Ray cluster which `ray start` began with a token: runs, sweeps, resources, Ray's client."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from omnipilot.bench.journal.events import WorkerJoined
from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.load_runs import load_run

pytestmark = [pytest.mark.needs("Ray"), pytest.mark.slow, pytest.mark.timeout(280)]
TOKEN = "a-token-of-this-test-alone-" + "0" * 16
FIXTURES = Path(__file__).parents[3] / "fixtures"


@dataclass(frozen=True)
class Started:
    """A cluster of one node with one `vm`: ports of its head and of its server for clients, and its environment."""

    head: int
    client: int
    env: dict[str, str]

    def command(self, *words: str, token: str = TOKEN) -> subprocess.CompletedProcess[str]:
        """What a command of omnipilot says in a process of its own."""
        code = "import sys; from omnipilot.bench.cli.app import main; sys.exit(main())"
        return subprocess.run(
            [sys.executable, "-c", code, *words],
            env={**self.env, "RAY_AUTH_TOKEN": token},
            capture_output=True,
            text=True,
            timeout=120,
        )


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture(scope="module")
def cluster() -> Iterator[Started]:
    head, client = free_port(), free_port()
    known = [str(FIXTURES), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    settings = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": TOKEN, "RAY_USAGE_STATS_ENABLED": "0"}
    env = {**os.environ, **settings, "PYTHONPATH": os.pathsep.join(known)}
    ports = [f"--port={head}", f"--ray-client-server-port={client}"]
    more = ["--num-cpus=2", "--resources", json.dumps({"vm": 1}), "--include-dashboard=false", "--block"]
    ray = Path(sys.executable).with_name("ray")
    begun = subprocess.Popen(
        [ray, "start", "--head", *ports, *more],
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        for port in (head, client):
            wait_for(port, begun)
        yield Started(head, client, env)
    finally:
        begun.send_signal(signal.SIGTERM)
        try:
            begun.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(begun.pid, signal.SIGKILL)
            begun.wait(10)


def wait_for(port: int, begun: subprocess.Popen[bytes]) -> None:
    """Until something listens there."""
    end = time.monotonic() + 90
    while time.monotonic() < end and begun.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1.0).close()
            return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"nothing listens on port {port}")


RUN = ("--suite", "toy", "--planner", "oracle", "--instances", "2", "--jobs", "2")


@pytest.mark.parametrize("address", ["127.0.0.1:{head}", "ray://127.0.0.1:{client}"])
def test_a_run_plays_with_the_token_and_says_where(cluster: Started, tmp_path: Path, address: str) -> None:
    where = address.format(head=cluster.head, client=cluster.client)
    out = tmp_path / "run"
    said = cluster.command("run", *RUN, "--cluster", where, "--out", str(out))
    assert said.returncode == 0, said.stderr
    assert [episode.success for episode in load_run(out).episodes] == [True, True]
    joined = [event for event in read(out) if isinstance(event, WorkerJoined)]
    assert joined and {one.host for one in joined} == {socket.gethostname()}


def test_a_wrong_token_is_refused_with_the_cure(cluster: Started, tmp_path: Path) -> None:
    where = f"127.0.0.1:{cluster.head}"
    said = cluster.command("run", *RUN, "--cluster", where, "--out", str(tmp_path / "run"), token="another" * 6)
    assert said.returncode != 0 and "RAY_AUTH_TOKEN" in said.stderr


def test_a_sweep_plays_all_of_its_cells_there(cluster: Started, tmp_path: Path) -> None:
    words = (*RUN, "--planner", "noop", "--cluster", f"127.0.0.1:{cluster.head}", "--out", str(tmp_path / "sweep"))
    said = cluster.command("sweep", *words)
    assert said.returncode == 0, said.stderr
    folders = [path.parent for path in (tmp_path / "sweep").glob("*/journal.jsonl")]
    assert len(folders) == 2
    assert sorted(sum(one.success for one in load_run(folder).episodes) for folder in folders) == [0, 2]
    assert all(any(isinstance(event, WorkerJoined) for event in read(folder)) for folder in folders)


def test_what_a_world_needs_is_leased_from_the_machine(cluster: Started, tmp_path: Path) -> None:
    """Two workers are asked for, and there is one `vm`: one of them plays everything."""
    out = tmp_path / "run"
    suite = ("--suite", "toy_suite:LeasingSuite", "--planner", "random", "--tasks", "count", "--instances", "3")
    where = ("--jobs", "2", "--cluster", f"127.0.0.1:{cluster.head}", "--out", str(out))
    said = cluster.command("run", *suite, *where)
    assert said.returncode == 0, said.stderr
    assert len(load_run(out).episodes) == 3
    assert len([event for event in read(out) if isinstance(event, WorkerJoined)]) == 1
