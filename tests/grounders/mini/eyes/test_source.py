"""The source `mini-eyes`: it sees the screenshot, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mini_eyes import write_eyes

from omnipilot.envs import Absent, Box, ConfigError, Element, Elements, Image, Modality, Observation, Size
from omnipilot.envs.sim import SimWorld
from omnipilot.grounders.mini.eyes.kinds import id_of, kind_of
from omnipilot.grounders.mini.eyes.network import MOST
from omnipilot.grounders.mini.eyes.pictures import layout_picture
from omnipilot.grounders.mini.eyes.source import MiniEyes


class Poison(Elements):
    """A tree that nobody may read."""

    def __iter__(self) -> Any:
        raise AssertionError("the tree was read")

    def __len__(self) -> int:
        raise AssertionError("the tree was read")

    def __getattribute__(self, name: str) -> Any:
        if name in ("items", "by_id", "parent"):
            raise AssertionError("the tree was read")
        return super().__getattribute__(name)


@pytest.fixture(scope="module")
def eyes(tmp_path_factory: pytest.TempPathFactory) -> MiniEyes:
    return MiniEyes(str(write_eyes(tmp_path_factory.mktemp("eyes"))))


@pytest.fixture(scope="module")
def screen() -> Observation:
    world = SimWorld()
    world.reset(3)
    return world.envs["phone"].observe(frozenset({Modality.SCREENSHOT}), world.now)


@pytest.mark.slow
def test_a_poisoned_tree_is_never_touched(eyes: MiniEyes, screen: Observation) -> None:
    plain = eyes.find(screen).elements
    fresh = MiniEyes(str(eyes._folder))
    assert fresh.find(replace(screen, elements=Poison(()))).elements == plain
    assert eyes.needs == eyes.reads == frozenset({Modality.SCREENSHOT})


def test_elements_lie_on_the_screen_and_come_from_a_detector(eyes: MiniEyes, screen: Observation) -> None:
    found = eyes.find(screen).elements
    assert len(found)
    assert all(one.source == "detector" and 0 < (one.confidence or 0) <= 1 for one in found)
    assert len({one.id for one in found if one.id}) == sum(one.id is not None for one in found)


def test_a_screen_is_read_once(eyes: MiniEyes, screen: Observation) -> None:
    eyes.find(screen)
    assert eyes.find(screen).seconds == {}
    assert set(MiniEyes(str(eyes._folder)).find(screen).seconds) == {"elements", "text"}


def test_a_screen_at_the_usual_scale_is_looked_at_once(
    eyes: MiniEyes, screen: Observation, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(screen.screenshot, Image)
    fresh = MiniEyes(str(eyes._folder))
    fresh.warm_up()
    assert fresh._network is not None
    by_one_look = fresh._network.order(fresh._network.find(screen.screenshot.array()))
    monkeypatch.setattr("omnipilot.grounders.mini.eyes.source.find_in_looks", None)
    found = fresh.find(screen).elements
    assert [one.box for one in found] == [Box.from_pixels(*one.box, screen.screenshot.size) for one in by_one_look]


def test_where_no_bar_is_seen_things_are_as_large_as_before(eyes: MiniEyes, screen: Observation) -> None:
    def shown(high: int, width: int = 640, height: int = 1422) -> Observation:
        pixels = np.full((height, width, 3), 90, np.uint8)
        pixels[:, ::2] = 120
        pixels[height - high :] = 250
        return replace(screen, screenshot=Image.from_array(pixels, "phone"))

    def larger(seen: Observation) -> float:
        assert isinstance(seen.screenshot, Image)
        return fresh._larger_on(seen.screenshot)

    fresh = MiniEyes(str(eyes._folder))
    assert larger(shown(0)) == 1
    told = larger(shown(94))
    assert told == pytest.approx(7 / 6, rel=0.01)
    assert larger(shown(0)) == told
    assert larger(shown(0, 500, 1111)) == 1
    assert larger(shown(81)) == larger(shown(0)) == 1


def test_nothing_is_found_where_there_is_no_picture(eyes: MiniEyes, screen: Observation) -> None:
    assert len(eyes.find(replace(screen, screenshot=Absent("ablated"))).elements) == 0


@pytest.mark.slow
@pytest.mark.parametrize("size", [Size(1, 1), Size(3, 500), Size(500, 3), Size(412, 916)])
def test_empty_screens_of_any_size_are_read(eyes: MiniEyes, screen: Observation, size: Size) -> None:
    blank = Image.raw(size, bytes(3 * size.pixels))
    # These weights are random, and find something nearly everywhere.
    assert len(eyes.find(replace(screen, screenshot=blank)).elements) <= MOST


def test_a_large_screen_is_read_at_the_size_of_the_layout() -> None:
    large = Image.from_array(np.full((2400, 1080, 3), 7, np.uint8))
    assert layout_picture(large).size == Size(412, 916)
    assert layout_picture(Image.from_array(np.full((1440, 2560, 3), 7, np.uint8))).size == Size(1422, 800)
    assert layout_picture(Image.from_array(np.full((900, 3, 3), 7, np.uint8))).size == Size(412, 1236)
    same = Image.from_array(np.full((800, 1280, 3), 7, np.uint8))
    assert layout_picture(same) is same


@pytest.mark.parametrize("content", ["{", "[]", '{"kinds": []}', '{"kinds": [1]}', '{"kinds": ["a"], "names": ["b"]}'])
def test_a_broken_form_is_refused_by_its_name(content: str, tmp_path: Path) -> None:
    folder = write_eyes(tmp_path)
    (folder / "config.json").write_text(content)
    with pytest.raises(ConfigError, match=r"config\.json: "):
        MiniEyes(str(folder))


def test_weights_of_another_form_are_refused(tmp_path: Path) -> None:
    text = (write_eyes(tmp_path) / "config.json").read_text()
    (tmp_path / "config.json").write_text(text.replace('"Back", ', ""))
    with pytest.raises(ConfigError, match=r"name\.weight has the shape"):
        MiniEyes(str(tmp_path))


@pytest.mark.parametrize(
    ("id", "kind", "new"),
    [
        ("taskbar/mail", "button taskbar", "taskbar/7"),
        ("window/mail/title", "button title", "window/seen7/title"),
        ("window/mail/close", "button", "seen/7"),
        ("banner", "button banner", "banner"),
        (None, "button -", None),
    ],
)
def test_ids_tell_what_a_planner_asks_of_them(id: str | None, kind: str, new: str | None) -> None:
    assert kind_of("button", id) == kind
    assert id_of(kind, 7) == new
    if new is not None:
        assert kind_of("button", new) == kind


def test_a_planner_names_places_of_seen_elements_by_points(screen: Observation) -> None:
    from omnipilot.envs import Box, Point, Ref
    from omnipilot.planners.mini.references import Reference
    from omnipilot.planners.mini.session import place_of

    seen = Element("button", "Save", Box(0.2, 0.2, 0.4, 0.4), id="seen/1", source="detector")
    assert place_of(Reference("Save", "phone", seen)) == Point(0.30000000000000004, 0.30000000000000004)
    assert place_of(Reference("Save", "phone", replace(seen, source="tree"))) == Ref("seen/1")
