"""What is wanted is not in view: where the planner `rules` goes to look for it."""

from __future__ import annotations

import re

from omnipilot.envs.actions import Click, Intent, Scroll, Swipe, TypeText, Wait
from omnipilot.envs.observation import Element
from omnipilot.envs.roles import FIELDS
from omnipilot.memory.trace import Move
from omnipilot.planners.rules_explore import key, unexplored
from omnipilot.planners.rules_match import operable, wanted
from omnipilot.planners.rules_scene import Do, Result, Scene, Stuck
from omnipilot.planners.rules_words import quoted

_SEARCH = re.compile(r"\bsearch\b", re.IGNORECASE)
_LOOKS = 16
_SCROLLS = 6
_BACKS = 3
_BACK = re.compile(r"^(?:back|go back|up|all \w+|‹|←)$", re.IGNORECASE)
_ROWS = frozenset({"listitem", "row", "option", "article", "link"})


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
    if searched := _search(scene, phrase):
        return searched
    for env in scene.envs:
        if scene.clause.app and (row := _middle(scene, env)) and progress.scrolls < _SCROLLS:
            view = frozenset(e.name for e in scene.elements(env))
            if view != progress.view:
                progress.scrolls, progress.view = progress.scrolls + 1, view
                down = scrolling(scene, env, "down", row)
                return scene.do(env, down, f"Scroll the list to {phrase}.", completes=False)
    for env in scene.envs:
        elements, sought = scene.elements(env), scene.known.sought
        found = unexplored(env, elements, scene.instruction, sought, scene.later, progress.tried, scene.apps)
        if found is not None:
            progress.tried.add(key(env, found))
            return scene.do(env, Click(scene.aim(env, found)), f"Look behind {found.name!r}.", completes=False)
    if progress.scrolls < _SCROLLS and scene.envs and not scene.blind(scene.envs[0]):
        progress.scrolls += 1
        env = scene.envs[0]
        return scene.do(
            env, scrolling(scene, env, "down", _middle(scene, env)), f"Scroll to find {phrase}.", completes=False
        )
    if scene.clause.app and progress.backs < _BACKS and (way := _way_back(scene)):
        progress.backs += 1
        progress.scrolls = 0
        return way
    if progress.waits < 1:
        progress.waits += 1
        return Do(Move("", Wait(1.0)), False, "Perhaps it is still to come.")
    return Stuck(f"{phrase or 'it'} is nowhere to be seen")


def scrolling(scene: Scene, env: str, direction: str, at: Element | None = None, amount: float = 3.0) -> Intent:
    if "scroll" in scene.verbs(env).kinds:
        return Scroll(direction, scene.aim(env, at) if at else None, amount)  # type: ignore[arg-type]
    finger = {"up": "down", "down": "up", "left": "right", "right": "left"}[direction]
    return Swipe(finger)  # type: ignore[arg-type]


def _search(scene: Scene, phrase: str) -> Result | None:
    """Type a name into the search field, once a clause."""
    names = quoted(phrase)
    if not names or not scene.clause.app:
        return None
    for env in scene.envs:
        for field in scene.elements(env):
            if field.role in FIELDS and _SEARCH.search(field.name) and (tried := f"search:{key(env, field)}"):
                if tried in scene.progress.tried:
                    return None
                scene.progress.tried.add(tried)
                intent: Intent = TypeText(names[0], scene.aim(env, field), clear=bool(field.value), submit=True)
                return scene.do(env, intent, f"Search for {names[0]!r}.", completes=False)
    return None


def _way_back(scene: Scene) -> Result | None:
    """To the screen before, inside the application (it may have been left at some detail)."""
    for env in scene.envs:
        # What lies at the bottom edge belongs to the device and leaves the application.
        ways = [e for e in scene.elements(env) if operable(e) and _BACK.match(e.name) and e.box.center.y < 0.5]
        ways = [way for way in ways if "disabled" not in way.states]
        if ways:
            return scene.do(env, Click(scene.aim(env, ways[0])), f"Go {ways[0].name.lower()} to look.", completes=False)
    return None


def _middle(scene: Scene, env: str) -> Element | None:
    """A row in the middle of the list on the screen, so that it is the list that scrolls."""
    rows = [element for element in scene.elements(env) if element.role in _ROWS]
    return rows[len(rows) // 2] if len(rows) >= 4 else None
