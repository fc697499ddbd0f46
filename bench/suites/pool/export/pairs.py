"""Preference pairs: of two solved runs of one task the shorter is preferred (MMBench-GUI, finding 3).

A run's reward is solved - c * steps / limit. Runs are those of run directories of the suite `pool`; without any they
are the demonstrations in different topological orders, of which one that changes applications less often is shorter.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.bench.doors.recorded import FinishedEpisode, played_episodes, screenshot_file
from omnipilot.bench.suites.pool.export.files import PictureFolder
from omnipilot.bench.suites.pool.export.omnibench import screen_of
from omnipilot.bench.suites.pool.export.playing import PlayedTask
from omnipilot.envs import ConfigError, Image
from omnipilot.envs.schema import to_json
from omnipilot.memory.secrets import scrub_values

LIMIT = 30
"""Turns that an episode may take where nothing else is said: that of a run."""


@dataclass(frozen=True, slots=True)
class SolvedRun:
    """One solved run of a task.

    Attributes:
        name: of the run, or of the order. steps: turns that it took. limit: turns that it was given.
        turns: [{"env", "thought", "moves", "images"}]; images are paths, in the order of the devices.
    """

    task: str
    instance: int
    name: str
    instruction: str
    steps: int
    limit: int
    turns: Sequence[Mapping[str, Any]]

    def reward(self, cost: float) -> float:
        """1 - c * steps / limit."""
        return 1.0 - cost * self.steps / self.limit


def pairs_of(runs: Sequence[SolvedRun], cost: float) -> Iterator[dict[str, Any]]:
    """Pairs of runs of one task and instance that differ in length; the one with the greater reward is preferred."""
    ordered = sorted(runs, key=lambda run: (run.task, run.instance, run.steps, run.name))
    for (task, instance), group in itertools.groupby(ordered, key=lambda run: (run.task, run.instance)):
        for shorter, longer in itertools.combinations(list(group), 2):
            if shorter.reward(cost) > longer.reward(cost):
                yield {
                    "task": task,
                    "instance": instance,
                    "instruction": shorter.instruction,
                    "chosen": _run_json(shorter, cost),
                    "rejected": _run_json(longer, cost),
                }


def _run_json(run: SolvedRun, cost: float) -> dict[str, Any]:
    return {
        "name": run.name,
        "steps": run.steps,
        "limit": run.limit,
        "reward": round(run.reward(cost), 6),
        "turns": list(run.turns),
    }


def run_of_order(task: str, played: PlayedTask, pictures: PictureFolder) -> SolvedRun:
    """A played order as a run."""
    turns = [
        {
            "env": step.env,
            "thought": step.thought,
            "moves": [{"env": step.env, "intent": to_json(step.action)}],
            "images": [pictures.add(screen_of(step))],
        }
        for step in played.steps
    ]
    name = "order " + " ".join(map(str, played.order))
    return SolvedRun(task, played.instance, name, played.instruction, len(turns), max(LIMIT, len(turns)), turns)


def recorded_runs(folders: Sequence[Path], pictures: PictureFolder) -> Iterator[SolvedRun]:
    """The solved episodes of run directories of the suite `pool`.

    Raises:
        ConfigError: a run is of another suite, or there is none. JournalError: a journal is damaged.
    """
    for folder in folders:
        for one in played_episodes(folder):
            suite = one.run.spec.suite.name
            if suite != "pool":
                raise ConfigError(f"{folder} is a run of the suite {suite}; name runs of --suite pool")
            if one.success:
                yield _recorded(folder, one, pictures)


def _recorded(folder: Path, one: FinishedEpisode, pictures: PictureFolder) -> SolvedRun:
    turns = []
    for turn in one.turns:
        images = []
        for seen in turn.observations.values():
            file = screenshot_file(folder, seen["screenshot"]) if seen.get("screenshot") else None
            if file is not None and file.is_file():
                images.append(pictures.add(Image.encoded(file.read_bytes())))
        envs = [move.get("env", "") for move in turn.moves]
        told = scrub_values({"env": envs[0] if envs else "", "thought": turn.thought, "moves": list(turn.moves)})
        turns.append({**told, "images": images})
    limit = one.started.limits.get("turns") or one.started.limits.get("actions") or max(LIMIT, len(turns))
    started = one.started
    name = f"{folder.name} trial {started.trial}"
    return SolvedRun(started.task, started.instance, name, started.instruction, len(turns), int(limit), turns)
