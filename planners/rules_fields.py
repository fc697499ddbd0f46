"""Moves for clauses about text: typing, searching, copying, reading."""

from __future__ import annotations

import re

from omnipilot.envs.actions import Click, Intent, TypeText
from omnipilot.memory.sounds import dialled
from omnipilot.planners.rules_cells import cell_for
from omnipilot.planners.rules_match import field_for, value_of
from omnipilot.planners.rules_scene import Met, Result, Scene
from omnipilot.planners.rules_seek import look_for
from omnipilot.planners.rules_sources import bare, example, labelled, likely_first
from omnipilot.planners.rules_words import quoted


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
    if not scene.clause.source:
        return scene.clause.text
    lines = [referred(scene, source) for source in scene.clause.source.split("\n")]
    known = [line for line in lines if line is not None]
    return "\n".join(known) if len(known) == len(lines) else None


def referred(scene: Scene, source: str) -> str | None:
    """The text that a phrase refers to, from what was read, copied or heard; None where it is not known."""
    if source == "it":
        return scene.known.copied or None
    if re.search(r"\b(?:heard|hear|dialled|sounded)\b", source):
        heard = (keys for clip in scene.known.heard.values() if (keys := dialled(clip)))
        return scene.known.keys or next(heard, None)
    if re.search(r"\bnumber of (?:beeps|tones|chimes|rings)\b", source):
        return str(scene.known.beeps) if scene.known.beeps else None
    phrase, pattern = bare(source), example(source)
    noted = likely_first(phrase, scene.known.notes)
    if pattern:
        found = next((found[0] for text in noted or scene.texts if (found := re.search(pattern, text))), None)
        return labelled(phrase, noted, pattern) or found
    texts = [*noted, *scene.texts]
    values = (value_of(phrase, scene.elements(env), texts) for env in scene.envs)
    head = re.split(r"\s+(?:from|that|which|of|who|sent)\b", phrase)[0]
    return next((text for text in values if text is not None), None) or labelled(head, noted, None)


def read(scene: Scene) -> Result:
    """Bring it to the screen; the planner notes what then comes into view."""
    clause = scene.clause
    for env in scene.envs:
        if cell := cell_for(clause.said, scene.elements(env)):
            scene.known.notes.append((clause.said, [*quoted(clause.said), cell.value or cell.name]))
            return Met()
    if not quoted(clause.target) and not clause.near and not scene.find(clause.target):
        # What is to be seen is in view, or nowhere.
        scene.known.notes.append((clause.said, [text for env in scene.envs for text in words_of(scene, env)]))
        return Met()
    found = scene.find(clause.target, clause.near) or (scene.find(clause.near) if clause.near else None)
    if found is None:
        return look_for(scene, clause.near or clause.target)
    env, element = found
    return scene.do(env, Click(scene.aim(env, element)), f"Open {element.name!r} to read it.")


def words_of(scene: Scene, env: str) -> list[str]:
    """The texts in view there."""
    return [text for element in scene.elements(env) for text in (element.name, element.value) if text]


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
