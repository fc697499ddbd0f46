"""Writes instructions of miniature tasks for CRAB's and OmniBench's files, from a table of sub-tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from omnipilot.bench.suites.subtasks.duet_pool import POOL, id_of
from omnipilot.bench.suites.subtasks.pool import Pool, SubTask
from omnipilot.bench.synthesis.sampling import Claims


@dataclass(frozen=True, slots=True)
class WordedStep:
    """A sub-task of a miniature task.

    Attributes:
        name: of its template. values: of attributes. takes: attribute → number of the step that yields it.
        after: steps that it waits for without taking anything.
    """

    name: str
    values: Mapping[str, str] = field(default_factory=dict)
    takes: Mapping[str, int] = field(default_factory=dict)
    after: tuple[int, ...] = ()

    @property
    def before(self) -> tuple[int, ...]:
        """The steps it depends on, without repetition."""
        return tuple(dict.fromkeys((*self.takes.values(), *self.after)))


@dataclass(frozen=True, slots=True)
class Filled:
    """A step with all attributes known. `output`: its result, None for none. `clause`: its wording."""

    subtask: SubTask
    attributes: Mapping[str, str]
    output: str | None
    clause: str


def fill_steps(steps: Sequence[WordedStep], pool: Pool = POOL) -> list[Filled]:
    """The steps with all values; values taken from other steps are worded without revealing them."""
    state, claims = pool.start(), Claims()
    found: list[Filled] = []
    words: list[str] = []
    for step in steps:
        subtask = pool.subtasks[id_of(step.name)]
        taken = {name: found[number].output or "" for name, number in step.takes.items()}
        attributes = {name: {**step.values, **taken}[name] for name in subtask.attributes}
        piece = subtask.make(attributes, state, claims)
        state = piece.state
        told = subtask.description
        for name, number in step.takes.items():
            told = told.replace(f'"{{{name}}}"', words[number])
        found.append(
            Filled(subtask, attributes, piece.output.value if piece.output else None, told.format(**attributes))
        )
        words.append(piece.output.words if piece.output else "")
    return found


def sentence(steps: Sequence[WordedStep], parts: Sequence[Filled]) -> str:
    """An instruction: one sentence per chain; the device is named when it changes."""
    text = ""
    for number, (step, part) in enumerate(zip(steps, parts, strict=True)):
        clause = part.clause
        if number and parts[number - 1].subtask.env == part.subtask.env:
            clause = clause.removeprefix(f"on the {part.subtask.env}, ")
        if number and number - 1 in step.before:
            text += f", then {clause}"
        else:
            text += f"{'. ' if text else ''}{clause[:1].upper()}{clause[1:]}"
    return f"{text}."


def successors(steps: Sequence[WordedStep]) -> list[list[int]]:
    """For each step, the steps that depend on it."""
    return [[late for late, step in enumerate(steps) if number in step.before] for number in range(len(steps))]
