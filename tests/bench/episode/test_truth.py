"""What gold parts and verdicts are told of the running episode."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from scripted import Clock, ScriptedEnv, ScriptedWorld, element

from omnipilot.bench import Judge, JudgeGraph, Task
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import (
    Absent,
    Click,
    ConfigError,
    Elements,
    Modality,
    Observation,
    Point,
    Size,
    Thinking,
    UiTree,
)
from omnipilot.envs.recorded import RecordedStep, Recording, ReplayWorld

SIZE = Size(8, 8)
TREES = (Elements((element("one"),)), Elements((element("two"),)), Absent("failed", "it cannot be read"))


def a_task(solution=None) -> Task:
    return Task("t", 0, lambda _: "do it", JudgeGraph((Judge("done", lambda _: False),)), solution)


def a_recording(tree: bool) -> Recording:
    def moment(listed: Elements | Absent) -> RecordedStep:
        def look(env: str, time: float, modalities: Collection[Modality]) -> Observation:
            shown = listed if Modality.ELEMENTS in modalities else Absent("unasked")
            return Observation(env, time, SIZE, elements=shown)

        return RecordedStep(look, (Click(Point(0.5, 0.5)),))

    return Recording("phone", SIZE, frozenset({"click"}), tuple(map(moment, TREES)), tree=tree)


def test_a_recording_with_a_tree_is_known_whatever_the_agent_is_granted() -> None:
    truth, world = EpisodeTruth(), ReplayWorld()
    world.load(a_recording(tree=True))
    truth.begin(world, a_task(), 0)
    device = world.envs["device"]
    assert isinstance(device, UiTree)
    for listed in TREES[:2]:
        truth.looked(device.observe({Modality.SCREENSHOT}, 0.0))
        assert truth.elements("device") == listed
        world.take((), "")
    truth.looked(device.observe({Modality.SCREENSHOT}, 0.0))
    assert truth.elements("device") == Elements((), True, "it cannot be read")


def test_a_recording_without_a_tree_is_known_as_far_as_the_agent_is_granted_elements() -> None:
    truth, world = EpisodeTruth(), ReplayWorld()
    world.load(a_recording(tree=False))
    truth.begin(world, a_task(), 0)
    device = world.envs["device"]
    assert not isinstance(device, UiTree)
    truth.looked(device.observe({Modality.ELEMENTS}, 0.0))
    assert truth.elements("device") == TREES[0]
    truth.looked(device.observe({Modality.SCREENSHOT}, 0.0))
    assert truth.elements("device") == Absent("unsupported", "nothing knows the true elements of device")


def test_recognised_elements_are_not_the_truth() -> None:
    clock = Clock()
    read = ScriptedEnv("desk", clock, (element("Save", source="ocr"),))
    truth = EpisodeTruth()
    truth.begin(ScriptedWorld({"desk": read}), a_task(), 0)
    truth.looked(read.observe({Modality.ELEMENTS}, 0.0))
    assert truth.elements("desk") == Absent("unsupported", "nothing knows the true elements of desk")


def test_the_screen_is_the_one_that_was_observed_even_if_it_changes_while_the_agent_thinks() -> None:
    world = Duet().world(Thinking())
    task = Duet().instantiate("send-message", 0)
    task.setup(world)
    truth = EpisodeTruth()
    truth.begin(world, task, 0)
    phone = world.envs["phone"]
    assert isinstance(truth.elements("phone"), Absent)
    truth.looked(phone.observe({Modality.SCREENSHOT}, 0.0))
    then = phone.ui_tree()
    phone.act(Click(next(e for e in then if e.name == "Messages").box.center))
    assert phone.ui_tree() != then and truth.elements("phone") == then
    truth.looked(phone.observe({Modality.SCREENSHOT}, 0.0))
    assert truth.elements("phone") == phone.ui_tree()
    truth.end()
    assert isinstance(truth.elements("phone"), Absent)


def test_a_demonstration_is_of_this_episode_and_a_task_without_one_says_so() -> None:
    truth = EpisodeTruth()
    with pytest.raises(ConfigError, match="there is no episode"):
        truth.demonstration()
    truth.begin(ReplayWorld(), a_task(), 3)
    assert truth.seed == 3
    with pytest.raises(ConfigError, match="'t' has no solution; leave the task out with --tasks"):
        truth.demonstration()
    counted: list[int] = []
    truth.begin(ReplayWorld(), a_task(lambda _: counted.append(1) or ()), 0)
    assert truth.demonstration() == truth.demonstration() == () and counted == [1]
