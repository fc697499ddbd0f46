"""Plays moves in the embedded world as an agent with perfect vision would, for demonstrations and proofs."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.bench.synthesis.template import Solution
from omnipilot.envs import (
    Action,
    ActionRejected,
    Box,
    Click,
    NotFound,
    OpenApp,
    Point,
    Ref,
    Scroll,
    Swipe,
    System,
    Wait,
    resolve,
)
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.apps.registry import APPS
from omnipilot.envs.types import CONTROL_VERBS, Described
from omnipilot.memory import Move

MOST_SCROLLS = 12
REMEMBERED = 256
"""Moves that a world takes over from its demonstration."""


def demonstration(world: SimWorld, solutions: Sequence[Solution]) -> list[Move]:
    """The moves of all sub-tasks in order, from the world's current state; the world itself is not changed.

    Each piece sees the state in which the piece before it left the world. Where a move points at an element that is
    out of sight, the moves that bring it up are put before it, see `seek`.

    Raises:
        NotFound: an element is nowhere. ActionRejected: a device cannot do a move.
    """
    return [move for moves in pieces(world, solutions) for move in moves]


def pieces(world: SimWorld, solutions: Sequence[Solution]) -> list[list[Move]]:
    """The moves of each sub-task; see `demonstration`."""
    scratch = _scratch(world)
    found = []
    for solution in solutions:
        moves: list[Move] = []
        for move in solution(scratch.state()):
            moves += [*seek(scratch, move), move]
            play(scratch, move)
        found.append(moves)
    return found


def _scratch(world: SimWorld) -> SimWorld:
    """Another world in this state, from which this one takes over what the moves do and how the screens look."""
    if isinstance(world, SimWorld):
        world.remember(REMEMBERED)
        return world.fork()
    # One that is served elsewhere, and gives its state.
    scratch = SimWorld()
    scratch.restore(world.snapshot())
    return scratch


def play(world: SimWorld, move: Move) -> None:
    """Carry out one move.

    Raises:
        NotFound: it points at an element that is not on the screen.
        ActionRejected: the device cannot do it.
    """
    if isinstance(move.intent, Wait):
        world.wait(move.intent.seconds)
    elif move.intent.kind not in CONTROL_VERBS:
        world.envs[move.env].act(ground_move(world, move))


def try_move(world: SimWorld, move: Move) -> bool:
    """Carry out one move, or fail without side effects, as an agent's invalid action does."""
    try:
        play(world, move)
    except (NotFound, ActionRejected):
        return False
    return True


def ground_move(world: SimWorld, move: Move) -> Action:
    """The move's action, with the ids of elements looked up on the screen.

    Raises:
        NotFound: an element is not on the screen.
    """

    def locate(place: Described) -> Point:
        box = _box(world, move.env, place)
        if box is None:
            raise NotFound(f"no {place} on the {move.env}")
        return box.center

    return resolve(move.intent, locate)


def _box(world: SimWorld, env: str, place: Described) -> Box | None:
    element = world.envs[env].ui_tree().by_id(place.id) if isinstance(place, Ref) else None
    return None if element is None else element.box


def seek(world: SimWorld, move: Move) -> list[Move]:
    """Scroll every target of the move into view and return the moves this took; none if that is impossible.

    First the screen is scrolled, if it has the targets out of sight. Then the app goes back to its first view, where an
    earlier sub-task may have left it deeper: on the phone by its back button, on the desktop by being closed and opened
    again.
    """
    wanted = _wanted(move)

    def there() -> bool:
        return all(_box(world, move.env, place) for place in wanted)

    if there():
        return []
    before = world.snapshot()
    for ways in ([], *_ways_back(world, move.env)):
        world.restore(before)
        if not all(try_move(world, way) for way in ways):
            continue
        if there():
            return list(ways)
        if not _is_listed(world, move.env, wanted):
            continue
        behind = world.snapshot()
        for scroll in _scrolls(world, move.env):
            for count in range(1, MOST_SCROLLS + 1):
                if not try_move(world, scroll):
                    break
                if there():
                    return [*ways, *[scroll] * count]
            world.restore(behind)
    world.restore(before)
    return []


def _is_listed(world: SimWorld, env: str, wanted: Sequence[Described]) -> bool:
    """Whether the targets are on the screen at least out of sight, so that scrolling may bring them up.

    A spreadsheet lays out no cell that is out of sight, so any of its cells may come up.
    """
    scene = world.envs[env].scene()
    ids = {*(raw[4] for raw in scene.raw), *world.envs[env].out_of_sight()}
    sheets = {_parent(raw[4]) for raw in scene.raw if raw[0] == "cell" and raw[4]}
    return all(isinstance(place, Ref) and (place.id in ids or _parent(place.id) in sheets) for place in wanted)


def _parent(id: str) -> str:
    return id.rpartition("/")[0]


def _wanted(move: Move) -> list[Described]:
    wanted: list[Described] = []

    def locate(place: Described) -> Point:
        wanted.append(place)
        return Point(0.5, 0.5)

    if move.intent.kind not in CONTROL_VERBS:
        resolve(move.intent, locate)
    return wanted


def _ways_back(world: SimWorld, env: str) -> list[list[Move]]:
    window = (world.state().phone if env == "phone" else world.state().desktop).front
    if window is None:
        return []
    if env == "phone":
        return [[Move(env, System("back"))] * count for count in range(1, len(window.stack))]
    app = APPS[window.app]
    return [[Move(env, Click(Ref(f"window/{app.name}/close"))), Move(env, OpenApp(app.title))]]


def _scrolls(world: SimWorld, env: str) -> list[Move]:
    if env == "phone":
        return [Move(env, Swipe("up")), Move(env, Swipe("down"))]
    return [Move(env, Scroll("down", at=_middle(world))), Move(env, Scroll("up", at=_middle(world)))]


def _middle(world: SimWorld) -> Point:
    desktop = world.state().desktop
    window = desktop.front
    if window is None:
        return Point(0.5, 0.5)
    return Point.from_pixels(window.x + window.w // 2, window.y + window.h // 2, desktop.size)
