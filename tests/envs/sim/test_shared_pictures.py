"""Worlds that share pictures and canvases show what each would show alone."""

from __future__ import annotations

import gc
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from speed_sim import work

from omnipilot.envs import AudioClip, Elements, Image, Modality, Size, VideoClip
from omnipilot.envs.schema import codec
from omnipilot.envs.sim import SimWorld, capture, shared_pictures
from omnipilot.envs.sim.shared_pictures import SharedPictures
from omnipilot.envs.sim.state.display import DeviceScreen

WORK = work(80)
LOOKS: tuple[set[Modality], ...] = (
    {Modality.SCREENSHOT},
    {Modality.ELEMENTS, Modality.SCREENSHOT},
    {Modality.ELEMENTS},
    {Modality.VIDEO, Modality.AUDIO},
)


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> SharedPictures:
    """Pictures of this test alone."""
    fresh = SharedPictures()
    monkeypatch.setattr(capture, "SHARED", fresh)
    return fresh


def seen(world: SimWorld, number: int) -> list[Any]:
    """What both devices show, by content."""
    found: list[Any] = []
    for env in world.envs.values():
        look = env.observe(LOOKS[number % len(LOOKS)], max(0.0, world.now - 0.5))
        for value in (look.screenshot, look.audio, look.video):
            if isinstance(value, Image | AudioClip | VideoClip):
                found.append((value.digest, value.start, value.end, value.env))
        if isinstance(look.elements, Elements):
            found.append([codec.element_to_json(element) for element in look.elements])
    return found


def play(world: SimWorld, way: int) -> Iterator[list[Any]]:
    """One of two ways through the work, with a look after every action."""
    for number, (name, action) in enumerate(WORK):
        if (number + way) % 5:
            try:
                world.envs[name].act(action)
            except Exception as error:
                yield [str(error)]
        yield seen(world, number + way)


def started() -> SimWorld:
    world = SimWorld()
    world.reset(0)
    return world


def alone(way: int, monkeypatch: pytest.MonkeyPatch) -> list[list[Any]]:
    monkeypatch.setattr(capture, "SHARED", SharedPictures())
    return list(play(started(), way))


@pytest.mark.slow
@pytest.mark.parametrize("most", [shared_pictures.MOST_LAID_OUT, 1], ids=["kept", "dropped"])
def test_forks_that_take_turns_show_what_each_shows_alone(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [alone(way, monkeypatch) for way in range(2)]
    monkeypatch.setattr(shared_pictures, "MOST_LAID_OUT", most)
    monkeypatch.setattr(capture, "SHARED", SharedPictures(20 << 20))
    first = started()
    worlds = [play(first, 0), play(first.fork(), 1)]
    found: list[list[Any]] = [[], []]
    draw = random.Random(7)
    while any(len(found[way]) < len(expected[way]) for way in range(2)):
        way = draw.choice([way for way in range(2) if len(found[way]) < len(expected[way])])
        found[way].append(next(worlds[way]))
    assert found == expected


def test_what_two_worlds_show_alike_is_painted_and_encoded_once(shared: SharedPictures) -> None:
    first = started()
    looks = [world.envs["phone"].observe({Modality.SCREENSHOT}, 0.0) for world in (first, first.fork(), first.fork())]
    pictures = [look.screenshot for look in looks if isinstance(look.screenshot, Image)]
    assert (shared.asked, shared.painted) == (3, 1) and len({id(picture.rgb) for picture in pictures}) == 1
    first.wait(0.1)
    later = first.envs["phone"].observe({Modality.SCREENSHOT}, 0.0).screenshot
    assert isinstance(later, Image) and later.start == first.now != pictures[0].start
    assert shared.painted == 1 and later.png() is pictures[0].png() and later.digest is pictures[0].digest


def lists(count: int, screen: DeviceScreen) -> list[tuple[Any, ...]]:
    size = screen.pixels
    return [(("rect", 0, 0, size.width, size.height, (number, 0, 0)),) for number in range(count)]


def test_pictures_are_bounded_in_bytes_and_one_that_is_held_stays(shared: SharedPictures) -> None:
    world = started()
    screen = world.state().device("desktop").screen
    assert screen.pixels == Size(1280, 800)
    bounded = SharedPictures(20 << 20)
    world.envs["desktop"].scene()
    drawn = [bounded.get("desktop", screen, ops, 0.0) for ops in lists(12, screen)]
    assert bounded.bytes <= 20 << 20
    for number, (picture, ops) in enumerate(zip(drawn, lists(12, screen), strict=True)):
        assert tuple(picture.array()[0, 0]) == (number, 0, 0)
        again = bounded.get("desktop", screen, ops, 0.0)
        assert again.digest == picture.digest
    assert bounded.painted > 12, "those that were dropped were painted again"


def test_worlds_that_have_not_acted_for_a_while_keep_no_layouts(
    shared: SharedPictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_pictures, "MOST_LAID_OUT", 4)
    first = started()
    worlds = [first.fork() for _ in range(6)]
    for world in worlds:
        for env in world.envs.values():
            env.scene()
    kept = [env._capture._kept is not None for world in worlds for env in world.envs.values()]
    assert kept == [False] * 8 + [True] * 4
    del worlds, world, env
    gc.collect()
    assert not shared._laid_out, "worlds that are gone are not kept"


def test_threads_may_share_it(shared: SharedPictures, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [list(play(started(), way)) for way in range(2)]
    monkeypatch.setattr(capture, "SHARED", SharedPictures(20 << 20))
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda way: list(play(started(), way)), [0, 1, 0, 1]))
    assert found == [*expected, *expected]
