"""Workers in a Ray cluster of this machine beside our own, in one process that has Ray: the same episodes, in turns.

    .venv-ray/bin/python tests/perf/speed_ray.py

prints the figures as JSON; `make bench AREA=ray` does so with the environment of `make ray`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from speed_delay import delaying_server
from speed_scale import ANSWER, slow_spec, tasks, watching

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.run import run
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.spec import RunLimits

ROUNDS = 3
BUSY, BUSY_JOBS = 120, 2
"""Oracle episodes of `duet`, of three instances, which want a processor all the time."""
WAITING, TURNS, DELAY = 16, 10, 1.0
"""Episodes at once that wait for a model, their turns, and seconds that the model takes for each."""


@dataclass(frozen=True, slots=True)
class Played:
    """A run, the median of several.

    Attributes:
        seconds: from the beginning of the first episode to the end of the last. apart: seconds of the run before and
            after that. shared: megabytes of all processes (PSS), those of the cluster included; the most seen.
    """

    seconds: float
    apart: float
    shared: float


@dataclass(frozen=True, slots=True)
class Beside:
    """What our own workers take, and what Ray's take, for episodes that compute and for episodes that wait."""

    busy: Played
    busy_ray: Played
    waiting: Played
    waiting_ray: Played


def beside(interpreter: str) -> Beside:
    """Measure with an interpreter that has Ray."""
    script = [interpreter, str(Path(__file__).resolve())]
    done = subprocess.run(script, stdout=subprocess.PIPE, check=True, timeout=1800)
    return Beside(**{name: Played(**figures) for name, figures in json.loads(done.stdout).items()})


def measure() -> Beside:
    """Play both kinds of episodes with both kinds of workers, in turns; Ray is imported here."""
    busy = RunSpec(AgentSpec(planner=PartSpec("oracle")), PartSpec("duet"), instances=BUSY // 40)
    seen: dict[str, list[Played]] = {}
    with delaying_server(DELAY, ANSWER) as port:
        waiting = slow_spec(port, tasks(WAITING), RunLimits(turns=TURNS, actions=0))
        for _ in range(ROUNDS):
            for name, spec, jobs in (("busy", busy, BUSY_JOBS), ("waiting", waiting, WAITING)):
                seen.setdefault(name, []).append(play(spec, jobs))
                with cluster(jobs) as address:
                    seen.setdefault(f"{name}_ray", []).append(play(spec, jobs, address))
    return Beside(**{name: _medians(played) for name, played in seen.items()})


def play(spec: RunSpec, jobs: int, address: str = "") -> Played:
    """Play a run with so many workers, in a cluster if an address is given."""
    with tempfile.TemporaryDirectory() as folder, watching(0.5) as looks:
        began = time.monotonic()
        result = run(spec, Path(folder) / "run", RunExecution(jobs, media="none", cluster=address))
        took = time.monotonic() - began
    if any(episode.void for episode in result.episodes):
        raise RuntimeError("an episode came out void")
    return Played(result.seconds, took - result.seconds, max(looks.shared))


@contextmanager
def cluster(processors: int) -> Iterator[str]:
    """A cluster of one node that offers so many processors; its start is in no figure."""
    os.environ.update(RAY_AUTH_MODE="disabled", RAY_USAGE_STATS_ENABLED="0")
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": processors, "include_dashboard": False})
    try:
        yield made.address
    finally:
        for node in made.list_all_nodes():
            node.kill_all_processes(check_alive=False, allow_graceful=False, wait=True)


def _medians(played: list[Played]) -> Played:
    return Played(*(median(getattr(one, name) for one in played) for name in Played.__slots__))


if __name__ == "__main__":
    # What Ray prints goes beside the figures.
    out = os.dup(1)
    os.dup2(2, 1)
    os.write(out, json.dumps(asdict(measure())).encode())
    sys.stdout.flush()
