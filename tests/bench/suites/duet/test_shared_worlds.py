"""Forks that take turns, and share what they can, show and score what each would alone: all tasks, to the pixel."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from omnipilot.agents import PartSpec
from omnipilot.bench.session import Session
from omnipilot.bench.suites.duet import Duet
from omnipilot.bench.suites.duet.kit import play as moves_played
from omnipilot.envs import Action, ConfigError, Elements, Image, Modality, OpenApp, Thinking
from omnipilot.envs.schema import codec
from omnipilot.envs.sim import SimWorld, capture, env, step
from omnipilot.envs.sim.live import LivePhone
from omnipilot.envs.sim.move_memo import MoveMemo
from omnipilot.envs.sim.shared_pictures import SharedPictures
from omnipilot.envs.sim.state.world_state import DeviceName, WorldState
from omnipilot.envs.sim.step import Look

TASKS = tuple(info.id for info in Duet().tasks())
SEEN = {Modality.SCREENSHOT, Modality.ELEMENTS, Modality.AUDIO, Modality.CONTEXT}
WAYS = 4
"""Two forks that play the demonstration, and two that play it with clicks of their own in between."""


def verbs_of(session: Session, task: str) -> list[dict[str, Any]]:
    """Open a task; its demonstration."""
    session.open(task)
    course = session._course
    assert course is not None and course.task.solution is not None
    return [{"env": move.env, **codec.to_json(move.intent)} for move in course.task.solution(course.world)]


def look(session: Session) -> tuple[str, list[tuple[str, Any]]]:
    """A hash of the element lists and pictures of both devices, and where one may click."""
    found, places = hashlib.sha256(), []
    for name, seen in session.observe().items():
        assert isinstance(seen.elements, Elements) and isinstance(seen.screenshot, Image)
        found.update(json.dumps([codec.element_to_json(element) for element in seen.elements], sort_keys=True).encode())
        found.update(f"{seen.time!r} {seen.screenshot.start!r} {seen.screenshot.digest}".encode())
        places += [(name, element.box.center) for element in seen.elements]
    return found.hexdigest(), places


def play(session: Session, verbs: list[dict[str, Any]], way: int) -> Iterator[Any]:
    """What comes of one way through a task, look by look; those from 2 on stray, each with dice of its own."""
    dice = random.Random(way)
    for verb in verbs:
        shown, places = look(session)
        yield shown
        if way >= 2 and dice.random() < 0.3:
            env, at = dice.choice(places)
            acted = session.act({"env": env, "kind": "click", "at": {"x": at.x, "y": at.y}})
            yield acted.result, acted.message, acted.completion
            yield look(session)[0]
        acted = session.act(verb)
        yield acted.result, acted.message, acted.completion, acted.ended
    yield look(session)[0], session.score()


def alone(task: str, way: int) -> list[Any]:
    """A way by a world that shares nothing with any other."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(capture, "SHARED", SharedPictures())
        session = Session(Duet())
        return list(play(session, verbs_of(session, task), way))


def in_turns(suite: Duet, task: str, seed: int) -> list[list[Any]]:
    """All ways by forks of one session, in random order."""
    first = Session(suite)
    verbs = verbs_of(first, task)
    ways = [play(first.fork(), verbs, way) for way in range(WAYS)]
    found: list[list[Any]] = [[] for _ in ways]
    going, draw = list(range(WAYS)), random.Random(seed)
    while going:
        way = draw.choice(going)
        try:
            found[way].append(next(ways[way]))
        except StopIteration:
            going.remove(way)
    return found


