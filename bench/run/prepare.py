"""A run between its settings and its first episode: what the command `run` and its namesake in Python share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.agents.assembly.examine import ExaminedAgent, examine
from omnipilot.bench.episode.guarding import guard_note
from omnipilot.bench.run.config import check_speech, spec_from, unasked_limits
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.labels import run_name
from omnipilot.bench.run.llm_budget import check_cost
from omnipilot.bench.run.mistakes import Mistakes
from omnipilot.bench.run.runner import RunResult, run
from omnipilot.bench.run.task_selection import held_back_note, select_tasks
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.spec import RunSpec


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """A run that may begin, unless something is wrong with it.

    Attributes:
        agent: its agent, looked at. out: its directory. notes: what a user should know before it begins, a line each.
        mistakes: what stands in its way.
    """

    settings: RunSettings
    spec: RunSpec
    agent: ExaminedAgent
    out: Path
    notes: tuple[str, ...]
    mistakes: Mistakes

    def play(self, how: RunExecution, known: dict[str, Any] | None = None) -> RunResult:
        """Play what is missing of it; see `omnipilot.bench.run.runner.run`."""
        return run(self.spec, self.out, how, known=known, agent=self.agent, shard=self.settings.part)


def prepare_run(settings: RunSettings) -> PreparedRun:
    """The run that settings describe, with its tasks chosen and everything that is wrong with it. Nothing is written.

    Raises:
        ConfigError: they describe no run.
    """
    mistakes = Mistakes()
    spec = spec_from(settings)
    notes = [note] if (note := guard_note(spec.guard, spec.suite, settings.workers)) else []
    agent = examine(spec.agent)
    mistakes.add(*agent.mistakes)
    with mistakes.noting():
        spec = select_tasks(spec, settings)
    out = Path(settings.out or f"runs/{run_name(spec)}")
    with mistakes.noting():
        check_speech(spec)
    with mistakes.noting():
        notes += [f"warning: {warning}" for warning in [*agent.warnings(), *unasked_limits(settings, [spec])]]
        check_cost(spec, settings.waive_cost or False, settings.budget)
    with mistakes.noting():
        notes += [note] if (note := held_back_note(spec, settings)) else []
    return PreparedRun(settings, spec, agent, out, tuple(notes), mistakes)
