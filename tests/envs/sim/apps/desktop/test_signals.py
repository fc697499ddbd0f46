"""Signals: each is started by its own button, and what it shows or sounds can be read back from video and sound."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import groupby

import numpy as np
import pytest
from numpy.typing import NDArray
from phone_goals import changed
from sim_desktop_goals import Goal, Play, prove
from sim_hands import Hands, hands

from omnipilot.envs import AudioClip, Press, TypeText, VideoClip
from omnipilot.envs.sim.state.world_state import Signals, WorldState
from omnipilot.envs.types.media import SAMPLE_RATE

NOTE = "document-47"
"""The id of the document that what was read is written into."""
INSTANCES = (4, 9)
ROWS, COLUMNS = (697, 770, 852, 941), (1209, 1336, 1477)
KEYS = ("123", "456", "789", "*0#")
LONGEST = 6.0
"""Seconds in which the lamp blinks six times."""


def pictures(desktop: Hands, id: str, since: float) -> list[NDArray[np.uint8]]:
    """What the place of an element showed since then, a picture each frame."""
    clip = desktop.look(since).video
    assert isinstance(clip, VideoClip)
    box = desktop.find(id).box.to_pixels(clip.size)
    left, top, right, bottom = (round(side) for side in box)
    return [frame.array()[top:bottom, left:right] for frame in clip.frames]


def blinks(desktop: Hands, since: float) -> int:
    """How often the middle of the lamp turned bright."""
    lit = [
        picture[picture.shape[0] // 2, picture.shape[1] // 2, 0] > 200
        for picture in pictures(desktop, "signals/lamp", since)
    ]
    return sum(now and not before for before, now in zip(lit, lit[1:], strict=False))


def zone(desktop: Hands, since: float) -> str:
    """The zone in which the red ball stayed longest in one place."""
    places = []
    for picture in pictures(desktop, "signals/ball", since):
        red, green = picture[..., 0].astype(int), picture[..., 1].astype(int)
        places.append(round(float(np.nonzero((red > 150) & (green < 90))[1].mean())))
    rests = [(len(list(same)), place) for place, same in groupby(places)]
    width = picture.shape[1]
    return "ABCD"[max(rests, key=lambda rest: rest[0])[1] * 4 // width]


def code(desktop: Hands, since: float) -> str:
    """The keys of a telephone that sounded: two tones at once, a key every 0.2 s."""
    clip = desktop.look(since).audio
    assert isinstance(clip, AudioClip)
    samples = clip.array().astype(float)
    step, window = SAMPLE_RATE // 5, SAMPLE_RATE // 10
    heard = ""
    for begin in range(int(np.argmax(samples != 0)), len(samples) - window, step):
        part = samples[begin : begin + window]
        if np.abs(part).max() < 500:
            break
        times = np.arange(window) / SAMPLE_RATE
        loud = [[abs(np.dot(part, np.exp(-2j * np.pi * hertz * times))) for hertz in some] for some in (ROWS, COLUMNS)]
        heard += KEYS[int(np.argmax(loud[0]))][int(np.argmax(loud[1]))]
    return heard


def press(*buttons: str) -> Play:
    """Press these buttons."""
    return lambda desktop, _: desktop.tap(*(f"signals/{button}" for button in buttons))


def note_down(button: str, seconds: float, read: Callable[[Hands, float], object]) -> Play:
    """Press a button, watch and listen for a while, and write down what was read."""

    def play(desktop: Hands, _: WorldState) -> None:
        since = desktop.world.now
        desktop.tap(f"signals/{button}")
        desktop.world.wait(seconds)
        words = str(read(desktop, since))
        desktop.open("editor")
        desktop.tap("editor/new")
        desktop.do(TypeText(words), Press(("ctrl", "s")))

    return play


def started(start: WorldState, now: WorldState) -> dict[str, bool]:
    """Which of the three were started, where nothing else changed but that."""
    assert changed(start.account, now.account) == set()
    same = replace(now.signals, lamp_since=None, ball_since=None, code_since=None)
    assert same == start.signals
    found: Signals = now.signals
    return {
        "lamp": found.lamp_since is not None,
        "ball": found.ball_since is not None,
        "code": found.code_since is not None,
    }


def just(*names: str) -> Callable[[WorldState, WorldState], bool]:
    """Just these were started."""
    return lambda start, now: {name for name, on in started(start, now).items() if on} == set(names)


def noted(wanted: Callable[[WorldState], str]) -> Callable[[WorldState, WorldState], bool]:
    """The new document says it, and nothing else changed."""

    def reached(start: WorldState, now: WorldState) -> bool:
        document = now.account.document(NOTE)
        only = changed(start.account, now.account) == {f"documents/{NOTE}"}
        return only and document is not None and document.text == wanted(start)

    return reached


def again(desktop: Hands, _: WorldState) -> None:
    desktop.tap("signals/lamp/start")
    desktop.world.wait(LONGEST)
    desktop.tap("signals/lamp/start")


def once_only(desktop: Hands, _: WorldState) -> None:
    desktop.tap("signals/lamp/start")


def afresh(start: WorldState, now: WorldState) -> bool:
    """The lamp was started, again after its first run."""
    since = now.signals.lamp_since
    return just("lamp")(start, now) and since is not None and since - start.time > LONGEST


GOALS = (
    Goal("start the lamp", press("lamp/start"), just("lamp"), press("ball/play")),
    Goal("play the ball", press("ball/play"), just("ball"), press("tones/play")),
    Goal("play the tones", press("tones/play"), just("code"), press("lamp/start")),
    Goal(
        "start all three",
        press("lamp/start", "ball/play", "tones/play"),
        just("lamp", "ball", "code"),
        press("lamp/start", "ball/play"),
    ),
    Goal("the lamp once more", again, afresh, once_only),
    Goal(
        "count the blinks",
        note_down("lamp/start", LONGEST, blinks),
        noted(lambda start: str(start.signals.blinks)),
        note_down("lamp/start", 1.2, blinks),
    ),
    Goal(
        "see where the ball rests",
        note_down("ball/play", 4.8, zone),
        noted(lambda start: start.signals.zone),
        note_down("lamp/start", 4.8, zone),
    ),
    Goal(
        "hear the code",
        note_down("tones/play", 2.0, code),
        noted(lambda start: start.signals.code),
        note_down("tones/play", 0.2, code),
    ),
)


@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_goal(goal: Goal) -> None:
    prove(goal, "signals", *INSTANCES)


@pytest.mark.parametrize(("count", "where", "keys"), [(2, "A", "0159"), (3, "B", "2680"), (6, "D", "7743")])
def test_what_is_set_is_what_is_seen_and_heard(count: int, where: str, keys: str) -> None:
    world, _, desktop = hands()
    world.prepare(lambda state: replace(state, signals=Signals(count, where, keys)))
    desktop.open("signals")
    since = world.now
    desktop.tap("signals/lamp/start", "signals/ball/play", "signals/tones/play")
    world.wait(LONGEST - 2)
    assert (zone(desktop, since), code(desktop, since)) == (where, keys)
    world.wait(2)
    assert blinks(desktop, since) == count


def test_nothing_is_seen_or_heard_before_a_start() -> None:
    world, _, desktop = hands()
    desktop.open("signals")
    since = world.now
    world.wait(3)
    assert blinks(desktop, since) == 0
    assert zone(desktop, since) == "A"
    assert desktop.look(since).audio.loudness() == 0  # type: ignore[union-attr]


def test_a_silent_desktop_sounds_no_code_and_the_phone_never_does() -> None:
    for silent in (True, False):
        world, phone, desktop = hands()
        account = world.state().account
        settings = replace(account.desktop_settings, silent=silent)
        world.prepare(lambda state: state.own(replace(state.account, desktop_settings=settings)))
        desktop.open("signals")
        desktop.tap("signals/tones/play")
        world.wait(2)
        assert (desktop.look().audio.loudness() == 0) is silent  # type: ignore[union-attr]
        assert phone.look().audio.loudness() == 0  # type: ignore[union-attr]
