"""Sessions: what a fork costs, how many steps a second they make, and what thousands of live ones take."""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from omnipilot import Session
from omnipilot.bench.session.pool_worker import collect_rarely
from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import Modality
from omnipilot.envs.schema import codec
from omnipilot.envs.sim import capture
from omnipilot.envs.sim.shared_pictures import SharedPictures

JUDGED: frozenset[Modality] = frozenset()
ELEMENTS = frozenset({Modality.ELEMENTS})
PICTURES = frozenset({Modality.SCREENSHOT})
FORKS = 1_000
LIVE, TURNS = 10_000, 1
VECTOR, PROCESSES = 1_024, 2
GROUP, MEMO = 64, 100_000


@dataclass(frozen=True, slots=True)
class Fork:
    """What a fork costs: microseconds of CPU, the best of five rounds, and bytes."""

    microseconds: float
    bytes: float


@dataclass(frozen=True, slots=True)
class Played:
    """What came of playing many sessions.

    Attributes:
        worlds: how many were played. steps: acts. cpu: seconds of CPU for them. solved: sessions that were. kept: how
            many live on. grown: MB of resident memory that came with these and their steps. resident: MB of the process
            at its largest.
    """

    worlds: int

    steps: int
    cpu: float
    solved: int
    kept: int
    grown: float
    resident: float

    @property
    def rate(self) -> float:
        """Steps a second of CPU."""
        return self.steps / self.cpu

    @property
    def each(self) -> float:
        """MB of memory that came with each world that was kept."""
        return self.grown / self.kept


def tasks() -> list[str]:
    """The tasks that are played: those for development."""
    return [info.id for info in Duet().tasks()]


def fork() -> Fork:
    """A fork in the middle of a task."""
    session = Session(Duet())
    session.open(tasks()[0])
    session.act({"env": "phone", "kind": "open_app", "app": "Notes"})
    session.observe()
    best = float("inf")
    for _ in range(5):
        began = time.process_time()
        made = [session.fork() for _ in range(FORKS)]
        best = min(best, time.process_time() - began)
        del made
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    made = [session.fork() for _ in range(FORKS)]
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return Fork(1e6 * best / FORKS, taken / len(made))


