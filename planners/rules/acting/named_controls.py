"""Moves for verbs without their own rule: operate the control of that name on the clause's object."""

from __future__ import annotations

import re

from omnipilot.envs import Click, Element, LongPress, Press
from omnipilot.envs.types import FIELDS, fold, likeness
from omnipilot.planners.rules.matching.elements import SEARCH, exactly, operable
from omnipilot.planners.rules.matching.explore import key
from omnipilot.planners.rules.matching.foreground_window import dialog
from omnipilot.planners.rules.matching.long_lists import row_beside, rows_of
from omnipilot.planners.rules.matching.scene import Met, Result, TurnScene
from omnipilot.planners.rules.matching.seek import look_for
from omnipilot.planners.rules.words import OFFERED, quoted_texts

LIKE = {
    "close": ("close", "×", "x", "✕", "dismiss", "cancel"),
    "dismiss": ("dismiss", "stop", "close", "off", "ok", "×"),
    "stop": ("stop", "dismiss", "off", "end", "pause"),
    "start": ("start", "play", "begin", "go", "resume"),
    "play": ("play", "start", "resume"),
    "pause": ("pause", "stop"),
    "send": ("send", "submit"),
    "submit": ("submit", "ok", "done"),
    "save": ("save", "done", "ok"),
    "delete": ("delete", "remove", "trash", "move to trash", "clear"),
    "remove": ("remove", "delete", "trash"),
    "add": ("add", "new", "create", "+"),
    "move": ("move", "move to", "cut"),
    "confirm": ("confirm", "ok", "yes", "done"),
    "join": ("join", "connect", "ok"),
    "connect": ("connect", "join", "ok"),
    "disconnect": ("disconnect", "leave"),
    "rename": ("rename", "edit", "change"),
    "change": ("edit", "change", "rename"),
    "edit": ("edit", "change"),
    "insert": ("paste", "move here", "insert", "move"),
    "write": ("compose", "new", "create", "write", "+"),
    "make": ("new", "create", "add", "make", "+"),
    "create": ("create", "new", "add", "compose", "+"),
    "star": ("star", "favourite", "favorite", "add to favourites", "flag"),
    "unstar": ("unstar", "remove from favourites", "unflag"),
    "block": ("block", "block calls"),
    "mute": ("mute", "silence", "notifications off"),
    "archive": ("archive", "move to archive"),
    "done": ("done", "mark as done", "complete", "completed", "finished", "check"),
    "completed": ("completed", "complete", "done", "mark as done"),
    "complete": ("complete", "completed", "done", "mark as done"),
    "read": ("mark as read", "read"),
    "unread": ("mark as unread", "unread"),
    "favourite": ("favourite", "add to favourites", "favorite", "star"),
    "favorite": ("favorite", "add to favorites", "favourite", "add to favourites", "star"),
    "more": ("more", "+", "plus", "increase", "one more"),
    "copy": ("copy",),
    "call": ("call", "dial"),
    "reset": ("reset", "restore"),
    "order": ("order", "place order", "buy", "checkout", "check out"),
    "buy": ("buy", "order", "checkout", "check out"),
}
"""Names of controls that do what a verb says."""
_ENTERED = frozenset({"send", "submit"})
_TICKED = frozenset({"done", "complete", "completed", "finished", "paid"})
_MORE = re.compile(r"^(?:more\b.*|options|menu|⋮|…|\.\.\.|other actions|edit\b.*)$", re.IGNORECASE)
_HEADS = frozenset({"heading", "titlebar"})


def act(scene: TurnScene) -> Result:
    """Carry out a verb."""
    verb, about = scene.clause.target, scene.clause.text
    names = quoted_texts(about)
    if offered := next((found for env in scene.envs if (found := _offered(scene, env, verb))), None):
        return offered
    if names and verb in _TICKED and (ticked := _tick(scene, names[0])):
        return ticked
    if names and not scene.progress.moved and not _in_hand(scene, names[0]):
        return _reach_for(scene, names[0]) or _any_control(scene, verb) or look_for(scene, f'"{names[0]}"')
    if verb == "play" and scene.progress.moved and _plays(scene):
        return Met()
    if found := control(scene, verb, about):
        return found
    if about and not names and not scene.progress.opened and (target := scene.find(about)):
        scene.progress.opened = True
        env, element = target
        return scene.do(env, Click(scene.aim(env, element)), f"Click what to {verb}.", completes=False)
    if more := _more(scene):
        return more
    if verb in _ENTERED and (env := scene.first("press") or ""):
        return scene.do(env, Press(("enter",)), f"Press Enter to {verb}.")
    return look_for(scene, verb)


def _plays(scene: TurnScene) -> bool:
    """Whether opening it started playback: there is a stop control and no play control."""
    names = [e.name for env in scene.envs for e in scene.elements(env) if operable(e)]
    stops, starts = (any(re.match(rf"{verb}\b", name, re.I) for name in names) for verb in ("pause|stop", "play"))
    return stops and not starts


