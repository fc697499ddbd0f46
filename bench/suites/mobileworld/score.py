"""`omnipilot score mobileworld`: what MobileWorld's runner has recorded and judged, counted by its rules.

MobileWorld: 2025, https://github.com/Tongyi-MAI/MobileWorld (arXiv 2512.19432); read at commit 6a4dec2. Its judges ask
the running phone and the servers beside it, so a recording cannot be judged again: the verdicts are those that its
runner wrote. The task files of a checkout are parsed and never run.
"""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.bench.foreign import checkout_hash
from omnipilot.bench.scoring import Figure, Item, Scored
from omnipilot.bench.stats import mean_of
from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError

RESULT, TRAJECTORY = "result.txt", "traj.json"
DEFINITIONS = Path("src", "mobile_world", "tasks", "definitions")
SOLVED = 0.99
"""A task with a greater score is solved, by their rule."""
GUI, USER, MCP = "GUI-only", "user interaction", "MCP"
TAGS = {USER: "agent-user-interaction", MCP: "agent-mcp"}
"""Their tags of the two groups of tasks that are not GUI-only; a task may be in both."""
GET = "git clone https://github.com/Tongyi-MAI/MobileWorld, and name the folder with --data"


@dataclass(frozen=True, slots=True)
class RecordedTask:
    """What was recorded of one task.

    Attributes:
        score: as its judge said; None where it has none. steps: the agent's actions.
        questions: those by which it asked the user. calls: of tools.
    """

    score: float | None
    steps: int = 0
    questions: int = 0
    calls: int = 0

    @property
    def solved(self) -> bool:
        """Whether it counts as solved."""
        return self.score is not None and self.score > SOLVED


class MobileWorldScore:
    """The share of tasks solved, of all and of each group, and the quality of questions to the user (UIQ).

    UIQ, as in the release: a solved task of user interaction counts as one part of the questions that were asked in it
    (none asked: 0), summed over these tasks, by their number and that of other tasks in which something was asked.
    """

    name = "mobileworld"
    variants = ("release",)
    format = "a folder of MobileWorld's runner, with a folder for each task such as AcceptMeetingTask/result.txt"

    def score(self, data: str, predictions: Path, variant: str = "release") -> Scored:  # noqa: ARG002
        """Count a folder.

        Args:
            data: a checkout, which gives the denominators and the groups; "" for what was recorded alone.

        Raises:
            ConfigError: the checkout has no tasks, or the folder no result.
        """
        found, unread = read_results(predictions)
        groups = read_groups(Path(data).expanduser()) if data else dict.fromkeys(found, frozenset[str]())
        extra = sorted(set(found) - set(groups))
        own = {task: one for task, one in found.items() if task in groups}
        if not own:
            raise ConfigError(f"no result is of a task of {data}; the results are of {', '.join(extra[:3])}, …")
        names = ("", GUI, USER, MCP) if data else ("",)
        figures = [_rate(name, [task for task, some in groups.items() if _is_in(name, some)], own) for name in names]
        if data:
            figures.append(_quality(groups, own))
        steps = [one.steps for one in own.values() if one.steps]
        notes = [
            "the verdicts are those of its runner: a recording cannot be judged again",
            f"solved: a score above {SOLVED:g}; a task without a result counts as failed",
            *(f"{path}: {why}" for path, why in unread.items()),
        ]
        if data:
            notes.append(f"tasks of the checkout {checkout_hash(Path(data).expanduser(), [f'{DEFINITIONS}/**/*.py'])}")
        else:
            notes.append("no checkout given with --data: what was recorded alone is counted, and no groups are told")
        if steps:
            notes.append(f"steps: {math.fsum(steps) / len(steps):.1f} on average, {max(steps)} at most")
        for name, what, count in ((USER, "questions", _questions), (MCP, "calls of tools", _calls)):
            counted = [count(one) for task, one in own.items() if name in groups[task] and one.score is not None]
            if counted:
                notes.append(f"{name}: {math.fsum(counted) / len(counted):.2f} {what} a task")
        missing = tuple(sorted(task for task in groups if task not in own or own[task].score is None))
        return Scored(
            self.name, "release", tuple(figures), (_by_group(groups, own),), (), missing, tuple(extra), tuple(notes)
        )


