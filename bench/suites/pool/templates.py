"""The subtasks of a pool as templates, whoever made them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import SubtaskRecord
from omnipilot.bench.suites.pool.subtasks.making import make_template
from omnipilot.bench.synthesis.template import Template
from omnipilot.envs import ConfigError

HAND_WRITTEN = "hand:duet"
"""`made_by` of a hand-written template of duet, which has the subtask's id."""


def templates_of(pool: PoolFolder) -> Mapping[str, Template]:
    """The templates of a pool's subtasks, by id.

    Raises:
        ConfigError: the pool has no subtasks, or names a hand-written one that does not exist.
    """
    return {subtask.id: template_of(subtask) for subtask in pool.subtasks.require()}


def template_of(subtask: SubtaskRecord) -> Template:
    """The template of one subtask.

    Raises:
        ConfigError: it names a hand-written one that does not exist.
    """
    if subtask.made_by == HAND_WRITTEN:
        known = book("").templates
        if subtask.id not in known:
            raise ConfigError(f"subtask {subtask.id} is hand-written, but duet has no template of that name")
        return known[subtask.id]
    return make_template(subtask)


def hand_written_subtasks() -> Sequence[SubtaskRecord]:
    """Duet's templates as subtasks of a pool, marked as hand-written."""
    return [
        SubtaskRecord(
            id=template.id,
            instruction_template=template.instruction,
            application=template.app,
            env=template.env,
            inputs=dict(template.inputs),
            input_resources=tuple(template.inputs.values()),
            output_resources=(template.output,) if template.output else (),
            level=template.level,
            dimension=template.dimension,
            made_by=HAND_WRITTEN,
        )
        for template in book("").templates.values()
    ]