def apart(what: str, *arguments: Any) -> subprocess.Popen[str]:
    """Begin a measurement of this module in a process of its own."""
    words = [sys.executable, str(Path(__file__).resolve()), what, *map(str, arguments)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def result(started: subprocess.Popen[str]) -> Played:
    """What a process that was begun by `apart` found."""
    out, _ = started.communicate()
    if started.returncode:
        raise RuntimeError(f"a process of the measurement ended with status {started.returncode}")
    return Played(**json.loads(out))


def singles(looks: Collection[Modality], worlds: int = VECTOR) -> Played:
    """One session after the other over whole demonstrations, each on a world with caches of its own.

    Of each task, the first is kept, for its memory; the others are dropped when they are over. Tasks and instances are
    those of `vector`, in two processes as there, so that both have as much of the processor.
    """
    return _in_processes("singles", looks, worlds)


def vector(looks: Collection[Modality], worlds: int = VECTOR) -> Played:
    """Worlds side by side that take one step each in turns, over whole demonstrations, in two processes.

    Each world is another instance of its task; a process has whole tasks.
    """
    return _in_processes("vector", looks, worlds)


def _in_processes(what: str, looks: Collection[Modality], worlds: int) -> Played:
    begun = [apart(what, ",".join(looks), worlds, number) for number in range(PROCESSES)]
    found = [result(one) for one in begun]
    return Played(
        sum(one.worlds for one in found),
        sum(one.steps for one in found),
        sum(one.cpu for one in found),
        sum(one.solved for one in found),
        sum(one.kept for one in found),
        sum(one.grown for one in found),
        sum(one.resident for one in found),
    )


def groups(looks: Collection[Modality], size: int = GROUP) -> Played:
    """A group of forks for each task, which play its demonstration alike from its start, with a memo of moves."""
    return result(apart("groups", ",".join(looks), size))


def live(worlds: int = LIVE) -> Played:
    """Forks of all tasks that click on their own, each at random, and look at elements and pictures of both devices."""
    return result(apart("live", worlds))


def _resident() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _demonstrated(session: Session, task: str, instance: int) -> list[dict[str, Any]]:
    """Open a task; the verbs that solve it."""
    session.open(task, instance)
    course = session._course
    assert course is not None and course.task.solution is not None
    return [{"env": move.env, **codec.to_json(move.intent)} for move in course.task.solution(course.world)]


def _play(sessions: Sequence[tuple[Session, list[dict[str, Any]]]], looks: frozenset[Modality]) -> tuple[int, int]:
    steps = 0
    for turn in range(max(len(verbs) for _, verbs in sessions)):
        for session, verbs in sessions:
            if turn < len(verbs) and not session.ended:
                if looks:
                    session.observe(looks)
                session.act(verbs[turn])
                steps += 1
    return steps, sum(session.score().success for session, _ in sessions)


def _instances(worlds: int, part: int) -> list[tuple[str, int]]:
    """Tasks and instances that a process plays, all tasks of the same instance side by side."""
    mine = tasks()[part::PROCESSES]
    share = max(len(mine), worlds // PROCESSES)
    return [(mine[number % len(mine)], number // len(mine)) for number in range(share)]


def _measure_singles(looks: frozenset[Modality], worlds: int, part: int) -> Played:
    suite, steps, solved, cpu = Duet(), 0, 0, 0.0
    kept = []
    _warm_up(suite)
    before, grown = _resident(), 0.0
    chosen = _instances(worlds, part)
    for task, instance in chosen:
        capture.SHARED = SharedPictures()
        session = Session(suite)
        verbs = _demonstrated(session, task, instance)
        began = time.process_time()
        more, done = _play([(session, verbs)], looks)
        cpu += time.process_time() - began
        steps, solved = steps + more, solved + done
        if instance == 0:
            kept.append((session, capture.SHARED))
            grown = _resident() - before
    return Played(len(chosen), steps, cpu, solved, len(kept), grown, _resident())


def _warm_up(suite: Duet) -> None:
    """Play one task with everything to see, so that what is loaded once is not counted."""
    session = Session(suite)
    _play([(session, _demonstrated(session, tasks()[0], 0))], PICTURES | ELEMENTS)


def _measure_vector(looks: frozenset[Modality], worlds: int, part: int) -> Played:
    suite = Duet()
    _warm_up(suite)
    before = _resident()
    sessions = []
    # As a worker of a pool does with each session that it makes.
    collect_rarely(worlds // PROCESSES)
    for task, instance in _instances(worlds, part):
        session = Session(suite)
        sessions.append((session, _demonstrated(session, task, instance)))
    began = time.process_time()
    steps, solved = _play(sessions, looks)
    cpu = time.process_time() - began
    return Played(len(sessions), steps, cpu, solved, len(sessions), _resident() - before, _resident())


def _measure_groups(looks: frozenset[Modality], size: int) -> Played:
    suite, steps, solved, cpu, worlds = Duet(memo=MEMO), 0, 0, 0.0, 0
    _warm_up(suite)
    collect_rarely(size)
    before = _resident()
    for task in tasks():
        first = Session(suite)
        verbs = _demonstrated(first, task, 0)
        group = [(first.fork(), verbs) for _ in range(size)]
        began = time.process_time()
        more, done = _play(group, looks)
        cpu += time.process_time() - began
        steps, solved, worlds = steps + more, solved + done, worlds + len(group)
    return Played(worlds, steps, cpu, solved, worlds, _resident() - before, _resident())


def _measure_live(worlds: int) -> Played:
    suite = Duet()
    named = tasks()
    before = _resident()
    collect_rarely(worlds)
    sessions: list[Session] = []
    for number, task in enumerate(named):
        first = Session(suite)
        first.open(task)
        sessions += [first.fork() for _ in range(worlds // len(named) + (number < worlds % len(named)))]
    draw = random.Random(11)
    steps = 0
    began = time.process_time()
    for _ in range(TURNS):
        for session in sessions:
            seen = session.observe()
            env = draw.choice(sorted(seen))
            shown = [element for element in seen[env].elements if "offscreen" not in element.states]  # type: ignore[union-attr]
            center = draw.choice(shown).box.center
            session.act({"env": env, "kind": "click", "at": {"x": center.x, "y": center.y}})
            steps += 1
    for session in sessions:
        session.observe()
    cpu = time.process_time() - began
    return Played(len(sessions), steps, cpu, 0, len(sessions), _resident() - before, _resident())


def _modalities(text: str) -> frozenset[Modality]:
    return frozenset(Modality(name) for name in text.split(",") if name)


def main(arguments: Sequence[str]) -> None:
    """Measure what is named in this process, and print it as JSON."""
    what, *rest = arguments
    collect_rarely(0)
    if what == "singles":
        found = _measure_singles(_modalities(rest[0]), int(rest[1]), int(rest[2]))
    elif what == "vector":
        found = _measure_vector(_modalities(rest[0]), int(rest[1]), int(rest[2]))
    elif what == "groups":
        found = _measure_groups(_modalities(rest[0]), int(rest[1]))
    else:
        found = _measure_live(int(rest[0]))
    print(json.dumps(asdict(found)))


if __name__ == "__main__":
    main(sys.argv[1:])
