"""Tasks composed from sub-task templates, joined wherever an output of one is an input of another (CRAB §4.4).

A template makes a piece: words for its instruction, content for the world, judges, a demonstration. Values pass when
the task is composed, as in CRAB: the piece that uses a code knows it, and its instruction speaks of "the door code"
instead of saying it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from omnipilot.bench.graph import JudgeGraph
from omnipilot.bench.judges import Judge
from omnipilot.bench.task import seed_of
from omnipilot.envs.errors import ConfigError
from omnipilot.memory.trace import Move


@dataclass(frozen=True, slots=True)
class Resource:
    """Something one sub-task yields and another needs.

    Attributes:
        type: what joins them: "code", "contact", "text", …
        words: how an instruction speaks of it without giving it away: "the door code".
    """

    type: str
    value: str
    words: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A template at one instance.

    Attributes:
        words: fills the holes of the instruction, inputs apart.
        graph: judges of this piece alone.
        state: the world's state with its content put in.
        solution: moves of a demonstration, from the world's state at the start of the episode.
        output: what it yields, of the template's output type.
    """

    graph: JudgeGraph
    state: Any
    solution: Callable[[Any], Sequence[Move]]
    words: Mapping[str, str] = field(default_factory=dict)
    output: Resource | None = None


@dataclass(frozen=True, slots=True)
class Template:
    """A sub-task with its content left open.

    Attributes:
        id: unique. instruction: one clause in the imperative, with `{holes}` for words and inputs.
        make: from a seeded generator, its inputs by name and the state so far to a piece.
        inputs: name → type of resource. output: the type it yields, "" for none.
        alone: values of inputs that nothing yields, drawn where the template starts a task.
    """

    id: str
    instruction: str
    env: str
    app: str
    make: Callable[[Random, Mapping[str, str], Any], Piece]
    inputs: Mapping[str, str] = field(default_factory=dict)
    output: str = ""
    alone: Callable[[Random], Mapping[str, str]] = lambda _: {}


@dataclass(frozen=True, slots=True)
class Composition:
    """A composed task: see `compose`. `state` is the world's at the start."""

    instruction: str
    graph: JudgeGraph
    state: Any
    solution: Callable[[Any], list[Move]]


def joins(templates: Sequence[Template]) -> dict[tuple[int, str], int]:
    """Which earlier template yields each input: (number, input name) → number; the nearest of the right type."""
    found: dict[tuple[int, str], int] = {}
    for number, template in enumerate(templates):
        for name, kind in template.inputs.items():
            for earlier in range(number - 1, -1, -1):
                if templates[earlier].output == kind:
                    found[number, name] = earlier
                    break
    return found


def compose(templates: Sequence[Template], state: Any, *seed: object) -> Composition:
    """One task out of templates, in the order in which they are to be read.

    A joined template's judges wait for those of the one it takes from; what is not joined may be done in any order.

    Args:
        state: the world's state before any content of the task is put in.
        seed: what the instance is drawn from, any printable parts.

    Raises:
        ConfigError: an input is neither joined nor drawn, or a template yields what it did not declare.
    """
    joined = joins(templates)
    pieces: list[Piece] = []
    clauses: list[str] = []
    for number, template in enumerate(templates):
        draw = Random(seed_of(*seed, number, template.id))
        given: dict[str, Resource] = {}
        alone = template.alone(draw)
        for name, kind in template.inputs.items():
            source = joined.get((number, name))
            if source is not None:
                yielded = pieces[source].output
                assert yielded is not None
                given[name] = yielded
            elif name in alone:
                given[name] = Resource(kind, alone[name], f'"{alone[name]}"')
            else:
                raise ConfigError(f"{template.id}: nothing yields its input {name!r} of type {kind!r}")
        piece = template.make(draw, {name: resource.value for name, resource in given.items()}, state)
        state = piece.state
        if (piece.output.type if piece.output else "") != template.output:
            raise ConfigError(f"{template.id} declares the output {template.output!r} and yields another")
        pieces.append(piece)
        clauses.append(template.instruction.format(**piece.words, **{n: r.words for n, r in given.items()}))
    return Composition(
        _sentence(clauses),
        _graph(templates, pieces, joined),
        state,
        lambda start: [move for piece in pieces for move in piece.solution(start)],
    )


def _sentence(clauses: Sequence[str]) -> str:
    text = ", then ".join(clauses)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def _graph(templates: Sequence[Template], pieces: Sequence[Piece], joined: Mapping[tuple[int, str], int]) -> JudgeGraph:
    nodes: list[Judge] = []
    edges: list[tuple[str, str]] = []
    renamed: list[JudgeGraph] = []
    for number, (template, piece) in enumerate(zip(templates, pieces, strict=True), 1):
        names = {judge.name: f"{number} {judge.name}" if len(pieces) > 1 else judge.name for judge in piece.graph.nodes}
        graph = JudgeGraph(
            tuple(replace(j, name=names[j.name], env=j.env or template.env) for j in piece.graph.nodes),
            tuple((names[a], names[b]) for a, b in piece.graph.edges),
        )
        renamed.append(graph)
        nodes += graph.nodes
        edges += graph.edges
    for (number, _), source in joined.items():
        edges += [(sink, start) for sink in renamed[source].sinks for start in renamed[number].sources]
    return JudgeGraph(tuple(nodes), tuple(dict.fromkeys(edges)))
