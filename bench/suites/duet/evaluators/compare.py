"""Do the evaluators that are data judge as the judges in Python do? `python -m` prints a table for docs/judges.md.

Each template is played at some instances: by its demonstration and its other way; by nothing but waiting; without one
of its moves; with what it types in other words; with another item of a collection that it changes deleted; again
with what it types in other words, after it was done right; with the demonstration of another template of the same
application before it, which is more than was asked; and by that alone.
After each move, both judges say whether the whole is reached.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from omnipilot.bench.judges import JUDGES, read_evaluator
from omnipilot.bench.suites.duet.evaluators.templates import EVALUATORS
from omnipilot.bench.suites.duet.evaluators.values import hole_values
from omnipilot.bench.suites.duet.kit.play import demonstration, try_move
from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.duet.suite import quiet
from omnipilot.bench.synthesis.sampling import Claims, TaskSampler, key_of
from omnipilot.bench.synthesis.template import Piece, Solution, Template
from omnipilot.bench.tasks.graph import GraphEvaluator, JudgeGraph
from omnipilot.bench.tasks.judges import Case
from omnipilot.bench.tasks.task import seed_of
from omnipilot.envs import ActionRejected, ConfigError, NotFound, TypeText, Wait
from omnipilot.envs.sim import SimWorld
from omnipilot.memory import Move

LONG = 600.0
"""Seconds in which nothing is done."""
LONG_TEXT = "and so much else that it cannot be told what is meant by it"
LEFT_OUT = 4
"""Moves that are left out, one at a time: the last ones, and the first."""


@dataclass(frozen=True, slots=True)
class StagedPiece:
    """A template's piece in a world, with both ways to judge it.

    Attributes:
        values: for the holes of its evaluator.
    """

    template: Template
    piece: Piece
    values: Mapping[str, Any]


@dataclass
class Agreement:
    """What the two ways of judging a template said.

    Attributes:
        solved: trajectories that the judges in Python took for solved. plays: all. moves: of all of them.
        differences: where the two disagree, in words.
    """

    template: str
    plays: int = 0
    solved: int = 0
    moves: int = 0
    differences: list[str] = field(default_factory=list)


def stage(template: Template, state: Any, *seed: object, inputs: Mapping[str, str] | None = None) -> StagedPiece:
    """A template's piece with content of its own, as a task of this one template has it.

    Args:
        inputs: some of its inputs, as other templates would give them.
    """
    draw = TaskSampler(seed_of(*seed, template.id), 0, Claims())
    alone = template.alone(draw, state) if template.inputs else {}
    given = {name: one if isinstance(one, str) else one.value for name, one in alone.items()} | dict(inputs or {})
    piece = template.make(draw, given, state)
    words: dict[str, Any] = {**given, **piece.words}
    if piece.output:
        words |= {"output": piece.output.value, "lines": draw.left("lines", piece.output.value)}
    piece = replace(piece, graph=_lasting(template, piece.graph))
    return StagedPiece(template, piece, hole_values(template.id, words, piece.state, draw.claimed))


def _lasting(template: Template, graph: JudgeGraph) -> JudgeGraph:
    """As a task of this one template has it."""
    return graph.lasting(graph.sinks if template.lasts else ())


def compare(template: Template, instance: int, neighbours: Sequence[Template] = ()) -> Agreement:
    """Play a template in several ways, and ask both judges after each move.

    Args:
        neighbours: templates of the same application, whose demonstrations are more than was asked.
    """
    found = Agreement(template.id)
    world = SimWorld()
    world.reset(instance)
    staged = stage(template, quiet(world.state()), "compare", instance)
    graph = _lasting(template, read_evaluator(EVALUATORS[template.id], staged.values, template.env))
    for name, state, moves in _plays(staged, instance, neighbours):
        _begin(world, instance, state)
        _play(found, f"instance {instance}, {name}", world, state, moves, staged.piece.graph, graph)
    for kind, spoiled in _spoil(staged, instance):
        _begin(world, instance, spoiled)
        moves = _demonstrate(instance, staged.piece.state, staged.piece.solution)
        name = f"instance {instance}, another of {kind} deleted"
        _play(found, name, world, staged.piece.state, moves, staged.piece.graph, graph)
    return found


def _spoil(staged: StagedPiece, instance: int) -> Iterator[tuple[str, Any]]:
    """The state without an item that no piece has claimed, for each collection that the demonstration changes."""
    world = SimWorld()
    start = staged.piece.state
    _begin(world, instance, start)
    for move in _demonstrate(instance, start, staged.piece.solution):
        try_move(world, move)
    end = world.state()
    for one in fields(start.account):
        before, after = getattr(start.account, one.name), getattr(end.account, one.name)
        if not isinstance(before, tuple) or before is after:
            continue
        claimed = staged.values.get(f"claimed_{one.name}", list)()
        free = [item for item in before if item in after and key_of(item) not in claimed]
        if free:
            yield one.name, start.own(start.account.drop(free[-1]))


def _plays(staged: StagedPiece, instance: int, neighbours: Sequence[Template]) -> Iterator[tuple[str, Any, list[Move]]]:
    """Trajectories by name, each with the state that it begins in."""
    state = staged.piece.state
    right = _demonstrate(instance, state, staged.piece.solution)
    yield "demonstration", state, right
    if staged.piece.alternative is not None:
        yield "other way", state, _demonstrate(instance, state, staged.piece.alternative)
    yield "nothing", state, [Move("", Wait(LONG))]
    for at in sorted({0, *range(max(0, len(right) - LEFT_OUT + 1), len(right))}):
        yield f"without move {at + 1} of {len(right)}", state, [*right[:at], *right[at + 1 :]]
    for name, moves in _reworded(right, staged):
        yield name, state, moves
        yield f"done, then {name}", state, [*right, *moves]
    for other in neighbours:
        try:
            more = stage(other, state, "neighbour", instance)
            wrong = _demonstrate(instance, more.piece.state, more.piece.solution)
            both = _demonstrate(instance, more.piece.state, more.piece.solution, staged.piece.solution)
        except (NotFound, ActionRejected, ConfigError):
            # The two are in each other's way, or there is nothing left to choose from.
            continue
        yield f"{other.id} alone", more.piece.state, wrong
        yield f"{other.id} besides", more.piece.state, both


def _reworded(right: Sequence[Move], staged: StagedPiece) -> Iterator[tuple[str, list[Move]]]:
    """The demonstration with each input that it types in other words: in a sentence, among others, in a long text."""
    inputs = {str(staged.values[name]) for name in staged.template.inputs}
    for at, move in enumerate(right):
        if not isinstance(move.intent, TypeText):
            continue
        for text in sorted(one for one in inputs if one in move.intent.text):
            for words in (f"It is {text}.", f"1, {text}, 2", f"{text} {LONG_TEXT}"):
                typed = replace(move.intent, text=move.intent.text.replace(text, words))
                yield f"typed {words[:40]!r}", [*right[:at], replace(move, intent=typed), *right[at + 1 :]]


def _demonstrate(instance: int, state: Any, *solutions: Solution) -> list[Move]:
    """The moves of demonstrations, one after the other, from a state."""
    world = SimWorld()
    _begin(world, instance, state)
    return demonstration(world, solutions)


def _begin(world: SimWorld, instance: int, state: Any) -> None:
    """Bring a world to a state."""
    world.reset(instance)
    world.prepare(lambda _: state)


def _play(
    found: Agreement, name: str, world: SimWorld, start: Any, moves: Sequence[Move], hand: JudgeGraph, data: JudgeGraph
) -> None:
    judges = GraphEvaluator(hand), GraphEvaluator(data)
    found.plays += 1
    for number, move in enumerate((None, *moves)):
        if move is not None:
            try_move(world, move)
        found.moves += move is not None
        for judge in judges:
            judge.step(Case(world, start))
        if number == 0 and judges[1].completed:
            found.differences.append(f"{name}: something holds at the start")
        if judges[0].success != judges[1].success:
            found.differences.append(f"{name}, after move {number}: {judges[0].success}, as data {judges[1].success}")
            return
    for judge in judges:
        judge.step(Case(world, start), ended=True)
    found.solved += judges[0].success
    if judges[0].success != judges[1].success:
        found.differences.append(f"{name}, at the end: {judges[0].success}, as data {judges[1].success}")


def neighbours_of(template: Template, count: int = 2) -> list[Template]:
    """Other templates of the same application, those that stand after it first."""
    all_ = [one for one in book("").templates.values() if (one.env, one.app) == (template.env, template.app)]
    at = next(number for number, one in enumerate(all_) if one.id == template.id)
    return [*all_[at + 1 :], *all_[:at]][:count]


def kinds_of(entry: Any) -> set[str]:
    """The kinds of judges that an evaluator names."""
    if isinstance(entry, Mapping):
        named = {entry["check"]} if "check" in entry else set()
        return named.union(*(kinds_of(one) for key, one in entry.items() if key != "args"))
    return set().union(*map(kinds_of, entry)) if isinstance(entry, list) else set()


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, and print the table.

    Returns:
        0 where both agree everywhere, else 1.
    """
    parser = argparse.ArgumentParser("python -m omnipilot.bench.suites.duet.evaluators.compare", description=__doc__)
    parser.add_argument("templates", nargs="*", help="only these")
    parser.add_argument("--instances", type=int, default=2, help="of each template")
    options = parser.parse_args(arguments)
    templates = [one for one in book("").templates.values() if one.id in (options.templates or book("").templates)]
    own = {name for name in JUDGES.names() if "omnipilot.bench.suites.duet" in str(_module_of(name))}
    rows: dict[str, list[Agreement]] = {}
    wrong: list[str] = []
    engine = 0
    for template in templates:
        if template.id not in EVALUATORS:
            wrong.append(f"{template.id}: it has no evaluator")
            continue
        engine += not kinds_of(EVALUATORS[template.id]) & own
        for instance in range(options.instances):
            try:
                one = compare(template, instance, neighbours_of(template))
            except Exception as error:
                one = Agreement(template.id, differences=[f"{type(error).__name__}: {error}"])
            rows.setdefault(f"{template.env}: {template.app}", []).append(one)
            wrong += [f"{template.id}: {line}" for line in one.differences]
    write = sys.stdout.write
    write("| application | templates | trajectories | solved | moves | differ |\n|---|---|---|---|---|---|\n")
    for app, found in [*rows.items(), ("all", [one for some in rows.values() for one in some])]:
        figures = (
            len({one.template for one in found}),
            sum(one.plays for one in found),
            sum(one.solved for one in found),
            sum(one.moves for one in found),
            sum(bool(one.differences) for one in found),
        )
        write(f"| {app} | {' | '.join(f'{figure:,}' for figure in figures)} |\n")
    write(f"\n{engine} of {len(templates)} name the engine's kinds alone.\n")
    write("".join(f"{line}\n" for line in wrong))
    return 1 if wrong else 0


def _module_of(name: str) -> str:
    return getattr(JUDGES.load(name).examine, "__module__", "")


if __name__ == "__main__":
    sys.exit(main())
