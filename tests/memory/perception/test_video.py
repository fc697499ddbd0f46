"""The reader `motion`: what happened in generated video, and that nothing is told that did not happen."""

from __future__ import annotations

import numpy as np
import pytest
from readers_motion import measured

from omnipilot.envs import Image, VideoClip
from omnipilot.memory.perception import read_motion
from omnipilot.memory.perception.video.reader import MOST_KEYFRAMES


def clip(pictures, fps=10, begin=20.0):
    frames = [Image.from_array(picture, "pc", begin + i / fps) for i, picture in enumerate(pictures)]
    return VideoClip(frames, begin + len(frames) / fps, "pc")


def scene(*squares, ground=230):
    picture = np.full((200, 320, 3), ground, np.uint8)
    for x, y, side, shade in squares:
        picture[y : y + side, x : x + side] = shade
    return picture


def test_what_moves_is_followed_to_where_it_stops():
    path = [*range(20, 200, 12), *[200] * 10]
    moved, stopped = read_motion(clip([scene((x, 80, 24, 20)) for x in path])).events
    assert (moved.kind, stopped.kind) == ("moved", "stopped")
    assert moved.came.center.x == pytest.approx(32 / 320, abs=0.01)
    assert moved.went.center.x == pytest.approx(212 / 320, abs=0.01) == stopped.box.center.x
    assert (stopped.start, stopped.end) == (pytest.approx(21.5), pytest.approx(22.5))


def test_blinks_are_counted_each_in_its_place():
    def at(tick):
        left, right = tick % 8 in (3, 4) and tick < 24, tick % 6 in (1, 2) and tick < 30
        return scene((40, 40, 20, 20 if left else 150), (80, 40, 20, 20 if right else 150))

    events = read_motion(clip([at(tick) for tick in range(40)])).events
    assert [(event.kind, event.times) for event in sorted(events, key=lambda e: e.box.left)] == [
        ("blinked", 3),
        ("blinked", 5),
    ]


def test_what_changes_for_good_did_not_blink():
    (event,) = read_motion(clip([scene((40, 40, 20, 20 if tick > 7 else 150)) for tick in range(12)])).events
    assert (event.kind, event.times, event.start) == ("changed", 1, pytest.approx(20.8))


def test_another_scene_is_a_cut_and_not_a_heap_of_changes():
    pictures = [scene(ground=230)] * 5 + [scene(ground=20)] * 5
    (event,) = read_motion(clip(pictures)).events
    assert (event.kind, event.start) == ("cut", pytest.approx(20.5))


def test_nothing_happens_in_a_still_clip_or_a_single_frame():
    for pictures in ([scene()] * 10, [scene()]):
        reading = read_motion(clip(pictures))
        assert reading.events == () and len(reading.keyframes) == 1


def test_keyframes_show_each_event_and_are_bounded():
    reading = read_motion(clip([scene((40, 40, 20, 20 if tick > 7 else 150)) for tick in range(12)]))
    assert [frame.start for frame in reading.keyframes] == [pytest.approx(20.0), pytest.approx(20.8)]
    flicker = [scene(ground=20 if tick % 2 else 230) for tick in range(50)]
    assert len(read_motion(clip(flicker)).keyframes) <= MOST_KEYFRAMES


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "noise", "seeds", "recall", "false"),
    [("drawn", 0.0, 8, 0.95, 1), ("drawn", 10.0, 8, 0.9, 2), ("still", 10.0, 3, 1.0, 0), ("signals", 0.0, 3, 1.0, 3)],
)
def test_recall_and_false_alarms(kind, noise, seeds, recall, false):
    found = measured(range(100, 100 + seeds), noise, kind)
    assert found.recall >= recall, (found.told, found.happened)
    assert found.false <= false


def test_regions_are_the_blocks_that_lie_near_each_other() -> None:
    from omnipilot.memory.perception.video.regions import regions

    chance = np.random.default_rng(0)
    for _ in range(60):
        rows, columns, bridge = (int(n) for n in chance.integers((1, 1, 0), (14, 14, 3)))
        active = chance.random((2, rows, columns)) < 0.08
        left = [(int(row), int(column)) for row, column in np.argwhere(active.any(axis=0))]
        found = [[(int(row), int(column)) for row, column in np.argwhere(part)] for part in regions(active, bridge)]
        while left:
            part, left = [left[0]], left[1:]
            for row, column in part:
                near = [(r, c) for r, c in left if abs(r - row) + abs(c - column) <= 2 * bridge + 1]
                part += near
                left = [place for place in left if place not in near]
            assert found.pop(0) == sorted(part)
        assert not found
