"""Recognises which of several sounds was heard before."""

from __future__ import annotations

import re
from collections.abc import Sequence

from omnipilot.envs import AudioClip, Click, Element, Wait
from omnipilot.memory import Move
from omnipilot.planners.rules.matching.elements import list_for
from omnipilot.planners.rules.matching.notes import Note, rank_notes, with_sound
from omnipilot.planners.rules.matching.scene import Do, Met, Result, Stuck, TurnScene
from omnipilot.planners.rules.matching.seek import look_for
from omnipilot.planners.rules.words import quoted_texts

_PREVIEW = 2.2
"""Seconds to listen to a sound before comparing it."""
_LEAST = 0.5
BY_EAR = re.compile(
    r"^(?:the\s+)?(?:one\s+of\s+these\s+\w+|\w+)\s+(?:with\s+the\s+\w+\s+)?that\s+.+\s+(?:left|played|sent|sounded)$"
)
"""Words for a sound or song that can only be told by having heard it."""


def alike(one: AudioClip, other: AudioClip) -> float:
    """How likely two clips contain the same sound, 0..1: the share of one's landmarks found in the other."""
    from omnipilot.memory.perception import FingerprintIndex

    best = 0.0
    for known, clip in ((one, other), (other, one)):
        book = FingerprintIndex()
        try:
            book.enrol("sound", known)
        except ValueError:
            # Nothing in it lasts long enough to be known again.
            continue
        best = max([best, *(match.score for match in book.recognise(clip))])
    return best


def named_by_ear(source: str, notes: Sequence[Note]) -> str | None:
    """The name under which a phrase's sound was sampled; None if no sample matches."""
    samples = [note for note in with_sound(notes) if note.value]
    model = next((n for n in rank_notes(source, with_sound(notes)) if not n.value), None)
    if model is None or model.sound is None or not samples:
        return None
    scores = [(alike(model.sound, note.sound), note.value) for note in samples if note.sound]
    score, name = max(scores, default=(0.0, ""))
    return name if score >= _LEAST else None


def sample(scene: TurnScene) -> Result:
    """Listen to the playing sound for some seconds; the planner stores it under the clause's name."""
    if scene.progress.waits:
        return Met()
    scene.progress.waits += 1
    return Do(Move("", Wait(float(scene.clause.text))), False, f"Listen to {scene.clause.target}.")


def sampled_sound(scene: TurnScene) -> Note:
    """The sound sampled for it."""
    tapes = [tape for env in scene.envs if (tape := scene.known.tapes.get(env)) and tape.sound]
    return Note(scene.clause.said, sound=tapes[0].sound if tapes else None, value=scene.clause.target)


def tune(scene: TurnScene) -> Result:
    """Try a list's options one after another, and choose the one that sounds like the sound heard."""
    progress = scene.progress
    models = [note for note in rank_notes(scene.clause.source, with_sound(scene.known.notes)) if not note.value]
    if not models or models[0].sound is None:
        return Stuck(f"{scene.clause.source} was not heard")
    for env in scene.envs:
        elements = scene.elements(env)
        if progress.spelt:
            return _judge(scene, env, models[0].sound)
        options = [e for e in elements if e.role in ("option", "menuitemradio")]
        if options:
            return _try(scene, env, options)
        if box := list_for(scene.clause.target, elements):
            return scene.do(env, Click(scene.aim(env, box)), f"Open the list of {box.name}.", completes=False)
    return look_for(scene, scene.clause.target)


def _judge(scene: TurnScene, env: str, model: AudioClip) -> Result:
    progress = scene.progress
    tape = scene.known.tapes.get(env)
    if tape is None or tape.sound is None:
        return Stuck("it is not granted an ear")
    if tape.sound.seconds < _PREVIEW:
        return Do(Move("", Wait(_PREVIEW)), False, f"Listen to {progress.spelt}.")
    progress.scores[progress.spelt] = alike(model, tape.sound)
    progress.spelt = ""
    return tune(scene)


def _try(scene: TurnScene, env: str, options: Sequence[Element]) -> Result:
    progress = scene.progress
    fresh = [option for option in options if option.name not in progress.scores]
    if fresh:
        progress.spelt = fresh[0].name
        scene.known.tapes.pop(env, None)
        return scene.do(env, Click(scene.aim(env, fresh[0])), f"Try {fresh[0].name!r}.", completes=False)
    best = max(options, key=lambda option: progress.scores[option.name])
    if progress.scores[best.name] < _LEAST:
        return Stuck("none of them sounds like it")
    return scene.do(env, Click(scene.aim(env, best)), f"{best.name!r} sounds like it.")


def samples_of(rest: str) -> list[tuple[str, str]]:
    """Names and the text next to each ("by Mira Vale"), for several items to play for some seconds."""
    names = quoted_texts(rest)
    if len(names) < 2:
        return []
    by = [re.search(rf"\"{re.escape(name)}\"\s+by\s+([^,\"]+?)(?=,|\s+and\s+\"|\s+for\s|$)", rest) for name in names]
    return [(name, found[1] if found else "") for name, found in zip(names, by, strict=True)]
