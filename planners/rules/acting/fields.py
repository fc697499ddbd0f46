"""Moves for clauses about text: typing, searching, copying, reading."""

from __future__ import annotations

import re

from omnipilot.envs import Click, Element, Intent, TypeText
from omnipilot.envs.types import FIELDS
from omnipilot.planners.rules.matching.elements import SEARCH, field_for, operable, value_of
from omnipilot.planners.rules.matching.explore import key
from omnipilot.planners.rules.matching.facts import find_fact, is_sensed
from omnipilot.planners.rules.matching.foreground_window import is_content
from omnipilot.planners.rules.matching.notes import Note, rank_notes
from omnipilot.planners.rules.matching.scene import Met, Result, Stuck, TurnScene
from omnipilot.planners.rules.matching.seek import look_for
from omnipilot.planners.rules.matching.table_cells import cell_for
from omnipilot.planners.rules.reading.formulas import formula
from omnipilot.planners.rules.reading.sources import bare, example, find_in_notes, find_in_recalled
from omnipilot.planners.rules.words import quoted_texts


def type_text(scene: TurnScene) -> Result:
    """Type into the clause's field."""
    clause = scene.clause
    text = _text(scene)
    if text is None:
        if all(is_sensed(source) for source in clause.source.split("\n")):
            return Stuck(f"{clause.source} was neither heard nor seen")
        return look_for(scene, clause.source)
    for env in scene.envs:
        if scene.lacks_elements(env):
            return scene.do(env, TypeText(text, clause.target or "the text field", clear=True), f"Type {text!r}.")
        if clause.append and "type" in scene.verbs(env).kinds:
            return scene.do(env, TypeText(text), f"Type {text!r} where the cursor is.")
        field = field_for(clause.target, _open_fields(scene, env, text))
        # What is shown may have to be opened for changes first.
        if scene.inside and (field is None or _only_searches(scene, field)) and (edit := _edit(scene)):
            return edit
        if field is not None:
            scene.known.filled.add(key(env, field))
            intent: Intent = TypeText(text, scene.aim(env, field), clear=bool(field.value))
            return scene.do(env, intent, f"Type {text!r} into {field.name or 'the field'}.")
    return look_for(scene, clause.target or "text field")


def _only_searches(scene: TurnScene, field: Element) -> bool:
    return bool(SEARCH.search(field.name)) and not SEARCH.search(scene.clause.target)


def _edit(scene: TurnScene) -> Result | None:
    for env in scene.envs:
        for element in scene.elements(env):
            if (
                operable(element)
                and key(env, element) not in scene.progress.tried
                and re.match(r"(?:edit|change)\b", element.name, re.I)
            ):
                scene.progress.tried.add(key(env, element))
                return scene.do(env, Click(scene.aim(env, element)), f"Click {element.name!r}.", completes=False)
    return None


def _open_fields(scene: TurnScene, env: str, text: str) -> list[Element]:
    """Fields to type into; if none is named, only empty ones, and a large one for several lines."""
    elements = scene.elements(env)
    if scene.clause.target:
        return elements
    fields = [e for e in elements if e.role in FIELDS]
    free = [e for e in fields if key(env, e) not in scene.known.filled]
    if "\n" in text and free:
        free = [max(free, key=lambda e: e.box.bottom - e.box.top)]
    return [e for e in elements if e not in fields or e in free] if free else elements


def _text(scene: TurnScene) -> str | None:
    if not scene.clause.source:
        return scene.clause.text
    lines = [referred_text(scene, source) for source in scene.clause.source.split("\n")]
    known = [line for line in lines if line is not None]
    return "\n".join(known) if len(known) == len(lines) else None


def referred_text(scene: TurnScene, source: str) -> str | None:
    """The text that a phrase refers to, from what was read, copied or heard; None if unknown."""
    if source == "it":
        return scene.known.copied or None
    recalled = scene.request.recalled
    if (fact := find_fact(source, scene.known.notes, scene.texts)) is not None or is_sensed(source):
        return fact or find_in_recalled(source, recalled) or find_in_recalled(source, recalled, loosely=True)
    if (computed := formula(bare(source), scene.known.cells)) is not None:
        return computed
    return (
        find_in_notes(source, rank_notes(source, scene.known.notes))
        or find_in_recalled(source, recalled)
        or _around(scene, bare(source), example(source))
        or find_in_recalled(source, recalled, loosely=True)
    )


def _around(scene: TurnScene, phrase: str, pattern: str | None) -> str | None:
    """From all texts read, and the current screen."""
    if pattern:
        return next((found[0] for text in scene.texts if (found := re.search(pattern, text))), None)
    values = (value_of(phrase, scene.elements(env), scene.texts) for env in scene.envs)
    return next((text for text in values if text is not None), None)


def read(scene: TurnScene) -> Result:
    """Bring it onto the screen; the planner notes what comes into view."""
    clause = scene.clause
    for env in scene.envs:
        if cell := cell_for(clause.said, scene.elements(env), scene.known.cells):
            scene.known.notes.append(Note(clause.said, value=cell.value))
            return Met()
    if not quoted_texts(clause.target) and not clause.near and not scene.find(clause.target):
        # What is to be seen is in view, or nowhere.
        scene.known.notes.append(Note(clause.said, [text for env in scene.envs for text in words_of(scene, env)]))
        return Met()
    found = scene.find(clause.target, clause.near) or (scene.find(clause.near) if clause.near else None)
    if found is None:
        return look_for(scene, clause.near or clause.target)
    env, element = found
    return scene.do(env, Click(scene.aim(env, element)), f"Open {element.name!r} to read it.")


def words_of(scene: TurnScene, env: str) -> list[str]:
    """The visible texts of an environment."""
    shown = [element for element in scene.elements(env) if is_content(element)]
    return [text for element in shown for text in (element.name, element.value) if text]


def copy(scene: TurnScene) -> Result:
    """Remember a text to paste."""
    for env in scene.envs:
        if (text := value_of(scene.clause.source, scene.elements(env), scene.texts)) is not None:
            scene.known.copied = text
            return Met()
    return look_for(scene, scene.clause.source)


def search(scene: TurnScene) -> Result:
    """Type into the search field and press Enter."""
    text = scene.clause.text
    for env in scene.envs:
        field = field_for("search field", scene.elements(env))
        if field is not None:
            intent: Intent = TypeText(text, scene.aim(env, field), clear=bool(field.value), submit=True)
            return scene.do(env, intent, f"Search for {text!r}.")
    return look_for(scene, "search")