@pytest.mark.parametrize("memo", [0, 3, 100_000], ids=["no memo", "tiny memo", "memo"])
@pytest.mark.parametrize(
    "tasks",
    [("send-message", "dismiss-alarm"), pytest.param(TASKS, marks=pytest.mark.slow)],
    ids=["some", "all"],
)
def test_forks_that_take_turns_are_what_each_is_alone(
    tasks: tuple[str, ...], memo: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = Duet(memo=memo)
    monkeypatch.setattr(capture, "SHARED", SharedPictures())
    for number, task in enumerate(tasks):
        expected = [alone(task, way) for way in range(WAYS)]
        assert in_turns(suite, task, number) == expected, task
        assert expected[0][-1][1].success and expected[0] == expected[1]
    assert (suite._memo is None) == (memo == 0)
    assert suite._memo is None or len(suite._memo) <= memo


def test_worlds_that_go_the_same_way_are_one() -> None:
    suite = Duet(memo=1_000)
    first, apart = Session(suite), Session(suite)
    verbs = verbs_of(first, "send-message")
    apart.open("send-message")
    sessions = [first, first.fork(), apart]
    for verb in verbs:
        looks = [session.observe() for session in sessions]
        assert len({id(seen["phone"].elements) for seen in looks}) == 1
        for session in sessions:
            session.act(verb)
        states = {id(session._world.state()) for session in sessions}  # type: ignore[union-attr]
        assert len(states) == 1, "a state of its own came of the same move"
    assert suite._memo is not None and suite._memo.reused >= 2 * (len(verbs) - 1)
    assert all(session.score().success for session in sessions)


def test_a_world_acts_on_a_screen_that_it_laid_out_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    # Controls read the state of the screen that was last laid out with their pieces: with another world's, its state.
    acted: list[bool] = []

    def perform(state: WorldState, device: DeviceName, action: Action, look: Look) -> WorldState:
        layout = look(state).layout
        kept = [world.envs[device]._capture._kept for world in (first, second)]
        acted.extend(any(layout is own for own in one._layouts.values()) for one in kept if one is not None)
        return step.perform(state, device, action, look)

    first = SimWorld(memo=MoveMemo(100))
    second = first.fork()
    for world in (first, second):
        world.envs["phone"].scene()
        world.wait(1.0)
        world.envs["phone"].observe({Modality.ELEMENTS}, 0.0)
    assert second.envs["phone"]._capture.look(first.state()) is first.envs["phone"].scene()
    monkeypatch.setattr(env, "perform", perform)
    second.envs["phone"].act(OpenApp("Notes"))
    assert acted == [False, True]


def test_a_move_that_is_refused_and_one_of_another_name_are_made_anew() -> None:
    memo = MoveMemo(10)
    world = SimWorld(memo=memo)
    other = world.fork()
    before = world.state()
    world.wait(1.0)
    other.wait(2.0)
    assert (world.now, other.now, memo.reused) == (1.0, 2.0, 0)
    world.change(lambda state: state.on("phone", clipboard="a"), 0.0)
    assert len(memo) == 2, "a step without a name is not kept"
    with pytest.raises(ZeroDivisionError):
        world.change(lambda state: state.on("phone", clipboard=str(1 / 0)), 0.0, "bad")
    assert len(memo) == 2
    third = SimWorld(memo=memo)
    third.prepare(lambda _: before)
    third.wait(1.0)
    assert memo.reused == 1 and third.now == 1.0


def test_who_plays_a_demonstration_takes_over_its_moves_and_its_looks() -> None:
    suite = Duet()
    info = suite.tasks()[0]
    worlds = [suite.world(Thinking()), suite.world(Thinking())]
    task = suite.instantiate(info.id, 0)
    for world in worlds:
        assert isinstance(world, SimWorld)
        task.setup(world)
    asked, plain = worlds
    moves = moves_played.demonstration(asked, suite.composed(info.id, 0).solutions())
    memo = asked._memo
    assert memo is not None and plain._memo is None
    made, looks = len(memo), len(memo._scenes)
    assert made >= len(moves) - 1 and looks and asked.now == plain.now == 0.0
    for move in moves:
        for world in worlds:
            moves_played.play(world, move)
        assert asked.state() == plain.state()
        for name in asked.envs:
            one, other = (world.envs[name].observe(SEEN, 0.0) for world in worlds)
            assert one == other
    assert len(memo) == made, "no move was made again"


def test_a_memo_is_bounded_and_off_unless_asked_for() -> None:
    memo = MoveMemo(4)
    world = SimWorld(memo=memo)
    for _ in range(9):
        world.wait(1.0)
        world.envs["phone"].ui_tree()
    assert len(memo) == 4 and len(memo._scenes) == 4
    assert SimWorld()._memo is None and LivePhone()._memo is None and Duet()._memo is None
    with pytest.raises(ValueError, match="at least 1"):
        MoveMemo(0)
    with pytest.raises(ConfigError, match="at least 0"):
        Session(PartSpec("duet"), options={"memo": -1})
