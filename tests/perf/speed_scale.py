"""Many episodes at once on one machine, against a model server that is slow: their speed-up, memory, and start."""

from __future__ import annotations

import json
import os
import select
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from speed_delay import delaying_server

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.registry import load_suite
from omnipilot.bench.run import run
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.executors.processes import WarmProcess
from omnipilot.bench.run.executors.worker_process import WorkerProcess
from omnipilot.bench.spec import RunLimits

TURNS, DELAY = 15, 3.0
"""Of an episode, and seconds that the server takes for each."""
TASKS = 40
SAID = json.dumps({"thought": "Not yet.", "actions": [{"kind": "wait", "seconds": 1}]})
ANSWER = json.dumps(
    {
        "model": "slow",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": SAID}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 20},
    }
).encode()


@dataclass(frozen=True, slots=True)
class Together:
    """What many episodes at once took.

    Attributes:
        ideal: their speed-up over the same calls one after the other, divided by their number; from the beginning of
            the first episode to the end of the last. seconds: by the clock, the start of the processes included.
        cpu: seconds of the processor, of all processes but the server.
        shared: megabytes of all processes but the server, pages that several share counted once (PSS); the most seen.
        load: processes that wanted a processor while they were played, on average, those of others included.
    """

    ideal: float
    seconds: float
    cpu: float
    shared: float
    load: float


@dataclass(frozen=True, slots=True)
class FurtherWorker:
    """What one more worker takes, the median of several: seconds until it is ready, and its megabytes (PSS)."""

    seconds: float
    shared: float


def together(jobs: int, turns: int = TURNS, delay: float = DELAY) -> Together:
    """Play so many episodes of `duet` at once, one a worker; the model alone takes `turns * delay` seconds of each."""
    trials = -(-jobs // TASKS)
    with delaying_server(delay, ANSWER) as port, tempfile.TemporaryDirectory() as folder, watching() as seen:
        limits = RunLimits(turns=turns, actions=0)
        spec = replace(slow_spec(port, tasks(-(-jobs // trials)), limits), trials=trials)
        began, before = time.monotonic(), _cpu_seconds()
        result = run(spec, Path(folder) / "run", RunExecution(jobs))
        seconds, cpu = time.monotonic() - began, _cpu_seconds() - before
    played = sum(episode.steps for episode in result.episodes)
    load = sum(seen.load) / max(1, len(seen.load))
    return Together(played * delay / result.seconds / jobs, seconds, cpu, max(seen.shared), load)


def further_worker(number: int = 8) -> FurtherWorker:
    """Start so many workers of a planner over a model from one warmed process, one after the other."""
    with delaying_server(0.0, ANSWER) as port, tempfile.TemporaryDirectory() as folder:
        start = {"spec": slow_spec(port, ()).to_json(), "media": f"{folder}/media"}
        warm = WarmProcess(start)
        select.select([warm.messages], [], [])
        warm.hear()
        workers, took = [], []
        for _ in range(number):
            began = time.perf_counter()
            workers.append(WorkerProcess(start, warm))
            assert workers[-1].read() == [b'{"worker": "ready"}\n']
            took.append(time.perf_counter() - began)
        family = [one for one in descendants() if "warm_process" in _command(one)]
        shared = [shared_megabytes(one) for one in family]
        for worker in workers:
            worker.bury()
        warm.close()
    return FurtherWorker(median(took), median(shared))


def slow_spec(port: int, tasks: tuple[str, ...], limits: RunLimits | None = None) -> RunSpec:
    """A run of an agent that asks the server at this port."""
    model = {"model": "openai-compatible/slow", "url": f"http://127.0.0.1:{port}/v1", "price_in": 0.0, "price_out": 0.0}
    return RunSpec(
        AgentSpec(planner=PartSpec("json", model)), PartSpec("duet"), tasks=tasks, limits=limits or RunLimits()
    )


def tasks(number: int) -> tuple[str, ...]:
    """The first tasks of `duet`."""
    return tuple(info.id for info in load_suite(PartSpec("duet")).tasks())[:number]


def _cpu_seconds() -> float:
    """Seconds of the processor that this process and those it has waited for took."""
    return sum(os.times()[:4])


def _command(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return ""


@dataclass
class Watched:
    """Megabytes of all processes (PSS), and processes that wanted a processor, at each look."""

    shared: list[float]
    load: list[float]


@contextmanager
def watching(every: float = 3.0) -> Iterator[Watched]:
    """Look at the memory of this process and of what it started, and at how busy the machine is, again and again."""
    seen, over = Watched([0.0], []), threading.Event()

    def look() -> None:
        while not over.wait(every):
            family = [one for one in descendants() if "multiprocessing" not in _command(one)]
            seen.shared.append(sum(map(shared_megabytes, family)))
            seen.load.append(os.getloadavg()[0])

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


def descendants(of: int | None = None) -> Iterator[int]:
    """The process ids of a process, this one if none is given, and of all that it started, directly or not."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents.setdefault(int(words[1]), []).append(int(stat.parent.name))
    waiting = [of or os.getpid()]
    while waiting:
        yield (one := waiting.pop())
        waiting += parents.get(one, [])


def shared_megabytes(process: int) -> float:
    """The memory of a process, each page divided by how many processes have it (PSS); 0 if it is gone."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
