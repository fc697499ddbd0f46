"""The table of the study, from the files of its finished arms alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from omnipilot.bench.stats.paired import difference, pair
from omnipilot.bench.stats.summary import EpisodeOutcome, headline
from omnipilot.bench.tables import Table
from omnipilot.bench.training.study.arms import ARMS
from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import read_text


def study_table(folder: Path, split: str = "dev") -> Table:
    """A row for each arm: what it solves of the held-out tasks, and its difference to the first arm, paired by task
    and instance. Seeds count as trials.

    Args:
        folder: of a study. split: "dev" for held-out development tasks, or "test".

    Raises:
        ConfigError: no arm is finished.
    """
    arms = _outcomes(folder, split)
    if not arms:
        raise ConfigError(f"no arm of {folder} is finished yet; go on with omnipilot train study")
    first, rows = next(iter(arms)), []
    for name, (outcomes, seeds, tasks) in arms.items():
        solved = headline(outcomes)
        against, p = "reference", ""
        if name != first:
            pairs, *_ = pair(arms[first][0], outcomes)
            found = difference(pairs)
            against, p = found.interval.text(signed=True), "" if found.p is None else f"{found.p:.2g}"
        count = sum(round(one.value) for one in outcomes)
        rows.append((name, str(tasks), str(seeds), f"{count}/{len(outcomes)}", solved.all.text(), against, p))
    notes = (
        "tasks: different ones that the arm was trained on; all arms were trained on as many demonstrations and steps",
        f"difference to {first}, in points, paired by task and instance, over the mean of seeds; […]: 95 % intervals",
    )
    return Table(("arm", "tasks", "seeds", "solved", "SR %", "difference", "p"), tuple(rows), notes)


def _outcomes(folder: Path, split: str) -> dict[str, tuple[Sequence[EpisodeOutcome], int, int]]:
    found: dict[str, tuple[Sequence[EpisodeOutcome], int, int]] = {}
    told = [parse_json(read_text(path)) for path in sorted((folder / "arms").glob("*.json"))]
    for name in ARMS:
        mine = [one for one in told if one["arm"] == name and one["split"] == split]
        outcomes = [
            EpisodeOutcome(
                episode["task"],
                episode["instance"],
                one["seed"],
                float(episode["success"] and not episode["void"]),
                episode["void"],
                tuple(episode["templates"]),
            )
            for one in mine
            for episode in one["episodes"]
        ]
        if mine:
            found[name] = outcomes, len(mine), mine[0]["tasks"]
    return found
