"""What `omnipilot attribute` does: find the cause of each failure, write it beside the run, and print the shares."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random

import typer

from omnipilot.bench.attribution.labels import agreement_words, label_episode
from omnipilot.bench.attribution.messages import TEAMS, losses_table, values_between_agents
from omnipilot.bench.attribution.search import Attributor, failures_of
from omnipilot.bench.attribution.tables import causes_table, episodes_table
from omnipilot.bench.cli.commands.run import OVER_BUDGET
from omnipilot.bench.journal.attributions import (
    EXPERIMENT,
    FILE,
    FOLDER,
    Attribution,
    ExperimentResult,
    read_causes,
    write_attributions,
)
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.results import Episode
from omnipilot.bench.journal.run import Run
from omnipilot.bench.registry import loading_suites_once
from omnipilot.bench.run.llm_budget import check_cost
from omnipilot.bench.run.spending import Spending
from omnipilot.bench.stage_model import BudgetSpent, StageModel
from omnipilot.bench.stats.intervals import LEVEL, check_level
from omnipilot.envs import ConfigError

FORMATS = ("table", "json")


@dataclass(frozen=True, slots=True)
class AttributeHow:
    """Which failures are looked at, and how.

    Attributes:
        tasks: only failures at these; empty for all. sample: only so many, drawn at random; None for all.
        times, jobs, waive_cost, budget, out: as in forks. format: one of `FORMATS`. level: confidence of intervals.

    Raises:
        ConfigError: an unknown format, a sample below 1, or an impossible level.
    """

    tasks: tuple[str, ...] = ()
    sample: int | None = None
    times: int = 1
    jobs: int = 0
    waive_cost: bool = False
    budget: float | None = None
    out: Path | None = None
    format: str = "table"
    level: float = LEVEL

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise ConfigError(f"unknown format {self.format!r}; choose from {', '.join(FORMATS)}")
        if self.sample is not None and self.sample < 1:
            raise ConfigError(f"--sample must be at least 1, not {self.sample}")
        check_level(self.level)


@loading_suites_once()
def attribute_command(folder: Path, how: AttributeHow, model: StageModel | None = None) -> None:
    """Attribute the failures of a run, write them to `attribution.json`, and print them.

    Args:
        model: reads the records; None to make experiments.
    """
    origin, out = load_run(folder), how.out or folder / FOLDER
    failures = _chosen(origin, how)
    spending = Spending.of_runs(how.budget, sorted(one.parent for one in out.glob("*/*/spec.json")))
    found: list[Attribution] = []
    notes: list[str] = []
    spent = ""
    if model is None:
        check_cost(origin.spec, how.waive_cost, how.budget)
        attributor = Attributor(folder, out, how.times, how.jobs, spending, _tell)
        find, known = attributor.attribute, {}
    else:
        known = {key: cause for key, (cause, _, by) in read_causes(folder, out).items() if by == EXPERIMENT}
        find = partial(label_episode, folder, model=model)
    for episode in failures:
        try:
            one = find(episode)
        except BudgetSpent as error:
            spent = str(error)
            break
        found.append(replace(one, values=values_between_agents(folder, origin.spec.agent.system, one, episode)))
        typer.echo(f"{episode.key}: {found[-1].cause}", err=True)
        if episode.key not in known:
            # At once, so that nothing is lost if the next one fails.
            write_attributions(out, origin, found[-1:])
    if model is None:
        notes.append(f"evidence: {out / FILE}; each experiment is a run of its own below {out}")
    else:
        notes += [agreement_words(found, known), f"{model.describe_usage()}; written to {out / FILE}"]
    if how.format == "json":
        typer.echo(json.dumps({"episodes": [one.to_json() for one in found]}, ensure_ascii=False, indent=1))
    elif found:
        typer.echo(causes_table(found, how.level).text())
        typer.echo()
        typer.echo(episodes_table(found, origin.episodes).text())
        if origin.spec.agent.system in TEAMS:
            typer.echo()
            typer.echo(losses_table(found, origin.episodes).text())
        typer.echo("\n" + "\n".join(filter(None, notes)))
    if spent:
        typer.echo(f"{spent}; not attributed: {len(failures) - len(found)} of {len(failures)} failures", err=True)
        raise typer.Exit(OVER_BUDGET)


def _chosen(origin: Run, how: AttributeHow) -> list[Episode]:
    failures = list(failures_of(origin))
    if how.tasks:
        if strange := set(how.tasks) - {one.task for one in origin.episodes}:
            raise ConfigError(f"the run has no task {', '.join(sorted(strange))}; omnipilot report lists its tasks")
        failures = [one for one in failures if one.task in how.tasks]
    if how.sample is not None and how.sample < len(failures):
        drawn = set(Random(0).sample(range(len(failures)), how.sample))
        failures = [one for number, one in enumerate(failures) if number in drawn]
    if not failures:
        raise ConfigError("there is no failure to attribute: every episode that was asked for was solved")
    return failures


def _tell(key: str, finding: ExperimentResult) -> None:
    typer.echo(f"{key}: {finding.name} from turn {finding.turn}: {finding.solved} of {finding.times} solved", err=True)
