"""How a run stands, read once from the files of its directory: the journal, and what its workers do now."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.lock import is_locked
from omnipilot.bench.journal.run_directory import read_spec
from omnipilot.bench.live.ongoing import OngoingRun
from omnipilot.bench.run.executors.workers_file import WorkerState, read_workers
from omnipilot.bench.shards.shard import Shard
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import ConfigError

_SENSELESS = (KeyError, TypeError, ValueError, AttributeError, OverflowError)


def run_status(folder: Path, now: float | None = None) -> dict[str, Any]:
    """How the run in a directory stands, as plain JSON values.

    Args:
        now: seconds since the epoch; None for the clock's.

    Returns:
        `run`, `name`, `shard` ("" for none, several with commas), `state` ("going", "paused", "finished" or "stopped");
        `planned`, `done`, `solved`, `failed`, `void` and `left_episodes`; `seconds` since the last start, and `left`
        seconds; dollars `paid`, and `expected` for all episodes; `workers`, each with what it is `doing`, its episode's
        `key`, `turn`, `seconds` and `limits`, what it does in `words`, and for how many seconds it has been `quiet`.
        None for what cannot be said.

    Raises:
        ConfigError: there is no run. JournalError: it has no journal.
    """
    spec = read_spec(folder)
    if spec is None:
        raise ConfigError(f"there is no run in {folder}; `omnipilot run --out {folder} …` makes one")
    run = OngoingRun()
    for number, event in enumerate(read(folder), 1):
        # A line that makes no sense is for the report to tell.
        with suppress(*_SENSELESS):
            run.take(number, event)
    workers = read_workers(folder)
    # A lock that another machine holds is not always seen from here; what its workers say is.
    going = is_locked(folder) or workers is not None
    now = time.time() if now is None else now
    figures = run.figures(going, now)
    left = max(0, figures["planned"] - figures["done"])
    state = ("paused" if figures["paused"] else "going") if going else "stopped" if left else "finished"
    made = (Shard.of_provenance(made_with) for made_with in run.fold.made_with)
    shards = sorted({(one.of, one.number) for one in made if one is not None})
    start = run.fold.last_start
    # Several that are the whole run are no part of it.
    part = start is not None and run.planned < start.planned
    return {
        "run": str(folder),
        "name": RunSpec.from_json(spec).label,
        "shard": ", ".join(f"{number}/{of}" for of, number in shards) if part else "",
        "state": state,
        **{name: figures[name] for name in ("planned", "done", "solved", "void", "left", "paid", "expected")},
        "failed": figures["done"] - figures["solved"] - figures["void"],
        "left_episodes": left,
        "seconds": figures["seconds"] if going else None,
        "workers": list(_workers(run, workers, now)) if going else [],
    }


def _workers(run: OngoingRun, states: list[WorkerState] | None, now: float) -> Iterator[dict[str, Any]]:
    """What each worker does: as they say, with what the journal has of their episodes."""
    if states is None:
        states = [WorkerState("plays", key, attempt, -1.0) for key, attempt in run.doing]
    for state in states:
        doing = run.doing.get((state.key, state.attempt))
        told = run.worker(doing, now) if doing is not None else {"key": state.key, "attempt": state.attempt}
        yield {**told, "doing": state.doing, "quiet": None if state.quiet < 0 else state.quiet}