def control(scene: TurnScene, verb: str, about: str) -> Result | None:
    """Click the control for a verb, preferably one that names the object."""
    words = set(fold(re.sub(r"\"[^\"]*\"", " ", about)).split()) - {"the", "a", "an", "it"}
    for name in LIKE.get(verb, (verb,)):
        for env in scene.envs:
            elements = [e for e in scene.elements(env) if operable(e) or e.role == "image"]
            elements = [e for e in elements if e.role not in FIELDS and "disabled" not in e.states]
            found = [e for e in elements if likeness(name, e.name) >= 0.65 and not _is_row(scene, env, e, name)]
            if found:
                found.sort(key=lambda e: (-len(words & set(fold(e.name).split())), likeness(name, e.name) < 0.95))
                return scene.do(env, Click(scene.aim(env, found[0])), f"Click {found[0].name!r} to {verb}.")
    return None


def _is_row(scene: TurnScene, env: str, element: Element, name: str) -> bool:
    """Whether it is a listed record that merely has such a word in its name."""
    return likeness(name, element.name) < 0.95 and element in rows_of(scene.elements(env)) and bool(element.value)


def _any_control(scene: TurnScene, verb: str) -> Result | None:
    """Accept any such control if nothing is named after the object, as when only one thing is open."""
    if not scene.progress.loose:
        return None
    scene.progress.moved = True
    return control(scene, verb, scene.clause.text)


def _tick(scene: TurnScene, name: str) -> Result | None:
    """Tick the checkbox of a row; None if the row has none."""
    for env in scene.envs:
        elements = scene.elements(env)
        rows = exactly(f'"{name}"', [e for e in elements if likeness(name, e.name) >= 0.5])
        for box in (e for e in elements if e.role in ("checkbox", "switch")):
            if box in rows or any(row.box.top <= box.box.center.y <= row.box.bottom for row in rows):
                if "checked" in box.states:
                    return Met()
                return scene.do(env, Click(scene.aim(env, box)), f"Tick {name!r}.")
    return None


def _in_hand(scene: TurnScene, name: str) -> bool:
    """Whether the object is the open or selected one, so that on-screen controls apply to it."""
    for env in scene.envs:
        inside = dialog(scene.elements(env))
        for element in inside or scene.elements(env):
            shown = exactly(f'"{name}"', [element])
            named = element.role in FIELDS and not SEARCH.search(element.name)
            if shown and (element.role in _HEADS or named or element.states & {"selected", "checked"}):
                return True
            if element.role == "titlebar" and element.name.casefold().startswith(name.casefold()):
                return True
    return False


def _reach_for(scene: TurnScene, name: str) -> Result | None:
    """Open the context menu of a visible object, or the object itself."""
    found = scene.find(f'"{name}"', scene.clause.near)
    if found is None:
        return None
    env, element = found
    element = row_beside(element, scene.elements(env))
    verb, verbs = scene.clause.target, scene.verbs(env)
    if verb in OFFERED and f"menu:{key(env, element)}" not in scene.progress.tried:
        scene.progress.tried.add(f"menu:{key(env, element)}")
        if verbs.platform == "desktop":
            intent: Click | LongPress = Click(scene.aim(env, element), button="right")  # type: ignore[type-arg]
            return scene.do(env, intent, f"Ask for the menu of {element.name!r}.", completes=False)
        if "long_press" in verbs.kinds:
            return scene.do(env, LongPress(scene.aim(env, element)), f"Press {element.name!r} long.", completes=False)
    scene.progress.moved = True
    return scene.do(env, Click(scene.aim(env, element)), f"Click what to {verb}.", completes=False)


def _offered(scene: TurnScene, env: str, verb: str) -> Result | None:
    """An item of an opened menu."""
    items = [e for e in scene.elements(env) if e.role.startswith("menuitem")]
    for name in LIKE.get(verb, (verb,)):
        if found := [e for e in items if likeness(name, e.name) >= 0.6]:
            return scene.do(env, Click(scene.aim(env, found[0])), f"Choose {found[0].name!r} to {verb}.")
    return None


def _more(scene: TurnScene) -> Result | None:
    """Press a "more" button, once."""
    for env in scene.envs:
        elements = scene.elements(env)
        if any(e.name.casefold() == "less" for e in elements):
            continue
        for element in elements:
            more = operable(element) and _MORE.match(element.name) and element.role not in FIELDS
            if more and f"more:{key(env, element)}" not in scene.progress.tried:
                scene.progress.tried.add(f"more:{key(env, element)}")
                return scene.do(env, Click(scene.aim(env, element)), f"Look behind {element.name!r}.", completes=False)
    return None


def _asking(elements: list[Element]) -> list[Element]:
    """The elements of a dialog or a cancellable bar; empty if there is none."""
    inside = dialog(elements)
    if inside is not None:
        return inside
    cancels = [e for e in elements if operable(e) and e.name.casefold() == "cancel"]
    return [e for e in elements if any(c.box.top <= e.box.center.y <= c.box.bottom for c in cancels)]


def confirm(scene: TurnScene) -> Result:
    """Answer the confirmation dialog; without one, nothing is left to do."""
    likely = (*LIKE.get(scene.clause.target, (scene.clause.target,)), "yes", "ok", "confirm", "save", "done")
    for env in scene.envs:
        inside = [e for e in _asking(scene.elements(env)) if operable(e) and e.role not in FIELDS]
        for name in likely:
            if found := [e for e in inside if likeness(name, e.name) >= 0.6 and "disabled" not in e.states]:
                return scene.do(env, Click(scene.aim(env, found[0])), f"Confirm with {found[0].name!r}.")
    return Met()
