"""The stages of `synth all`, and how they are called one after the other."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Mapping
from inspect import signature
from pathlib import Path
from typing import Any

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.envs import ConfigError

STAGES = ("explore", "subtasks", "verify", "compose", "tell", "check", "report")
"""In order; each is the command of that name in the module of that name beside this one."""


def run_stages(pool: Path, given: Mapping[str, Any], since: str, tell: Callable[[str], None], until: str = "") -> None:
    """Run the commands of all stages on a folder, with what of `given` each has an option for.

    Args:
        since: the stage to begin with; "" for the first. until: the one to end with; "" for the last.
        tell: called with a line before each stage and at the end.

    Raises:
        ConfigError: no such stage, an option that no stage has, or a stage cannot be run.
    """
    for stage in (since, until):
        if stage and stage not in STAGES:
            raise ConfigError(describe_unknown("stage", stage, STAGES))
    commands = {stage: stage_command(stage) for stage in STAGES}
    known = {name for command in commands.values() for name in signature(command).parameters}
    if strangers := sorted(name for name, value in given.items() if value and name not in {*known, "world"}):
        raise ConfigError(f"no stage has an option {strangers[0]}; the stages are {', '.join(STAGES)}")
    began = time.perf_counter()
    for stage in STAGES[STAGES.index(since or STAGES[0]) : STAGES.index(until or STAGES[-1]) + 1]:
        command = commands[stage]
        takes = signature(command).parameters
        tell(f"== {stage}, after {time.perf_counter() - began:.0f} s")
        command(pool, **{name: value for name, value in given.items() if name in takes})
    tell(f"== done in {time.perf_counter() - began:.0f} s: {pool}")


def stage_command(stage: str) -> Callable[..., None]:
    """The command of a stage."""
    module = importlib.import_module(f"omnipilot.bench.suites.pool.commands.{stage}")
    command: Callable[..., None] = getattr(module, stage)
    return command
