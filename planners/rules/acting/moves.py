"""The next move for a clause: one function per kind of clause."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from omnipilot.envs import Click, Element, Intent, OpenApp, OpenUrl, Point, Press, TypeText, Wait
from omnipilot.envs.types import FIELDS, describe, likeness, parse_combination
from omnipilot.memory import Move
from omnipilot.memory.perception import waits
from omnipilot.planners.rules.acting.choices import click, select
from omnipilot.planners.rules.acting.fields import copy, read, search, type_text
from omnipilot.planners.rules.acting.named_controls import act, confirm
from omnipilot.planners.rules.acting.steppers import set_steppers
from omnipilot.planners.rules.acting.terminal import at_prompt
from omnipilot.planners.rules.acting.waits import hear, listen, motion, standstill, wait, wait_until_shown
from omnipilot.planners.rules.matching.elements import field_for, matching_elements, operable
from omnipilot.planners.rules.matching.long_lists import row_beside, scrolling
from omnipilot.planners.rules.matching.notes import with_film
from omnipilot.planners.rules.matching.scene import Do, Met, Result, Stuck, TurnScene
from omnipilot.planners.rules.matching.seek import look_for
from omnipilot.planners.rules.reading.applications import is_name, reach
from omnipilot.planners.rules.reading.sound_matching import named_by_ear, sample, tune
from omnipilot.planners.rules.words import quoted_texts

_TO_END = "ctrl+end"
_MOST_LINES = 60


def pursue(scene: TurnScene) -> Result:
    """The next move for the scene's clause, `Met` if it is fulfilled, or `Stuck` if no idea is left."""
    if scene.clause.kind == "act" and scene.clause.source:
        name = named_by_ear(scene.clause.source, scene.known.notes)
        if name is None:
            return Stuck(f"{scene.clause.source} cannot be told")
        scene.clause = replace(scene.clause, text=f'"{name}"')
    return at_prompt(scene) or _KINDS[scene.clause.kind](scene)


def _press(scene: TurnScene) -> Result:
    env = scene.first("press")
    if env is None:
        return Stuck("no environment has keys")
    if scene.clause.text == _TO_END and scene.verbs(env).platform == "phone":
        return _to_end(scene, env)
    try:
        keys = parse_combination(scene.clause.text.replace("page ", "page"))
    except ValueError:
        return Stuck(f"{scene.clause.text!r} is no key")
    return scene.do(env, Press(keys), f"Press {scene.clause.text}.")


def _to_end(scene: TurnScene, env: str) -> Result:
    """Move to the end of a text with the keys that a phone has."""
    scene.progress.pressed += 1
    if scene.progress.pressed == 1:
        return scene.do(env, Press(("down",), repeat=_MOST_LINES), "To the last line.", completes=False)
    return scene.do(env, Press(("end",)), "To its end.")


def _focus(scene: TurnScene) -> Result:
    for env in scene.envs:
        # A text has a large field; a title above it is none.
        phrase = "text" if scene.clause.target == "text field" else scene.clause.target
        field = field_for(phrase, scene.elements(env))
        if field is not None:
            return scene.do(env, Click(scene.aim(env, field)), "Click into the field.")
    return click(scene)


def _open(scene: TurnScene) -> Result:
    clause = scene.clause
    name = describe(clause.target).name or clause.target
    launcher = scene.first("open_app")
    if "://" in clause.target and (browser := scene.first("open_url")):
        address = next(word for word in clause.target.split() if "://" in word).strip("\"'“”")
        return scene.do(browser, OpenUrl(address), f"Open {address}.")
    if (page := _address(scene)) is not None:
        return page
    if (
        is_name(clause.target)
        and (known := scene.first("open_app"))
        and (known, clause.target) not in scene.known.lacking
    ):
        if scene.known.apps.get(known) == clause.target:
            return Met()
        return reach(scene, clause.target) or Met()
    found = scene.find(clause.target, clause.near)
    if found is not None:
        env, element = found
        element = row_beside(element, scene.elements(env))
        # On a desktop a picture with a name is opened by a double click.
        twice = element.role in ("image", "icon") and scene.verbs(env).platform == "desktop"
        return scene.do(env, Click(scene.aim(env, element), count=2 if twice else 1), f"Open {element.name!r}.")
    # What stands in quotation marks is a thing in an application, not one.
    if launcher and name and not quoted_texts(clause.target) and f"app:{name}" not in scene.progress.tried:
        scene.progress.tried.add(f"app:{name}")
        return scene.do(launcher, OpenApp(name), f"Open the application {name}.")
    return look_for(scene, clause.target)


_PAGE = re.compile(r"^[\w-]+(?:\.[\w-]+)+(?:/\S*)?$")


def _address(scene: TurnScene) -> Result | None:
    """Type a page's address into the address field; None if the clause opens no page."""
    target = scene.clause.target.strip('"“”')
    if not _PAGE.match(target):
        return None
    for env in scene.envs:
        for field in scene.elements(env):
            if field.role in FIELDS and re.search(r"\b(?:address|url|location)\b", field.name, re.I):
                intent: Intent = TypeText(target, scene.aim(env, field), clear=bool(field.value), submit=True)
                return scene.do(env, intent, f"Go to {target}.")
    return None


def _find(scene: TurnScene) -> Result:
    scene.known.sought = scene.clause.target
    return Met()


