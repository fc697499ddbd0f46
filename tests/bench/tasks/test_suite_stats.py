"""The statistics of a suite's tasks, counted by hand beside."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from command_line import omnipilot

from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Judge
from omnipilot.bench.tasks.suite_stats import FigureSpread, count_words, stats_lines, stats_of
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo
from omnipilot.envs import ConfigError, Thinking, World

GRAPHS = {"chain": (2, ((0, 1),)), "fork": (3, ((0, 1), (0, 2))), "one": (1, ())}


class Three(Suite):
    """Three tasks: a chain of two, a fork, and a single sub-goal."""

    name, version = "three", "1"

    def tasks(self) -> Sequence[TaskInfo]:
        return [
            TaskInfo("chain", "Read it, then send the {code}.", ("phone", "desktop"), {"app": "notes+mail"}),
            TaskInfo("fork", "Don't stop.", ("desktop", "phone"), {"app": "notes", "branch": "hard"}),
            TaskInfo("one", "Go", ("phone",), {}),
        ]

    def instantiate(self, task_id: str, instance: int) -> Task:
        count, edges = GRAPHS[task_id]
        nodes = tuple(Judge(str(n), lambda _: False) for n in range(count))
        graph = JudgeGraph(nodes, tuple((str(a), str(b)) for a, b in edges))
        return Task(task_id, instance, lambda _: "", graph)

    def world(self, thinking: Thinking) -> World:
        raise AssertionError("no world is needed to count")


def test_each_figure_is_counted() -> None:
    suite = Three()
    found = stats_of(suite, suite.tasks())
    assert found.tasks == 3 and found.total_judges == 6
    assert found.envs == {"desktop+phone": 2, "phone": 1}
    assert found.apps == FigureSpread(1.5, 1, 2)
    assert found.judges == FigureSpread(2.0, 1, 3) and found.edges == FigureSpread(1.0, 0, 2)
    assert found.depth == FigureSpread(5 / 3, 1, 2) and found.width == FigureSpread(4 / 3, 1, 2)
    assert found.words == FigureSpread(3.0, 1, 6)
    assert found.grades["branch"] == {"easy": 2, "hard": 1} and "knowledge" not in found.grades
    assert found.tags == {"app": {"notes": 2, "mail": 1}}
    assert any(line.startswith("devices") and "desktop+phone 2 (66.7 %)" in line for line in stats_lines(found))


@pytest.mark.parametrize(
    ("text", "words"), [("", 0), ("Read {name}'s note", 4), ("a state-of-the-art plan", 3), ("Ruf «Jörg» an!", 3)]
)
def test_words_are_counted(text: str, words: int) -> None:
    assert count_words(text) == words


def test_nothing_to_count_is_told() -> None:
    with pytest.raises(ConfigError, match="no task to count"):
        stats_of(Three(), [])


def test_the_command_prints_them() -> None:
    done = omnipilot("list", "stats", "--suite", "toy")
    assert done.returncode == 0 and "sub-goals a task" in done.stdout, done.stderr
    lacking = omnipilot("list", "stats")
    assert lacking.returncode == 2 and "`list stats` needs --suite" in lacking.stderr
