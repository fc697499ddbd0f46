"""How fast the embedded world is: real actions on real screens, one core."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from omnipilot.envs import (
    Absent,
    Action,
    ActionRejected,
    Click,
    Element,
    Modality,
    Observation,
    OpenApp,
    Scroll,
    System,
    TypeText,
)
from omnipilot.envs.sim import SimEnv, SimWorld, capture
from omnipilot.envs.sim.shared_pictures import MOST_BYTES, SharedPictures

SEEN = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS, Modality.AUDIO})
FILMED = SEEN | {Modality.VIDEO}
SECOND = 1.0
"""A step that is filmed lasts so long, which makes ten frames at 10 a second and one of the present."""
STEPS = 600

Work = tuple[tuple[str, Action], ...]
"""Actions, each with the device it is done on."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Steps a second: of CPU time, which other work on the machine does not take away, and by the clock."""

    cpu: float
    wall: float


def work(steps: int = STEPS) -> Work:
    """What a person at work on both devices does, the same each time: each action is accepted in a new world.

    It opens apps, clicks through every button, row and tab that was on the screen, types into every field, scrolls.
    """
    world = SimWorld()
    world.reset(0)
    done: list[tuple[str, Action]] = []
    while len(done) < steps:
        for name, env in world.envs.items():
            seen = env.observe({Modality.ELEMENTS}, world.now)
            for action in _actions(name, seen, len(done)):
                try:
                    env.act(action)
                except ActionRejected:
                    # An earlier click has put something else there; only steps that were done count.
                    continue
                done.append((name, action))
    return tuple(done[:steps])


def steps_a_second(actions: Work, seen: frozenset[Modality] = SEEN, rounds: int = 5) -> Rate:
    """The best of some rounds, each in a new world; a step is one action and, where anything is `seen`, one look.

    A look takes what happened since the one before. With video among it the step lasts `SECOND`, so that it has ten
    frames; most of them show what the one before showed, as most screens stand still.
    """
    pause = SECOND if Modality.VIDEO in seen else 0.0
    return best(rounds, len(actions), lambda: _replay(actions, seen, pause))


def film_steps_a_second(steps: int = 60, rounds: int = 5) -> Rate:
    """The same for the desktop while a film plays there, so that each of a step's ten frames is another picture."""
    return best(rounds, steps, lambda: _watch(steps))


def best(rounds: int, steps: int, stretch: Callable[[], Iterator[None]]) -> Rate:
    """The best of some rounds; a stretch is prepared at its first `yield`, its steps are done at its second."""
    rates = []
    for _ in range(rounds):
        running = stretch()
        next(running)
        wall, cpu = time.perf_counter(), time.process_time()
        next(running)
        rates.append((steps / (time.process_time() - cpu), steps / (time.perf_counter() - wall)))
    return Rate(max(cpu for cpu, _ in rates), max(wall for _, wall in rates))


EIGHT = 8 * 3 * 1280 * 800
"""Bytes of eight pictures of the desktop: less than a step's ten frames, so that none is there from the step before."""


def keep_pictures_of_one(most: int = MOST_BYTES) -> None:
    """Let this process share no picture that was painted before, and keep at most so many bytes of them."""
    capture.SHARED = SharedPictures(most)


def _replay(actions: Work, seen: frozenset[Modality], pause: float) -> Iterator[None]:
    world = SimWorld()
    world.reset(0)
    envs = dict(world.envs)
    keep_pictures_of_one()
    yield
    for name, action in actions:
        since = world.now
        try:
            envs[name].act(action)
        except ActionRejected:
            # Only where steps are made longer: an alarm may ring then. The look is taken all the same.
            if not pause:
                raise
        if pause:
            world.wait(max(0.0, since + pause - world.now))
        if seen:
            envs[name].observe(seen, world.now - pause if pause else since)
    yield


def _watch(steps: int) -> Iterator[None]:
    # The film begins anew in each step, and its frames would be there already.
    keep_pictures_of_one(EIGHT)
    world = SimWorld()
    world.reset(0)
    desktop = world.envs["desktop"]
    desktop.act(OpenApp("Video Player"))
    _click(desktop, "player/list/")
    _click(desktop, "player/clip/play")
    again = _place(desktop, "player/clip/start")

    def step() -> Observation:
        since = world.now
        desktop.act(again)
        world.wait(since + SECOND - world.now)
        return desktop.observe(FILMED, since)

    film = step().video
    assert not isinstance(film, Absent)
    assert len({frame.rgb for frame in film.frames}) >= 10, "the film does not play"
    yield
    for _ in range(steps):
        step()
    yield


def _click(env: SimEnv, id: str) -> None:
    env.act(_place(env, id))


def _place(env: SimEnv, id: str) -> Action:
    found = next(
        e for e in env.ui_tree().items if e.id is not None and e.id.startswith(id) and e.role != "columnheader"
    )
    return Click(found.box.center)


def _actions(name: str, seen: Observation, turn: int) -> list[Action]:
    apps = ("Messages", "Clock", "Notes") if name == "phone" else ("Mail", "Editor")
    actions: list[Action] = [OpenApp(apps[turn % len(apps)]), Scroll("down"), Scroll("up")]
    elements = () if isinstance(seen.elements, Absent) else seen.elements.items
    for element in elements:
        if "disabled" not in element.states and element.role in ("button", "listitem", "textbox", "tab"):
            actions += _use(element)
    return [*actions, System("home")] if name == "phone" else actions


def _use(element: Element) -> list[Action]:
    at = element.box.center
    return [Click(at), TypeText("on my way")] if element.role == "textbox" else [Click(at)]


def wav_seconds() -> float:
    """Seconds to encode one second of the desktop's sound, best of ten."""
    world = SimWorld()
    world.reset(0)
    desktop = world.envs["desktop"]
    desktop.act(OpenApp("Mail"))
    world.wait(1.0)
    sound = desktop.observe({Modality.AUDIO}, world.now - 1.0).audio
    assert not isinstance(sound, Absent)
    times = []
    for _ in range(10):
        began = time.perf_counter()
        sound.wav()
        times.append(time.perf_counter() - began)
    return min(times)
