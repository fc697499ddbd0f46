"""A model as the one who names subtasks. What it answers is checked; where it does not hold, the rule's name stays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from omnipilot.bench import StageModel
from omnipilot.bench.suites.pool.records import Operation, SituationRecord, SubtaskRecord
from omnipilot.bench.suites.pool.subtasks.documentation import Documentation
from omnipilot.bench.suites.pool.subtasks.making import app_of
from omnipilot.bench.suites.pool.subtasks.naming import contains_a_value
from omnipilot.bench.suites.pool.subtasks.replay import HOLE
from omnipilot.bench.suites.pool.subtasks.resource_types import ResourceTypes
from omnipilot.bench.synthesis.compose import fits
from omnipilot.memory import MalformedReply

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "instruction_template": {"type": "string"},
        "input_resources": {"type": "object", "additionalProperties": {"type": "string"}},
        "output_resources": {"type": "array", "items": {"type": "string"}},
        "why": {"type": "string"},
    },
    "required": ["instruction_template", "input_resources", "output_resources", "why"],
    "additionalProperties": False,
}
PACKAGE = __name__.rpartition(".")[0]
EXAMPLES = 3
MOST_WORDS = 60
MOST_CONTROLS = 25
_SAID = re.compile(r"[\"“”]|\d")


@dataclass(frozen=True, slots=True)
class ModelNames:
    """What became of a model's names.

    Attributes:
        subtasks: all, with the names that hold. named: ids of those that it named.
        refused: (id, why) of those that kept the rule's name.
    """

    subtasks: tuple[SubtaskRecord, ...]
    named: tuple[str, ...]
    refused: tuple[tuple[str, str], ...]


def name_by_model(
    model: StageModel,
    subtasks: Sequence[SubtaskRecord],
    types: ResourceTypes,
    situations: Mapping[str, SituationRecord],
    ends: Mapping[str, tuple[str, str]],
    docs: Documentation,
) -> ModelNames:
    """Have a model name subtasks.

    Args:
        situations: screens by id. ends: id of a subtask → the screens before and after its last step.

    Raises:
        BudgetSpent: the money is spent. ModelUnavailable: the model does not answer.
    """
    found: list[SubtaskRecord] = []
    named: list[str] = []
    refused: list[tuple[str, str]] = []
    for subtask in subtasks:
        screens = [situations[id] for id in ends.get(subtask.id, ()) if id in situations]
        question = _question(subtask, subtasks, types, screens, docs)
        try:
            answer = model.ask("name", question, SCHEMA, dict, package=PACKAGE)
            found.append(rename_subtask(subtask, answer, types))
            named.append(subtask.id)
        except (ValueError, MalformedReply) as error:
            found.append(subtask)
            refused.append((subtask.id, str(error)))
    return ModelNames(tuple(found), tuple(named), tuple(refused))


def rename_subtask(subtask: SubtaskRecord, answer: Mapping[str, Any], types: ResourceTypes) -> SubtaskRecord:
    """A subtask with the name and types that a model gave it.

    Raises:
        ValueError: they do not hold; the message says why.
    """
    clause = checked_clause(answer.get("instruction_template"), _holes(subtask), subtask)
    takes, yields = answer.get("input_resources"), answer.get("output_resources")
    if not isinstance(takes, dict) or not isinstance(yields, list):
        raise ValueError("input_resources is an object, output_resources a list")
    known = set(types.names())
    if strangers := [str(type) for type in (*takes.values(), *yields) if type not in known]:
        raise ValueError(f"there is no resource type {strangers[0]}")
    if set(takes) != set(subtask.inputs):
        raise ValueError(f"its inputs are {', '.join(subtask.inputs) or 'none'}, not {', '.join(takes) or 'none'}")
    for hole, type in takes.items():
        if not (fits(type, subtask.inputs[hole]) or fits(subtask.inputs[hole], type)):
            raise ValueError(f"{hole} takes a {subtask.inputs[hole]}, not a {type}")
    if sorted(yields) != sorted(subtask.output_resources):
        raise ValueError(f"it yields {', '.join(subtask.output_resources) or 'nothing'}, not {', '.join(yields)}")
    inputs = {hole: takes[hole] if fits(takes[hole], type) else type for hole, type in subtask.inputs.items()}
    return replace(
        subtask,
        instruction_template=place_of(subtask) + clause,
        inputs=inputs,
        input_resources=tuple(dict.fromkeys(inputs.values())),
    )


def checked_clause(clause: object, holes: Iterable[str], subtask: SubtaskRecord | None = None) -> str:
    """A clause that a model wrote, if it has just the given holes and no values.

    Raises:
        ValueError: it does not hold; the message says why.
    """
    if not isinstance(clause, str) or not clause.strip():
        raise ValueError("the instruction is empty")
    text = clause.strip().rstrip(".")
    wanted = sorted(holes)
    if sorted(HOLE.findall(text)) != wanted:
        raise ValueError(f"its holes are {', '.join(wanted) or 'none'}, each once")
    bare = HOLE.sub("", text)
    if "{" in bare or "}" in bare or "\n" in bare:
        raise ValueError("the instruction is more than one clause with holes")
    values = (
        {}
        if subtask is None
        else {name: str(value) for one in subtask.available_parameters for name, value in one.items()}
    )
    if _SAID.search(bare) or contains_a_value(bare, values):
        raise ValueError("the instruction holds a value")
    if len(text.split()) > MOST_WORDS or re.search(r"[.!?;]\s", text):
        raise ValueError("the instruction is more than one clause")
    return text[:1].lower() + text[1:]


def place_of(subtask: SubtaskRecord) -> str:
    """What stands before a clause: the device and the application."""
    return f"on the {subtask.env}, in {subtask.application}, "


def screen_text(situation: SituationRecord) -> str:
    """A screen as a model is told of it."""
    controls = "; ".join(situation.controls[:MOST_CONTROLS])
    return f"{situation.view or 'home'} ({situation.title}): {controls}"


def _holes(subtask: SubtaskRecord) -> list[str]:
    return HOLE.findall(subtask.instruction_template)


def _question(
    subtask: SubtaskRecord,
    all_subtasks: Sequence[SubtaskRecord],
    types: ResourceTypes,
    screens: Sequence[SituationRecord],
    docs: Documentation,
) -> str:
    others = [one.instruction_template for one in all_subtasks if one.application != subtask.application]
    examples = [*docs.examples(), *others[:: max(1, len(others) // EXAMPLES)]][:EXAMPLES]
    help_text = docs.of(app_of(subtask), subtask.application)
    lines = [
        f"Application: {subtask.application} on the {subtask.env}",
        *([f"Help: {help_text}"] if help_text else []),
        *(f"Screen {when}: {screen_text(one)}" for when, one in zip(("before", "after"), screens, strict=False)),
        "Steps: " + "; ".join(step_text(operation) for operation in subtask.path),
        "It changes: " + (", ".join(subtask.effect) or "nothing"),
        "It tells: " + (", ".join(subtask.reveals) or "nothing"),
        "Holes: " + (", ".join(f"{{{hole}}} ({subtask.holes.get(hole, '')})" for hole in _holes(subtask)) or "none"),
        "Inputs: " + (", ".join(f"{hole} ({type})" for hole, type in subtask.inputs.items()) or "none"),
        "Yields: " + (", ".join(subtask.output_resources) or "nothing"),
        f"Named by rule: {subtask.instruction_template.removeprefix(place_of(subtask))}",
        "Others: " + " | ".join(examples),
        "Resource types: " + ", ".join(types.names()),
    ]
    return "\n".join(lines)


def step_text(operation: Operation) -> str:
    """An operation as a model is told of it."""
    return " ".join(part for part in (operation.verb, operation.control, operation.text, operation.to) if part)
