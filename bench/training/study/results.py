"""The table of the study, from the files of its finished arms alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.bench.stats.paired import difference, pair
from omnipilot.bench.stats.summary import EpisodeOutcome, headline
from omnipilot.bench.tables import Table
from omnipilot.bench.training.study.arms import ARMS
from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import read_text


@dataclass(frozen=True, slots=True)
class PlayedArm:
    """An arm that was played.

    Attributes:
        tasks: different ones that it was trained on. seeds: how many trainings. solved: what each episode solved, 0
            or 1. reached: the share of its sub-goals that each episode reached.
    """

    name: str
    tasks: int
    seeds: int
    solved: Sequence[EpisodeOutcome]
    reached: Sequence[EpisodeOutcome]


def study_table(folder: Path, split: str = "dev") -> Table:
    """A row for each arm: what it solves of the held-out tasks, how many of their sub-goals it reaches, and both less
    those of the first arm, paired by task and instance. Seeds count as trials.

    Args:
        folder: of a study. split: "dev" for held-out development tasks, or "test".

    Raises:
        ConfigError: no arm is finished.
    """
    arms = _played_arms(folder, split)
    if not arms:
        raise ConfigError(f"no arm of {folder} is finished yet; go on with omnipilot train study")
    first, rows = arms[0], []
    for arm in arms:
        solved = sum(round(one.value) for one in arm.solved)
        trained = (arm.name, str(arm.tasks), str(arm.seeds), f"{solved}/{len(arm.solved)}")
        both = ((arm.solved, first.solved), (arm.reached, first.reached))
        figures = [
            cell
            for mine, others in both
            for cell in (headline(mine).all.text(), "reference" if arm is first else _less(mine, others))
        ]
        rows.append((*trained, *figures))
    notes = (
        "tasks: different ones that the arm was trained on; all arms were trained on as many demonstrations and steps",
        f"less {first.name}: in points, paired by task and instance, over the mean of seeds; […]: 95 % intervals",
    )
    less = f"less {first.name}"
    return Table(("arm", "tasks", "seeds", "solved", "SR %", less, "sub-goals %", less), tuple(rows), notes)


def _less(outcomes: Sequence[EpisodeOutcome], reference: Sequence[EpisodeOutcome]) -> str:
    pairs, *_ = pair(reference, outcomes)
    return difference(pairs).interval.text(signed=True)


def _played_arms(folder: Path, split: str) -> list[PlayedArm]:
    found = []
    told = [parse_json(read_text(path)) for path in sorted((folder / "arms").glob("*.json"))]
    for name in ARMS:
        mine = [one for one in told if one["arm"] == name and one["split"] == split]
        if mine:
            solved, reached = (
                [
                    EpisodeOutcome(
                        episode["task"],
                        episode["instance"],
                        one["seed"],
                        0.0 if episode["void"] else value(episode),
                        episode["void"],
                        tuple(episode["templates"]),
                    )
                    for one in mine
                    for episode in one["episodes"]
                ]
                for value in (_success, _share)
            )
            found.append(PlayedArm(name, mine[0]["tasks"], len(mine), solved, reached))
    return found


def _success(episode: Mapping[str, Any]) -> float:
    return float(episode["success"])


def _share(episode: Mapping[str, Any]) -> float:
    return float(episode["completed"] / max(1, episode["total"]))
