"""Run directories as predictions: a run's settings, and a check that it used this data."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.agents import PartSpec
from omnipilot.bench.journal.run_directory import read_spec
from omnipilot.bench.registry import load_suite
from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class RunPredictions:
    """The settings of a run: its suite with options and version, and its tasks (empty for all).

    Attributes:
        notes: for the report.
    """

    folder: Path
    suite: str
    options: Mapping[str, Any]
    tasks: frozenset[str]
    version: str
    notes: tuple[str, ...] = ()

    def wanted(self, task: str) -> bool:
        """Whether the run includes a task."""
        return not self.tasks or task in self.tasks

    def split(self, asked: str | None) -> str:
        """The split of the run.

        Raises:
            ConfigError: another split is requested.
        """
        own = str(self.options.get("split", "test"))
        if asked not in (None, own):
            raise ConfigError(f"{self.folder} was run on split {own}, not {asked}; leave out the option split")
        return own

    def of(self, data: str) -> None:
        """Check that the run used this data in its current version.

        Raises:
            ConfigError: the run used other files or another version of the adapter.
        """
        now = load_suite(PartSpec(self.suite, {**self.options, "data": data})).version
        if now != self.version:
            raise ConfigError(
                f"{self.folder} was run on version {self.version} of the suite, but this data is version {now}; "
                "give the data that it was run on, or run it again"
            )


def load_run_predictions(folder: Path, suites: Collection[str]) -> RunPredictions:
    """Load the settings of the run in a directory.

    Raises:
        ConfigError: it contains no run, or a run of another suite.
    """
    spec = read_spec(folder)
    if spec is None:
        raise ConfigError(f"{folder} contains no run; predictions must be a run directory or a file")
    suite = spec["suite"]
    if suite["name"] not in suites:
        known = f"runs of {' and '.join(suites)}" if suites else "files only, because it has no suite"
        raise ConfigError(f"{folder} is a run of suite {suite['name']!r}; this benchmark scores {known}")
    trials = spec.get("trials", 1)
    notes = (f"of its {trials} trials, only the first is scored",) if trials > 1 else ()
    version = str(spec.get("suite_version", ""))
    return RunPredictions(folder, suite["name"], suite["options"], frozenset(spec.get("tasks", ())), version, notes)
