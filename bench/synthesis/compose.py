"""Composes tasks from sub-task templates, joined wherever an output of one is an input of another (CRAB §4.4).

A template makes a piece: words for its instruction, content for the world, judges, a demonstration. Values pass when
the task is composed, as in CRAB: the piece that uses a code knows it, and its instruction speaks of "the door code"
instead of saying it.

A resource type is a path: an output "text/code" fits an input "text/code" and also an input "text".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from omnipilot.bench.synthesis.sampling import Claims
from omnipilot.bench.synthesis.sampling import TaskSampler as TaskSampler
from omnipilot.bench.synthesis.template import Piece as Piece
from omnipilot.bench.synthesis.template import Resource as Resource
from omnipilot.bench.synthesis.template import Solution
from omnipilot.bench.synthesis.template import Template as Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Judge
from omnipilot.bench.tasks.task import seed_of
from omnipilot.bench.tasks.user_facts import UserFacts
from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class TaskPart:
    """A template in a task.

    Attributes:
        takes: for each joined input, the number (from 0) of the piece that provides it.
        inputs: what every input is, joined or drawn.
        claims: the items that the piece claimed, by kind, sorted.
    """

    template: Template
    piece: Piece
    takes: Mapping[str, int]
    graph: JudgeGraph
    inputs: Mapping[str, Resource] = field(default_factory=dict)
    claims: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Composition:
    """A composed task: see `compose`. `state` is the world's initial state."""

    instruction: str
    graph: JudgeGraph
    state: Any
    parts: tuple[TaskPart, ...]

    def solutions(self, reached: Collection[str] = ()) -> tuple[Solution, ...]:
        """The demonstration piece by piece; each receives the state in which the previous one left the world.

        Args:
            reached: sub-goals that are reached already; a piece all of whose sub-goals are is left out.
        """
        return tuple(
            part.piece.solution for part in self.parts if any(node.name not in reached for node in part.graph.nodes)
        )

    def user(self) -> UserFacts | None:
        """What the task's user can be asked about; None if its pieces say nothing of it."""
        facts = tuple(fact for part in self.parts for fact in part.piece.user)
        return UserFacts(facts) if facts else None


Joins: TypeAlias = Mapping[tuple[int, str], int | None]
"""Which piece each input is taken from: (number, input) → number; None where it is drawn."""


def fits(output: str, input: str) -> bool:
    """Whether an output of type `output` can be used as an input of type `input`."""
    return bool(output) and (output == input or output.startswith(f"{input}/"))


def joins(templates: Sequence[Template], given: Joins | None = None) -> dict[tuple[int, str], int]:
    """The earlier template that provides each input: the closest that fits; inputs of one template use different ones.

    Args:
        given: overrides for some inputs.

    Raises:
        ConfigError: an override does not fit.
    """
    given = given or {}
    found: dict[tuple[int, str], int] = {}
    for number, template in enumerate(templates):
        for name in template.inputs:
            chosen = given.get((number, name))
            if chosen is not None:
                if not (0 <= chosen < number and fits(templates[chosen].output, template.inputs[name])):
                    raise ConfigError(f"{template.id}: its input {name!r} cannot be taken from step {chosen + 1}")
                found[number, name] = chosen
        for name, kind in template.inputs.items():
            if (number, name) in given:
                continue
            taken = {source for (at, _), source in found.items() if at == number}
            for earlier in range(number - 1, -1, -1):
                if earlier not in taken and fits(templates[earlier].output, kind):
                    found[number, name] = earlier
                    break
    if strangers := set(given) - {(n, name) for n, template in enumerate(templates) for name in template.inputs}:
        raise ConfigError(f"unknown input: {', '.join(f'{name} of step {n + 1}' for n, name in sorted(strangers))}")
    return found


