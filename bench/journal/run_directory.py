"""A run directory: spec.json, journal.jsonl, media/, and files beside them; and which run it belongs to."""

from __future__ import annotations

import errno
import json
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from omnipilot.bench.journal import control, journal, lock
from omnipilot.bench.journal.events import RunStarted
from omnipilot.bench.spec import RunSpec, check_format, differences, essence
from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import read_text
from omnipilot.memory.secrets import scrub_values
from omnipilot.memory.store import write_atomically

SPEC = "spec.json"
CHECKED = "checked"
"""Names, sizes and times of the media that were found whole, so that each is decoded once; may be deleted."""
REMEMBERED = "memory"
"""Holds the timelines that `omnipilot memory` made of recorded turns; made again from the journal when missing."""
WORKERS = "workers.json"
"""What the workers do now, while the run goes on."""
FAILURE = "failure.txt"
"""The traceback of the bug that stopped the run; gone once the run is started again."""
FRESH = 30.0
"""Seconds after which that file is of a run that was killed, or that is stopped."""
_NEW = frozenset({f"{SPEC}.new", f"{WORKERS}.new"})
OURS = _NEW | {CHECKED, FAILURE, REMEMBERED, SPEC, WORKERS, control.FILE, journal.FILE, journal.MEDIA, lock.FILE}


CODE = "code"
"""The field of a specification that nobody writes, and that another run of the same command may have otherwise."""
SIZES = ("tasks", "instances", "trials")
"""What of a specification may grow in its directory."""


def prepare(folder: Path, spec: RunSpec, all_tasks: Collection[str]) -> None:
    """Make `folder` this run's directory, or check that it is, or that of a smaller one, which then grows.

    The caller must hold its lock. Finished episodes stay.

    Raises:
        ConfigError: as `check_folder`.
    """
    check_folder(folder, spec, all_tasks)
    (folder / FAILURE).unlink(missing_ok=True)
    theirs = read_spec(folder) if (folder / SPEC).exists() else None
    ours = spec.to_json()
    if theirs is None or essence(theirs) != essence(ours):
        _write(folder / SPEC, {"identity": spec.identity, "spec": ours})


def check_folder(folder: Path, spec: RunSpec, all_tasks: Collection[str]) -> None:
    """Check that a directory can be used for this run. Nothing is written.

    Args:
        all_tasks: every task of the suite, which a specification without tasks asks for.

    Raises:
        ConfigError: it holds a run of another specification (the message says where they differ), one with tasks,
            instances or trials that this one lacks, or files that are none of a run's.
    """
    theirs = read_spec(folder)
    if theirs is None:
        if not folder.is_dir():
            return
        if strangers := sorted({path.name for path in folder.iterdir()} - OURS):
            raise ConfigError(
                f"{folder} is not empty and contains no run (but {', '.join(strangers[:3])}); choose another --out"
            )
        return
    ours = spec.to_json()
    if other_settings(ours, theirs):
        listed = explain_differences(differences(essence(ours), essence(theirs)))
        raise ConfigError(f"{folder} contains a run with other settings; choose another --out:\n  {listed}")
    if not covers(ours, theirs, all_tasks):
        raise ConfigError(
            f"{folder} holds {size_words(theirs)}, and less is asked for: {size_words(ours)}; ask for all of what it "
            "holds, and more if you like, or choose another --out"
        )


def other_settings(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[str]:
    """Lines that say where two specifications, as JSON, differ in more than their size."""
    kept, there = ({k: v for k, v in essence(one).items() if k not in SIZES} for one in (ours, theirs))
    return differences(kept, there)


def explain_differences(lines: Sequence[str]) -> str:
    """Lines of `differences` of two specifications, below one another, and what those mean that nobody asked for."""
    told = list(lines)
    if any(line.startswith("conditions.") for line in lines):
        told.append("conditions are what a machine has; `omnipilot doctor` says what is missing on this one")
    others = [line for line in lines if not line.startswith("conditions.")]
    if others and all(line.startswith(CODE) for line in others):
        told.append(
            "code is a digest of the source of a part, which was edited in between: one run is of one program, and "
            "`omnipilot compare` takes two runs"
        )
    return "\n  ".join(told)


def covers(large: Mapping[str, Any], small: Mapping[str, Any], all_tasks: Collection[str]) -> bool:
    """Whether a specification asks for every episode that another one does, apart from its other settings.

    Args:
        large, small: as JSON. all_tasks: of their suite.
    """
    tasks = not large["tasks"] or set(small["tasks"] or all_tasks) <= set(large["tasks"])
    return tasks and large["instances"] >= small["instances"] and large["trials"] >= small["trials"]


def size_words(spec: Mapping[str, Any]) -> str:
    """The tasks, instances and trials of a specification, as JSON, in the words of the command line."""
    tasks = spec["tasks"]
    told = f"the tasks {', '.join(tasks[:5])}{', …' * (len(tasks) > 5)}" if tasks else "all tasks"
    return f"{told} with --instances {spec['instances']} --trials {spec['trials']}"


def read_spec(folder: Path) -> Mapping[str, Any] | None:
    """The specification of the run in a directory; None if there is no run yet.

    Raises:
        ConfigError: its file is damaged, or of another format.
    """
    if (told := read_spec_file(folder)) is not None:
        spec: Mapping[str, Any] = told["spec"]
        return spec
    last: Mapping[str, Any] | None = None
    if (folder / journal.FILE).exists():
        for event in journal.read(folder):
            if isinstance(event, RunStarted):
                # Not the first: the run may have grown since.
                last = event.spec
    if last is not None:
        check_format(last, str(folder))
    return last


def read_spec_file(folder: Path) -> Mapping[str, Any] | None:
    """What the specification's file of a directory says, `identity` and `spec`; None if there is no such file.

    Raises:
        ConfigError: it is damaged, or of another format.
    """
    file = folder / SPEC
    try:
        told: Mapping[str, Any] = parse_json(read_text(file))
        spec = told["spec"]
        _ = spec["suite"]["name"], spec["suite"]["options"].get("data"), spec["trials"], spec["suite_version"]
    except OSError as error:
        # No folder, or none that could be made: whoever makes it says why.
        if isinstance(error, FileNotFoundError | NotADirectoryError) or error.errno == errno.ENAMETOOLONG:
            return None
        raise ConfigError(f"{file} cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(
            f"{file} cannot be read ({error!r}); delete it: the journal beside it contains the same"
        ) from None
    check_format(spec, str(folder))
    return told


def read_workers_file(folder: Path) -> tuple[Mapping[str, Any], float] | None:
    """What a run's workers said lately that they do, and how many seconds ago; None if nobody says so now.

    Where somebody does, the run is being played, maybe on another machine, whose lock is not always seen from here.
    """
    try:
        told: Mapping[str, Any] = parse_json(read_text(folder / WORKERS))
        age = time.time() - float(told["wall"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return (told, age) if age <= FRESH else None


def _write(path: Path, data: Mapping[str, Any]) -> None:
    write_atomically(path, json.dumps(scrub_values(data), indent=1).encode())
