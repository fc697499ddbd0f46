"""A run directory: spec.json, journal.jsonl, media/, lock; and which run it belongs to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from omnipilot.bench.journal import journal, lock
from omnipilot.bench.journal.events import RunStarted
from omnipilot.bench.spec import RunSpec, differences, essence
from omnipilot.envs import ConfigError
from omnipilot.envs.schema.parse_json import parse_json
from omnipilot.envs.types.regular_files import read_text
from omnipilot.memory.secrets.scrub import scrub_values
from omnipilot.memory.store.durable import write_whole

SPEC = "spec.json"
CHECKED = "checked"
"""Names, sizes and times of the media that were found whole, so that each is decoded once; may be deleted."""
REMEMBERED = "memory"
"""Holds the timelines that `omnipilot memory` made of recorded turns; made again from the journal when missing."""
OURS = frozenset({CHECKED, REMEMBERED, SPEC, f"{SPEC}.new", journal.FILE, journal.MEDIA, lock.FILE})


def prepare(folder: Path, spec: RunSpec) -> None:
    """Make `folder` this run's directory, or check that it is. The caller must hold its lock.

    Raises:
        ConfigError: as `check_folder`.
    """
    check_folder(folder, spec)
    if not (folder / SPEC).exists():
        _write(folder / SPEC, {"identity": spec.identity, "spec": spec.to_json()})


def check_folder(folder: Path, spec: RunSpec) -> None:
    """Check that a directory can be used for this run. Nothing is written.

    Raises:
        ConfigError: it holds a run of another specification (the message says where they differ), or files that are
            none of a run's.
    """
    theirs = read_spec(folder)
    if theirs is None:
        if not folder.is_dir():
            return
        if strangers := sorted({path.name for path in folder.iterdir()} - OURS):
            raise ConfigError(
                f"{folder} is not empty and contains no run (but {', '.join(strangers[:3])}); choose another --out"
            )
    else:
        if lines := differences(essence(spec.to_json()), essence(theirs)):
            if any(line.startswith("conditions.") for line in lines):
                lines.append("conditions are what a machine has; `omnipilot doctor` says what is missing on this one")
            listed = "\n  ".join(lines)
            raise ConfigError(f"{folder} contains a run with other settings; choose another --out:\n  {listed}")


def enlarge(folder: Path, spec: RunSpec) -> None:
    """Add tasks, instances or trials to the run in a directory; finished episodes stay. Without a run, do nothing.

    The caller sees to it that nothing else of the specification is another, and that it asks for all that was.

    Raises:
        ConfigError: another process holds the directory.
    """
    theirs = read_spec(folder)
    if theirs is not None and essence(theirs) != essence(spec.to_json()):
        with lock.RunLock(folder):
            _write(folder / SPEC, {"identity": spec.identity, "spec": spec.to_json()})


def read_spec(folder: Path) -> Mapping[str, Any] | None:
    """The specification of the run in a directory; None if there is no run yet.

    Raises:
        ConfigError: its file is damaged.
    """
    if (told := read_spec_file(folder)) is not None:
        spec: Mapping[str, Any] = told["spec"]
        return spec
    if (folder / journal.FILE).exists():
        for event in journal.read(folder):
            if isinstance(event, RunStarted):
                return event.spec
    return None


def read_spec_file(folder: Path) -> Mapping[str, Any] | None:
    """What the specification's file of a directory says, `identity` and `spec`; None if there is no such file.

    Raises:
        ConfigError: it is damaged.
    """
    file = folder / SPEC
    try:
        told: Mapping[str, Any] = parse_json(read_text(file))
        spec = told["spec"]
        _ = spec["suite"]["name"], spec["suite"]["options"].get("data"), spec["trials"], spec["suite_version"]
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(
            f"{file} cannot be read ({error!r}); delete it: the journal beside it contains the same"
        ) from None
    return told


def _write(path: Path, data: Mapping[str, Any]) -> None:
    write_whole(path, json.dumps(scrub_values(data), indent=1).encode())
