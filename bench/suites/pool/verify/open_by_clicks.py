"""Demonstrations without `open_app`: the clicks that open an application, as a person opens it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from omnipilot.bench.suites.duet.kit.play import seek, try_move
from omnipilot.envs import Click, OpenApp, Ref, System, TypeText, Wait
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.apps.registry import find_app
from omnipilot.memory import Move

WAITS = (0.3, 0.5, 1.0, 2.0)
"""Seconds after which the screen is looked at again."""


def opening_clicks(world: SimWorld, env: str, title: str) -> Sequence[Move]:
    """The moves that open an application where the world stands; none where it is in front already.

    On the phone its icon on the home screen is tapped, on the desktop its icon in the task bar or, where it has none
    there, in the start menu. The world is not changed.
    """
    app = find_app(env, title)  # type: ignore[arg-type]
    if app is None:
        return [Move(env, OpenApp(title))]
    device = world.state().device(env)  # type: ignore[arg-type]
    if device.front is not None and device.front.app == app.name and not device.launcher:
        return []
    if env == "phone":
        home = [] if device.front is None else [Move(env, Click(Ref("system/home")))]
        wanted = [*home, Move(env, Click(Ref(f"home/{app.name}")))]
    elif world.envs[env].ui_tree().by_id(f"taskbar/{app.name}") is not None:
        wanted = [Move(env, Click(Ref(f"taskbar/{app.name}")))]
    else:
        wanted = [Move(env, Click(Ref("taskbar/start"))), Move(env, Click(Ref(f"launcher/{app.name}")))]
    scratch = world.fork()
    found: list[Move] = []
    for move in wanted:
        steps = [*seek(scratch, move), move]
        if not all(try_move(scratch, step) for step in steps):
            return [Move(env, OpenApp(title))]
        found += steps
    front = scratch.state().device(env).front  # type: ignore[arg-type]
    return found if front is not None and front.app == app.name else [Move(env, OpenApp(title))]


def _ids(world: SimWorld, env: str) -> set[str | None]:
    return {element.id for element in world.envs[env].ui_tree()}


def small_steps(world: SimWorld, move: Move) -> Iterator[Move]:
    """The steps of one move, one by one: whoever asks for the next has played the one before in the world.

    Where a page loads while the whole move is carried out, and not yet after the steps, they end with a wait.
    """
    steps = in_small_steps(world, move)
    whole = world.fork() if list(steps) != [move] else None
    yield from steps
    if whole is not None and try_move(whole, move):
        yield from _catching_up(world, whole, move.env)


def _catching_up(world: SimWorld, whole: SimWorld, env: str) -> Sequence[Move]:
    """The shortest wait after which a world shows what another one shows; none where it does, or never will."""
    wanted = _ids(whole, env)
    if _ids(world, env) == wanted:
        return []
    for seconds in WAITS:
        later = world.fork()
        later.wait(seconds)
        if _ids(later, env) == wanted:
            return [Move(env, Wait(seconds))]
    return []


def in_small_steps(world: SimWorld, move: Move) -> Sequence[Move]:
    """The move as OmniBench's three functions can say it, where the world stands: applications are opened by clicks,
    a field is clicked before something is typed, the phone's home key is its button."""
    intent = move.intent
    if isinstance(intent, OpenApp):
        return opening_clicks(world, move.env, intent.app)
    if isinstance(intent, TypeText) and intent.at is not None:
        typed: TypeText[Ref] = TypeText(intent.text, None, intent.clear, intent.submit)
        return [Move(move.env, Click(intent.at)), Move(move.env, typed)]
    if intent == System("home") and world.envs[move.env].ui_tree().by_id("system/home") is not None:
        return [Move(move.env, Click(Ref("system/home")))]
    return [move]
