"""People's ratings of trajectories beside the judges' figures (OmniBench §5.2, figure 5)."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from omnipilot.bench.annotation.answers import append_lines, read_lines
from omnipilot.bench.annotation.recordings import CapturedEpisode, captured_episode
from omnipilot.bench.doors.recorded import FinishedEpisode, played_episodes
from omnipilot.bench.stats.agreement import cohen_kappa
from omnipilot.bench.suites.omnibench.metrics.execution import consistency, coverage
from omnipilot.bench.suites.omnibench.metrics.graph import Subtask, TaskGraph
from omnipilot.bench.suites.omnibench.predictions import execution_of
from omnipilot.envs import ConfigError

FILE = "ratings.jsonl"
TENS = tuple(range(0, 101, 10))
"""What a rating may be, in percent."""
COLUMNS = ("trajectory", "instruction", "actions", "completion", "logic", "rater", "seconds")
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


@dataclass(frozen=True, slots=True)
class TrajectoryRating:
    """What one rater said of one trajectory: completion and logic in percent, and the seconds that it took."""

    trajectory: str
    rater: str
    completion: int
    logic: int
    seconds: float = 0.0


def draw_trajectories(folders: Sequence[Path], sample: int, seed: int) -> list[RatedTrajectory]:
    """So many of the finished episodes of runs that are not void, drawn by the seed from all of them together.

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
        if not one.ended.void and one.started.nodes
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
        found.success,
    )


def check_rating(completion: object, logic: object) -> None:
    """Refuse what is no rating.

    Raises:
        ConfigError: one of the two is not in steps of 10 from 0 to 100.
    """
    for name, value in (("completion", completion), ("logic", logic)):
        if isinstance(value, bool) or value not in TENS:
            raise ConfigError(f"{name} is one of {', '.join(map(str, TENS))} (percent), not {value!r}")


class RatingFile:
    """The ratings of trajectories in a folder; JSON lines, appended one by one."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE

    def append(self, ratings: Iterable[TrajectoryRating]) -> None:
        """Write ratings."""
        append_lines(self.path, map(asdict, ratings))

    def read(self) -> list[TrajectoryRating]:
        """The last rating of each trajectory by each rater, in the order in which they were first given. A last line
        that was cut off is left out.

        Raises:
            ConfigError: another line is no rating; the message names it.
        """

        def rating(values: dict[str, Any]) -> TrajectoryRating:
            one = TrajectoryRating(**values)
            check_rating(one.completion, one.logic)
            return one

        return list({(one.trajectory, one.rater): one for one in read_lines(self.path, rating, "rating")}.values())


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


def read_trajectory_sheet(path: Path, known: Iterable[str], rater: str = "") -> list[TrajectoryRating]:
    """The ratings of a sheet; lines that were left empty are none.

    Args:
        known: ids of the trajectories. rater: who filled it in, where the sheet does not say.

    Raises:
        ConfigError: it cannot be read, a column is missing, or a line makes no sense; the message names the line.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise ConfigError(f"the sheet {path} cannot be read: {error.strerror}") from None
    if rows and (missing := [name for name in ("trajectory", "completion", "logic") if name not in rows[0]]):
        raise ConfigError(f"{path} has no column {missing[0]!r}; --sheet FILE writes a sheet to fill in")
    ids, found = set(known), []
    for number, row in enumerate(rows, 2):
        where = f"line {number} of {path}"
        said = [(row[name] or "").strip().removesuffix("%").strip() for name in ("completion", "logic")]
        if not any(said):
            continue
        if row["trajectory"] not in ids:
            raise ConfigError(f"{where}: {row['trajectory']!r} is none of the trajectories; ask with the same --seed")
        who = (row.get("rater") or rater).strip()
        if not who:
            raise ConfigError(f"{where}: who rated? Fill in the column rater, or give --rater NAME")
        values = [int(one) if one.isdecimal() else one for one in said]
        try:
            check_rating(*values)
        except ConfigError as error:
            raise ConfigError(f"{where}: {error}") from None
        seconds = (row.get("seconds") or "").strip()
        took = float(seconds) if seconds.replace(".", "", 1).isdecimal() else 0.0
        found.append(TrajectoryRating(row["trajectory"], who, int(values[0]), int(values[1]), took))
    return found


def pearson(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Pearson's r; None for fewer than three pairs, or where one side is always the same."""
    if len(pairs) < 3:
        return None
    means = [math.fsum(side) / len(pairs) for side in zip(*pairs, strict=True)]
    apart = [(x - means[0], y - means[1]) for x, y in pairs]
    spread = math.sqrt(math.fsum(x * x for x, _ in apart) * math.fsum(y * y for _, y in apart))
    return math.fsum(x * y for x, y in apart) / spread if spread > 1e-12 else None


def human_scores(ratings: Iterable[TrajectoryRating]) -> dict[str, tuple[float, float]]:
    """Completion and logic of each trajectory in 0..1, the mean over its raters."""
    said: dict[str, list[TrajectoryRating]] = {}
    for one in ratings:
        said.setdefault(one.trajectory, []).append(one)
    return {
        id: (
            sum(one.completion for one in several) / len(several) / 100,
            sum(one.logic for one in several) / len(several) / 100,
        )
        for id, several in said.items()
    }


def rating_lines(trajectories: Sequence[RatedTrajectory], ratings: Sequence[TrajectoryRating]) -> list[str]:
    """What ratings come to, as lines for a terminal: κ between the raters, and Pearson's r with the judges' figures.

    Raises:
        ConfigError: nobody has rated one of these trajectories.
    """
    known = {one.id: one for one in trajectories}
    counted = [one for one in ratings if one.trajectory in known]
    if not counted:
        raise ConfigError(
            "nobody has rated one of these trajectories yet; omnipilot rate RUN --rater NAME opens the page"
        )
    scores = human_scores(counted)
    by_rater: dict[str, dict[str, TrajectoryRating]] = {}
    for one in counted:
        by_rater.setdefault(one.rater, {})[one.trajectory] = one
    each = ", ".join(f"{rater} {len(said)}" for rater, said in by_rater.items())
    lines = [f"{len(scores)} of {len(trajectories)} trajectories rated ({each})", *_kappa_lines(by_rater)]
    for name, place in (("completion", 0), ("logic", 1)):
        for figure, of in _FIGURES:
            pairs = [(scores[id][place], value) for id in scores if (value := of(known[id])) is not None]
            found = pearson(pairs)
            told = "not defined" if found is None else f"{found:+.2f}"
            lines.append(f"Pearson's r of {name} with {figure}: {told} over {len(pairs)} trajectories")
    if len(by_rater) < 2:
        lines.append("OmniBench had two raters score each trajectory: agreement needs a second one")
    return lines


def _kappa_lines(by_rater: Mapping[str, Mapping[str, TrajectoryRating]]) -> list[str]:
    first, second = [*by_rater.values(), {}, {}][:2]
    common = [id for id in first if id in second]
    lines = []
    for name in ("completion", "logic") if common else ():
        kappa = cohen_kappa([(getattr(first[id], name), getattr(second[id], name)) for id in common])
        told = "not defined, since both always said the same" if kappa != kappa else f"{kappa:.2f}"
        lines.append(f"Cohen's κ of {name}: {told} over {len(common)} trajectories that the first two raters rated")
    return lines
