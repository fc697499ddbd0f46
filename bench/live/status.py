"""How a run stands, read once from the files of its directory: the journal, and what its workers do now."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.lock import is_locked
from omnipilot.bench.journal.run_directory import read_spec
from omnipilot.bench.live.fleet import fleet
from omnipilot.bench.live.ongoing import OngoingRun
from omnipilot.bench.run.executors.workers_file import read_fleet
from omnipilot.bench.shards.shard import Shard
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import ConfigError

_SENSELESS = (KeyError, TypeError, ValueError, AttributeError, OverflowError)


def run_status(folder: Path, now: float | None = None) -> dict[str, Any]:
    """How the run in a directory stands, as plain JSON values.

    Args:
        now: seconds since the epoch; None for the clock's.

    Returns:
        `run`, `name`, `shard` ("" for none, several with commas), `state` ("going", "paused", "finished" or "stopped"),
        and what `fleet` says.

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
    state = read_fleet(folder)
    # A lock that another machine holds is not always seen from here; what its workers say is.
    going = is_locked(folder) or state is not None
    told = fleet(run, state, going, time.time() if now is None else now)
    words = ("paused" if told.pop("paused") else "going") if told.pop("going") else ""
    made = (Shard.of_provenance(made_with) for made_with in run.fold.made_with)
    shards = sorted({(one.of, one.number) for one in made if one is not None})
    start = run.fold.last_start
    # Several that are the whole run are no part of it.
    part = start is not None and run.planned < start.planned
    return {
        "run": str(folder),
        "name": RunSpec.from_json(spec).label,
        "shard": ", ".join(f"{number}/{of}" for of, number in shards) if part else "",
        "state": words or ("stopped" if told["left_episodes"] else "finished"),
        **told,
        "seconds": told["seconds"] if going else None,
    }
