"""Moves for clauses that choose something: check boxes, options, lists, steppers."""

from __future__ import annotations

import re

from omnipilot.envs import Click, Element, Select, TypeText
from omnipilot.envs.types import describe, likeness
from omnipilot.planners.rules.acting.fields import referred_text
from omnipilot.planners.rules.matching.elements import list_for, operable
from omnipilot.planners.rules.matching.facts import is_sensed
from omnipilot.planners.rules.matching.long_lists import scan
from omnipilot.planners.rules.matching.scene import Met, Result, Stuck, TurnScene
from omnipilot.planners.rules.matching.seek import look_for
from omnipilot.planners.rules.matching.table_cells import cell_for, cells_of, is_cell

_CHOICES = frozenset("checkbox radio option switch menuitem menuitemcheckbox menuitemradio treeitem tab".split())


def click(scene: TurnScene) -> Result:
    """Click the clause's target."""
    clause = scene.clause
    for env in scene.envs:
        if scene.lacks_elements(env):
            return scene.do(env, Click(clause.target or "what the task means"), f"Click {clause.target}.")
    if clause.source:
        return _press_each(scene)
    if (cell := _cell(scene)) is not None:
        return cell
    head = re.split(r"\s+of\s+(?:the|this|that)\s+", clause.target)[0]
    found = scene.find(clause.target, clause.near) or (scene.find(head) if head != clause.target else None)
    if found is None:
        return look_for(scene, clause.target)
    env, element = found
    if element.role == "option" and (listed := _list_of(scene, env)):
        return scene.do(env, Select(scene.aim(env, listed), element.name), f"Choose {element.name}.")
    return scene.do(env, Click(scene.aim(env, element)), f"Click {element.role} {element.name!r}.")


def _cell(scene: TurnScene) -> Result | None:
    """Click a cell of the front table, after scrolling to it; None if the clause is not about a cell."""
    phrase = scene.clause.target
    for env in scene.envs:
        elements = scene.elements(env)
        if cell := cell_for(phrase, elements, scene.known.cells):
            return scene.do(env, Click(scene.aim(env, cell)), f"Click the cell {cell.name}.")
        if cells_of(elements) and is_cell(phrase) and (more := scan(scene, env, phrase)):
            return more
    return None


def _press_each(scene: TurnScene) -> Result:
    """Press the on-screen keys that spell the clause's reference, one per turn."""
    # The keys change what the screen shows, so they are looked up once.
    keys = scene.progress.spelt = scene.progress.spelt or referred_text(scene, scene.clause.source) or ""
    if not keys and is_sensed(scene.clause.source):
        return Stuck(f"{scene.clause.source} was neither heard nor seen")
    if not keys:
        return look_for(scene, scene.clause.source)
    # Past the last one if that was not found: it is pressed again.
    at = min(scene.progress.pressed, len(keys) - 1)
    for env in scene.envs:
        buttons = [e for e in scene.elements(env) if operable(e) and re.match(rf"{re.escape(keys[at])}(?!\d)", e.name)]
        if buttons:
            scene.progress.pressed += 1
            aim = scene.aim(env, buttons[0])
            return scene.do(env, Click(aim), f"Press {keys[at]}.", completes=at + 1 == len(keys))
    return look_for(scene, f'"{keys[at]}"')


def _list_of(scene: TurnScene, env: str) -> Element | None:
    return list_for("", scene.elements(env)) if "select" in scene.verbs(env).kinds else None


def select(scene: TurnScene) -> Result:
    """Tick a box, or choose an option of a list."""
    clause = scene.clause
    for env in scene.envs:
        elements = scene.elements(env)
        name = describe(clause.target).name or clause.target
        choices = [e for e in elements if e.role in _CHOICES and likeness(name, e.name) >= 0.95]
        listed = list_for(clause.text, elements)
        if choices and choices[0].role != "option":
            if choices[0].states & {"checked", "selected"}:
                return Met()
            return scene.do(env, Click(scene.aim(env, choices[0])), f"Choose {name!r}.")
        if listed is not None and "select" in scene.verbs(env).kinds:
            if name.casefold() in [chosen.casefold() for chosen in listed.value.split(", ")]:
                return Met()
            return scene.do(env, Select(scene.aim(env, listed), name), f"Choose {name!r} from the list.")
        if choices:
            return scene.do(env, Click(scene.aim(env, choices[0])), f"Choose {name!r}.")
        if spinner := next((e for e in elements if e.role == "spinbutton" and clause.text), None):
            return scene.do(env, TypeText(name, scene.aim(env, spinner), clear=True), f"Set it to {name}.")
    return click(scene)
