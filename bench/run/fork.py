"""The specification of a run that goes another way from a turn of a recorded episode."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.episode.recorded_turns import check_acts
from omnipilot.bench.journal.attempts import RecordedAttempt, attempt_events
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.results import Slot
from omnipilot.bench.registry import load_suite
from omnipilot.bench.run.config import agent_of, layer_settings, set_options
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.spec import ForkSpec, RunSpec
from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class ForkPoint:
    """Where a recorded episode goes another way.

    Attributes:
        run: its directory. slot, attempt: which episode; attempt None for the last that ended.
        turn: the first turn that is decided anew, counted from 1.
        shadow: whether the agent is asked in the turns before, too; None for: if it may keep a state of its own.
        loose: as in `ForkSpec`.
    """

    run: Path
    slot: Slot
    turn: int
    attempt: int | None = None
    shadow: bool | None = None
    loose: bool = False


def fork_spec(
    point: ForkPoint, changes: RunSettings, options: Sequence[str] = (), times: int = 1
) -> tuple[RunSpec, RecordedAttempt]:
    """The run of the forks, and the recorded attempt that they begin with.

    All is as in the run of the record, apart from what is changed: the parts of the agent that `changes` names, and
    options of its parts.

    Args:
        options: as PART.KEY=VALUE. times: number of forks.

    Raises:
        ConfigError: there is no such episode or turn, the suite has changed since, what is changed makes no agent, or
            the forks are to be honest and the record is not.
    """
    if times < 1:
        raise ConfigError(f"--times must be at least 1, not {times}")
    origin = load_run(point.run)
    record = RecordedAttempt.of_events(attempt_events(point.run, point.slot.key, point.attempt))
    check_acts(record)
    last = len(record.turns) + 1
    if not 1 <= point.turn <= last:
        raise ConfigError(
            f"{point.slot.key} has {len(record.turns)} turns; fork it with --turn 1 (all anew) to --turn {last} (after "
            "the last)"
        )
    suite = load_suite(origin.spec.suite)
    if suite.version != origin.spec.suite_version:
        raise ConfigError(
            f"{point.run} was recorded on version {origin.spec.suite_version} of suite {suite.name!r}, and this is "
            f"version {suite.version}; install the version that recorded it"
        )
    agent = agent_of(set_options(layer_settings(settings_of(origin.spec.agent), changes), options))
    _check_beginning(point, origin.spec, agent.honest)
    shadow = keeps_state(agent) if point.shadow is None else point.shadow
    forked = ForkSpec(
        str(point.run.resolve()),
        origin.spec.identity,
        record.started.key,
        record.started.attempt,
        point.turn - 1,
        shadow,
        point.loose,
    )
    spec = replace(
        origin.spec,
        agent=agent,
        tasks=(point.slot.task,),
        instances=1,
        trials=times,
        prompts={},
        conditions={},
        code=None,
        forked=forked,
    )
    return spec, record


def _check_beginning(point: ForkPoint, spec: RunSpec, honest: str) -> None:
    """Refuse forks that are to be honest where what they begin with was not done so."""
    try:
        replace(spec, agent=replace(spec.agent, honest=honest))
    except ConfigError as error:
        raise ConfigError(f"forks begin with what was done in {point.run}: {error}") from None


def keeps_state(agent: AgentSpec) -> bool:
    """Whether an agent may keep a state besides the memory that the loop fills: all but a single one whose planner is a
    chat model, which is told everything in each turn."""
    return agent.system != "single" or not agent.planner.calls_model


def settings_of(agent: AgentSpec) -> RunSettings:
    """The settings that describe an agent."""
    parts = ("tool_agent", "planner", "grounder", "memory", "critic", "progress", "loops", "skills", "readers")
    values = {name: getattr(agent, name) for name in (*parts, "perception", "checks", "gate", "verbs", "stop")}
    granted: dict[str, Any] = {
        name: sorted(map(str, value))
        for name in ("modalities", "planner_modalities", "grounder_modalities", "critic_modalities")
        if (value := getattr(agent, name)) is not None
    }
    given = {name: value for name, value in values.items() if value is not None}
    return RunSettings(agent=PartSpec(agent.system), honest=agent.honest or None, **given, **granted)
