"""Run directories as predictions: the settings of a run, and a check that it used this data."""

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
        """The split that it was run on.

        Raises:
            ConfigError: another one is asked for.
        """
        own = str(self.options.get("split", "test"))
        if asked not in (None, own):
            raise ConfigError(f"{self.folder} was run on split {own}, not {asked}; leave out the option split")
        return own

    def of(self, data: str) -> None:
        """Check that the run used this data in its present version.

        Raises:
            ConfigError: it was run on other files, or on an adapter that read them otherwise.
        """
        now = load_suite(PartSpec(self.suite, {**self.options, "data": data})).version
        if now != self.version:
            raise ConfigError(
                f"{self.folder} was run on version {self.version} of the suite, but this data is version {now}; "
                "give the data that it was run on, or run it again"
            )


def load_run_predictions(folder: Path, suites: Collection[str]) -> RunPredictions:
    """The settings of the run in a directory.

    Raises:
        ConfigError: it holds no run, or one of a suite that is none of these.
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
