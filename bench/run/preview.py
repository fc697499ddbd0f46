"""A run before it is run: its specification made whole, and how many episodes it would take. Nothing is written."""

from __future__ import annotations

from pathlib import Path

from omnipilot.agents import AgentSpec
from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.results import pending, survey
from omnipilot.bench.journal.run_directory import check_folder, read_spec
from omnipilot.bench.run.config import jobs_of
from omnipilot.bench.run.llm_budget import endpoints
from omnipilot.bench.run.runner import check_solutions, complete
from omnipilot.bench.scoring.score import first_of
from omnipilot.bench.spec import RunSpec

SHOWN = 12
"""So many tasks are listed by name."""


def dry_run(spec: RunSpec, out: Path, jobs: int = 1, rerun_void: bool = False) -> str:
    """Find out all that a start of this run would find out before its first episode, and say what it would run.

    Args:
        out: its directory, which need not be there. jobs: worker processes.

    Returns:
        Lines for a terminal: how many episodes of how many tasks, how many of them are done, and by which agent.

    Raises:
        ConfigError: the run would be refused.
        JournalError: the journal of `out` is damaged elsewhere than at its end.
    """
    jobs_of({"jobs": jobs})
    spec, suite, tasks, bad = complete(spec)
    if spec.agent.planner.name == "oracle":
        check_solutions(suite, tasks)
    check_folder(out, spec)
    total = len(tasks) * spec.instances * spec.trials
    lacking = total if read_spec(out) is None else len(pending(spec, tasks, survey(read(out)), rerun_void))
    lines = [
        f"{_count(total, 'episode')}: {_count(len(tasks), 'task')} of suite {spec.suite.name}, of each "
        f"{_count(spec.instances, 'instance')}, of each {_count(spec.trials, 'trial')}",
        f"in {out}: {total - lacking} done, {lacking} to run",
        f"tasks: {', '.join(tasks[:SHOWN])}" + (f", and {len(tasks) - SHOWN} more" if len(tasks) > SHOWN else ""),
        *_agent(spec.agent),
    ]
    if models := sorted({endpoint.model for endpoint in endpoints(spec.agent)}):
        lines.append(f"models: {', '.join(models)}")
    if spec.limits.cost is not None:
        lines.append(f"at most ${lacking * spec.limits.cost:,.2f} by --cost, which caps an episode")
    if bad:
        lines.append(
            f"{len(bad)} records of the data cannot be read and are no tasks:\n  {first_of(bad, chr(10) + '  ')}"
        )
    return "\n".join([*lines, "nothing was run"])


def _agent(agent: AgentSpec) -> list[str]:
    parts = {"planner": agent.planner, "grounder": agent.grounder, "memory": agent.memory}
    around = {"tool agent": agent.tool_agent, "critic": agent.critic, "progress": agent.progress}
    named = [f"{role} {part.name}" for role, part in {**parts, **around}.items() if part is not None]
    return [
        f"agent: {agent.system} ({', '.join(named)})",
        f"modalities: {', '.join(sorted(agent.modalities)) or 'none'}",
    ]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
