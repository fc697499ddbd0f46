"""A model as the one who finds intents: it groups subtasks for purposes, and every group is checked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omnipilot.bench import StageModel
from omnipilot.bench.suites.pool.compose.cells import GraphShape
from omnipilot.bench.suites.pool.compose.drawn_graph import graph_key
from omnipilot.bench.suites.pool.compose.subtask_types import category_of
from omnipilot.bench.suites.pool.records import GraphRecord, Join, SubtaskRecord
from omnipilot.bench.suites.pool.tell.intents import frames
from omnipilot.bench.suites.pool.tell.topology import depths, is_connected
from omnipilot.bench.synthesis.compose import fits
from omnipilot.bench.tasks.task import seed_of

_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "groups": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "intent": {"type": "string"},
                    "subtasks": {"type": "array", "items": {"type": "string"}},
                    "joins": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "from": {"type": "integer"},
                                "to": {"type": "integer"},
                                "input": {"type": "string"},
                            },
                            "required": ["from", "to", "input"],
                            "additionalProperties": False,
                        },
                    },
                    "why": {"type": "string"},
                },
                "required": ["intent", "subtasks", "joins", "why"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["groups"],
    "additionalProperties": False,
}
PACKAGE = __name__.rpartition(".")[0]
_EXAMPLES = 8
_VALUE = re.compile(r"[\d\"“”]")


@dataclass(frozen=True, slots=True)
class ProposedGroups:
    """What became of a model's groups.

    Attributes:
        graphs: those that hold, each with the intent in words. refused: (intent, why) of the others.
    """

    graphs: tuple[GraphRecord, ...]
    refused: tuple[tuple[str, str], ...]


def propose_groups(
    model: StageModel, subtasks: Sequence[SubtaskRecord], scenario: str, size: int, count: int, seed: int = 0
) -> ProposedGroups:
    """Ask a model for groups of subtasks with a purpose, and keep those that hold.

    Whether a group's subtasks get into each other's way is for the stage that composes to find out.

    Args:
        subtasks: to choose from. scenario: what the tasks are about. size: subtasks of a group. count: how many groups.
        seed: of the graphs' content.

    Raises:
        MalformedReply: its answers cannot be read. BudgetSpent: the money is spent.
        ModelUnavailable: it does not answer.
    """
    lines = [
        f"Scenario: {scenario}",
        f"Groups wanted: {count}, each of {size} subtasks",
        "",
        "Purposes, as examples:",
        *(f"- {frame.sentences[0]}" for frame in frames()[:_EXAMPLES]),
        "",
        "Subtasks:",
    ]
    for subtask in subtasks:
        takes = ", ".join(f"{name} ({kind})" for name, kind in subtask.inputs.items()) or "nothing"
        yields = ", ".join(subtask.output_resources) or "nothing"
        lines.append(f"- {subtask.id}: {subtask.instruction_template}. Takes {takes}; yields {yields}.")
    groups = model.ask("group", "\n".join(lines), _SCHEMA, _groups, PACKAGE)
    known = {subtask.id: subtask for subtask in subtasks}
    graphs: list[GraphRecord] = []
    refused: list[tuple[str, str]] = []
    for group in groups:
        try:
            graphs.append(_graph(group, known, size, seed))
        except ValueError as error:
            refused.append((str(group.get("intent", "")), str(error)))
    return ProposedGroups(tuple(graphs), tuple(refused))


def _groups(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    groups = answer["groups"]
    if not isinstance(groups, list) or not all(isinstance(group, dict) for group in groups):
        raise ValueError("groups is no list of objects")
    return groups


def _graph(group: Mapping[str, Any], known: Mapping[str, SubtaskRecord], size: int, seed: int) -> GraphRecord:
    """The graph of a group.

    Raises:
        ValueError: it does not hold; the message says why.
    """
    intent, ids, joins = group.get("intent"), group.get("subtasks"), group.get("joins")
    if not isinstance(intent, str) or not isinstance(ids, list) or not isinstance(joins, list):
        raise ValueError("a group has an intent, a list of subtasks and a list of joins")
    if strangers := [str(id) for id in ids if not isinstance(id, str) or id not in known]:
        raise ValueError(f"there is no subtask {strangers[0]}")
    if len(ids) != size:
        raise ValueError(f"it has {len(ids)} subtasks, not {size}")
    found = [_join(join, [known[id] for id in ids]) for join in joins]
    if len({(join.node, join.input) for join in found}) < len(found):
        raise ValueError("an input is joined twice")
    edges = frozenset((join.source, join.node) for join in found)
    if not is_connected(len(ids), edges):
        raise ValueError("its subtasks do not hang together")
    _check_intent(intent, [known[id] for id in ids], known)
    chosen = [known[id] for id in ids]
    levels = Counter(depths(len(ids), edges))
    shape = GraphShape(
        tuple(levels[level] for level in sorted(levels)), len(edges), len({category_of(subtask) for subtask in chosen})
    )
    complexity = shape.complexity()
    key = graph_key(ids, sorted(edges))
    return GraphRecord(
        key[:12],
        tuple(ids),
        tuple(found),
        tuple(sorted(edges)),
        complexity.figures(),
        complexity.capabilities(),
        key,
        seed_of(seed, key),
        intent.strip(),
    )


def _join(join: object, chosen: Sequence[SubtaskRecord]) -> Join:
    if not isinstance(join, dict):
        raise ValueError("a join is an object")
    source, node, name = join.get("from"), join.get("to"), join.get("input")
    if not isinstance(source, int) or not isinstance(node, int) or not 1 <= source < node <= len(chosen):
        raise ValueError(f"a join goes from {source} to {node}, and its start has to stand before its end")
    kind = chosen[node - 1].inputs.get(str(name))
    if kind is None:
        raise ValueError(f"{chosen[node - 1].id} has no input {name}")
    if not any(fits(output, kind) for output in chosen[source - 1].output_resources):
        raise ValueError(f"{chosen[source - 1].id} yields no {kind}")
    return Join(node - 1, str(name), source - 1)


def _check_intent(intent: str, chosen: Sequence[SubtaskRecord], known: Mapping[str, SubtaskRecord]) -> None:
    if not intent.strip():
        raise ValueError("its intent is empty")
    if _VALUE.search(intent):
        raise ValueError("its intent holds a value")
    own = {subtask.application.casefold() for subtask in chosen}
    for app in sorted({subtask.application for subtask in known.values()}):
        if app.casefold() not in own and re.search(rf"\b{re.escape(app)}\b", intent, re.I) and app[:1].isupper():
            raise ValueError(f"its intent names {app}, which it does not need")
