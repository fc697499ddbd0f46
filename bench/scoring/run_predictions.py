"""Run directories as predictions: what a run was asked for, and that it was of this data."""

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
    """What a run was asked for: its suite, that one's options and version, and its tasks, none for all.

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
        """Whether a task was among those."""
        return not self.tasks or task in self.tasks

    def split(self, asked: str | None) -> str:
        """The split that it was run on.

        Raises:
            ConfigError: another one is asked for.
        """
        own = str(self.options.get("split", "test"))
        if asked not in (None, own):
            raise ConfigError(f"{self.folder} was run on the split {own}, not {asked}; leave the option split out")
        return own

    def of(self, data: str) -> None:
        """See that it was run on this data, as it is now.

        Raises:
            ConfigError: it was run on other files, or on an adapter that read them otherwise.
        """
        now = load_suite(PartSpec(self.suite, {**self.options, "data": data})).version
        if now != self.version:
            raise ConfigError(
                f"{self.folder} was run on suite version {self.version}, and this data is {now}; name the data that "
                "it was run on, or run it again"
            )


def load_run_predictions(folder: Path, suites: Collection[str]) -> RunPredictions:
    """What the run of a directory was asked for.

    Raises:
        ConfigError: it holds no run, or one of a suite that is none of these.
    """
    spec = read_spec(folder)
    if spec is None:
        raise ConfigError(f"{folder} holds no run, and predictions are read from a run directory or a file")
    suite = spec["suite"]
    if suite["name"] not in suites:
        known = f"runs of {' and '.join(suites)}" if suites else "files only, for there is no suite of it"
        raise ConfigError(f"{folder} holds a run of the suite {suite['name']!r}; this benchmark scores {known}")
    trials = spec.get("trials", 1)
    notes = (f"of its {trials} trials the first is scored",) if trials > 1 else ()
    version = str(spec.get("suite_version", ""))
    return RunPredictions(folder, suite["name"], suite["options"], frozenset(spec.get("tasks", ())), version, notes)
