"""`make soak`: many episodes at many jobs, with kills of workers and of the run on the way: one table, flat memory?

    python tests/perf/soak_fleet.py
    python tests/perf/soak_fleet.py --rules 40 --mini 0 --jobs 4 --kills 3

For `rules` and for `mini`, the embedded world's suite is played twice: with kills (SIGKILL) spread over the episodes,
in turn of a worker, of the run's own process, and of the process that workers are forked from; and undisturbed, all of
it or a share of its episodes, drawn by lot. Whoever is killed is replaced, the run is started again, and
episodes that came out void by a kill are played again. In the end both have to tell the same of every episode that both
have played, times apart. *Lost* are episodes that had ended and were no longer
there after a kill, or are missing in the end; *twice* are those with two ends that count. The memory of all processes
of a run (PSS) is looked at every few seconds. Its slope is that of a line through what was seen of the undisturbed run,
once all workers had filled their caches, in megabytes a thousand episodes; a start that goes on has a level of its own.
Memory is flat if that line rises by no more than a tenth of the most that was seen, in all episodes of a whole run.
Most of it, and all of its swinging, are films that some of the workers hold. What a worker keeps when it holds none is
the least that was seen of it, in each quarter of the looks: this would rise if a worker let go of too little.
Episodes begin in an order drawn by lot: by the usual one, the long tasks, which take most memory, would all come first,
and it would seem to fall. Its curve is `memory.svg` in the folder of `rules` and of `mini`; `table.txt` is the table.

All of it lies in files: stopped at any moment, the same command goes on.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from math import inf
from pathlib import Path
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "fixtures")]

from speed_scale import descendants, shared_megabytes  # noqa: E402
from toy_suite import table  # noqa: E402

from omnipilot.agents import AgentSpec, PartSpec  # noqa: E402
from omnipilot.bench import RunSpec  # noqa: E402
from omnipilot.bench.journal import Slot, read  # noqa: E402
from omnipilot.bench.journal.events import EpisodeEnded  # noqa: E402
from omnipilot.bench.journal.journal import FILE  # noqa: E402
from omnipilot.bench.journal.load_runs import load_checked  # noqa: E402
from omnipilot.bench.live.tail import JournalTail  # noqa: E402
from omnipilot.bench.registry import load_suite  # noqa: E402
from omnipilot.bench.report.figures.draw import drawing_bytes  # noqa: E402
from omnipilot.bench.run import run, runner  # noqa: E402
from omnipilot.bench.run.execution import RunExecution  # noqa: E402
from omnipilot.bench.run.executors import worker  # noqa: E402
from omnipilot.bench.tables import Table  # noqa: E402

SUITE = "duet"
OPTIONS = {"rules": {"ocr": False}}
"""Of a planner. To read films takes hundreds of megabytes a worker, and seconds; this is not what is tried."""
KINDS = ("worker", "run", "worker", "warm process")
"""Who is killed, in turn."""
WARM_UP = 50
"""Episodes of each worker in which its caches fill, such as that of painted text: 48 MB, in some 40 of them. Memory is
called flat or not after these."""
FLAT = 0.1
"""Of the most memory seen: what a whole run may raise it by."""
LOOK = 0.1
"""Seconds between two looks at the journal."""


@dataclass(frozen=True)
class Soak:
    """A run that is played twice.

    Attributes:
        folder: of both, and of what was found. kills: at most so many. memory_seconds: between two looks at it.
        undisturbed: episodes of the run without kills, the rest of which is not played; 0 for all.
    """

    folder: Path
    spec: RunSpec
    jobs: int
    kills: int
    seed: int
    memory_seconds: float = 5.0
    undisturbed: int = 0

    @property
    def planned(self) -> int:
        """Episodes of the run."""
        return len(self.spec.tasks) * self.spec.instances


@dataclass(frozen=True, slots=True)
class Found:
    """What a soak came to.

    Attributes:
        kills: by who was killed. lost, twice: episodes. compared: episodes that both runs have played. differ: those
            of them of which the two tell different things.
        megabytes: of all processes, the most seen. slope: megabytes a thousand episodes. None: too few looks.
        kept: megabytes of a worker at its least, by quarter; none: too few looks.
    """

    episodes: int
    kills: Counter[str]
    lost: int
    twice: int
    differ: int
    megabytes: float | None
    slope: float | None
    compared: int = 0
    kept: tuple[float, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether nothing was lost, nothing is there twice, and both runs tell the same."""
        return not (self.lost or self.twice or self.differ)

    @property
    def flat(self) -> bool | None:
        """Whether all episodes of a run raise its memory by hardly anything; None: there were too few looks."""
        if self.slope is None or self.megabytes is None:
            return None
        return self.slope * self.episodes / 1000 <= FLAT * self.megabytes


