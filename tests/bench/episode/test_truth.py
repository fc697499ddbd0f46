"""What gold parts and verdicts are told of the running episode."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pytest
from scripted import Clock, ScriptedEnv, ScriptedWorld, element

from omnipilot.bench import Judge, JudgeGraph, Task
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import (
    Absent,
    Box,
    Capability,
    Click,
    ConfigError,
    Element,
    Elements,
    Modality,
    Observation,
    Point,
    Size,
    Thinking,
    World,
)
from omnipilot.envs.recorded import RecordedStep, Recording, ReplayWorld
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.audio.sound import Sound
from omnipilot.envs.sim.state.world_state import WorldState

SIZE = Size(8, 8)
TREES = (Elements((element("one"),)), Elements((element("two"),)), Absent("failed", "it cannot be read"))


def a_task(solution=None) -> Task:
    return Task("t", 0, lambda _: "do it", JudgeGraph((Judge("done", lambda _: False),)), solution)


def a_recording(tree: bool) -> Recording:
    def moment(listed: Elements | Absent) -> RecordedStep:
        def look(env: str, time: float, modalities: Collection[Modality]) -> Observation:
            shown = listed if Modality.ELEMENTS in modalities else Absent("unasked")
            return Observation(env, time, SIZE, elements=shown)

        known = (lambda: listed) if tree and isinstance(listed, Elements) else None
        return RecordedStep(look, (Click(Point(0.5, 0.5)),), tree=known)

    return Recording("phone", SIZE, frozenset({"click"}), tuple(map(moment, TREES)))


def test_a_recording_with_a_tree_is_known_whatever_the_agent_is_granted() -> None:
    truth, world = EpisodeTruth(), ReplayWorld()
    world.load(a_recording(tree=True))
    truth.begin(world, a_task(), 0)
    device = world.envs["device"]
    assert Capability.UI_TREE in device.capabilities
    for listed in TREES[:2]:
        truth.looked(device.observe({Modality.SCREENSHOT}, 0.0))
        assert truth.elements("device") == listed
        world.take((), "")
    truth.looked(device.observe({Modality.SCREENSHOT}, 0.0))
    assert truth.elements("device") == Elements((), True, "none were recorded")


def test_a_recording_without_a_tree_is_known_as_far_as_the_agent_is_granted_elements() -> None:
    truth, world = EpisodeTruth(), ReplayWorld()
    world.load(a_recording(tree=False))
    truth.begin(world, a_task(), 0)
    device = world.envs["device"]
    assert Capability.UI_TREE not in device.capabilities
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
    with pytest.raises(ConfigError, match="'t' has none; leave the task out with --tasks"):
        truth.demonstration()
    counted: list[int] = []
    truth.begin(ReplayWorld(), a_task(lambda _: counted.append(1) or ()), 0)
    assert truth.demonstration() == truth.demonstration() == () and counted == [1]


TASK: Task = Duet().instantiate("tones-to-message", 0)
LARGE = Size(100, 100)


def truth_of(world: World) -> EpisodeTruth:
    truth = EpisodeTruth()
    truth.begin(world, TASK, 7)
    return truth


def speaking(*sounds: Sound) -> SimWorld:
    world = SimWorld()
    world.reset(0)
    world.prepare(lambda state: state.on("phone", sounds=sounds))
    return world


def test_it_transcribes_each_device_by_itself_and_only_until_now() -> None:
    world = speaking(Sound("dtmf:4711", 1.0, 1.2))
    truth = truth_of(world)
    assert truth.transcript("phone", 0.0, 9.0) == ()
    world.wait(1.5)
    told = truth.transcript("phone", 0.0, 9.0)
    assert isinstance(told, tuple) and [(heard.words, heard.continues) for heard in told] == [("47", True)]
    world.wait(1.5)
    told = truth.transcript("phone", 1.5, 3.0)
    assert isinstance(told, tuple) and [(heard.words, heard.continues) for heard in told] == [("11", False)]
    assert truth.transcript("desktop", 0.0, 3.0) == ()


@pytest.mark.parametrize("silent", [False, True])
def test_a_muted_desktop_is_not_transcribed(silent: bool) -> None:
    def alarm(state: WorldState) -> WorldState:
        settings = replace(state.account.desktop_settings, silent=silent)
        return state.own(replace(state.account, desktop_settings=settings)).sound("desktop", "alarm", 2.0)

    world = speaking()
    world.prepare(alarm)
    world.wait(1.0)
    told = truth_of(world).transcript("desktop", 0.0, 1.0)
    assert isinstance(told, tuple) and [heard.words for heard in told] == ([] if silent else ["alarm"])


def test_texts_are_those_that_are_drawn() -> None:
    world = speaking()
    truth = truth_of(world)
    truth.looked(world.envs["desktop"].observe({Modality.SCREENSHOT}, 0.0))
    texts, elements = truth.texts("desktop"), truth.elements("desktop")
    assert isinstance(texts, Elements) and isinstance(elements, Elements)
    assert {text.role for text in texts} == {"text"}
    assert {text.name for text in texts} != {element.name for element in elements}


def test_where_only_elements_are_known_their_names_and_values_are_the_texts_each_once() -> None:
    items = (
        Element("list", "Inbox", Box(0, 0, 1, 1)),
        Element("heading", "Inbox", Box(0.1, 0.1, 0.5, 0.2)),
        Element("textbox", "Search", Box(0.1, 0.3, 0.5, 0.4), value="4711"),
        Element("button", "Later", Box(0.1, 0.5, 0.5, 0.6), frozenset({"offscreen"})),
        Element("image", "", Box(0.1, 0.7, 0.5, 0.8)),
    )
    world, look = recording(Elements(items, True, "cut"))
    truth = truth_of(world)
    assert truth.texts("device") == Absent("unsupported", "nothing knows what is written on device")
    truth.looked(look)
    texts = truth.texts("device")
    assert isinstance(texts, Elements) and (texts.truncated, texts.detail) == (True, "cut")
    assert [(text.role, text.name) for text in texts] == [("text", "Inbox"), ("text", "Search"), ("text", "4711")]
    assert texts.items[0].box == items[1].box


def test_nothing_knows_what_is_heard_in_a_recording_or_before_an_episode() -> None:
    world, _ = recording(Elements(()))
    assert truth_of(world).transcript("device", 0.0, 1.0) == Absent(
        "unsupported", "nothing knows what is heard on device"
    )
    assert isinstance(EpisodeTruth().transcript("phone", 0.0, 1.0), Absent)
    assert isinstance(EpisodeTruth().texts("phone"), Absent)


def recording(elements: Elements) -> tuple[ReplayWorld, Observation]:
    def look(env: str, time: float, modalities: Collection[Modality]) -> Observation:
        return Observation(env, time, LARGE, elements=elements)

    world = ReplayWorld()
    world.load(Recording("phone", LARGE, frozenset({"click"}), (RecordedStep(look, (Click(Point(0.5, 0.5)),)),)))
    return world, look("device", 1.0, ())
