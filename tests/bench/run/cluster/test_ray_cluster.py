"""A real Ray cluster of two nodes on this machine: the same table as without, also when one of them dies."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from toy_suite import toy_spec

from omnipilot.bench.journal.journal import FILE
from omnipilot.bench.run import runner
from omnipilot.bench.run.cluster import ray_cluster
from omnipilot.bench.run.execution import RunExecution
from omnipilot.envs import ConfigError

pytestmark = [pytest.mark.needs("Ray"), pytest.mark.slow, pytest.mark.timeout(280)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes; the first is the head."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "disabled")
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[3] / "fixtures"))
        from ray.cluster_utils import Cluster

        made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        try:
            made.add_node(num_cpus=1)
            yield made
        finally:
            for node in made.list_all_nodes():
                # Not `made.shutdown`, which refuses to end the node that this process was connected to.
                node.kill_all_processes(check_alive=False, allow_graceful=False, wait=True)


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nodes that do not see the run's folder of media."""

    @contextmanager
    def unmarked(media: Path) -> Iterator[str]:
        yield ""

    monkeypatch.setattr(ray_cluster, "_marked", unmarked)


def table(result: Any) -> list[Any]:
    return sorted((episode.key, episode.success, episode.void) for episode in result.episodes)


def media_of(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in (folder / "media").glob("??/*")}


@pytest.mark.usefixtures("apart")
def test_a_table_is_the_same_with_ray(cluster: Any, tmp_path: Path) -> None:
    spec = toy_spec("count", trials=6)
    here = runner.run(spec, tmp_path / "here", RunExecution(2))
    there = runner.run(spec, tmp_path / "there", RunExecution(2, cluster=cluster.address))
    assert table(here) == table(there) and len(there.episodes) == 6
    assert media_of(tmp_path / "here") == media_of(tmp_path / "there")


@pytest.mark.usefixtures("apart")
def test_a_node_that_is_killed_loses_no_episode(cluster: Any, tmp_path: Path) -> None:
    spec = toy_spec("count", trials=40)
    node = cluster.add_node(num_cpus=1)
    killed = threading.Event()

    def kill() -> None:
        journal = tmp_path / FILE
        while not journal.exists() or journal.read_text().count("episode_started") < 6:
            time.sleep(0.02)
        raylet = node.all_processes["raylet"][0].process.pid
        os.kill(raylet, signal.SIGKILL)
        killed.set()

    threading.Thread(target=kill, daemon=True).start()
    there = runner.run(spec, tmp_path, RunExecution(3, cluster=cluster.address))
    assert killed.is_set()
    keys = [episode.key for episode in there.episodes]
    assert len(keys) == len(set(keys)) == 40 and not any(episode.void for episode in there.episodes)
    lines = (tmp_path / FILE).read_text().splitlines()
    assert sum('"event":"episode_ended"' in line for line in lines) == 40


def test_where_there_is_no_cluster_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    with pytest.raises(ConfigError, match="no connection to Ray"):
        runner.run(toy_spec("count"), tmp_path, RunExecution(1, cluster="127.0.0.1:1"))
