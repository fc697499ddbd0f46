"""Moves that must come at a moment that a film, watched before, has told."""

from __future__ import annotations

from omnipilot.envs import Click, Wait
from omnipilot.envs.types.element_query import likeness
from omnipilot.memory import Move
from omnipilot.planners.rules.matching.elements import operable
from omnipilot.planners.rules.matching.films import waits
from omnipilot.planners.rules.matching.notes import with_film
from omnipilot.planners.rules.matching.scene import Do, Result, Scene, Stuck

_NEAR = 0.35
"""Seconds from the moment at which the move is made."""


def moment(scene: Scene) -> Result:
    """Do it in the middle of the rest that the film showed, when it is played again."""
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
        if ahead > _NEAR:
            return Do(Move("", Wait(round(ahead, 2))), False, "Wait for the moment.")
        for element in scene.elements(env):
            if operable(element) and likeness(clause.target, element.name) >= 0.65:
                return scene.do(env, Click(scene.aim(env, element)), f"Now {clause.target}.")
    return Stuck(f"there is nothing to {clause.target}")
