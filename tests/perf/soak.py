"""Kills, faults of a server and damaged files, drawn from a seed: what they stopped, and what was lost.

    python tests/perf/soak.py
    python tests/perf/soak.py --kills 40 --faults 200 --files 100 --seed random

Kills: runs of a made-up suite, each killed (SIGKILL, and now and then SIGHUP or SIGTERM) at random moments and started
again until it is done. *Lost* are finished episodes that were no longer there after a kill, or differ from those of an
undisturbed run. Faults: a model server that answers most requests with something else than it should. *Stopped* are
runs that did not get to their end. Files: the specification, the journal or a capture of a finished run is damaged,
and the run is reported and started again. *Stopped* is every traceback; *untold* are damages after which the figures
of episodes differ and no report says why.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from unittest import mock

HERE = Path(__file__).resolve().parent
FIXTURES = HERE.parent / "fixtures"
sys.path.append(str(FIXTURES))

from chat_server import Answer, Behaviour, Body, ChatServer, Drop, HalfSent, Status  # noqa: E402
from toy_suite import FOLDER, alive, table, toy_spec, workers  # noqa: E402

from omnipilot.agents import PartSpec  # noqa: E402
from omnipilot.bench import Episode  # noqa: E402
from omnipilot.bench.journal import read  # noqa: E402
from omnipilot.bench.journal.events import EpisodeEnded  # noqa: E402
from omnipilot.bench.journal.journal import FILE, MEDIA  # noqa: E402
from omnipilot.bench.journal.load_runs import load_checked  # noqa: E402
from omnipilot.bench.run import run  # noqa: E402
from omnipilot.bench.spec import RunLimits  # noqa: E402
from omnipilot.bench.tables import Table  # noqa: E402
from omnipilot.envs import OmnipilotError  # noqa: E402

TASKS = ("count", "far", "answer", "lost", "guard", "unsolved")
INSTANCES, DELAY = 3, 0.004
KILLS_A_RUN, FAULTS_A_RUN = 6, 40
SIGNALS = (*[signal.SIGKILL] * 8, signal.SIGHUP, signal.SIGTERM)


@dataclass
class Found:
    """What a part of the soak came to.

    Attributes:
        tried: kills, faults or damages. stopped: runs or reports that ended otherwise than they should.
        lost: finished episodes that are gone or differ, or damages that nobody told.
        told: what went wrong, in words.
    """

    kind: str
    tried: int = 0
    stopped: int = 0
    lost: int = 0
    seconds: float = 0.0
    told: list[str] = field(default_factory=list)


def kills(number: int, dice: Random, folder: Path) -> Found:
    """Runs that are killed at random moments until there were so many kills."""
    found = Found("kills")
    wanted = table(run(toy_spec(*TASKS, instances=INSTANCES, delay=DELAY), folder / "undisturbed").episodes)
    turn = 0
    while found.tried < number:
        turn += 1
        out, jobs = folder / f"killed-{turn}", dice.choice((0, 1, 2))
        _one_killed_run(out, jobs, min(KILLS_A_RUN, number - found.tried), dice, folder, found)
        if found.stopped:
            return found
        if (now := table(load_checked(out).episodes)) != wanted:
            found.lost += sum(one not in now for one in wanted)
            found.told.append(f"{out.name}: another table")
    return found


def _one_killed_run(out: Path, jobs: int, most: int, dice: Random, folder: Path, found: Found) -> None:
    ended: set[str] = set()
    killed, starts = 0, 0
    while True:
        starts += 1
        command = [sys.executable, str(FIXTURES / "toy_suite.py"), str(out), str(jobs), ",".join(TASKS)]
        process = subprocess.Popen(
            [*command, str(INSTANCES), str(DELAY)],
            env={**os.environ, FOLDER: str(folder)},
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
        if killed < most:
            grown = _size(out) + dice.randrange(1, 25_000)
            while process.poll() is None and _size(out) < grown:
                time.sleep(0.002)
            time.sleep(dice.random() * 0.01)
            if process.poll() is None:
                process.send_signal(dice.choice(SIGNALS))
        _, error = process.communicate(timeout=120)
        was_killed = process.returncode < 0 or process.returncode in (130, 128 + signal.SIGTERM, 128 + signal.SIGHUP)
        killed += was_killed
        found.tried += was_killed
        for _ in range(1000):
            if not any(map(alive, workers(folder))):
                break
            time.sleep(0.01)
        else:
            found.stopped += 1
            found.told.append(f"{out.name}: a worker outlived its parent")
        now = {one.key for one in read(out) if isinstance(one, EpisodeEnded)} if (out / FILE).exists() else set()
        if gone := ended - now:
            found.lost += len(gone)
            found.told.append(f"{out.name}: {', '.join(sorted(gone))} gone after a kill")
        ended = now
        if process.returncode == 0:
            return
        if not was_killed or starts > 20 * KILLS_A_RUN:
            found.stopped += 1
            found.told.append(f"{out.name}: {error.decode(errors='replace')[-300:]}")
            return


def _size(out: Path) -> int:
    return (out / FILE).stat().st_size if (out / FILE).exists() else 0


def faults(number: int, dice: Random, folder: Path) -> Found:
    """Runs with a model whose server misbehaves, until it has done so often enough."""
    found = Found("faults of a server")
    made = 0

    def behave(_: object) -> Behaviour:
        nonlocal made
        if dice.random() < 0.25:
            return Answer("Once more.", (("press", '{"thought": "on", "keys": ["enter"]}'),))
        made += 1
        return fault(dice)

    turn = 0
    with ChatServer(behave) as server:
        while made < number:
            turn += 1
            spec = replace(toy_spec("count", instances=FAULTS_A_RUN), limits=RunLimits(turns=4))
            options = {"model": "hosted_vllm/m", "url": server.url, "retries": 0, "attempt": 5.0, "timeout": 5.0}
            planner = PartSpec("function-calling", options)
            agent = replace(spec.agent, planner=planner)
            out = folder / f"faults-{turn}"
            try:
                done = run(replace(spec, agent=agent), out)
                load_checked(out)
                if len(done.episodes) != FAULTS_A_RUN:
                    found.lost += FAULTS_A_RUN - len(done.episodes)
                    found.told.append(f"{out.name}: {len(done.episodes)} of {FAULTS_A_RUN} episodes")
            except Exception as error:
                found.stopped += 1
                found.told.append(f"{out.name}: {type(error).__name__}: {str(error)[:300]}")
    found.tried = made
    return found


def fault(dice: Random) -> Behaviour:
    """Something that a server should not answer; nothing by which it says that no request will ever be answered."""
    return dice.choice(FAULTS)(dice)


def _noise(dice: Random) -> bytes:
    return dice.randbytes(dice.randrange(0, 3_000))


def _completion(message: object, **others: object) -> bytes:
    return json.dumps({"model": "m", "choices": [{"message": message, "finish_reason": "stop"}], **others}).encode()


def _mutated(dice: Random) -> bytes:
    call = {"type": "function", "id": "1", "function": {"name": "press", "arguments": '{"keys": ["enter"]}'}}
    whole = bytearray(_completion({"role": "assistant", "content": "on", "tool_calls": [call]}))
    for _ in range(dice.randrange(1, 12)):
        at = dice.randrange(len(whole))
        whole[at : at + dice.randrange(3)] = dice.randbytes(dice.randrange(3))
    return bytes(whole)


def _called(dice: Random) -> Behaviour:
    long = '{"keys": "' + "x" * 9_000 + '"}'
    odd = ("[" * 3_000, "{}", "null", long, '{"keys": [NaN]}', '{"keys": ["\\ud800"]}', "7")
    name = dice.choice(("press", "click", "no_such", "\ud800", "", "a" * 5_000))
    return Answer(dice.choice(("", "[" * 3_000, "\ud800", "\x1b]0;x\x07")), ((name, dice.choice(odd)),))


FAULTS: tuple[Callable[[Random], Behaviour], ...] = (
    lambda dice: Status(dice.choice((408, 429, 500, 502, 503, 504, 529)), "x" * dice.randrange(5_000)),
    lambda dice: Status(400, json.dumps({"error": {"code": "content_filter", "message": "no"}})),
    lambda dice: Body(_noise(dice)),
    lambda dice: Body(_mutated(dice)),
    lambda dice: Body(b"[" * dice.randrange(1, 10_000)),
    lambda dice: Body(_completion({"content": "hi"}, usage={"prompt_tokens": 10 ** dice.randrange(1, 500)})),
    lambda dice: Body(_completion({"content": dice.choice((None, 3, [], {}, [None], "\ud800"))})),
    lambda dice: Body(gzip.compress(b" " * 50_000_000, 9), {"Content-Encoding": "gzip"}),
    lambda dice: Body(_noise(dice), {"Content-Encoding": dice.choice(("gzip", "deflate", "br", "x"))}),
    lambda dice: Body(_completion({"content": "hi"}, model="\ud800\x1b[2J" * 50)),
    lambda dice: Drop(dice.random() < 0.5),
    lambda dice: HalfSent(),
    _called,
)


def damages(number: int, dice: Random, folder: Path) -> Found:
    """Finished runs of which a file is damaged; each is reported and started again."""
    found = Found("damaged files")
    spec = toy_spec("count", "answer", "guard", instances=2)
    whole = folder / "whole"
    run(spec, whole)
    wanted = figures(load_checked(whole).episodes)
    for turn in range(number):
        out = folder / f"damaged-{turn}"
        shutil.copytree(whole, out)
        files = [out / "spec.json", *[out / FILE] * 3, *sorted((out / MEDIA).glob("??/*"))]
        path = dice.choice(files)
        before = path.read_bytes()
        path.write_bytes(damaged(before, dice))
        found.tried += 1
        what = f"{out.name}: {path.relative_to(out)}"
        try:
            _, code, error = _command("report", str(out))
            told = ""
            if code == 0:
                loaded = load_checked(out)
                told = "; ".join(loaded.problems)
                same = figures(loaded.episodes) == wanted
                if not (same or told or len(loaded.episodes) < loaded.planned):
                    found.lost += 1
                    found.told.append(f"{what}: nobody told")
            if code not in (0, 2) or "Traceback" in error:
                raise RuntimeError(error[-300:])
            with contextlib.suppress(OmnipilotError):
                run(spec, out)
        except Exception as error:
            found.stopped += 1
            found.told.append(f"{what}: {type(error).__name__}: {str(error)[-300:]}")
        shutil.rmtree(out)
    return found


def figures(episodes: Iterable[Episode]) -> list[tuple[object, ...]]:
    """What tables are made from, of each episode."""
    return [
        (one.key, one.success, one.void, one.completed, one.total, one.turns, one.steps, one.actions, one.tokens)
        for one in episodes
    ]


def damaged(content: bytes, dice: Random) -> bytes:
    """Bytes with something wrong in them."""
    kind = dice.randrange(7)
    at = dice.randrange(len(content)) if content else 0
    if kind == 0:
        return content[:at]
    if kind == 1:
        return b""
    if kind == 2:
        return content[:at] + dice.randbytes(20) + content[at + 20 :]
    if kind == 3:
        return content[:at] + bytes([content[at] ^ 1 << dice.randrange(8)]) + content[at + 1 :]
    if kind == 4:
        return content + b"[" * 5_000 + b"\n"
    if kind == 5:
        lines = content.splitlines(keepends=True)
        dice.shuffle(lines)
        return b"".join(lines)
    return dice.randbytes(len(content))


def _command(*arguments: str) -> tuple[str, int, str]:
    """What a command of the command line prints, its exit status, and its errors."""
    from omnipilot.bench.cli.app import main

    out, error, code = io.StringIO(), io.StringIO(), 0
    with (
        mock.patch.object(sys, "argv", ["omnipilot", *arguments]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(error),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
    return out.getvalue(), code, error.getvalue()


def soak(number_of: tuple[int, int, int], seed: int) -> Iterator[Found]:
    """All three parts; each draws from dice of its own."""
    parts = (kills, faults, damages)
    with tempfile.TemporaryDirectory(prefix="omnipilot-soak-") as folder:
        for part, number in zip(parts, number_of, strict=True):
            own = Path(folder) / part.__name__
            own.mkdir()
            began = time.monotonic()
            found = part(number, Random(f"{seed} {part.__name__}"), own)
            found.seconds = time.monotonic() - began
            yield found


def main(arguments: list[str] | None = None) -> int:
    """The command line; exit status 1 if anything was stopped or lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--faults", type=int, default=1_000)
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--seed", default="0", help="a number, or `random`")
    given = parser.parse_args(arguments)
    seed = random.randrange(10**6) if given.seed == "random" else int(given.seed)
    rows, notes = [], []
    for found in soak((given.kills, given.faults, given.files), seed):
        rows.append((found.kind, f"{found.tried:,}", str(found.stopped), str(found.lost), f"{found.seconds:.0f}"))
        notes += found.told
        print(f"{found.kind}: {found.tried} tried, {found.stopped} stopped, {found.lost} lost", file=sys.stderr)
    print(Table(("", "tried", "stopped", "lost or untold", "s"), tuple(rows), (f"seed {seed}", *notes)).text())
    return int(any(row[2] != "0" or row[3] != "0" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
