"""The stage `compose`: from a pool's subtasks to graphs, with what became of the attempts."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from omnipilot.bench.suites.pool.compose.cells import (
    MOST_NODES,
    GraphRequest,
    capability_request,
    cell_of,
    cell_request,
    figures_request,
    possible_cells,
    within_both,
)
from omnipilot.bench.suites.pool.compose.composer import Composer
from omnipilot.bench.suites.pool.compose.content import JoinContent, TriedJoin, graph_joins, hopeless_joins
from omnipilot.bench.suites.pool.compose.diversity import check_floors, diversity
from omnipilot.bench.suites.pool.compose.garbage import collecting_seldom
from omnipilot.bench.suites.pool.compose.instances import has_content
from omnipilot.bench.suites.pool.compose.matched import dose_series, matched_pairs
from omnipilot.bench.suites.pool.compose.playing import PlayedGraph
from omnipilot.bench.suites.pool.compose.rehearse import learn_conflicts
from omnipilot.bench.suites.pool.compose.scenarios import SHIPPED, read_scenarios, with_scenarios
from omnipilot.bench.suites.pool.compose.subtask_types import TypeGraph, subtask_type
from omnipilot.bench.suites.pool.compose.swapped_pairs import SwappedPairs
from omnipilot.bench.suites.pool.compose.workers import GraphWorkers
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import Conflict, GraphRecord, MatchedSet, SubtaskRecord
from omnipilot.bench.suites.pool.templates import templates_of
from omnipilot.bench.synthesis.template import Template
from omnipilot.bench.tasks.task import seed_of
from omnipilot.envs import ConfigError

STAGE = "compose"
TOLD = 100
"""Graphs that are played between two lines that say how far it is."""
BATCH = 200
"""Graphs that are played before what was learnt of their joins counts for others, however many processes play them."""
_PAIR_TRIES = 4
"""Pairs that are drawn for each that is wanted, as some have no content or are in the pool already."""


@dataclass(frozen=True, slots=True)
class ComposeOptions:
    """What is composed.

    Attributes:
        graphs: how many. cell, capability, figures: what they have to be; all that are given hold together.
        most_nodes: of the largest graphs where figures do not say. seed: of all choices.
        play: how many other graphs are played first, to learn which subtasks do not go together.
        solvable: whether each graph that is composed is played, and another one drawn for one that no content solves.
        prove: how many of the composed graphs are played at the end, drawn at random.
        pairs: pairs of a chain and a graph, of `pair_nodes` nodes each. dose: graphs for each value of a series.
        add: whether graphs are added to those that are there. scenarios: the table. floors: least figures of diversity.
        content: whether graphs are dropped for which no world holds enough items, and others drawn in their place.
        jobs: processes that play graphs side by side; what comes of it does not depend on them.
    """

    graphs: int
    cell: str = ""
    capability: str = ""
    figures: str = ""
    most_nodes: int = MOST_NODES
    seed: int = 0
    play: int = 0
    solvable: bool = True
    prove: int = 0
    pairs: int = 0
    pair_nodes: int = 4
    dose: Mapping[str, int] = field(default_factory=dict)
    add: bool = False
    scenarios: Path = SHIPPED
    floors: Mapping[str, float] = field(default_factory=dict)
    content: bool = True
    jobs: int = 1

    def request(self) -> GraphRequest | None:
        """What the graphs have to be; None for anything.

        Raises:
            ConfigError: what is given cannot be read.
        """
        asked = [
            *([cell_request(self.cell, self.most_nodes)] if self.cell else []),
            *([capability_request(self.capability, self.most_nodes)] if self.capability else []),
            *([figures_request(self.figures, self.most_nodes)] if self.figures else []),
        ]
        if not asked:
            return None
        found = asked[0]
        for other in asked[1:]:
            found = within_both(found, other)
        return found


def compose_pool(
    folder: PoolFolder, options: ComposeOptions, tell: Callable[[str], None] = lambda _line: None
) -> dict[str, Any]:
    """Compose graphs and write them; returns what became of the attempts, as JSON.

    Raises:
        ConfigError: there are no subtasks, no graph can meet the request, or they are less different than asked for.
    """
    folder.subtasks.require()
    with collecting_seldom(), GraphWorkers(folder, options.jobs) as workers:
        return _compose(folder, options, workers, tell)


def _compose(
    folder: PoolFolder, options: ComposeOptions, workers: GraphWorkers, tell: Callable[[str], None]
) -> dict[str, Any]:
    every_record = folder.subtasks.require()
    records = accepted_subtasks(folder, every_record)
    every = TypeGraph([subtask_type(record) for record in records])
    conflicts = folder.conflicts.read()
    summary: dict[str, Any] = {
        "subtasks": len(records),
        "rejected": len(every_record) - len(records),
        "both": sum(bool(s.inputs and s.output) for s in every.subtasks),
    }
    if options.play:
        began = time.perf_counter()
        learnt = learn_conflicts(
            every,
            templates_of(folder),
            options.play,
            seed=seed_of(options.seed, "play"),
            known=conflicts,
            tell=lambda played, found: tell(f"played {played} of {options.play} graphs: {found} conflicts"),
        )
        conflicts = list(learnt.conflicts)
        folder.conflicts.write(conflicts, stage=STAGE, seed=options.seed)
        summary["learning"] = {
            "played": learnt.played,
            "failed": learnt.failed,
            "unexplained": [_failure(one) for one in learnt.unexplained],
            "seconds": round(time.perf_counter() - began, 1),
        }

    def keep(new: list[Conflict]) -> None:
        folder.conflicts.append(new, stage=STAGE, seed=options.seed)

    before = folder.graphs.read() if options.add else []
    composer = Composer(
        every,
        options.seed,
        conflicts,
        known=[graph.key for graph in before],
        most_nodes=options.most_nodes,
    )
    began = time.perf_counter()
    drawn = list(composer.graphs(options.graphs, options.request()))
    summary["seconds"] = round(time.perf_counter() - began, 2)
    if options.content:
        began = time.perf_counter()
        unsolved = 0
        if options.solvable:
            drawn, without, unsolved = with_played_content(
                composer, drawn, options, workers, SwappedPairs(records), tell, keep
            )
        else:
            drawn, without = with_content(composer, drawn, options, templates_of(folder))
            keep(list(composer.conflicts)[len(conflicts) :])
        conflicts = list(composer.conflicts)
        summary["content"] = {
            "dropped": without,
            "unsolved": unsolved,
            "seconds": round(time.perf_counter() - began, 1),
        }
    sets = folder.matched.read() if options.add else []
    pairs = _new_pairs(folder, every, conflicts, options, {graph.id for graph in before}, workers)
    for number, (one, pair) in enumerate(pairs, len(sets) + 1):
        sets.append(replace(one, id=f"pair-{number}"))
        drawn += pair
    for complexity, count in options.dose.items():
        series, graphs = dose_series(every, complexity, count, seed=options.seed, conflicts=conflicts)
        sets.append(series)
        drawn += graphs
    unique = {graph.id: graph for graph in [*before, *drawn]}
    if len(unique) < len({graph.key for graph in unique.values()}):
        raise ConfigError("two different graphs have the same id; compose with another --seed")
    types = {one.id: one for one in every.subtasks}
    graphs = with_scenarios(unique.values(), types, read_scenarios(options.scenarios))
    figures = diversity(graphs, every)
    check_floors(figures, options.floors)
    folder.graphs.write(graphs, stage=STAGE, seed=options.seed)
    folder.matched.write(sets, stage=STAGE, seed=options.seed)
    survivors = composer.survivors()
    summary |= {
        "graphs": len(graphs),
        "attempts": survivors.attempts,
        "dropped": dict(sorted(survivors.dropped.items(), key=lambda one: -one[1])),
        "used_up": list(survivors.used_up),
        "conflicts": len(conflicts),
        "cells": cell_counts(graphs),
        "diversity": {name: round(value, 4) for name, value in figures.items()},
        "matched": [{"id": one.id, "graphs": len(one.graphs), "shared": one.shared} for one in sets],
    }
    if options.prove:
        summary["proof"] = prove_graphs(graphs, options.prove, options.seed, workers, tell)
    return summary


def _new_pairs(
    folder: PoolFolder,
    types: TypeGraph,
    conflicts: Collection[Conflict],
    options: ComposeOptions,
    known: Collection[str],
    workers: GraphWorkers,
) -> Iterator[tuple[MatchedSet, tuple[GraphRecord, ...]]]:
    """Pairs of graphs that are not known and that have content, with which they are solved where that is asked for;
    fewer than asked for where there are no more.

    Args:
        known: ids of graphs.
    """
    if not options.pairs:
        return iter(())
    templates = templates_of(folder)
    drawn = matched_pairs(
        types, _PAIR_TRIES * options.pairs, nodes=options.pair_nodes, seed=options.seed, conflicts=conflicts
    )

    def fitting() -> Iterator[tuple[MatchedSet, tuple[GraphRecord, ...]]]:
        for one, pair in drawn:
            if any(graph.id in known for graph in pair):
                continue
            if options.content and options.solvable:
                draws = [tried.draw for tried in workers.try_graphs(pair)]
                if None not in draws:
                    yield one, tuple(replace(graph, draw=draw) for graph, draw in zip(pair, draws, strict=True))
            elif not options.content or all(has_content(graph, templates) for graph in pair):
                yield one, pair

    return islice(fitting(), options.pairs)


def accepted_subtasks(folder: PoolFolder, subtasks: Sequence[SubtaskRecord]) -> list[SubtaskRecord]:
    """The subtasks but for those that verification rejected; one that it has not seen yet is kept.

    Raises:
        ConfigError: it rejected them all.
    """
    last = {verdict.subtask: verdict.accepted for verdict in folder.verdicts.read()}
    kept = [one for one in subtasks if last.get(one.id, True)]
    if not kept:
        raise ConfigError(
            f"verification rejected all {len(subtasks)} subtasks; make others with omnipilot synth subtasks"
        )
    return kept


def with_content(
    composer: Composer, graphs: list[GraphRecord], options: ComposeOptions, templates: Mapping[str, Template]
) -> tuple[list[GraphRecord], int]:
    """The graphs that have content, with others in place of those that have none, and how many had none.

    Fewer graphs come back where the composer finds no others. It learns which joins have no content.
    """
    content = JoinContent(templates)
    kept: list[GraphRecord] = []
    without = 0
    while graphs:
        able = content.with_content(graphs)
        without += len(graphs) - len(able)
        composer.learn(content.conflicts())
        kept += able
        graphs = list(composer.graphs(options.graphs - len(kept), options.request()))
    return kept, without


def with_played_content(
    composer: Composer,
    graphs: list[GraphRecord],
    options: ComposeOptions,
    workers: GraphWorkers,
    swapped: SwappedPairs,
    tell: Callable[[str], None] = lambda _line: None,
    keep: Callable[[list[Conflict]], object] = lambda _new: None,
) -> tuple[list[GraphRecord], int, int]:
    """The graphs that their demonstrations solve, each with the content that it is solved with, and others in place of
    the rest; how many had subtasks that do not go together, and how many were not solved for other reasons.

    Fewer graphs come back where the composer finds no others. It learns what does not go together.

    Args:
        swapped: the second order of a graph is played where it swaps pairs that are not among these yet.
        keep: called with what was learnt, after each batch.
    """
    kept: list[GraphRecord] = []
    works: set[TriedJoin] = set()
    unable: set[TriedJoin] = set()
    without = unsolved = told = 0
    while graphs:
        for begin in range(0, len(graphs), BATCH):
            drawn = graphs[begin : begin + BATCH]
            batch = [graph for graph in drawn if not composer.conflict(graph.subtasks, graph.edges)]
            without += len(drawn) - len(batch)
            orders = [2 if swapped.untried(graph) else 1 for graph in batch]
            solved, learnt = [], []
            cleared = [swapped.beyond_suspicion(graph) for graph in batch]
            results = workers.try_graphs(batch, works, orders, cleared)
            for graph, most, tried in zip(batch, orders, results, strict=True):
                if tried.draw is not None:
                    solved.append(replace(graph, draw=tried.draw))
                    swapped.note(graph, most)
                    continue
                found = tried.conflicts()
                learnt += found
                unable |= tried.unable
                without += bool(found)
                unsolved += not found
            kept += solved
            works.update(join for graph in solved for join in graph_joins(graph))
            if new := composer.learn([*learnt, *hopeless_joins(unable, works, composer.types)]):
                keep(new)
            if (len(kept) + without + unsolved) // TOLD > told:
                told = (len(kept) + without + unsolved) // TOLD
                tell(
                    f"kept {len(kept)} of {options.graphs} graphs that were played: {without} had subtasks that do not "
                    f"go together, {unsolved} were not solved"
                )
        graphs = list(composer.graphs(options.graphs - len(kept), options.request()))
    return kept, without, unsolved


def prove_graphs(
    graphs: list[GraphRecord], count: int, seed: int, workers: GraphWorkers, tell: Callable[[str], None]
) -> dict[str, Any]:
    """Play so many graphs, drawn at random, each in up to three orders; no failure is learnt from or left out."""
    chosen = Random(seed_of("prove", seed)).sample(graphs, min(count, len(graphs)))
    results: list[PlayedGraph] = []
    for result in workers.play_graphs(chosen):
        results.append(result)
        if not len(results) % TOLD:
            tell(f"played {len(results)} of {len(chosen)} composed graphs")
    failed = [one for one in results if one.failed]
    return {
        "played": len(results),
        "orders": sum(one.orders for one in results),
        "solved": len(results) - len(failed),
        "solved_by_waiting": sum(one.idle for one in results),
        "failed": [_failure(one) for one in failed],
    }


def cell_counts(graphs: list[GraphRecord]) -> dict[str, int]:
    """How many graphs lie in each possible cell, by its grades."""
    return {**dict.fromkeys(possible_cells(), 0), **Counter(cell_of(graph.figures) for graph in graphs)}


def summary_text(summary: Mapping[str, Any]) -> str:
    """What became of the attempts, in a few lines."""
    filled = sum(count > 0 for count in summary["cells"].values())
    both, count = summary["both"], summary["subtasks"]
    lines = [
        f"{summary['graphs']} graphs over {filled} of {len(summary['cells'])} cells, from {count} subtasks of which "
        f"{both} take and yield, in {summary['seconds']} s",
        *(
            [f"{summary['rejected']} subtasks were left out, as verification rejected them"]
            if summary["rejected"]
            else []
        ),
        f"{summary['attempts']} attempts; dropped: "
        + (", ".join(f"{reason} {number}" for reason, number in list(summary["dropped"].items())[:4]) or "none"),
        "diversity: " + ", ".join(f"{name} {value:g}" for name, value in summary["diversity"].items()),
    ]
    if "learning" in summary:
        learning = summary["learning"]
        lines.append(
            f"learning: {learning['failed']} of {learning['played']} graphs failed, {len(learning['unexplained'])} of "
            f"them without a pair to blame; {summary['conflicts']} conflicts are known"
        )
    if "content" in summary:
        content = summary["content"]
        lines.append(
            f"content: {content['dropped']} graphs had none, or a join that does not work; {content['unsolved']} had "
            f"none that its demonstration solves, in {content['seconds']} s"
        )
    lines += [f"used up: {one}" for one in summary["used_up"][:8]]
    if summary["matched"]:
        lines.append(f"matched sets: {len(summary['matched'])}")
    if "proof" in summary:
        proof = summary["proof"]
        lines.append(
            f"played: {proof['solved']} of {proof['played']} solved by their demonstration in each of "
            f"{proof['orders']} orders, {proof['solved_by_waiting']} by waiting"
        )
        lines += [f"  {one['graph']}: {one['why']}" for one in proof["failed"]]
    return "\n".join(lines)


def _failure(one: PlayedGraph) -> dict[str, str]:
    return {"graph": one.graph, "why": one.failed}
