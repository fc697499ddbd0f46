"""Proofs that a task hangs on what it lets hear or see moving, and on nothing else.

The twin of an instance is the same but for what its recordings and films say or show. What solves the one must not
solve the other, and before anything is played, nothing must tell which of the two it is.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from omnipilot.bench.suites.workshop.suite import Workshop
from omnipilot.bench.suites.workshop.template import TaskDraft
from omnipilot.bench.suites.workshop.world import WorkshopWorld
from omnipilot.envs import Element, Elements, Image, Modality
from omnipilot.envs.types import require
from omnipilot.memory import Move

if TYPE_CHECKING:
    from omnipilot.bench.suites.workshop.proofs import ProvedTask

DRAWS = 1000
"""Twins that are drawn to see how often each solution comes."""
GUESS = 1 / 20
"""The greatest chance of solving a task without listening or watching."""
SAME = 0.001
"""The greatest part of the pixels that may differ between two looks at one screen: a cursor blinks."""


def solution(draft: TaskDraft) -> tuple[Move, ...]:
    """The moves of the demonstration."""
    return tuple(one for step in draft.steps for one in step.moves if isinstance(one, Move))


def twin(suite: Workshop, task_id: str, instance: int) -> TaskDraft:
    """The instance with the first other media that ask for another solution; the instance itself if none do."""
    first = suite.draft(task_id, instance)
    for other in range(1, DRAWS):
        draft = suite.draft(task_id, instance, other)
        if solution(draft) != solution(first):
            return draft
    return first


def guesses_fail(suite: Workshop, task_id: str) -> list[str]:
    """No solution comes so often that somebody who neither listens nor watches could guess it."""
    found = Counter(solution(suite.draft(task_id, 0, other)) for other in range(DRAWS))
    chance = max(found.values()) / DRAWS
    return [f"a guess solves {chance:.1%} of its twins"] if chance > GUESS else []


def only_media_differ(one: TaskDraft, two: TaskDraft) -> list[str]:
    """An instance and its twin ask for the same in the same words, with the same files and pages; their media have
    the same names, lengths, formats and tags."""
    same = {
        "instructions": (one.instruction, two.instruction),
        "files": (one.files, two.files),
        "open programs": (one.open, two.open),
        "pages": (one.pages, two.pages),
        "names of media": (set(one.media), set(two.media)),
        "names of media of pages": (set(one.page_media), set(two.page_media)),
    }
    wrong = [f"{what} differ" for what, (here, there) in same.items() if here != there]
    if wrong:
        return wrong
    made = [(path, one.media[path](), two.media[path]()) for path in one.media]
    made += [(path, one.page_media[path](), two.page_media[path]()) for path in one.page_media]
    wrong += [f"{path} tells its twin apart" for path, here, there in made if facts(here) != facts(there)]
    return wrong if any(here != there for _, here, there in made) else [*wrong, "the media are equal"]


def facts(data: bytes) -> Mapping[str, Any]:
    """What a media file says about itself: format, length in seconds, tags, and the same of its streams."""
    av: Any = require("av", "video")
    with av.open(io.BytesIO(data)) as container:
        return {
            "format": container.format.name,
            "seconds": round((container.duration or 0) / av.time_base, 2),
            "tags": dict(container.metadata),
            "streams": [(one.codec_context.name, one.time_base, dict(one.metadata)) for one in container.streams],
        }


def needs_its_media(task: ProvedTask) -> list[str]:
    """The demonstration of the twin can be played to its end and does not solve the instance, and the other way round.

    Tasks of the screen alone have no twin.
    """
    if task.twin is None:
        return []
    wrong = []
    for draft, other in ((task.draft, task.twin), (task.twin, task.draft)):
        rehearsal = task.rehearsal(draft).play(other.steps)
        wrong += [f"the other's demonstration cannot be played: {told}" for told in rehearsal.failed]
        if not rehearsal.missing:
            wrong.append("the other's demonstration solves it")
    return wrong


def nothing_gives_it_away(task: ProvedTask) -> list[str]:
    """Before anything is played, an instance and its twin have the same files, windows, elements, pictures and phone.

    Tasks of the screen alone have no twin.
    """
    if task.twin is None:
        return []
    wrong = only_media_differ(task.draft, task.twin)
    looks = []
    for draft in (task.draft, task.twin):
        world = task.rehearsal(draft).world
        looks.append((dict(_visible(world, draft)), _pictures(world)))
    (texts, pictures), (other_texts, other_pictures) = looks
    for what in sorted(texts.keys() | other_texts.keys()):
        if texts.get(what) != other_texts.get(what):
            wrong.append(f"{what} differs: {texts.get(what)!r:.200} and {other_texts.get(what)!r:.200}")
    for env, picture in pictures.items():
        part = _difference(picture, other_pictures[env])
        if part > SAME:
            wrong.append(f"{part:.2%} of the pixels of {env} differ")
    return wrong


def _visible(world: WorkshopWorld, draft: TaskDraft) -> Iterator[tuple[str, object]]:
    """What can be read without playing anything, by what it is."""
    state = world.state()
    yield "windows", [(one.title, one.program) for one in state.desktop.windows]
    yield "players", [(one.name, one.status, one.url, one.length) for one in state.desktop.players]
    yield "names of files", sorted(path for path in state.desktop.files if not path.startswith("."))
    if state.phone is not None:
        yield "phone", state.phone.account
    for path in draft.files:
        yield path, state.desktop.files.get(path)
    for env in world.envs:
        seen = world.envs[env].observe({Modality.ELEMENTS}, world.now).elements
        yield f"elements of {env}", sorted(map(_words, seen.items)) if isinstance(seen, Elements) else seen


def _words(element: Element) -> tuple[str, str, str]:
    """Role, name and value of an element, without times of day."""
    name, value = (re.sub(r"\b\d\d?:\d\d\b", "", text) for text in (element.name, element.value))
    return element.role, name, value


def _pictures(world: WorkshopWorld) -> dict[str, Image]:
    found = {}
    for env in world.envs:
        seen = world.envs[env].observe({Modality.SCREENSHOT}, world.now).screenshot
        if isinstance(seen, Image):
            found[env] = seen
    return found


def _difference(one: Image, two: Image) -> float:
    """The part of the pixels that differ visibly."""
    import numpy as np

    here, there = (np.asarray(picture.array(), np.int16) for picture in (one, two))
    if here.shape != there.shape:
        return 1.0
    return float((np.abs(here - there).max(axis=-1) > 24).mean())
