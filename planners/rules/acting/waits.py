"""Moves for clauses that wait: for some time, a sound, a movement, or something to appear."""

from __future__ import annotations

import re

from omnipilot.envs import Wait
from omnipilot.memory import Move
from omnipilot.memory.perception import AUDIBLE_LOUDNESS, Seen, watch_clip
from omnipilot.planners.rules.matching.elements import matching_elements, operable
from omnipilot.planners.rules.matching.notes import Note
from omnipilot.planners.rules.matching.scene import Do, Met, Result, Stuck, TurnScene
from omnipilot.planners.rules.matching.senses import hears, moves, quiet, still

_WAITS = 18
_STOPS = re.compile(r"^(?:stop|pause)\b", re.IGNORECASE)
_NUMBERS = re.compile(r"\b(?:number|counter|counts?|value|score|reach(?:es)?)\b", re.IGNORECASE)
_LARGE = 0.005
"""Minimum share of the screen for a picture that may be relevant."""


def wait(scene: TurnScene) -> Result:
    """Wait for some time."""
    return Do(Move("", Wait(min(max(float(scene.clause.text), 0.01), 600.0))), True, "Wait.")


def hear(scene: TurnScene) -> Result:
    """Wait until there is a sound."""
    heard = [hears(scene.observation(env)) for env in scene.envs]
    return _await(scene, any(heard), all(ear is None for ear in heard), "a sound")


def listen(scene: TurnScene) -> Result:
    """Wait until a sound has ended."""
    ears = [hears(scene.observation(env)) for env in scene.envs]
    scene.progress.moved |= any(ears)
    silent = all(quiet(scene.observation(env)) is not False for env in scene.envs)
    over = _over(scene, silent) and scene.progress.moved
    return _await(scene, over, all(ear is None for ear in ears), "the end of the sound")


def motion(scene: TurnScene) -> Result:
    """Wait until something moves."""
    seen = [moves(scene.observation(env)) for env in scene.envs]
    return _await(scene, any(seen), all(eye is None for eye in seen), "a movement")


def standstill(scene: TurnScene) -> Result:
    """Wait until the movement has stopped."""
    scene.progress.moved |= any(moves(scene.observation(env)) for env in scene.envs)
    eyes = [still(scene.observation(env)) for env in scene.envs]
    # Before anything moved, standing still means that it has not begun.
    over = _over(scene, all(eyes)) and (scene.progress.moved or scene.progress.waits >= 4)
    return _await(scene, over, all(eye is None for eye in eyes), "the end of the movement")


def _over(scene: TurnScene, calm: bool) -> bool:
    """Whether what plays is over: the control to stop it has gone, or, where none was seen, twice in a row nothing."""
    stops = (e for env in scene.envs for e in scene.elements(env) if operable(e) and _STOPS.match(e.name))
    scene.progress.calm = scene.progress.calm + 1 if calm else 0
    if any(stops):
        # Some never go; then a long calm must do.
        scene.progress.playing = True
        return scene.progress.calm >= 3
    return scene.progress.playing or scene.progress.calm >= 2


def note_surroundings(scene: TurnScene, said: str) -> Note:
    """What was heard and seen since something was last done, and what is in view."""
    texts = [text for env in scene.envs for e in scene.elements(env) for text in (e.name, e.value) if text]
    tapes = [scene.known.tapes[env] for env in scene.envs if env in scene.known.tapes]
    sounds = [tape.sound for tape in tapes if tape.sound is not None and tape.sound.loudness() >= AUDIBLE_LOUDNESS]
    films: dict[str, Seen] = {}
    if scene.clause.kind == "still":
        for env in scene.envs:
            tape = scene.known.tapes.get(env)
            if tape is not None and (clip := tape.film) is not None:
                pictures = [e for e in scene.elements(env) if e.role == "image" and e.box.area >= _LARGE]
                counting, ocr = bool(_NUMBERS.search(said)), scene.known.ocr
                films |= {picture.name: watch_clip(clip, picture.box, counting, ocr) for picture in pictures}
                if not pictures:
                    films[""] = watch_clip(clip, None, counting, ocr)
    return Note(said, texts, next(iter(sounds), None), films)


def wait_until_shown(scene: TurnScene) -> Result:
    """Wait until the target is in view."""
    # A call or a notice may come up anywhere.
    shown = any(_in_view(scene, env) for env in scene.request.observations)
    return _await(scene, shown, all(scene.lacks_elements(env) for env in scene.envs), scene.clause.target)


def _in_view(scene: TurnScene, env: str) -> bool:
    near = scene.clause.near.casefold()
    found = matching_elements(scene.clause.target, scene.elements(env), near)
    return any(not near or near in f"{element.name} {element.value}".casefold() for element in found)


def _await(scene: TurnScene, come: bool, senseless: bool, what: str) -> Result:
    if come:
        return Met()
    if senseless:
        return Stuck(f"it is not granted the sense to notice {what}")
    scene.progress.waits += 1
    if scene.progress.waits > _WAITS:
        return Stuck(f"{what} did not come")
    seconds = min(1.0 * 1.4 ** (scene.progress.waits - 1), 10.0)
    return Do(Move("", Wait(round(seconds, 2))), False, f"Wait for {what}.")
