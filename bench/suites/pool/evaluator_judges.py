"""Judges of a pool's tasks from the evaluators that verification proved, in place of the templates' own.

An evaluator was proved on its subtask alone: it refuses whatever else was touched in the collections that it speaks of.
So it judges a node of a graph where no other node speaks of these collections; others keep the template's judges.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from omnipilot.bench.judges import read_evaluator
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.verify.instances import SubtaskInstance, without_quotes
from omnipilot.bench.synthesis.compose import Composition, TaskPart, with_judges
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.envs import ConfigError

_COLLECTION = re.compile(r"account\.(\w+)")
_PASSING = re.compile(r"(?:phone|desktop)\.(?:front|sounds)\b")


def accepted_evaluators(pool: PoolFolder) -> Mapping[str, Mapping[str, Any]]:
    """The evaluators of the subtasks that verification accepted, by the subtask's id.

    Raises:
        ConfigError: there are none.
    """
    last = {verdict.subtask: verdict.accepted for verdict in pool.verdicts.read()}
    found = {one.subtask: one.evaluator for one in pool.evaluators.read() if last.get(one.subtask)}
    if not found:
        raise ConfigError(f"no evaluator of {pool.root} was accepted; run omnipilot synth verify {pool.root} first")
    return found


def judged_by_evaluators(composed: Composition, evaluators: Mapping[str, Mapping[str, Any]]) -> Composition:
    """The task, judged by evaluators wherever they can judge (see above).

    Args:
        evaluators: by id of the subtask; see `accepted_evaluators`.
    """
    spoken_of = [
        _collections(evaluators[part.template.id]) if part.template.id in evaluators else frozenset(part.claims)
        for part in composed.parts
    ]
    graphs: dict[int, JudgeGraph] = {}
    for number, part in enumerate(composed.parts):
        others = {name for at, names in enumerate(spoken_of) if at != number for name in names}
        evaluator = evaluators.get(part.template.id)
        if evaluator is None or not others.isdisjoint(spoken_of[number]):
            continue
        env = part.template.env
        try:
            holes = _instance(part, number, composed).holes()
            graph = read_evaluator(evaluator, holes, "" if "+" in env else env)
        except ConfigError:  # a hole that has no value here, such as one of an item that another subtask makes
            continue
        graphs[number] = graph.lasting(graph.sinks if _lasts(composed, number, evaluator) else ())
    parts = tuple(
        replace(part, template=replace(part.template, lasts=False)) if number in graphs else part
        for number, part in enumerate(composed.parts)
    )
    return with_judges(replace(composed, parts=parts), graphs)


def _lasts(composed: Composition, number: int, evaluator: Mapping[str, Any]) -> bool:
    """Whether what an evaluator leads to has to last: where what the template's judges lead to has to, and it does not
    look at what is on a screen or sounds."""
    sinks = composed.parts[number].graph.sinks
    lasts = all(node.when == "lasting" for node in composed.graph.nodes if node.name in sinks)
    return lasts and not _PASSING.search(str(evaluator["checks"][-1]))


def _collections(evaluator: Mapping[str, Any]) -> frozenset[str]:
    """The collections of the account that an evaluator speaks of."""
    return frozenset(_COLLECTION.findall(str(evaluator)))


def _instance(part: TaskPart, number: int, composed: Composition) -> SubtaskInstance:
    values = {name: without_quotes(words) for name, words in part.piece.words.items()}
    values |= {name: resource.value for name, resource in part.inputs.items()}
    return SubtaskInstance(
        part.template,
        number,
        composed.instruction,
        values,
        part.claims,
        composed.state,
        part.piece.solution,
        part.piece.alternative,
        part.piece.graph,
    )
