"""People's ratings of trajectories beside the judges' figures (OmniBench §5.2, figure 5)."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from omnipilot.bench import append_json_lines, read_json_lines
from omnipilot.bench.annotation.recordings import CapturedEpisode, captured_episode
from omnipilot.bench.doors.recorded import FinishedEpisode, played_episodes
from omnipilot.bench.experiments.studies.people import (
    LEAST,
    WatchedEpisode,
    agreement_with_people,
    check_tens,
    people_table,
)
from omnipilot.bench.stats.agreement import cohen_kappa
from omnipilot.bench.suites.omnibench.metrics.execution import consistency, coverage
from omnipilot.bench.suites.omnibench.metrics.graph import Subtask, TaskGraph
from omnipilot.bench.suites.omnibench.predictions import execution_of
from omnipilot.envs import ConfigError

FILE = "ratings.jsonl"
COLUMNS = ("episode", "instruction", "actions", "completion", "logic", "rater", "seconds")
ENDED = "Ends the task"
"""Instead of what the agent claims of the end."""
_ENDS = frozenset({"TASK_COMPLETE", "TASK_IMPOSSIBLE"})
MOST_CELL = 20_000
"""Letters of the actions in a cell; programs for sheets take about as many."""


@dataclass(frozen=True, slots=True)
class RatedTrajectory:
    """A finished episode to be rated, and what the judges say of it, which its raters are not told.

    Attributes:
        id: "run/task#instance.trial".
        coverage: OmniBench's CR in 0..1, nodes weighted by their depth. consistency: its LC; None where the graph
            allows one order alone, or nothing was reached. success: whether every node was reached.
    """

    id: str
    episode: CapturedEpisode
    coverage: float
    consistency: float | None
    success: bool


JudgedFigure: TypeAlias = Callable[[RatedTrajectory], float | None]
_FIGURES: tuple[tuple[str, JudgedFigure], ...] = (
    ("CR", lambda one: one.coverage),
    ("LC", lambda one: one.consistency),
    ("SR", lambda one: float(one.success)),
)


def draw_trajectories(folders: Sequence[Path], sample: int, seed: int) -> list[RatedTrajectory]:
    """So many of the judged episodes of runs that are not void, drawn by the seed from all of them together.

    Args:
        sample: 0 for all.

    Raises:
        ConfigError: there is none, or two runs have the same name. JournalError: a journal is damaged.
    """
    names = [folder.resolve().name for folder in folders]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ConfigError(f"runs are told apart by the names of their folders; rename one of: {', '.join(twice)}")
    found = [
        (name, folder, one)
        for name, folder in zip(names, folders, strict=True)
        for one in played_episodes(folder)
        if not one.ended.void and one.success is not None and one.started.nodes
    ]
    if not found:
        raise ConfigError("no judged episode of these runs has come to an end")
    found.sort(key=lambda one: (one[0], one[2].started.key))
    if sample and sample < len(found):
        found = [found[number] for number in Random(seed).sample(range(len(found)), sample)]
    return [_trajectory(*one) for one in found]


def _trajectory(name: str, folder: Path, found: FinishedEpisode) -> RatedTrajectory:
    start = found.started
    # What belongs together is done on one device: our nodes name no application.
    nodes = tuple(Subtask(node["name"], node["env"]) for node in start.nodes)
    graph = TaskGraph(nodes, tuple((before, after) for before, after in start.edges))
    taken = [step for turn in found.turns for step in found.steps.get(turn.turn, ())]
    execution = execution_of(graph, taken, found.ended, "paper")
    episode = captured_episode(folder, found)
    steps = tuple(replace(one, words=ENDED) if one.primitive in _ENDS else one for one in episode.steps)
    return RatedTrajectory(
        f"{name}/{start.key}",
        replace(episode, steps=steps),
        coverage(execution),
        consistency(execution),
        bool(found.success),
    )


class RatingFile:
    """The ratings of trajectories in a folder; JSON lines, appended one by one."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE

    def append(self, ratings: Iterable[WatchedEpisode]) -> None:
        """Write ratings."""
        append_json_lines(self.path, map(asdict, ratings))

    def read(self) -> list[WatchedEpisode]:
        """The last rating of each trajectory by each rater, in the order in which they were first given. A last line
        that was cut off is left out.

        Raises:
            ConfigError: another line is no rating; the message names it.
        """

        def rating(values: dict[str, Any]) -> WatchedEpisode:
            one = WatchedEpisode(**values)
            check_tens(one.completion, one.logic)
            return one

        return list({(one.episode, one.rater): one for one in read_json_lines(self.path, rating, "rating")}.values())


def write_trajectory_sheet(path: Path, trajectories: Iterable[RatedTrajectory], rater: str = "") -> int:
    """Write a sheet (CSV) to fill in, without what the judges said. Returns the number of trajectories."""
    path.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        sheet = csv.writer(file)
        sheet.writerow(COLUMNS)
        for one in trajectories:
            count += 1
            actions = "\n".join(f"{number}. {step.words}" for number, step in enumerate(one.episode.steps, 1))
            sheet.writerow([one.id, one.episode.instruction, actions[:MOST_CELL], "", "", rater, ""])
    return count


def rating_lines(trajectories: Sequence[RatedTrajectory], ratings: Sequence[WatchedEpisode]) -> list[str]:
    """What ratings come to, as lines for a terminal: κ between the raters, and a table of Pearson's r with the judges'
    figures.

    Raises:
        ConfigError: nobody has rated one of these trajectories.
    """
    known = {one.id: one for one in trajectories}
    counted = [one for one in ratings if one.episode in known]
    if not counted:
        raise ConfigError(
            "nobody has rated one of these trajectories yet; omnipilot rate RUN --rater NAME opens the page"
        )
    by_rater: dict[str, dict[str, WatchedEpisode]] = {}
    for one in counted:
        by_rater.setdefault(one.rater, {})[one.episode] = one
    each = ", ".join(f"{rater} {len(said)}" for rater, said in by_rater.items())
    rated = {one.episode for one in counted}
    lines = [f"{len(rated)} of {len(trajectories)} trajectories rated ({each})", *_kappa_lines(by_rater)]
    figures = {name: {id: value for id in rated if (value := of(known[id])) is not None} for name, of in _FIGURES}
    for name, values in figures.items():
        if len(values) < LEAST:
            lines.append(f"{name} is defined for {len(values)} of them: a correlation needs {LEAST}")
    if enough := {name: values for name, values in figures.items() if len(values) >= LEAST}:
        lines += ["", *people_table(agreement_with_people(counted, enough)).text().splitlines(), ""]
    if len(by_rater) < 2:
        lines.append("OmniBench had two raters score each trajectory: agreement needs a second one")
    return lines


def _kappa_lines(by_rater: Mapping[str, Mapping[str, WatchedEpisode]]) -> list[str]:
    first, second = [*by_rater.values(), {}, {}][:2]
    common = [id for id in first if id in second]
    lines = []
    for name in ("completion", "logic") if common else ():
        kappa = cohen_kappa([(getattr(first[id], name), getattr(second[id], name)) for id in common])
        told = "not defined, since both always said the same" if kappa != kappa else f"{kappa:.2f}"
        lines.append(f"Cohen's κ of {name}: {told} over {len(common)} trajectories that the first two raters rated")
    return lines
