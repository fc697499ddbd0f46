"""Sub-tasks made from templates of `duet`, with values from a data file instead of random ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from omnipilot.bench.suites.duet.about import CATEGORIES
from omnipilot.bench.suites.subtasks.pool import SubTask
from omnipilot.bench.synthesis.sampling import Claims, TaskSampler, key_of
from omnipilot.bench.synthesis.template import Piece, Template
from omnipilot.bench.tasks.task import seed_of
from omnipilot.envs import ConfigError
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.state.world_state import WorldState

CHANCE = ""
"""Stands for a draw that no attribute settles, such as who else wrote."""
_HOLE = re.compile(r'"?\{(\w+)\}"?')


class GivenDraws(TaskSampler):
    """A generator that returns given values, one per draw, in order; None makes a draw random.

    Args:
        values: of the draws that the template makes. claims: shared by the sub-tasks of a task.
    """

    def __init__(self, values: Sequence[Any], claims: Claims) -> None:
        super().__init__(seed_of("given", *values), claims=claims)
        self._given = list(values)

    def choice(self, seq: Any) -> Any:
        """The given value. For words it may be any; for objects, the one with this name.

        Raises:
            ConfigError: there is no such thing, or another sub-task of the task is about it.
        """
        wanted = self._next()
        if wanted is None:
            return super().choice(seq)
        if not seq or isinstance(seq[0], str):
            return wanted
        for item in seq:
            if wanted in _names(item):
                return item
        known = ", ".join(_names(item)[-1] for item in seq)
        raise ConfigError(f"there is no {wanted!r} in the world, or another sub-task uses it; there are: {known}")

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """The given number.

        Raises:
            ConfigError: it is none, or out of the range.
        """
        wanted = self._next()
        return (
            super().randrange(start, stop, step) if wanted is None else _within(wanted, range(start, stop or 0, step))
        )

    def sample(self, population: Any, k: int, *, counts: Iterable[int] | None = None) -> list[Any]:
        """The given value first, the others at random."""
        wanted = self._next()
        if wanted is None:
            return super().sample(population, k, counts=counts)
        first = _within(wanted, population) if isinstance(population, range) else wanted
        return [first, *super().sample([item for item in population if item != first], k - 1)]

    def _next(self) -> Any:
        return self._given.pop(0) if self._given else None


def subtask_of(template: Template, id: str, draws: Sequence[str] = ()) -> SubTask:
    """A template with its draws as attributes, in addition to its inputs.

    Args:
        draws: the attribute that settles each draw, in the order in which the template makes them, as "name: type";
            `CHANCE` where none does. What the template draws behind the last one is left to chance.
    """
    names = [draw.partition(":")[0].strip() for draw in draws]
    types = {name: (draw.partition(":")[2].strip(),) for name, draw in zip(names, draws, strict=True) if name}
    attributes = types | {name: (kind,) for name, kind in template.inputs.items()}
    told = _HOLE.sub(r'"{\1}"', template.instruction)

    def make(given: Mapping[str, Any], state: WorldState, claims: Claims) -> Piece:
        values = [str(given[name]) if name else None for name in names]
        inputs = {name: _input(kind, str(given[name]), state, claims) for name, kind in template.inputs.items()}
        piece = template.make(GivenDraws(values, claims), inputs, state)
        if piece.output is not None:
            claims.claim(f"made {piece.output.type}", piece.output.value)
        return piece

    return SubTask(
        id, told, attributes, template.output, make, template.env, template.app, CATEGORIES.get(template.app, "")
    )


def setup(world: SimWorld, state: WorldState) -> None:
    """Bring the embedded world into a state."""
    world.reset(0)
    world.prepare(lambda _: state)


def _input(kind: str, value: str, state: WorldState, claims: Claims) -> str:
    """An input as templates expect it: people by id. Files are claimed, like those that a template picks itself.

    Raises:
        ConfigError: nobody, or no file, is called so, and no sub-task before makes one.
    """
    if kind == "file":
        document = state.account.document(value)
        if document is not None:
            claims.claim("documents", document.id)
        elif value not in claims.claimed("made file"):
            raise ConfigError(f"there is no file {value!r}, and no earlier sub-task creates it")
    if kind != "contact":
        return value
    known = state.account.contact(value)
    id = known.id if known else value.lower().replace(" ", "-")
    if known is None and id not in claims.claimed("made contact"):
        people = ", ".join(person.name for person in state.account.contacts)
        raise ConfigError(f"there is no contact {value!r}, and no earlier sub-task creates it; there are: {people}")
    return id


def _names(item: Any) -> list[str]:
    """The names that an object of the world may have, its usual name last."""
    by = [getattr(item, name, "") for name in ("path", "subject", "label", "title", "name")]
    person = getattr(item, "contact", "")
    called = [key_of(item), *filter(None, by)]
    return [*called, person.replace("-", " ").title()] if isinstance(person, str) and person else called


def _within(wanted: str, numbers: range) -> int:
    if not wanted.isdecimal() or int(wanted) not in numbers:
        raise ConfigError(f"{wanted!r} is not a whole number from {numbers.start} to {numbers.stop - 1}")
    return int(wanted)
