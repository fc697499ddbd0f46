"""Run directories of suites over data files: the planned tasks and the data used."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from omnipilot.agents import PartSpec
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.results import Survey, survey_of
from omnipilot.bench.registry import load_suite
from omnipilot.bench.scoring.data.records import Bad
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class Played:
    """A run directory: its settings and its results."""

    folder: Path
    spec: RunSpec
    survey: Survey

    @property
    def data(self) -> str:
        """The folder that its suite read; "" if the suite has none."""
        return str(self.spec.suite.options.get("data", ""))

    def of(self, version: str) -> None:
        """Check that the run used this data.

        Raises:
            ConfigError: the run used other files or another version of the adapter.
        """
        if self.spec.suite_version != version:
            raise ConfigError(
                f"{self.folder} was run on version {self.spec.suite_version} of the suite, but this data is version "
                f"{version}; give the data that it was run on, or run it again"
            )

    def bad(self, data: str, read: tuple[Bad, ...]) -> tuple[Bad, ...]:
        """The data records that the run's suite could not use, including those without a judge.

        Args:
            read: bad records known without the suite; only these are returned if its table is unavailable.
        """
        try:
            suite = load_suite(PartSpec(self.spec.suite.name, {**self.spec.suite.options, "data": data}))
        except ConfigError:
            return read
        return cast(tuple[Bad, ...], tuple(suite.bad))

    def notes(self, tasks: Collection[str]) -> list[str]:
        """Notes on tasks of the data that the run did not plan, and on episodes still to play."""
        found = []
        if left := len(set(tasks) - set(self.survey.tasks)):
            found.append(f"the run has {len(self.survey.tasks)} tasks; {left} other tasks of the data are in no figure")
        if len(self.survey.episodes) < self.survey.planned:
            done = f"{len(self.survey.episodes)} of {self.survey.planned} episodes"
            found.append(f"the run has {done}; start it again to finish it")
        return found


def load_played(folder: Path, names: Sequence[str]) -> Played | None:
    """Load the run of a suite from a directory; None if there is none.

    Args:
        names: of the suite, its own first.

    Raises:
        ConfigError: it is a run of another suite.
        JournalError: there is no journal.
    """
    if not (folder / "spec.json").exists():
        return None
    spec = load_run(folder).spec
    if spec.suite.name not in names:
        raise ConfigError(f"{folder} is a run of suite {spec.suite.name}, not of {names[0]}")
    return Played(folder, spec, survey_of(folder))
