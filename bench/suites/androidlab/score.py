"""`omnipilot score androidlab`: tasks that AndroidLab's runner has recorded, judged by the user's checkout of it.

AndroidLab: Xu et al. 2024, https://github.com/THUDM/Android-Lab, MIT; read and run at commit 373fc1d. Its judges look
at a dump of each screen and at the agent's last words, so no device is needed. None of its code is here.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from omnipilot.bench.foreign import ForeignFailure, ForeignLost, ForeignProcess, checkout_hash, finite_score
from omnipilot.bench.scoring import Figure, Item, Scored
from omnipilot.bench.stats import LEVEL, Interval, mean_of
from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError
from omnipilot.envs.types import documentation_page

SCRIPT = Path(__file__).with_name("judge_recordings.py")
JUDGING_FILES = ("evaluation/**/*.py", "evaluation/**/*.yaml", "evaluation/**/*.json", "utils_mobile/*.py")
TRACE = Path("traces", "trace.jsonl")
PATIENCE = 300.0
"""Seconds in which a task has to be judged; a model that judges an answer is asked again several times."""
GET = "git clone https://github.com/THUDM/Android-Lab, and name the folder with --data"
CURE = (
    "name an interpreter that has its requirements with -o python=…; "
    f"{documentation_page('outside')} says how to make one"
)


@dataclass(frozen=True, slots=True)
class JudgedRecording:
    """What came of one recorded task.

    Attributes:
        complete: as their judge says. parts: the share of sub-goals that are reached; 1 where it is complete.
        rrr: their reversed redundancy ratio, None where the task is not complete or its length not known.
        ror: their reasonable operation ratio. void: why it was not judged, "" if it was.
    """

    complete: bool = False
    parts: float = 0.0
    rrr: float | None = None
    ror: float = 0.0
    void: str = ""


class AndroidLabScore:
    """AndroidLab's four figures: SR, Sub-SR, RRR and ROR.

    As in the release, SR, Sub-SR and ROR are shares of all tasks, also of those that were not recorded, and RRR is the
    mean over completed ones. A task at which the judge failed counts as failed, too, as it does there, and is void
    here: the figures without these stand beside.

    Args:
        python: the interpreter with its requirements; by default that of a folder `.venv` in the checkout, else
            `python3`.
        judge: the model that judges the answers of its 45 queries, as the release names it: `gpt-4o-2024-05-13` with
            OPENAI_API_KEY, or `glm4` with ZHIPUAI_API_KEY. Without one, these tasks are void.
    """

    name = "androidlab"
    variants = ("release",)
    format = "a folder of AndroidLab's runner, with a folder for each task such as clock_1_…/traces/trace.jsonl"

    def __init__(self, python: str = "", judge: str = "") -> None:
        self._python, self._model = python, judge

    def score(self, data: str, predictions: Path, variant: str = "release") -> Scored:
        """Judge a folder.

        Args:
            data: the checkout.

        Raises:
            ConfigError: no checkout, no recorded task, or their code cannot be loaded.
        """
        checkout = Path(data).expanduser().resolve()
        if not data or not (checkout / "evaluation" / "configs.py").is_file():
            where = f"{data} has no evaluation/configs.py" if data else "its repository is not named"
            raise ConfigError(f"AndroidLab: {where}; {GET}")
        folders, extra, notes = find_recordings(predictions)
        process = self._start(checkout)
        try:
            tasks = self._open(process, checkout)
            found: dict[str, JudgedRecording] = {}
            for task in tasks:
                if task not in folders:
                    continue
                if not process.alive:
                    process.close()
                    process = self._start(checkout)
                    self._open(process, checkout)
                found[task] = _judge(process, task, folders[task])
        finally:
            process.close()
        if not found:
            raise ConfigError(f"{predictions} has no recorded task. Expected: {self.format}")
        extra += sorted(path.name for task, path in folders.items() if task not in tasks)
        void = [(task, one.void) for task, one in found.items() if one.void]
        told = (
            f"judged by the checkout {checkout_hash(checkout, JUDGING_FILES)}; {len(found)} of {len(tasks)} tasks are "
            "recorded, and those that are not count as failed",
            f"answers judged by {self._model}" if self._model else "no model judges answers: queries are void",
            *(f"task {task} is void: {why}" for task, why in void[:10]),
            *notes,
        )
        missing = tuple(task for task in tasks if task not in found)
        figures = tuple(_figures(tasks, found))
        return Scored(self.name, variant, figures, (_by_app(tasks, found),), (), missing, tuple(extra), told)

    def _start(self, checkout: Path) -> ForeignProcess:
        own = checkout / ".venv" / "bin" / "python"
        python = self._python or (str(own) if own.is_file() else shutil.which("python3") or "python3")
        return ForeignProcess(Path(python).absolute() if "/" in python else python, SCRIPT, name="AndroidLab")

    def _open(self, process: ForeignProcess, checkout: Path) -> dict[str, str]:
        """The application of each task that the checkout can judge."""
        try:
            told = process.ask("open", PATIENCE, checkout=str(checkout), model=self._model)
        except (ForeignFailure, ForeignLost) as error:
            raise ConfigError(f"the judges of {checkout} cannot be loaded: {error}; {CURE}") from None
        tasks = {str(one["id"]): str(one["app"]) for one in told["tasks"] if one["judged"]}
        if not tasks:
            raise ConfigError(f"{checkout} has no task that it can judge in evaluation/config; {GET}")
        return tasks


def find_recordings(folder: Path) -> tuple[dict[str, Path], list[str], tuple[str, ...]]:
    """The folder of each recorded task, folders that are none, and what has to be said of them.

    A task's id are the first two words of its folder's name, as in the release; of several of one task, the last by
    name counts.

    Raises:
        ConfigError: no such folder.
    """
    if not folder.is_dir():
        raise ConfigError(f"{folder} is no folder. Expected: {AndroidLabScore.format}")
    found: dict[str, Path] = {}
    extra: list[str] = []
    again = 0
    for path in sorted(one for one in folder.iterdir() if one.is_dir()):
        words = path.name.split("_")
        if len(words) < 2 or not (path / TRACE).is_file():
            extra.append(path.name)
            continue
        task = "_".join(words[:2])
        again += task in found
        found[task] = path.resolve()
    return found, extra, (f"{again} folders are of a task that has a later one, which counts",) if again else ()


def _judge(process: ForeignProcess, task: str, folder: Path) -> JudgedRecording:
    try:
        told = process.ask("judge", PATIENCE, task=task, folder=str(folder))
        parts, ror = (finite_score(told[name], "AndroidLab") for name in ("parts", "ror"))
        complete = bool(told["complete"])
        rrr = None if told["rrr"] is None else finite_score(told["rrr"], "AndroidLab", 0.0, 1000.0)
    except (ForeignFailure, ForeignLost) as error:
        return JudgedRecording(void=str(error).splitlines()[0])
    return JudgedRecording(complete, 1.0 if complete else parts, rrr, ror, str(told["void"]))


def _figures(tasks: Collection[str], found: Mapping[str, JudgedRecording]) -> Iterator[Figure]:
    empty = JudgedRecording(void="not recorded")
    for name, value in (
        ("SR", lambda one: float(one.complete)),
        ("Sub-SR", lambda one: one.parts),
        ("ROR", lambda one: one.ror),
    ):
        items = tuple(Item(task, task, value(found.get(task, empty))) for task in tasks)
        valid = [item for item in items if not found.get(item.key, empty).void]
        void = len(items) - len(valid)
        yield Figure(
            name, _mean(items), len(items), "tasks", void, _mean(valid) if void else None, items=items, noun="tasks"
        )
    lengths = {task: one.rrr for task, one in found.items() if one.rrr is not None and not one.void}
    ratio = None
    if lengths:
        # Who needs fewer steps than the person of the release has more than 1, which no interval of ours is for.
        mean, count = math.fsum(lengths.values()) / len(lengths), len(lengths)
        ratio = Interval(mean, None, None, LEVEL, "none, as it is a mean of ratios that may pass 1", count, count)
    yield Figure("RRR", ratio, len(lengths), "completed tasks", most=math.inf, noun="tasks")


def _mean(items: Sequence[Item]) -> Interval | None:
    return mean_of([one.part for one in items], [one.key for one in items], "tasks") if items else None


def _by_app(tasks: Mapping[str, str], found: Mapping[str, JudgedRecording]) -> Table:
    rows = []
    for app in sorted(set(tasks.values())):
        own = [task for task in tasks if tasks[task] == app]
        there = [found[task] for task in own if task in found]
        solved, void = sum(one.complete for one in there), sum(bool(one.void) for one in there)
        rows.append((app, str(len(own)), str(len(there)), str(solved), str(void)))
    return Table(("application", "tasks", "recorded", "solved", "void"), tuple(rows))
