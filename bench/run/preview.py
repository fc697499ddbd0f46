"""Dry runs: complete a run's specification and count its episodes, without writing anything."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.agents.assembly.build import does_without
from omnipilot.agents.assembly.examine import ExaminedAgent
from omnipilot.bench.journal.results import pending, survey_of
from omnipilot.bench.journal.run_directory import check_folder, read_spec
from omnipilot.bench.number_words import number_words
from omnipilot.bench.run.llm_budget import endpoints
from omnipilot.bench.run.mistakes import Mistakes
from omnipilot.bench.run.parts import name_of
from omnipilot.bench.run.runner import complete, due_slots, every_task, not_ready
from omnipilot.bench.run.spending import Spending
from omnipilot.bench.scoring.score import first_of
from omnipilot.bench.settings import check_jobs
from omnipilot.bench.shards.shard import Shard
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.speech.form import InstructionForm

RECORDINGS = PartSpec("recordings")
SHOWN = 12
"""Most tasks that are listed by name."""


def dry_run(
    spec: RunSpec,
    out: Path,
    jobs: int = 1,
    rerun_void: bool = False,
    budget: float | None = None,
    mistakes: Mistakes | None = None,
    agent: ExaminedAgent | None = None,
    shard: Shard | None = None,
) -> str:
    """Check everything that a run checks before its first episode, and describe what it would do.

    Args:
        out: the run directory, which need not exist. jobs: worker processes. budget: dollars that the run may
            cost; None for no limit.
        mistakes: gets what keeps the run from being played here, such as a key that is not set, but not from being
            described; None to raise it.
        agent: the one of the specification, if it was looked at before; None to do it now.
        shard: plays only these of the episodes; None for all.

    Returns:
        Lines for a terminal: the number of episodes and tasks, how many are done, and the agent.

    Raises:
        ConfigError: the run would be refused.
        JournalError: there is no journal.
    """
    noted = Mistakes() if mistakes is None else mistakes
    check_jobs(jobs)
    whole = complete(spec, agent)
    spec, suite, tasks, bad = whole.spec, whole.suite, whole.tasks, whole.bad
    check_folder(out, spec, every_task(suite))
    due = due_slots(spec, suite, tasks, shard)
    total = len(due)
    todo = tasks
    lacking = total
    if read_spec(out) is not None:
        left = [one for one in pending(spec, tasks, survey_of(out), rerun_void) if one[0] in due]
        lacking, todo = len(left), tuple(dict.fromkeys(slot.task for slot, _ in left))
    if lacking:
        noted.add(*not_ready(whole.agent, suite, todo, whole.user))
        with noted.noting():
            whole.user.refuse_absent(jobs)
    if mistakes is None:
        noted.refuse()
    of_shard = "" if shard is None else f" of shard {shard}"
    lines = [
        f"{number_words(total, 'episode')}{of_shard}: {number_words(len(tasks), 'task')} of suite {spec.suite.name}, "
        f"of each {number_words(spec.instances, 'instance')}, of each {number_words(spec.trials, 'trial')}",
        f"in {out}: {total - lacking} done, {lacking} to run",
        f"tasks: {', '.join(tasks[:SHOWN])}" + (f", and {len(tasks) - SHOWN} more" if len(tasks) > SHOWN else ""),
        *_agent(spec.agent),
    ]
    if spec.conditions:
        lines.append(f"on this machine: {', '.join(f'{name} {told}' for name, told in spec.conditions.items())}")
    if InstructionForm.parse(spec.instruction).spoken:
        lines.append(f"instruction: {spec.instruction}, spoken by {name_of(spec.speech or RECORDINGS, 'speech')}")
    if spec.user is not None:
        lines.append(f"user: {name_of(spec.user, 'user')}")
    lines += [note for note in (whole.experience, whole.examples) if note]
    if models := sorted({endpoint.model for endpoint in endpoints(spec.agent, spec.user)}):
        lines.append(f"models: {', '.join(models)}")
    if spec.limits.cost is not None:
        lines.append(f"at most ${lacking * spec.limits.cost:,.2f} by --cost, which caps an episode")
    if budget is not None:
        lines.append(Spending.of_runs(budget, [out]).plan_words())
    if bad:
        lines.append(bad_records_note(bad))
    return "\n".join([*lines, "nothing was run"])


def bad_records_note(bad: Sequence[str]) -> str:
    """What to tell of records of a suite's data that cannot be read, each described in words."""
    return f"{len(bad)} records of the data cannot be read, so they are not tasks:\n  {first_of(bad, chr(10) + '  ')}"


def _agent(agent: AgentSpec) -> list[str]:
    parts = {"planner": agent.planner, "grounder": agent.grounder, "memory": agent.memory}
    around = {
        "tool agent": agent.tool_agent,
        "critic": agent.critic,
        "progress": agent.progress,
        "readers": agent.readers,
        "perception": agent.perception,
        "checks": agent.checks,
        "gate": agent.gate,
        "verbs": agent.verbs,
        "stop": agent.stop,
    }
    named = [f"{role} {name_of(part, role.replace(' ', '_'))}" for role, part in {**parts, **around}.items() if part]
    return [
        f"agent: {agent.system} ({', '.join(named)})",
        f"modalities: {', '.join(sorted(agent.modalities)) or 'none'}",
        *does_without(agent),
    ]
