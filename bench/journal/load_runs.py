"""Loads run directories: the settings and results of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.results import survey
from omnipilot.bench.journal.run import Run
from omnipilot.bench.journal.run_directory import read_spec
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import ConfigError


def load_run(folder: Path) -> Run:
    """Load the run in a directory, finished or not.

    Raises:
        ConfigError: there is no run in it, or its specification is damaged. JournalError: its journal is damaged before
            its last line.
    """
    file = folder / "spec.json"
    if not file.exists():
        raise ConfigError(f"there is no run in {folder}; `omnipilot run --out {folder} …` makes one")
    spec = RunSpec.from_json(read_spec(folder) or {})
    found = survey(read(folder))
    return Run(folder.name, spec, found.episodes, found.planned, len(found.unfinished))


def find_runs(paths: Sequence[Path]) -> list[Path]:
    """Run directories among `paths` and directly below them, in order.

    Raises:
        ConfigError: a path contains no run.
    """
    found: list[Path] = []
    for path in paths:
        here = [path] if (path / "spec.json").exists() else sorted(f.parent for f in path.glob("*/spec.json"))
        if not here:
            raise ConfigError(f"there is no run in {path}; `omnipilot run --out {path} …` makes one")
        found += here
    return found
