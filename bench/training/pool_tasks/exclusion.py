"""Which subtasks of a pool do what a hand-written template of duet's test split does; nothing is trained on those.

A subtask is left out if it is such a template itself, if it has the same effect as one (the same application, the same
changed fields), or the same reading (the same application, a fact of the same type). Bookkeeping decides nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from omnipilot.bench.suites.pool.explore.stage import read_bookkeeping
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import SubtaskRecord
from omnipilot.bench.suites.pool.subtasks.making import app_of
from omnipilot.bench.suites.pool.templates import HAND_WRITTEN
from omnipilot.bench.synthesis.compose import fits
from omnipilot.bench.training.pool_tasks.template_effects import (
    TemplateEffect,
    effects_of_templates,
    test_templates,
)

HAND = "is a hand-written template of the test"
EFFECT = "has the effect of a test template"
READING = "has the reading of a test template"
REASONS = (HAND, EFFECT, READING)
"""Why a subtask is left out; of several reasons the first counts."""
_DEVICES = ("~phone.", "~desktop.", "~signals.")
"""Changes of devices: what a subtask is for, or a trace of how it was done."""
_NOTED = ("+playbacks", "~playbacks.", "~player.", "~voicemails.heard", "~threads.unread", "+visits", "~console.")
"""What is noted by looking and playing, whatever exploration counts as bookkeeping."""


def excluded_subtasks(pool: PoolFolder, more_templates: Collection[str] = ()) -> Mapping[str, str]:
    """The subtasks of a pool that may not be trained on, by id, each with one of `REASONS`.

    Args:
        more_templates: ids of templates of duet that are treated as those of the test.

    Raises:
        ConfigError: the pool has no subtasks.
    """
    templates = test_templates() | frozenset(more_templates)
    effects = effects_of_templates(templates)
    bookkeeping = frozenset(read_bookkeeping(pool))
    found = {one.id: reason_against(one, templates, effects, bookkeeping) for one in pool.subtasks.require()}
    return {id: reason for id, reason in found.items() if reason}


def reason_against(
    subtask: SubtaskRecord,
    templates: Collection[str],
    effects: Mapping[str, TemplateEffect],
    bookkeeping: Collection[str] = (),
) -> str:
    """Why a subtask may not be trained on: one of `REASONS`, or "".

    A hand-written subtask is known by its id: those of development tasks are trained on anyway.

    Args:
        templates: ids of the templates of the test. effects: what these do, by id.
        bookkeeping: changes that count as no effect in this pool.
    """
    if subtask.made_by == HAND_WRITTEN:
        return HAND if subtask.id in templates else ""
    app = app_of(subtask)
    of_the_app = [one for one in effects.values() if one.app == app]
    if any(_is_same(subtask, effect, bookkeeping) for one in of_the_app for effect in one.effects):
        return EFFECT
    if subtask.reveals and any(_tells_the_same(subtask.output_resources, one.output) for one in of_the_app):
        return READING
    return ""


def _is_same(subtask: SubtaskRecord, effect: frozenset[str], bookkeeping: Collection[str]) -> bool:
    """Whether what a template changes is what the subtask is for, but for bookkeeping."""
    own = frozenset(subtask.effect)
    rest = effect - own - frozenset(subtask.ignored) - frozenset(bookkeeping)
    return bool(own) and own <= effect and all(entry.startswith((*_DEVICES, *_NOTED)) for entry in rest)


def _tells_the_same(types: Sequence[str], output: str) -> bool:
    return bool(output) and any(fits(type, output) or fits(output, type) for type in types)
