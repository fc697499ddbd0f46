"""Moves for clauses that wait: for time to pass, a sound, a movement, something to appear."""

from __future__ import annotations

from omnipilot.envs.actions import Wait
from omnipilot.memory.sounds import dialled
from omnipilot.memory.trace import Move
from omnipilot.planners.rules_match import wanted
from omnipilot.planners.rules_scene import Do, Met, Result, Scene, Stuck
from omnipilot.planners.rules_senses import beeps, hears, moves, quiet, still

_WAITS = 18


def wait(scene: Scene) -> Result:
    """Let time pass."""
    return Do(Move("", Wait(min(max(float(scene.clause.text), 0.01), 600.0))), True, "Wait.")


def hear(scene: Scene) -> Result:
    """Until something sounds."""
    heard = [hears(scene.observation(env)) for env in scene.envs]
    return _await(scene, any(heard), all(ear is None for ear in heard), "a sound")


def listen(scene: Scene) -> Result:
    """Until something sounded and was over."""
    ears = [hears(scene.observation(env)) for env in scene.envs]
    scene.progress.moved |= any(ears)
    over = scene.progress.moved and all(quiet(scene.observation(env)) is not False for env in scene.envs)
    if over:
        for clip in scene.known.heard.values():
            scene.known.keys = dialled(clip) or scene.known.keys
            scene.known.beeps = beeps(clip) or scene.known.beeps
    return _await(scene, over, all(ear is None for ear in ears), "the end of the sound")


def motion(scene: Scene) -> Result:
    """Until something moves."""
    seen = [moves(scene.observation(env)) for env in scene.envs]
    return _await(scene, any(seen), all(eye is None for eye in seen), "a movement")


def standstill(scene: Scene) -> Result:
    """Until what moved has stopped."""
    scene.progress.moved |= any(moves(scene.observation(env)) for env in scene.envs)
    quiet = [still(scene.observation(env)) for env in scene.envs]
    # Before anything moved, standing still means that it has not begun.
    over = all(quiet) and (scene.progress.moved or scene.progress.waits >= 4)
    return _await(scene, over, all(eye is None for eye in quiet), "the end of the movement")


def shown(scene: Scene) -> Result:
    """Until it is in view."""
    # A call or a notice may come up anywhere.
    shown = any(_in_view(scene, env) for env in scene.request.observations)
    return _await(scene, shown, all(scene.blind(env) for env in scene.envs), scene.clause.target)


def _in_view(scene: Scene, env: str) -> bool:
    near = scene.clause.near.casefold()
    found = wanted(scene.clause.target, scene.elements(env), near)
    return any(not near or near in f"{element.name} {element.value}".casefold() for element in found)


def _await(scene: Scene, come: bool, senseless: bool, what: str) -> Result:
    if come:
        return Met()
    if senseless:
        return Stuck(f"it is not granted the sense to notice {what}")
    scene.progress.waits += 1
    if scene.progress.waits > _WAITS:
        return Stuck(f"{what} did not come")
    seconds = min(1.0 * 1.4 ** (scene.progress.waits - 1), 10.0)
    return Do(Move("", Wait(round(seconds, 2))), False, f"Wait for {what}.")