def compose(
    templates: Sequence[Template], state: Any, *seed: object, given: Joins | None = None, twin: int = 0
) -> Composition:
    """Compose one task from templates, in reading order.

    A joined template's judges wait for those of its provider; unjoined templates may be done in any order. What a piece
    has brought about has to be so in the end, too, unless its template says otherwise or a later piece changes it.

    Args:
        state: the world's state before any content of the task is put in.
        seed: of the instance, any printable parts.
        given: overrides of joins; see `joins`.
        twin: selects the values of facts that can only be heard or seen in motion.

    Raises:
        ConfigError: an input is neither joined nor drawn, or a template yields what it did not declare.
    """
    joined = joins(templates, given)
    claims = Claims()
    parts: list[TaskPart] = []
    clauses: list[str] = []
    for number, template in enumerate(templates):
        draw = TaskSampler(seed_of(*seed, number, template.id), twin, claims)
        takes = {name: source for (at, name), source in joined.items() if at == number}
        inputs = _inputs(template, takes, parts, draw, state)
        before = claims.by_kind()
        piece = template.make(draw, {name: resource.value for name, resource in inputs.items()}, state)
        state = piece.state
        if (piece.output.type if piece.output else "") != template.output:
            raise ConfigError(f"{template.id} declares the output {template.output!r} but yields another one")
        graph = _named(piece.graph, template.env, f"{number + 1} " if len(templates) > 1 else "")
        parts.append(TaskPart(template, piece, takes, graph, inputs, _new_claims(before, claims.by_kind())))
        clauses.append(template.instruction.format(**piece.words, **{n: r.words for n, r in inputs.items()}))
    return Composition(_text(clauses, parts), _graph(parts), state, tuple(parts))


def with_judges(composed: Composition, graphs: Mapping[int, JudgeGraph]) -> Composition:
    """The task with other judges for some of its pieces, by number from 0; they wait for their providers as before."""
    many = len(composed.parts) > 1
    parts = tuple(
        replace(part, graph=_named(graphs[at], part.template.env, f"{at + 1} " if many else ""))
        if at in graphs
        else part
        for at, part in enumerate(composed.parts)
    )
    return replace(composed, parts=parts, graph=_graph(parts))


def _new_claims(before: Mapping[str, frozenset[str]], now: Mapping[str, frozenset[str]]) -> dict[str, tuple[str, ...]]:
    new = {kind: tuple(sorted(ids - before.get(kind, frozenset()))) for kind, ids in now.items()}
    return {kind: ids for kind, ids in new.items() if ids}


def _inputs(
    template: Template, takes: Mapping[str, int], parts: Sequence[TaskPart], draw: TaskSampler, state: Any
) -> dict[str, Resource]:
    joined: dict[str, Resource] = {}
    for name, source in takes.items():
        yielded = parts[source].piece.output
        assert yielded is not None
        joined[name] = yielded
    alone = template.draw_inputs(draw, {name: one.value for name, one in joined.items()}, state)
    found: dict[str, Resource] = {}
    for name, kind in template.inputs.items():
        if name in joined:
            found[name] = joined[name]
        elif name in alone:
            value = alone[name]
            found[name] = Resource(kind, value, f'"{value}"') if isinstance(value, str) else value
        else:
            raise ConfigError(f"{template.id}: nothing yields its input {name!r} of type {kind!r}")
    return found


_PLACE = re.compile(r"^on (?:the|my) (\w+), ")


def _text(clauses: Sequence[str], parts: Sequence[TaskPart]) -> str:
    """One sentence per chain; the device is named when it changes."""
    text = ""
    for number, clause in enumerate(clauses):
        place = _PLACE.match(clause)
        if place and number and parts[number - 1].template.env == parts[number].template.env:
            clause = clause[place.end() :]
        if not number:
            text = _capital(clause)
        elif parts[number].takes:
            text += f", then {clause}"
        else:
            text += f"{_stop(text)} {_capital(clause)}"
    return text + _stop(text)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _stop(text: str) -> str:
    return "" if text.endswith((".", "!", "?")) else "."


def _named(graph: JudgeGraph, env: str, prefix: str) -> JudgeGraph:
    nodes = tuple(replace(judge, name=prefix + judge.name, env=judge.env or env) for judge in graph.nodes)
    return JudgeGraph(nodes, tuple((prefix + a, prefix + b) for a, b in graph.edges))


def _graph(parts: Sequence[TaskPart]) -> JudgeGraph:
    nodes: list[Judge] = []
    edges: list[tuple[str, str]] = []
    last: list[str] = []
    changed = {source for part in parts if part.template.changes for source in part.takes.values()}
    for number, part in enumerate(parts):
        nodes += part.graph.nodes
        edges += part.graph.edges
        last += part.graph.sinks if part.template.lasts and number not in changed else ()
        for source in part.takes.values():
            edges += [(sink, start) for sink in parts[source].graph.sinks for start in part.graph.sources]
    return JudgeGraph(tuple(nodes), tuple(dict.fromkeys(edges))).lasting(last)