def soak_spec(planner: str, episodes: int) -> RunSpec:
    """Tasks of the suite, as many as it has or as there are to be episodes, and enough instances."""
    tasks = tuple(info.id for info in load_suite(PartSpec(SUITE)).tasks())[:episodes]
    agent = AgentSpec(planner=PartSpec(planner, OPTIONS.get(planner, {})))
    return RunSpec(agent, PartSpec(SUITE), tasks=tasks, instances=-(-episodes // len(tasks)))


def soak(what: Soak) -> Found:
    """Play both runs, or what is left of them, and compare."""
    calm, shaken = what.folder / "undisturbed", what.folder / "shaken"
    what.folder.mkdir(parents=True, exist_ok=True)
    dice = Random(f"{what.seed} {what.planned} {what.kills}")
    moments = sorted(dice.sample(range(what.planned), min(what.kills, what.planned)))
    _play_all(calm, what, what.undisturbed or what.planned, (), dice)
    _play_all(shaken, what, what.planned, moments, dice)
    found = _compare(what, calm, shaken)
    curve = what.folder / "memory.svg"
    if not curve.exists():
        curve.write_bytes(drawing_bytes(lambda: draw_memory(_notes(what.folder / "memory")), "Memory of a soak"))
    return found


def _play_all(out: Path, what: Soak, wanted: int, moments: Sequence[int], dice: Random) -> None:
    """Start a run until so many of its episodes have an end that counts.

    Where episodes end faster than somebody can be killed, there are fewer kills than moments; the table says how many.
    """
    while (left := _left(out, wanted)) > 0:
        kills = len(_notes(what.folder / "kills"))
        _start(out, what, wanted, moments[kills:], dice)
        if _left(out, wanted) == left and len(_notes(what.folder / "kills")) == kills:
            raise RuntimeError(f"{out}: {left} episodes have no end, and another start brings none")


def _left(out: Path, wanted: int) -> int:
    """How many of the wanted episodes have no end that counts."""
    return wanted - len({key for key, _ in _ends(out)})


def _ends(out: Path) -> list[tuple[str, int]]:
    """Key and attempt of every end that counts: not of those that came out void."""
    if not (out / FILE).exists():
        return []
    return [(one.key, one.attempt) for one in read(out) if isinstance(one, EpisodeEnded) and not one.void]


def _start(out: Path, what: Soak, wanted: int, moments: Sequence[int], dice: Random) -> None:
    """Start a run, or what is left of it, and kill at these moments (episodes that have ended).

    It is over when it ends by itself or, of a part of a run, when so many episodes have ended.
    """
    spec = what.folder / "spec.json"
    spec.write_text(json.dumps(what.spec.to_json()))
    before = set(_ends(out))
    script = [sys.executable, str(Path(__file__).resolve()), "--jobs", str(what.jobs)]
    errors = what.folder / "errors.txt"
    with errors.open("wb") as file:
        process = subprocess.Popen([*script, "--play", str(spec), str(out), str(os.getpid())], stderr=file)
    waiting = list(moments)
    tail, ended, looked = JournalTail(out), 0, time.monotonic()
    try:
        while process.poll() is None:
            time.sleep(LOOK)
            if (out / FILE).exists():
                # Void ones among them.
                ended += sum(line.startswith(b'{"event":"episode_ended"') for _, line in tail.new())
            if waiting and ended >= waiting[0]:
                kind = _kill(process.pid, KINDS[len(_notes(what.folder / "kills")) % len(KINDS)], dice)
                if kind:
                    waiting.pop(0)
                    _note(what.folder / "kills", {"kind": kind, "at": ended})
                if kind == "run":
                    break
            if ended >= wanted < what.planned and not _left(out, wanted) > 0:
                os.kill(process.pid, signal.SIGKILL)
                break
            if time.monotonic() - looked >= what.memory_seconds:
                looked = time.monotonic()
                family = {one: shared_megabytes(one) for one in descendants(process.pid)}
                seen = {"run": out.name, "start": process.pid, "ended": ended, "processes": len(family)}
                # Of one that is ending there is nothing to be seen, which is not what it keeps.
                kept = {one: family[one] for one in _processes(process.pid)[1] if family.get(one)}
                _note(what.folder / "memory", {**seen, "megabytes": sum(family.values()), "workers": kept})
        process.wait(timeout=120)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    if process.returncode not in (0, -signal.SIGKILL):
        raise RuntimeError(f"{out}: exit status {process.returncode}\n{errors.read_text(errors='replace')[-2000:]}")
    if gone := before - set(_ends(out)):
        _note(what.folder / "lost", {"keys": sorted(key for key, _ in gone)})


def _kill(parent: int, kind: str, dice: Random) -> str:
    """Kill one of a run's processes; returns who it was, "" if there is none now."""
    if kind == "run":
        os.kill(parent, signal.SIGKILL)
        return kind
    warm, workers = _processes(parent)
    victims = sorted(warm if kind == "warm process" else workers)
    if not victims or not workers:
        return ""
    os.kill(dice.choice(victims), signal.SIGKILL)
    return kind


def _processes(parent: int) -> tuple[list[int], list[int]]:
    """A run's warm process, if it lives, and its workers."""
    # Workers are forked from the warm process, or children of the run themselves once that is dead.
    started = _children(parent)
    warm = [one for one in started if b"warm_process" in _command(one)]
    return warm, [one for one in started if one not in warm] + [forked for one in warm for forked in _children(one)]


def _children(process: int) -> list[int]:
    try:
        return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def _command(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def _compare(what: Soak, calm: Path, shaken: Path) -> Found:
    rows = [{row["key"]: row for row in table(load_checked(out).episodes)} for out in (calm, shaken)]
    both = rows[0].keys() & rows[1].keys()
    differ = sum(rows[0][key] != rows[1][key] for key in both)
    ends = Counter(key for key, _ in _ends(shaken))
    lost = sum(len(note["keys"]) for note in _notes(what.folder / "lost")) + what.planned - len(ends)
    kills = Counter(note["kind"] for note in _notes(what.folder / "kills"))
    looks = [note for note in _notes(what.folder / "memory") if note["processes"] > what.jobs]
    most = max((one["megabytes"] for one in looks), default=None)
    calm_looks = [one for one in looks if one["run"] == calm.name]
    twice = sum(count > 1 for count in ends.values())
    warm_up = WARM_UP * what.jobs
    rises, kept = slope(calm_looks, warm_up), kept_by_quarter(calm_looks, warm_up)
    return Found(len(ends), kills, lost, twice, differ, most, rises, len(both), kept)


def kept_by_quarter(seen: Sequence[dict[str, Any]], warm_up: int) -> tuple[float, ...]:
    """Megabytes of a worker at its least in each quarter of the looks, the mean over workers; of the longest start.

    Args:
        warm_up: episodes after a start whose looks are left out.
    """
    looks = [one for one in max(_warm(seen, warm_up), key=len, default=[]) if one["workers"]]
    quarters = [looks[len(looks) * at // 4 : len(looks) * (at + 1) // 4] for at in range(4)]
    if not all(quarters):
        return ()
    return tuple(
        fmean(min(one["workers"].get(name, inf) for one in quarter) for name in quarter[0]["workers"])
        for quarter in quarters
    )


def _warm(seen: Sequence[dict[str, Any]], warm_up: int) -> Iterator[list[dict[str, Any]]]:
    """The looks of each start of a run, without those while caches filled."""
    for _, group in groupby(seen, lambda one: one["start"]):
        first, *others = group
        yield [one for one in others if one["ended"] - first["ended"] >= warm_up]


def slope(seen: Sequence[dict[str, Any]], warm_up: int) -> float | None:
    """Megabytes a thousand episodes: of a line by least squares, each start of a run with a level of its own.

    Args:
        warm_up: episodes after a start whose looks are left out.
    """
    above = below = 0.0
    for warm in _warm(seen, warm_up):
        looks = [(one["ended"] / 1000, one["megabytes"]) for one in warm]
        x, y = (sum(values) / max(1, len(looks)) for values in (zip(*looks, strict=True) if looks else ((), ())))
        above += sum((a - x) * (b - y) for a, b in looks)
        below += sum((a - x) ** 2 for a, _ in looks)
    return above / below if below else None


def _note(path: Path, note: dict[str, Any]) -> None:
    with open(path.with_suffix(".jsonl"), "a", encoding="utf-8") as file:
        file.write(json.dumps(note) + "\n")


def _notes(path: Path) -> list[dict[str, Any]]:
    path = path.with_suffix(".jsonl")
    if not path.exists():
        return []
    # Half a line, of a soak that was stopped while it wrote, says nothing.
    whole = path.read_text(encoding="utf-8").rpartition("\n")[0]
    return [json.loads(line) for line in whole.splitlines()]


def draw_memory(seen: Sequence[dict[str, Any]]) -> Drawing:
    """The memory of all processes over the episodes that had ended, a line for each start of a run."""
    from matplotlib.figure import Figure as Drawing

    drawing = Drawing(figsize=(7.0, 2.8), layout="constrained")
    axes = drawing.subplots()
    colours = {"undisturbed": "#1f5fa8", "shaken": "#c8501e"}
    named = set()
    for (run_name, _), group in groupby(seen, lambda one: (one["run"], one["start"])):
        looks = list(group)
        label = "" if run_name in named else run_name
        named.add(run_name)
        axes.plot(
            [look["ended"] for look in looks],
            [look["megabytes"] for look in looks],
            color=colours[run_name],
            linewidth=0.8,
            label=label,
        )
    axes.set_xlabel("Episodes that had ended")
    axes.set_ylabel("MB (PSS), all processes")
    axes.set_ylim(bottom=0)
    if named:
        axes.legend(frameon=False)
    return drawing


def play(spec: Path, out: Path, jobs: int, parent: int) -> int:
    """Play a run, or what is left of it; void episodes again, for a kill makes one. It ends with its parent."""
    worker.die_with(parent)
    how = RunExecution(jobs, rerun_void=True, media="none")
    with patch.object(runner, "longest_first", in_drawn_order):
        run(RunSpec.from_json(json.loads(spec.read_text())), out, how)
    return 0


def in_drawn_order(todo: Sequence[tuple[Slot, int]], *_: object) -> list[tuple[Slot, int]]:
    """Episodes in an order that has nothing to do with their tasks, the same each time."""
    return sorted(todo, key=lambda one: sha256(one[0].key.encode()).digest())


def main(arguments: list[str] | None = None) -> int:
    """The command line; exit status 1 if anything was lost, is there twice, or differs, or memory is not flat."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", type=int, default=10_000, help="episodes of `rules`")
    parser.add_argument("--mini", type=int, default=500, help="episodes of `mini`")
    parser.add_argument("--undisturbed", type=float, default=1.0, metavar="SHARE", help="of the run without kills")
    parser.add_argument("--jobs", type=int, default=16)
    parser.add_argument("--kills", type=int, default=20, help="in each of the two")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--memory-seconds", type=float, default=5.0, help="between two looks at the memory")
    parser.add_argument("--out", type=Path, default=Path("build/soak"), help="what is there is gone on with")
    parser.add_argument("--play", nargs=3, metavar=("SPEC", "OUT", "PARENT"), help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.play:
        spec, out, parent = given.play
        return play(Path(spec), Path(out), given.jobs, int(parent))
    told, whole = [], True
    for planner, episodes in (("rules", given.rules), ("mini", given.mini)):
        if not episodes:
            continue
        spec = soak_spec(planner, episodes)
        folder = given.out / f"{planner}-{episodes}-{given.jobs}-{given.kills}-{given.seed}"
        planned = len(spec.tasks) * spec.instances
        calm = max(1, round(given.undisturbed * planned))
        found = soak(Soak(folder, spec, given.jobs, given.kills, given.seed, given.memory_seconds, calm))
        whole &= found.whole and found.flat is not False
        killed = ", ".join(f"{count} {kind}" for kind, count in sorted(found.kills.items()))
        size = "–" if found.megabytes is None else f"{found.megabytes:.0f}"
        tilt = "–" if found.slope is None else f"{found.slope:+.1f}"
        flat = {None: "–", True: "yes", False: "no"}[found.flat]
        differ = f"{found.differ} of {found.compared:,}"
        kept = ", ".join(f"{one:.0f}" for one in found.kept) or "–"
        figures = (str(found.lost), str(found.twice), differ, size, tilt, flat, kept)
        told.append((planner, f"{found.episodes:,}", killed or "none", *figures))
    memory = ("MB (PSS) at most", "MB a thousand episodes", "flat", "MB a worker keeps, by quarter")
    head = ("planner", "episodes", "kills", "lost", "twice", "differ", *memory)
    text = Table(head, tuple(told), (f"{given.jobs} jobs, seed {given.seed}",)).text()
    print(text)
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "table.txt").write_text(text + "\n", encoding="utf-8")
    return int(not whole)


if __name__ == "__main__":
    sys.exit(main())
