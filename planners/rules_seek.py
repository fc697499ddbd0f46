"""What is wanted is not in view: where the planner `rules` goes to look for it."""

from __future__ import annotations

from omnipilot.envs.actions import Click, Intent, Scroll, Swipe, Wait
from omnipilot.envs.observation import Element
from omnipilot.memory.trace import Move
from omnipilot.planners.rules_explore import key, unexplored
from omnipilot.planners.rules_match import wanted
from omnipilot.planners.rules_scene import Do, Result, Scene, Stuck

_LOOKS = 12
_SCROLLS = 4


def look_for(scene: Scene, phrase: str) -> Result:
    """What is wanted is not in view: go where it may be."""
    progress = scene.progress
    if progress.looks >= _LOOKS:
        return Stuck(f"{phrase or 'it'} was not found after {progress.looks} looks elsewhere")
    progress.looks += 1
    for env in scene.envs:
        hidden = [e for e in scene.everything(env) if "offscreen" in e.states]
        if wanted(phrase, hidden) and progress.scrolls < _SCROLLS:
            progress.scrolls += 1
            return scene.do(env, scrolling(scene, env, "down"), f"Scroll to {phrase}.", completes=False)
    for env in scene.envs:
        elements, sought = scene.elements(env), scene.known.sought
        found = unexplored(env, elements, scene.instruction, sought, scene.later, progress.tried)
        if found is not None:
            progress.tried.add(key(env, found))
            return scene.do(env, Click(scene.aim(env, found)), f"Look behind {found.name!r}.", completes=False)
    if progress.scrolls < _SCROLLS and scene.envs and not scene.blind(scene.envs[0]):
        progress.scrolls += 1
        env = scene.envs[0]
        return scene.do(env, scrolling(scene, env, "down"), f"Scroll to find {phrase}.", completes=False)
    if progress.waits < 1:
        progress.waits += 1
        return Do(Move("", Wait(1.0)), False, "Perhaps it is still to come.")
    return Stuck(f"{phrase or 'it'} is nowhere to be seen")


def scrolling(scene: Scene, env: str, direction: str, at: Element | None = None, amount: float = 3.0) -> Intent:
    if "scroll" in scene.verbs(env).kinds:
        return Scroll(direction, scene.aim(env, at) if at else None, amount)  # type: ignore[arg-type]
    finger = {"up": "down", "down": "up", "left": "right", "right": "left"}[direction]
    return Swipe(finger)  # type: ignore[arg-type]