def _expand(scene: TurnScene) -> Result:
    phrase = scene.clause.target
    if "sections" in phrase or "menus" in phrase:
        return Met()
    for env in scene.envs:
        elements = scene.elements(env)
        named = [element for element in matching_elements(phrase, elements) if "expanded" not in element.states]
        folded = [element for element in elements if "collapsed" in element.states]
        if found := next(iter([*[e for e in named if e in folded], *folded, *named]), None):
            return scene.do(env, Click(scene.aim(env, found)), f"Unfold {found.name!r}.")
    return look_for(scene, phrase)


def _scroll(scene: TurnScene) -> Result:
    clause, env = scene.clause, scene.envs[0]
    direction = {"top": "up", "bottom": "down"}.get(clause.text, clause.text)
    amount = 40.0 if clause.text in ("top", "bottom") else 3.0
    found = scene.find(clause.target) if clause.target else None
    if clause.target and found is None:
        fields = [element for element in scene.elements(env) if element.role in FIELDS]
        found = (env, fields[0]) if fields else None
    if found is not None:
        env = found[0]
    return scene.do(env, scrolling(scene, env, direction, found[1] if found else None, amount), f"Scroll {direction}.")


def _unknown(scene: TurnScene) -> Result:
    return Stuck(f"no rule for {scene.clause.said!r}")


_SWITCHES = frozenset({"switch", "checkbox", "togglebutton", "menuitemcheckbox"})


def _switch(scene: TurnScene) -> Result:
    """Set a switch."""
    names = quoted_texts(scene.clause.target)
    name = f'"{names[0]}"' if names else scene.clause.target
    found = next(
        (
            (env, e)
            for env in scene.envs
            for e in matching_elements(name, [e for e in scene.elements(env) if e.role in _SWITCHES])
        ),
        None,
    )
    if found is None:
        return look_for(scene, name)
    env, element = found
    if ("checked" in element.states or "pressed" in element.states) == (scene.clause.text == "on"):
        return Met()
    return scene.do(env, Click(scene.aim(env, element)), f"Turn {element.name!r} {scene.clause.text}.")


_SLIDER_TRIES = 6
_AIMED = "aimed"
_SLIDER_VALUE = re.compile(r"^(\d+(?:\.\d+)?)(?:\s*(?:of|/)\s*(\d+(?:\.\d+)?))?")


def _slide(scene: TurnScene) -> Result:
    """Click the value's position on the slider, then next to it to correct the remaining error."""
    want = float(scene.clause.text)
    for env in scene.envs:
        found = [e for e in matching_elements(scene.clause.target, scene.elements(env)) if e.role == "slider"]
        state = _SLIDER_VALUE.match(found[0].value) if found else None
        if state is None:
            continue
        now, most = float(state[1]), float(state[2] or 100)
        if round(now) == round(want):
            return Met()
        scene.progress.pressed += 1
        if scene.progress.pressed > _SLIDER_TRIES:
            return Stuck(f"the slider stays at {state[1]}")
        # The knob stops short of the ends, so that the first click may be a little off.
        aimed = scene.progress.scores.get(_AIMED, now / most) + (want - now) / most
        scene.progress.scores[_AIMED] = aimed
        return scene.do(env, Click(_on_slider(found[0], aimed)), f"{now:g} should be {want:g}.", completes=False)
    return look_for(scene, f"{scene.clause.target} slider")


def _on_slider(slider: Element, share: float) -> Point:
    box = slider.box
    return Point(box.left + (box.right - box.left) * min(max(share, 0.0), 1.0), box.center.y)


_EARLIEST = 0.35
"""Seconds before the moment from which on the move is made."""


def _moment(scene: TurnScene) -> Result:
    """Act in the middle of the rest seen in the film, when it is played again."""
    clause = scene.clause
    films = [film for note in with_film(reversed(scene.known.notes)) for film in note.films.values()]
    found = next(((film.start, rest) for film in films if (rest := waits(film, going_on=True))), None)
    if found is None:
        return Stuck(f"nothing was seen that tells when to {clause.target}")
    start, (_, first, last) = found
    for env in scene.envs:
        tape = scene.known.tapes.get(env)
        began = tape.began if tape else None
        if began is None:
            continue
        ahead = began + (first + last) / 2 - start - scene.time()
        if ahead > _EARLIEST:
            return Do(Move("", Wait(round(ahead, 2))), False, "Wait for the moment.")
        for element in scene.elements(env):
            if operable(element) and likeness(clause.target, element.name) >= 0.65:
                return scene.do(env, Click(scene.aim(env, element)), f"Now {clause.target}.")
    return Stuck(f"there is nothing to {clause.target}")


_KINDS: dict[str, Callable[[TurnScene], Result]] = {
    "click": click,
    "type": type_text,
    "select": select,
    "focus": _focus,
    "press": _press,
    "open": _open,
    "search": search,
    "scroll": _scroll,
    "expand": _expand,
    "find": _find,
    "copy": copy,
    "read": read,
    "set": set_steppers,
    "act": act,
    "switch": _switch,
    "moment": _moment,
    "sample": sample,
    "tune": tune,
    "slide": _slide,
    "confirm": confirm,
    "wait": wait,
    "hear": hear,
    "listen": listen,
    "motion": motion,
    "still": standstill,
    "shown": wait_until_shown,
    "unknown": _unknown,
}
