"""Moves for clauses about text: typing, searching, copying, reading."""

from __future__ import annotations

import re

from omnipilot.envs.actions import Click, Intent, TypeText
from omnipilot.memory.sounds import dialled
from omnipilot.planners.rules_match import field_for, value_of
from omnipilot.planners.rules_scene import Met, Result, Scene
from omnipilot.planners.rules_seek import look_for


def type_text(scene: Scene) -> Result:
    """Type into the field that the clause means."""
    clause = scene.clause
    text = _text(scene)
    if text is None:
        return look_for(scene, clause.source)
    for env in scene.envs:
        if scene.blind(env):
            return scene.do(env, TypeText(text, clause.target or "the text field", clear=True), f"Type {text!r}.")
        if clause.append and "type" in scene.verbs(env).kinds:
            return scene.do(env, TypeText(text), f"Type {text!r} where the cursor is.")
        field = field_for(clause.target, scene.elements(env))
        if field is not None:
            intent: Intent = TypeText(text, scene.aim(env, field), clear=bool(field.value))
            return scene.do(env, intent, f"Type {text!r} into {field.name or 'the field'}.")
    return look_for(scene, clause.target or "text field")


def _text(scene: Scene) -> str | None:
    clause = scene.clause
    if not clause.source:
        return clause.text
    if clause.source == "it":
        return scene.known.copied or None
    if re.search(r"\b(?:heard|hear|dialled|sounded)\b", clause.source):
        return next((keys for clip in scene.known.heard.values() if (keys := dialled(clip))), None)
    found = (value_of(clause.source, scene.elements(env), scene.texts) for env in scene.envs)
    return next((text for text in found if text is not None), None)


def read(scene: Scene) -> Result:
    """Bring it to the screen; the planner notes what then comes into view."""
    clause = scene.clause
    found = scene.find(clause.target, clause.near) or (scene.find(clause.near) if clause.near else None)
    if found is None:
        return look_for(scene, clause.near or clause.target)
    env, element = found
    return scene.do(env, Click(scene.aim(env, element)), f"Open {element.name!r} to read it.")


def copy(scene: Scene) -> Result:
    """Remember a text to paste."""
    for env in scene.envs:
        if (text := value_of(scene.clause.source, scene.elements(env), scene.texts)) is not None:
            scene.known.copied = text
            return Met()
    return look_for(scene, scene.clause.source)


def search(scene: Scene) -> Result:
    """Type into the search field and press Enter."""
    text = scene.clause.text
    for env in scene.envs:
        field = field_for("search field", scene.elements(env))
        if field is not None:
            intent: Intent = TypeText(text, scene.aim(env, field), clear=bool(field.value), submit=True)
            return scene.do(env, intent, f"Search for {text!r}.")
    return look_for(scene, "search")
