"""What the runner tells gold parts of the running episode: of the true world, whatever the agent is shown."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pytest

from omnipilot.bench import Task
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import Absent, Box, Click, Element, Elements, Modality, Observation, Point, Size, World
from omnipilot.envs.recorded import RecordedStep, Recording, ReplayWorld
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.audio.sound import Sound
from omnipilot.envs.sim.state.world_state import WorldState

TASK: Task = Duet().instantiate("tones-to-message", 0)
SIZE = Size(100, 100)


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
    truth = truth_of(speaking())
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
        return Observation(env, time, SIZE, elements=elements)

    world = ReplayWorld()
    world.load(Recording("phone", SIZE, frozenset({"click"}), (RecordedStep(look, (Click(Point(0.5, 0.5)),)),)))
    return world, look("device", 1.0, ())
