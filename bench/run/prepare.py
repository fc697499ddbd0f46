"""A run between its settings and its first episode: what the command `run` and its namesake in Python share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.agents.assembly.examine import ExaminedAgent, examine
from omnipilot.bench.episode.guarding import guard_note
from omnipilot.bench.run.config import check_speech, endpoint_broker, spec_from, unasked_limits
from omnipilot.bench.run.labels import run_name
from omnipilot.bench.run.llm_budget import check_cost
from omnipilot.bench.run.mistakes import Mistakes
from omnipilot.bench.run.runner import OnProgress, RunResult, run
from omnipilot.bench.run.spending import Spending
from omnipilot.bench.run.task_selection import held_back_note, select_tasks
from omnipilot.bench.run.void_streak import VoidStreak
from omnipilot.bench.settings import ALL_MEDIA, MESSAGES, RunSettings
from omnipilot.bench.spec import RunSpec
from omnipilot.memory.models.broker.broker import Broker


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
    broker: Broker
    out: Path
    notes: tuple[str, ...]
    mistakes: Mistakes

    def play(
        self,
        spending: Spending,
        voids: VoidStreak,
        on_progress: OnProgress | None = None,
        rerun_void: bool = False,
        known: dict[str, Any] | None = None,
        cluster: str = "",
    ) -> RunResult:
        """Play what is missing of it; see `omnipilot.bench.run.runner.run`."""
        settings = self.settings
        return run(
            self.spec,
            self.out,
            settings.workers,
            on_progress,
            rerun_void=rerun_void,
            known=known,
            messages=settings.messages or MESSAGES,
            spending=spending,
            voids=voids,
            agent=self.agent,
            shard=settings.part,
            silence=settings.longest_silence,
            broker=self.broker,
            media=settings.media or ALL_MEDIA,
            cluster=cluster,
        )


def prepare_run(settings: RunSettings) -> PreparedRun:
    """The run that settings describe, with its tasks chosen and everything that is wrong with it. Nothing is written.

    Raises:
        ConfigError: they describe no run.
    """
    mistakes = Mistakes()
    broker = endpoint_broker(settings)
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
    return PreparedRun(settings, spec, agent, broker, out, tuple(notes), mistakes)
