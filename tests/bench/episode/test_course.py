from __future__ import annotations

from dataclasses import replace
from typing import Any

from made_settings import spec_of

from omnipilot.agents import build
from omnipilot.bench.episode.course import Course
from omnipilot.bench.episode.runner import EpisodeRunner
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.journal import Slot
from omnipilot.bench.journal.events import EpisodeEnded, StepTaken
from omnipilot.bench.judges import read_evaluator
from omnipilot.bench.tasks.judges import Judge
from omnipilot.bench.tasks.task import Task
from omnipilot.bench.toy import TASK, ToySuite
from omnipilot.envs.toy import ToyPhone
from omnipilot.memory import MediaStore


class Clicked(ToySuite):
    """The task is solved when a control of this name was clicked."""

    name_of_control = "play"

    def instantiate(self, task_id: str, instance: int) -> Task:
        task = super().instantiate(task_id, instance)
        data = {"checks": [{"check": "check_mouse_clicks", "args": {"text": self.name_of_control}}]}
        return replace(task, graph=read_evaluator(data))


class ClickedElsewhere(Clicked):
    name_of_control = "delete"


def ending(suite: ToySuite) -> str:
    events: list[Any] = []
    truth, store = EpisodeTruth(), MediaStore()
    spec = spec_of({"suite": "toy", "planner": "oracle"})
    runner = EpisodeRunner(spec, suite, build(spec.agent, truth, store), store, events.append, truth)
    runner.play(Slot(TASK, 0, 0), 1)
    runner.close()
    (end,) = (one for one in events if isinstance(one, EpisodeEnded))
    return end.reason


def test_what_was_clicked_is_told_by_the_name_of_its_control() -> None:
    assert ending(Clicked()) == "success"
    assert ending(ClickedElsewhere()) != "success"


def test_nobody_looks_where_no_judge_asks() -> None:
    looks: list[str] = []

    class Phone(ToyPhone):
        def ui_tree(self) -> Any:
            looks.append("look")
            return super().ui_tree()

    for reads in (False, True):
        task = ToySuite().instantiate(TASK, 0)
        graph = replace(task.graph, nodes=tuple(replace(one, reads_controls=reads) for one in task.graph.nodes))
        Course(Phone(), replace(task, graph=graph))
        assert bool(looks) == reads
    assert Judge("a", lambda _: True).reads_controls is False


def idle_ending(idle: int, suite: ToySuite) -> tuple[EpisodeEnded, list[StepTaken]]:
    events: list[Any] = []
    truth, store = EpisodeTruth(), MediaStore()
    spec = spec_of({"suite": "toy", "planner": "oracle", "limits": {"idle": idle}})
    runner = EpisodeRunner(spec, suite, build(spec.agent, truth, store), store, events.append, truth)
    runner.play(Slot(TASK, 0, 0), 1)
    runner.close()
    (end,) = (one for one in events if isinstance(one, EpisodeEnded))
    return end, [one for one in events if isinstance(one, StepTaken)]


def test_an_episode_without_a_new_sub_goal_for_too_many_steps_ends_and_its_last_step_is_not_judged() -> None:
    _, whole = idle_ending(0, ToySuite())
    reached = [number for number, step in enumerate(whole, 1) if any(one["completed"] for one in step.changes)]
    longest = max(later - before for before, later in zip([0, *reached], reached, strict=False))
    end, steps = idle_ending(longest, ToySuite())
    assert (end.reason, len(steps)) == ("success", len(whole)), "so many steps are allowed"
    end, steps = idle_ending(longest - 1, ToySuite())
    assert end.reason == "idle" and f"{longest} steps without a new sub-goal" in end.detail
    assert steps[-1].changes == [], "the step that is too many is not judged"
    assert end.completed < end.total
