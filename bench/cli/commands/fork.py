"""What `omnipilot fork` does: play a record up to a turn, go on another way, and say how each fork ended."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from omnipilot.agents.assembly.examine import examine
from omnipilot.bench.cli.commands.run import INTERRUPTED, OVER_BUDGET, resume_note
from omnipilot.bench.journal.attempts import RecordedAttempt
from omnipilot.bench.journal.results import SUCCESS, Episode
from omnipilot.bench.registry import loading_suites_once
from omnipilot.bench.report.page import write_report
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.fork import ForkPoint, fork_spec
from omnipilot.bench.run.labels import run_name
from omnipilot.bench.run.llm_budget import check_cost
from omnipilot.bench.run.progress import Progress
from omnipilot.bench.run.runner import run
from omnipilot.bench.run.spending import Spending
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.tables import Table


@dataclass(frozen=True, slots=True)
class ForkHow:
    """How forks are played.

    Attributes:
        options: of parts, as PART.KEY=VALUE. times: number of forks. jobs: worker processes.
        waive_cost, budget: as in a run. out: the directory of the forks; None for one in runs/.
    """

    options: tuple[str, ...] = ()
    times: int = 1
    jobs: int = 1
    waive_cost: bool = False
    budget: float | None = None
    out: Path | None = None


@loading_suites_once()
def fork_command(point: ForkPoint, changes: RunSettings, how: ForkHow) -> None:
    """Fork a recorded episode, and print how the forks ended beside the record."""
    spec, record = fork_spec(point, changes, how.options, how.times)
    agent = examine(spec.agent)
    for warning in agent.warnings():
        typer.echo(f"warning: {warning}", err=True)
    check_cost(spec, how.waive_cost, how.budget)
    name = f"{point.slot.task}-turn-{point.turn}-{run_name(spec)}"
    out = how.out or Path("runs") / name
    spending = Spending.of_runs(how.budget, [out])
    result = run(spec, out, RunExecution(how.jobs, on_progress=Progress(sys.stderr), spending=spending), agent=agent)
    if result.interrupted:
        typer.echo(resume_note(out), err=True)
        raise typer.Exit(INTERRUPTED)
    typer.echo(fork_table(point, record, result.episodes).text())
    keys = {point.slot.key, *(episode.key for episode in result.episodes)}
    page = write_report([point.run, out], out / "report.html", names=("record", "forks"), keys=keys)
    typer.echo(f"the forks beside the record: {page}, view Beside")
    typer.echo(f"forks: {out}; compare two runs of forks from the same turn: omnipilot compare {out} OTHER")
    if result.over_budget:
        typer.echo(spending.words(), err=True)
        raise typer.Exit(OVER_BUDGET)


def fork_table(point: ForkPoint, record: RecordedAttempt, forks: Sequence[Episode]) -> Table:
    """One row for the record and for each fork; the note says how many were solved from there."""
    rows = [("record", *_record_cells(record))]
    for number, episode in enumerate(forks, 1):
        rows.append(
            (
                f"fork {number}",
                episode.reason,
                f"{episode.completed}/{episode.total}",
                str(episode.turns),
                str(episode.actions),
            )
        )
    solved = sum(episode.success for episode in forks)
    there = "was solved" if record.ended is not None and record.ended.reason == SUCCESS else "was not solved"
    note = f"{solved} of {len(forks)} solved from turn {point.turn} on; the record {there}"
    return Table(("episode", "end", "sub-goals", "turns", "actions"), tuple(rows), (note,), words=("end",))


def _record_cells(record: RecordedAttempt) -> tuple[str, str, str, str]:
    end = record.ended
    if end is None:
        return "cut off", "—", str(len(record.turns)), "—"
    return end.reason, f"{end.completed}/{end.total}", str(end.turns), str(end.actions)
