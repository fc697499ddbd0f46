"""What `duet` contains, as it was promised."""

from __future__ import annotations

from collections import Counter

from omnipilot.bench.suites.duet import Duet
from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.tasks.complexity import CAPABILITIES, Grade

SUITE = Duet("all")
TASKS = [SUITE.about(info.id) for info in SUITE.tasks()]


def test_a_hundred_and_twenty_tasks_from_at_least_forty_eight_templates() -> None:
    assert len(TASKS) == 120
    assert len(book().templates) >= 48
    used = {id for task in TASKS for id in task.templates}
    assert used == set(book().templates), "a template that no task uses is proved by nothing"


def test_devices_and_splits() -> None:
    count = Counter(task.devices for task in TASKS)
    assert abs(count["phone"] - 35) <= 4 and abs(count["desktop"] - 45) <= 4 and abs(count["both"] - 40) <= 4
    assert Counter(SUITE.split_of(task.id) for task in TASKS) == {"dev": 40, "test": 80}


def test_graphs_of_one_to_eleven_nodes_chains_and_branches() -> None:
    assert {task.complexity.instruction for task in TASKS} == set(range(1, 12))
    assert any(task.complexity.branch > 1 and task.complexity.hierarchy > 2 for task in TASKS)
    assert any(len(task.apps) == 1 and task.complexity.instruction > 2 for task in TASKS)


def test_every_grade_of_every_complexity_and_every_capability() -> None:
    for name in ("dependency", "instruction", "hierarchy", "branch", "knowledge"):
        assert min(Counter(task.complexity.grades()[name] for task in TASKS)[grade] for grade in Grade) >= 8, name
    count = Counter(capability for task in TASKS for capability in task.capabilities)
    assert min(count[capability] for capability in CAPABILITIES) >= 8, count


def test_levels_and_dimensions() -> None:
    levels = Counter(task.level for task in TASKS)
    assert levels["AV-critical"] >= 36 and min(levels.values()) >= 15 and len(levels) == 3
    dimensions = Counter(task.dimension for task in TASKS)
    assert len(dimensions) == 5 and min(dimensions.values()) >= 12


def test_every_task_says_why() -> None:
    intents = [task.intent for task in TASKS]
    assert all(intent[:1].isupper() and not intent.endswith(".") for intent in intents)
    assert len(set(intents)) > 100