def read_groups(checkout: Path) -> dict[str, frozenset[str]]:
    """The tasks of a checkout, by name, each with the groups that it is in beside the GUI-only ones.

    Raises:
        ConfigError: there are none.
    """
    found: dict[str, frozenset[str]] = {}
    for path in sorted((checkout / DEFINITIONS).rglob("*.py")):
        try:
            module = ast.parse(path.read_text(encoding="utf-8", errors="replace"))
        except (SyntaxError, ValueError):
            continue
        for node in module.body:
            if isinstance(node, ast.ClassDef) and any(ast.unparse(base).endswith("BaseTask") for base in node.bases):
                tags = _tags(node)
                found[node.name] = frozenset(name for name, tag in TAGS.items() if tag in tags)
    if not found:
        raise ConfigError(f"MobileWorld: {checkout} has no tasks in {DEFINITIONS}; {GET}")
    return found


def _tags(node: ast.ClassDef) -> frozenset[str]:
    for line in node.body:
        if isinstance(line, ast.Assign) and any(getattr(one, "id", "") == "task_tags" for one in line.targets):
            return frozenset(one.value for one in ast.walk(line.value) if isinstance(one, ast.Constant))  # type: ignore[misc]
    return frozenset()


def read_results(folder: Path) -> tuple[dict[str, RecordedTask], dict[str, str]]:
    """What was recorded of each task, and what could not be read, by path. Folders that the runner put aside, whose
    names have "_backup_" in them, are left out.

    Raises:
        ConfigError: there is no result.
    """
    found: dict[str, RecordedTask] = {}
    unread: dict[str, str] = {}
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if "_backup_" in path.name or not ((path / RESULT).is_file() or (path / TRAJECTORY).is_file()):
            continue
        score = None
        if (path / RESULT).is_file():
            try:
                score = _score((path / RESULT).read_text(encoding="utf-8", errors="replace"))
            except ValueError as error:
                unread[f"{path.name}/{RESULT}"] = str(error)
        actions: list[str] = []
        try:
            actions = list(_actions(json.loads((path / TRAJECTORY).read_text(encoding="utf-8"))))
        except (OSError, ValueError, TypeError, AttributeError) as error:
            unread[f"{path.name}/{TRAJECTORY}"] = f"it cannot be read: {error}"
        found[path.name] = RecordedTask(score, len(actions), actions.count("ask_user"), actions.count("mcp"))
    if not any(one.score is not None for one in found.values()):
        raise ConfigError(f"{folder} has no result. Expected: {MobileWorldScore.format}")
    return found, unread


def _score(text: str) -> float:
    """The number of a line `score: 1.0`."""
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name.strip().lower() == "score":
            number = float(value)
            if math.isfinite(number) and 0 <= number <= 1:
                return number
            raise ValueError(f"{value.strip()} is no score in 0..1")
    raise ValueError("it has no line `score: …`")


def _actions(told: Any) -> Iterator[str]:
    """The kind of each action of a trajectory."""
    for one in told.values():
        if isinstance(one, dict):
            for step in one.get("traj", ()):
                yield str((step.get("action") or {}).get("action_type", ""))


def _is_in(name: str, groups: frozenset[str]) -> bool:
    return not name or name in groups or (name == GUI and not groups)


def _rate(name: str, tasks: list[str], found: Mapping[str, RecordedTask]) -> Figure:
    items = tuple(Item(task, task, float(task in found and found[task].solved)) for task in sorted(tasks))
    valid = [one for one in items if one.key in found and found[one.key].score is not None]
    void = len(items) - len(valid)

    def mean(some: list[Item]) -> Any:
        return mean_of([one.part for one in some], [one.key for one in some], "tasks") if some else None

    called = f"SR {name}".strip()
    return Figure(called, mean(list(items)), len(items), "tasks", void, mean(valid) if void else None, items=items)


def _quality(groups: Mapping[str, frozenset[str]], found: Mapping[str, RecordedTask]) -> Figure:
    judged = {task: one for task, one in found.items() if one.score is not None}
    asked = {task: one for task, one in judged.items() if USER in groups[task] or one.questions}
    items = tuple(
        Item(task, task, 1 / one.questions if USER in groups[task] and one.solved and one.questions else 0.0)
        for task, one in sorted(asked.items())
    )
    interval = mean_of([one.part for one in items], [one.key for one in items], "tasks") if items else None
    return Figure("UIQ", interval, len(items), "tasks", scale=1.0, digits=3, items=items)


def _questions(one: RecordedTask) -> int:
    return one.questions


def _calls(one: RecordedTask) -> int:
    return one.calls


def _by_group(groups: Mapping[str, frozenset[str]], found: Mapping[str, RecordedTask]) -> Table:
    rows = []
    for name in (GUI, USER, MCP):
        tasks = [task for task, some in groups.items() if _is_in(name, some)]
        there = [found[task] for task in tasks if task in found and found[task].score is not None]
        rows.append((name, str(len(tasks)), str(len(there)), str(sum(one.solved for one in there))))
    return Table(("group", "tasks", "judged", "solved"), tuple(rows), ("a task may be in both of the last two",))
