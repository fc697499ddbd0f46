"""Searches for something that is not in view."""

from __future__ import annotations

import re

from omnipilot.envs import Click, Intent, Press, System, TypeText, Wait
from omnipilot.envs.types import FIELDS, likeness
from omnipilot.memory import Move
from omnipilot.planners.rules.matching.elements import SEARCH, matching_elements, operable
from omnipilot.planners.rules.matching.explore import key, next_unexplored
from omnipilot.planners.rules.matching.foreground_window import dialog
from omnipilot.planners.rules.matching.long_lists import rows_of, scan, scrolling
from omnipilot.planners.rules.matching.scene import Do, Result, Stuck, TurnScene
from omnipilot.planners.rules.words import quoted_texts

_LOOKS = 40
_TURNS = 16
"""Maximum number of search moves other than scrolling."""
_SCROLLS = 4
_BACKS = 3
_BACK = re.compile(r"^(?:back|go back|up|all \w+|‹|←)$", re.IGNORECASE)
_LOADING = re.compile(r"\b(?:loading|please wait)\b", re.IGNORECASE)
_REFUSALS = ("later", "not now", "no thanks", "close", "cancel", "dismiss", "got it", "ok", "×")


def look_for(scene: TurnScene, phrase: str) -> Result:
    """Go where something not in view may be."""
    progress = scene.progress
    if progress.looks >= _LOOKS or progress.looks - progress.scrolls >= _TURNS:
        return Stuck(f"{phrase or 'it'} was not found after {progress.looks} looks elsewhere")
    progress.looks += 1
    return (
        _await_page(scene)
        or _close_menu(scene)
        or _refuse(scene)
        or _hidden(scene, phrase)
        or _search(scene, phrase)
        or _along(scene, phrase)
        or _close_choices(scene)
        or _behind(scene)
        or _below(scene, phrase)
        or _way_back(scene)
        or _later(scene)
        or Stuck(f"{phrase or 'it'} is nowhere to be seen")
    )


def _await_page(scene: TurnScene) -> Result | None:
    """Give a page time that says it is loading."""
    loading = any(
        e.role == "progressbar" and _LOADING.search(e.name) for env in scene.envs[:1] for e in scene.elements(env)
    )
    if not loading or scene.progress.waits >= 8:
        return None
    scene.progress.waits += 1
    return Do(Move("", Wait(1.0)), False, "Wait for the page.")


def _close_menu(scene: TurnScene) -> Result | None:
    """Close a menu that opened without the wanted item, since it covers what is behind it."""
    for env in scene.envs:
        items = [e for e in scene.elements(env) if e.role == "menuitem"]
        if items and "press" in scene.verbs(env).kinds and "menu closed" not in scene.progress.tried:
            scene.progress.tried.add("menu closed")
            return scene.do(env, Press(("esc",)), "Close the menu.", completes=False)
    return None


def _close_choices(scene: TurnScene) -> Result | None:
    """Close a list of choices that opened without the wanted item, since to click one would choose it."""
    for env in scene.envs:
        elements, kinds = scene.elements(env), scene.verbs(env).kinds
        closed = f"closed:{key(env, elements[0])}" if elements else ""
        if not closed or closed in scene.progress.tried or any(e.role != "option" for e in elements):
            continue
        how: Intent | None = Press(("esc",)) if "press" in kinds else System("back") if "system" in kinds else None
        if how is not None:
            scene.progress.tried.add(closed)
            return scene.do(env, how, "Close the choices.", completes=False)
    return None


def _refuse(scene: TurnScene) -> Result | None:
    """Dismiss a dialog that opened and contains nothing wanted."""
    for env in scene.envs:
        inside = [e for e in dialog(scene.elements(env)) or () if operable(e)]
        ways = [e for name in _REFUSALS for e in inside if likeness(name, e.name) >= 0.6]
        if ways and "refused" not in scene.progress.tried:
            scene.progress.tried.add("refused")
            why = f"Answer {ways[0].name!r} to what came up."
            return scene.do(env, Click(scene.aim(env, ways[0])), why, completes=False)
    return None


def _hidden(scene: TurnScene, phrase: str) -> Result | None:
    for env in scene.envs:
        hidden = [e for e in scene.everything(env) if "offscreen" in e.states]
        if matching_elements(phrase, hidden) and scene.progress.scrolls < _SCROLLS:
            scene.progress.scrolls += 1
            return scene.do(env, scrolling(scene, env, "down"), f"Scroll to {phrase}.", completes=False)
    return None


def _search(scene: TurnScene, phrase: str) -> Result | None:
    """Type a name into the search field, once per clause."""
    names = quoted_texts(phrase)
    if not names or not scene.inside:
        return None
    for env in scene.envs:
        for field in scene.elements(env):
            if field.role in FIELDS and SEARCH.search(field.name) and (tried := f"search:{key(env, field)}"):
                if tried in scene.progress.tried:
                    return None
                scene.progress.tried.add(tried)
                intent: Intent = TypeText(names[0], scene.aim(env, field), clear=bool(field.value), submit=True)
                return scene.do(env, intent, f"Search for {names[0]!r}.", completes=False)
    return None


def _along(scene: TurnScene, phrase: str) -> Result | None:
    """Scroll the list in front, if the clause concerns an application."""
    if not scene.inside:
        return None
    return next((found for env in scene.envs if (found := scan(scene, env, phrase))), None)


def _behind(scene: TurnScene) -> Result | None:
    """Open what the instruction mentions, expandable elements, and onward links."""
    progress = scene.progress
    for env in scene.envs:
        elements, sought = scene.elements(env), scene.known.sought
        found = next_unexplored(env, elements, scene.instruction, sought, scene.later, progress.tried, scene.apps)
        if found is not None:
            progress.tried.add(key(env, found))
            progress.views, progress.turned = [], False
            return scene.do(env, Click(scene.aim(env, found)), f"Look behind {found.name!r}.", completes=False)
    return None


def _below(scene: TurnScene, phrase: str) -> Result | None:
    """Scroll down a page without a list."""
    progress = scene.progress
    if (
        progress.loose
        or progress.views
        or progress.scrolls >= _SCROLLS
        or not scene.envs
        or scene.lacks_elements(scene.envs[0])
    ):
        return None
    progress.scrolls += 1
    env = scene.envs[0]
    rows = rows_of(scene.elements(env))
    at = rows[len(rows) // 2] if len(rows) >= 4 else None
    return scene.do(env, scrolling(scene, env, "down", at), f"Scroll to find {phrase}.", completes=False)


def _way_back(scene: TurnScene) -> Result | None:
    """Return to the previous screen within the application (it may have been left at a detail view)."""
    progress = scene.progress
    if not scene.inside or progress.backs >= _BACKS:
        return None
    for env in scene.envs:
        # What lies at the bottom edge belongs to the device and leaves the application.
        ways = [e for e in scene.elements(env) if operable(e) and _BACK.match(e.name) and e.box.center.y < 0.5]
        ways = [way for way in ways if "disabled" not in way.states]
        if ways:
            progress.backs += 1
            progress.scrolls, progress.views, progress.turned = 0, [], False
            return scene.do(env, Click(scene.aim(env, ways[0])), f"Go {ways[0].name.lower()} to look.", completes=False)
    return None


def _later(scene: TurnScene) -> Result | None:
    if scene.progress.waits >= 1:
        return None
    scene.progress.waits += 1
    return Do(Move("", Wait(1.0)), False, "Perhaps it is still to come.")
