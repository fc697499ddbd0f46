"""Video Player's goals, played through its screen; and what its films tell, and when."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sim_desktop_goals import Goal, Play, prove, reach
from sim_hands import Hands, hands

from omnipilot.envs import Press, VideoClip
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.apps.desktop.films import DOORS, LAMPS, counter_value, door_open, lamp_lit, tram_at
from omnipilot.envs.sim.apps.desktop.video_player import play, playing, position, with_films_at_their_end
from omnipilot.envs.sim.state.desktop_data import Clip
from omnipilot.envs.sim.state.world_state import WorldState


def clip(state: WorldState, name: str) -> Clip:
    return next(clip for clip in state.account.clips if clip.name == name)


def open_clip(desktop: Hands, state: WorldState, name: str) -> None:
    reach(desktop, f"player/list/{clip(state, name).id}", "player/list/clip-6")
    desktop.tap(f"player/list/{clip(state, name).id}")


def watch(name: str, seconds: float, *more: str) -> Play:
    def play(desktop: Hands, start: WorldState) -> None:
        open_clip(desktop, start, name)
        desktop.tap("player/clip/play")
        desktop.world.wait(seconds)
        desktop.tap(*more)

    return play


def at(state: WorldState, name: str) -> float:
    return position(clip(state, name), state.account.find("playbacks", clip(state, name).id), state.time)


def seek(desktop: Hands, start: WorldState) -> None:
    open_clip(desktop, start, "Counter, Friday")
    desktop.tap("player/clip/seek")
    desktop.do(Press(("right",)), Press(("right",)))


def search(desktop: Hands, start: WorldState) -> None:
    desktop.type("player/search", "doors, sat")
    desktop.tap(f"player/list/{clip(start, 'Three doors, Saturday').id}", "player/clip/play")


def keys(desktop: Hands, start: WorldState) -> None:
    open_clip(desktop, start, "Tram line, Monday")
    desktop.do(Press(("space",)))
    desktop.world.wait(2.0)
    desktop.do(Press(("space",)))


def twice(desktop: Hands, start: WorldState) -> None:
    watch("Signal lamps, Monday", 9.0, "player/clip/play")(desktop, start)


def runs(state: WorldState, name: str) -> bool:
    return playing(clip(state, name), state.account.find("playbacks", clip(state, name).id), state.time)


def played(state: WorldState, name: str) -> int:
    playback = state.account.find("playbacks", clip(state, name).id)
    return playback.played if playback else 0


GOALS = (
    Goal(
        "watch Tuesday's tram to its end",
        watch("Tram line, Tuesday", 9.0),
        lambda _, now: at(now, "Tram line, Tuesday") == 9.0,
        watch("Tram line, Thursday", 9.0),
    ),
    Goal(
        "pause the counter between 3 and 4 s",
        watch("Counter, Monday", 3.0, "player/clip/pause"),
        lambda _, now: 3.0 <= at(now, "Counter, Monday") <= 4.0 and not runs(now, "Counter, Monday"),
        watch("Counter, Monday", 3.0),
    ),
    Goal("go to the middle and a second on", seek, lambda _, now: at(now, "Counter, Friday") == 5.0),
    Goal("find a film and start it", search, lambda _, now: runs(now, "Three doors, Saturday")),
    Goal("stop with the space bar", keys, lambda _, now: 2.0 <= at(now, "Tram line, Monday") < 3.0),
    Goal("watch it twice", twice, lambda _, now: played(now, "Signal lamps, Monday") == 2),
    Goal(
        "back at the beginning",
        watch("Counter, Monday", 2.0, "player/clip/pause", "player/clip/start"),
        lambda _, now: played(now, "Counter, Monday") == 1 and at(now, "Counter, Monday") == 0.0,
    ),
)


@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_goal(goal: Goal) -> None:
    prove(goal, "player")


TIMES = [i / 10 for i in range(91)]


def test_films_tell_their_facts() -> None:
    steps = list(zip(TIMES, TIMES[1:], strict=False))
    rises = {lamp: sum(lamp_lit("C4", lamp, b) > lamp_lit("C4", lamp, a) for a, b in steps) for lamp in LAMPS}
    assert rises == {"A": 1, "B": 1, "C": 5, "D": 1}
    rests = [tram_at("D", b) for a, b in steps if tram_at("D", a) == tram_at("D", b) and 0 < tram_at("D", a) < 1]
    assert len(rests) >= 18
    assert rests == pytest.approx([0.7] * len(rests))
    assert max(counter_value("27", t) for t in TIMES) == 27
    opened = sorted(DOORS, key=lambda door: next(t for t in TIMES if door_open("CAB", door, t) > 0))
    assert "".join(opened) == "CAB"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["lamps", "tram", "counter", "doors"])
def test_a_film_tells_nothing_before_it_runs_nor_after_it(kind: str) -> None:
    """Two films of a kind with different facts look the same at their first and last second, and differ between."""
    facts = {"lamps": ("A2", "D5"), "tram": ("A", "E"), "counter": ("15", "48"), "doors": ("ABC", "CBA")}[kind]
    pictures = []
    for fact in facts:
        world, _, desktop = hands()
        one = next(clip for clip in world.state().account.clips if clip.kind == kind)
        other = replace(one, fact=fact)
        world.prepare(lambda state, other=other: state.own(state.account.put(other)))
        desktop.open("player")
        open_clip(desktop, world.state(), one.name)
        first = desktop.look(world.now)
        desktop.tap("player/clip/play")
        since = world.now
        world.wait(4.9)
        middle = desktop.look(since)
        assert isinstance(middle.video, VideoClip)
        world.wait(6.0)
        pictures.append((first.screenshot, middle.video, desktop.look(world.now).screenshot, first.elements))
    (a, b, c, d), (e, f, g, h) = pictures
    assert a == e
    assert c == g
    assert d == h
    assert b != f
    assert len({frame.rgb for frame in b.frames}) > 10


def test_of_a_film_that_runs_lasts_that_it_was_started() -> None:
    state = SimWorld().state()
    film = clip(state, "Counter, Friday")
    running = play(film)(state)
    ended = with_films_at_their_end(running.account)
    assert ended.find("playbacks", film.id) == replace(
        running.account.find("playbacks", film.id), at=film.seconds, since=None
    )
    # One that was paused stays where it is.
    assert with_films_at_their_end(ended) is ended
