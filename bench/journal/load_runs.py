"""Loads run directories: the settings and results of a run."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from omnipilot.bench.journal.evidence import OnLooked, check_specification, media_notes, told_of
from omnipilot.bench.journal.results import Survey, survey_of
from omnipilot.bench.journal.run import Run
from omnipilot.bench.journal.run_directory import read_spec_file
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import ConfigError

MANIFESTS = ("sweep.json", "grid.json")
"""Files that say which runs of a folder belong to a sweep or a grid."""
SHOWN = 12
"""Most runs of a folder that a message names."""


def load_run(folder: Path) -> Run:
    """Load the run in a directory, finished or not.

    Raises:
        ConfigError: there is no run in it, or its specification is damaged. JournalError: it has no journal.
    """
    told = read_spec_file(folder)
    if told is None:
        raise ConfigError(no_run_words(folder))
    return run_of(folder.name, told, survey_of(folder), folder)


def no_run_words(folder: Path) -> str:
    """What to tell where a run was expected in a folder, and it holds none, or several of a sweep."""
    below = sorted(file.parent for file in folder.glob("*/spec.json"))
    if not below:
        return f"there is no run in {folder}; `omnipilot run --out {folder} …` makes one"
    made_by = [name for name in MANIFESTS if (folder / name).is_file()]
    kind = f"is a {Path(made_by[0]).stem}" if made_by else "holds other folders of runs"
    more = f", and {len(below) - SHOWN} more" * (len(below) > SHOWN)
    return f"{folder} {kind}; name one of its runs: {', '.join(map(str, below[:SHOWN]))}{more}"


def run_of(name: str, told: Mapping[str, Any], found: Survey, folder: Path | None = None) -> Run:
    """The run of a specification's file and of what its journal says.

    Args:
        told: `identity` and `spec`. folder: where it lies; None for nowhere.

    Raises:
        ConfigError: the specification is damaged.
    """
    spec = RunSpec.from_json(told["spec"])
    problems = (*check_specification(told, found.identity), *told_of(found))
    unfinished = len(found.unfinished)
    return Run(name, spec, found.episodes, found.planned, unfinished, problems, found.made_with, folder, found.acts)


def load_checked(folder: Path, on_looked: OnLooked | None = None) -> Run:
    """As `load_run`, with its media checked too; those of somebody else's run take a while the first time.

    Args:
        on_looked: told of the captures that are looked at, see `omnipilot.bench.journal.evidence.check_media`.

    Raises:
        ConfigError, JournalError: as `load_run`.
    """
    run = load_run(folder)
    return replace(run, problems=(*run.problems, *media_notes(folder, on_looked)))


def find_runs(paths: Sequence[Path]) -> list[Path]:
    """Run directories among `paths` and directly below them, in order; those of a sweep or grid as it lists them.

    Raises:
        ConfigError: a path contains no run.
    """
    found: list[Path] = []
    for path in paths:
        here = [path] if (path / "spec.json").exists() else _below(path)
        if not here:
            raise ConfigError(no_run_words(path))
        found += here
    return found


def _below(folder: Path) -> list[Path]:
    found = sorted(file.parent for file in folder.glob("*/spec.json"))
    for name in MANIFESTS:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            listed = [cell["folder"] for cell in json.loads((folder / name).read_bytes())["cells"]]
            return sorted(found, key=lambda one: listed.index(one.name) if one.name in listed else len(listed))
    return found
