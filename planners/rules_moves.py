"""What to do next for a clause: one function a kind of clause."""

from __future__ import annotations

from collections.abc import Callable

from omnipilot.envs.actions import Click, LongPress, OpenApp, OpenUrl, Press
from omnipilot.envs.describe import describe, fold, likeness
from omnipilot.envs.keys import combination
from omnipilot.envs.roles import FIELDS
from omnipilot.planners.rules_apps import is_name, reach
from omnipilot.planners.rules_choices import click, select, set_steppers
from omnipilot.planners.rules_fields import copy, read, search, type_text
from omnipilot.planners.rules_match import field_for, operable, wanted
from omnipilot.planners.rules_scene import Met, Result, Scene, Stuck
from omnipilot.planners.rules_seek import look_for, scrolling
from omnipilot.planners.rules_waits import hear, listen, motion, shown, standstill, wait
from omnipilot.planners.rules_words import quoted

_LIKE = {
    "close": ("close", "×", "x", "✕", "dismiss", "cancel"),
    "dismiss": ("dismiss", "stop", "close", "off", "ok", "×"),
    "stop": ("stop", "dismiss", "off", "end", "pause"),
    "send": ("send", "submit"),
    "submit": ("submit", "ok", "done"),
    "save": ("save", "done", "ok"),
    "delete": ("delete", "remove", "trash"),
    "remove": ("remove", "delete", "trash"),
    "add": ("add", "new", "create", "+"),
    "move": ("move", "move to", "cut"),
    "confirm": ("confirm", "ok", "yes", "done"),
    "join": ("join", "connect", "ok"),
    "rename": ("rename", "edit", "change"),
    "insert": ("paste", "move here", "insert", "move"),
    "write": ("compose", "new", "create", "write", "+"),
    "make": ("new", "create", "add", "make", "+"),
    "create": ("create", "new", "add", "compose", "+"),
}
"""What a control may be called that does what a verb says."""
_YES = ("yes", "ok", "confirm", "save", "done")
_ENTERED = frozenset({"send", "submit"})


def pursue(scene: Scene) -> Result:
    """The next move for the scene's clause, or that it is met, or that nothing comes to mind."""
    return _KINDS[scene.clause.kind](scene)


def _press(scene: Scene) -> Result:
    env = scene.first("press")
    if env is None:
        return Stuck("no environment has keys")
    try:
        keys = combination(scene.clause.text.replace("page ", "page"))
    except ValueError:
        return Stuck(f"{scene.clause.text!r} is no key")
    return scene.do(env, Press(keys), f"Press {scene.clause.text}.")


def _focus(scene: Scene) -> Result:
    for env in scene.envs:
        field = field_for(scene.clause.target, scene.elements(env))
        if field is not None:
            return scene.do(env, Click(scene.aim(env, field)), "Click into the field.")
    return click(scene)


def _open(scene: Scene) -> Result:
    clause = scene.clause
    name = describe(clause.target).name or clause.target
    launcher = scene.first("open_app")
    if "://" in clause.target and (browser := scene.first("open_url")):
        address = next(word for word in clause.target.split() if "://" in word).strip("\"'“”")
        return scene.do(browser, OpenUrl(address), f"Open {address}.")
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
        # On a desktop a picture with a name is opened by a double click.
        twice = element.role in ("image", "icon") and scene.verbs(env).platform == "desktop"
        return scene.do(env, Click(scene.aim(env, element), count=2 if twice else 1), f"Open {element.name!r}.")
    # What stands in quotation marks is a thing in an application, not one.
    if launcher and name and not quoted(clause.target) and f"app:{name}" not in scene.progress.tried:
        scene.progress.tried.add(f"app:{name}")
        return scene.do(launcher, OpenApp(name), f"Open the application {name}.")
    return look_for(scene, clause.target)


def _find(scene: Scene) -> Result:
    scene.known.sought = scene.clause.target
    return Met()


def _expand(scene: Scene) -> Result:
    phrase = scene.clause.target
    if "sections" in phrase or "menus" in phrase:
        return Met()
    for env in scene.envs:
        elements = scene.elements(env)
        named = [element for element in wanted(phrase, elements) if "expanded" not in element.states]
        folded = [element for element in elements if "collapsed" in element.states]
        if found := next(iter([*[e for e in named if e in folded], *folded, *named]), None):
            return scene.do(env, Click(scene.aim(env, found)), f"Unfold {found.name!r}.")
    return look_for(scene, phrase)


def _scroll(scene: Scene) -> Result:
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


def _act(scene: Scene) -> Result:
    verb = scene.clause.target
    for name in _LIKE.get(verb, (verb,)):
        for env in scene.envs:
            elements = [e for e in scene.elements(env) if operable(e) or e.role == "image"]
            if found := [e for e in elements if e.role not in FIELDS and likeness(name, e.name) >= 0.65]:
                about = set(fold(scene.clause.text).split())
                found.sort(key=lambda e: (likeness(name, e.name) < 0.95, -len(about & set(fold(e.name).split()))))
                return scene.do(env, Click(scene.aim(env, found[0])), f"Click {found[0].name!r} to {verb}.")
    if scene.clause.text and not scene.progress.opened and (target := scene.find(scene.clause.text)):
        scene.progress.opened = True
        env, element = target
        return scene.do(env, Click(scene.aim(env, element)), f"Click what to {verb}.", completes=False)
    if scene.progress.opened and not scene.progress.moved and (held := _hold(scene)):
        scene.progress.moved = True
        return held
    if verb in _ENTERED and (env := scene.first("press") or ""):
        return scene.do(env, Press(("enter",)), f"Press Enter to {verb}.")
    return look_for(scene, verb)


def _hold(scene: Scene) -> Result | None:
    """Press long on what the clause is about: its menu may come up."""
    target = scene.find(scene.clause.text)
    if target is None or "long_press" not in scene.verbs(target[0]).kinds:
        return None
    env, element = target
    return scene.do(env, LongPress(scene.aim(env, element)), f"Press {element.name!r} long.", completes=False)


def _confirm(scene: Scene) -> Result:
    """Answer the dialog that asks whether it is really meant; where there is none, nothing is left to do."""
    for env in scene.envs:
        elements = scene.elements(env)
        for dialog in (e for e in elements if e.role in ("dialog", "alertdialog")):
            inside = [e for e in elements if operable(e) and e.role not in FIELDS and dialog.box.contains(e.box.center)]
            for name in (
                *_LIKE.get(scene.clause.target, (scene.clause.target,)),
                "yes",
                "ok",
                "confirm",
                "save",
                "done",
            ):
                if found := [e for e in inside if likeness(name, e.name) >= 0.6 and "disabled" not in e.states]:
                    return scene.do(env, Click(scene.aim(env, found[0])), f"Confirm with {found[0].name!r}.")
    return Met()


def _unknown(scene: Scene) -> Result:
    return Stuck(f"no rule for {scene.clause.said!r}")


_KINDS: dict[str, Callable[[Scene], Result]] = {
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
    "act": _act,
    "confirm": _confirm,
    "wait": wait,
    "hear": hear,
    "listen": listen,
    "motion": motion,
    "still": standstill,
    "shown": shown,
    "unknown": _unknown,
}
