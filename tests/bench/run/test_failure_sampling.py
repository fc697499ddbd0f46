"""`--sample-from`: the next tasks are drawn from the kinds that failed in a run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from omnipilot.bench.run import task_selection
from omnipilot.bench.run.task_selection import draw_failing
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.tasks.failure_cells import task_weights, telling_tag
from omnipilot.bench.tasks.task import TaskInfo
from omnipilot.envs import ConfigError

INFOS = [
    TaskInfo(f"{level}-{number}", "", ("phone",), tags={"level": level, "dimension": "d", "app": app})
    for level, app in (("easy", "Mail"), ("hard", "Notes"))
    for number in range(50)
]
"""Of each level fifty tasks."""


def an_episode(info: TaskInfo, success: bool, void: bool = False) -> SimpleNamespace:
    return SimpleNamespace(task=info.id, tags=info.tags, success=success, void=void, unjudged=False)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Says which episodes every run has."""

    def make(*episodes: SimpleNamespace) -> None:
        monkeypatch.setattr(task_selection, "load_run", lambda _: SimpleNamespace(episodes=episodes))

    return make


def test_a_cell_weighs_what_failed_in_it_and_an_unknown_one_the_mean():
    other = TaskInfo("other", "", ("phone",), tags={"level": "medium", "dimension": "d"})
    played = [(INFOS[0].tags, False)] * 8 + [(INFOS[-1].tags, True)] * 8
    weights = task_weights([INFOS[1], INFOS[-2], other], played, ("level", "dimension"))
    assert [round(weights[one], 3) for one in (INFOS[1].id, INFOS[-2].id, "other")] == [0.1, 0.9, 0.5]


def test_what_failed_is_drawn_more_often_in_the_order_of_the_suite(made):
    made(*(an_episode(INFOS[at], at < 50) for at in range(42, 58)))
    drawn = draw_failing(INFOS, "runs/one", 20, 0)
    # Nine to one: 18 of 20 are expected, with a standard deviation of about 1.3.
    assert sum(id.startswith("hard") for id in drawn) >= 14
    assert len(drawn) == 20 and list(drawn) == [info.id for info in INFOS if info.id in drawn]
    assert drawn == draw_failing(INFOS, "runs/one", 20, 0) != draw_failing(INFOS, "runs/one", 20, 1)
    assert set(draw_failing(INFOS, "runs/one", 10, 0)) < set(drawn)
    assert draw_failing(INFOS, "runs/one:app", 20, 0) == drawn


def test_the_tag_that_tells_most_makes_tasks_alike_by_itself():
    # "noise" is another for each task, "half" tells nothing, "kind" tells all but one.
    played = [
        (f"t{n}", {"noise": str(n), "half": str(n % 2), "kind": "hard" if n < 8 else "easy"}, n < 8 or n == 15)
        for n in range(16)
    ]
    assert telling_tag(played) == ("kind",)
    assert (
        telling_tag(
            [(task, {"noise": tags["noise"], "half": tags["half"]}, n < 8) for n, (task, tags, _) in enumerate(played)]
        )
        == ()
    )


def test_episodes_of_one_task_do_not_foretell_each_other():
    # Each task always fails or never does; that says nothing about the next task with the same tag.
    played = [(f"t{n}", {"noise": str(n)}, n % 2 == 0) for n in range(8) for _ in range(20)]
    assert telling_tag(played) == ()


def test_void_episodes_say_nothing(made):
    made(*(an_episode(info, False, void=info.id.startswith("easy")) for info in INFOS))
    with_void = draw_failing(INFOS, "runs/one", 20, 0)
    made(*(an_episode(info, False) for info in INFOS[50:]))
    assert draw_failing(INFOS, "runs/one", 20, 0) == with_void
    made(*(an_episode(info, False, void=True) for info in INFOS))
    with pytest.raises(ConfigError, match="no episode yet"):
        draw_failing(INFOS, "runs/one", 20, 0)


def test_what_cannot_be_drawn_is_refused_with_the_cure(made, tmp_path: Path):
    made(an_episode(INFOS[0], True))
    with pytest.raises(ConfigError, match="levl.*RUN:TAG"):
        draw_failing(INFOS, "runs/one:levl", 20, 0)
    with pytest.raises(ConfigError, match="have no tags"):
        draw_failing([TaskInfo("a", "", ("phone",))], "runs/one", 1, 0)
    with pytest.raises(ConfigError, match="needs sample"):
        RunSettings(sample_from="runs/one")
    with pytest.raises(ConfigError, match="needs sample_from"):
        RunSettings(sample=3, sample_seed=1)


def test_a_folder_without_a_run_is_told(tmp_path: Path):
    with pytest.raises(ConfigError, match="there is no run in"):
        draw_failing(INFOS, str(tmp_path), 20, 0)
