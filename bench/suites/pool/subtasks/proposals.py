"""A model as the one who proposes subtasks. Each proposal is carried out, and kept if it changes or tells something."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, cast, get_args

from omnipilot.bench import StageModel
from omnipilot.bench.suites.pool.explore.differences import changes
from omnipilot.bench.suites.pool.records import Operation, SituationRecord, SubtaskRecord, Verb
from omnipilot.bench.suites.pool.subtasks.analysis import Tried, content, hole_spec, try_candidate
from omnipilot.bench.suites.pool.subtasks.candidates import SubtaskCandidate
from omnipilot.bench.suites.pool.subtasks.documentation import Documentation
from omnipilot.bench.suites.pool.subtasks.items import items_of_kind
from omnipilot.bench.suites.pool.subtasks.model_names import PACKAGE, checked_clause, place_of, screen_text
from omnipilot.bench.suites.pool.subtasks.reading_subtasks import readings_of
from omnipilot.bench.suites.pool.subtasks.replay import HOLE, PathRehearsal, PathStuck, app_title
from omnipilot.bench.suites.pool.subtasks.resource_types import ResourceTypes
from omnipilot.envs.sim.inventory import item_id

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "subtasks": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "instruction_template": {"type": "string"},
                    "steps": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "verb": {"type": "string"},
                                "control": {"type": "string"},
                                "text": {"type": "string"},
                            },
                            "required": ["verb", "control", "text"],
                            "additionalProperties": False,
                        },
                    },
                    "why": {"type": "string"},
                },
                "required": ["instruction_template", "steps", "why"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["subtasks"],
    "additionalProperties": False,
}
VERBS = tuple(verb for verb in get_args(Verb) if verb not in ("open_app", "drag", "scroll"))
MOST_PAGES = 12
MOST_STEPS = 14
KNOWN = "is known already"


@dataclass
class Proposed:
    """What became of a model's proposals for one application.

    Attributes:
        subtasks: new ones. both: how many the search had found, too. refused: (instruction, why) of the others.
    """

    subtasks: list[SubtaskRecord] = field(default_factory=list)
    both: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)


def propose_subtasks(
    model: StageModel,
    app: str,
    situations: Sequence[SituationRecord],
    known: Mapping[str, SubtaskRecord],
    types: ResourceTypes,
    docs: Documentation,
    count: int,
    bookkeeping: Sequence[str] = (),
    seed: int = 0,
) -> Proposed:
    """Ask a model what can be done in an application, and try each proposal.

    Args:
        app: as "device/app". situations: its screens. known: subtasks that the search found, by id.
        count: how many are asked for. bookkeeping: changes that count as no effect.

    Raises:
        MalformedReply: its answers cannot be read. BudgetSpent: the money is spent.
        ModelUnavailable: it does not answer.
    """
    question = _question(app, situations, known, types, docs, count)
    answers = model.ask("propose", question, SCHEMA, _listed, package=PACKAGE)
    found = Proposed()
    have = dict(known)
    for number, answer in enumerate(answers):
        instruction = str(answer.get("instruction_template", ""))
        try:
            candidate = _carried_out(answer, app, types, bookkeeping, seed, number)
            outcome = _tried(candidate, types, seed, have)
        except (ValueError, PathStuck) as error:
            found.refused.append((instruction, str(error)))
            continue
        if outcome.reason == KNOWN:
            found.both += 1
        elif outcome.reason:
            found.refused.append((instruction, outcome.reason))
        for subtask in outcome.subtasks:
            kept = _named(replace(subtask, made_by=f"model {model.name}"), instruction)
            if kept.id not in have:
                have[kept.id] = kept
                found.subtasks.append(kept)
    return found


def _listed(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    proposals = answer["subtasks"]
    if not isinstance(proposals, list) or not all(isinstance(one, dict) for one in proposals):
        raise ValueError("subtasks is no list of objects")
    return proposals


def _carried_out(
    proposal: Mapping[str, Any], app: str, types: ResourceTypes, bookkeeping: Sequence[str], seed: int, number: int
) -> SubtaskCandidate:
    """A proposal after it was played once, as a candidate with what it changed.

    Raises:
        ValueError: it is no list of steps. PathStuck: a step cannot be carried out.
    """
    env, _, name = app.partition("/")
    path = (Operation("open_app", env, app_title(name)), *_operations(proposal.get("steps"), env))
    state = content(seed)
    dice = Random(f"{app} {number}")
    rehearsal = PathRehearsal.begin(state)

    def choose(hole: str, offers: Sequence[str]) -> str | None:
        what, _, kind = hole_spec(hole, state).partition(" ")
        if what == "text":
            return types.draw_value("text", dice)
        if what == "item":
            there = {item_id(item) for item in items_of_kind(rehearsal.world.state().account, kind)}
            offers = [offer for offer in offers if offer in there]
        return dice.choice(list(offers)) if offers else None

    rehearsal.play(path, choose)
    changed = {change.signature for change in changes(state, rehearsal.world.state())}
    effect = tuple(sorted(changed - set(bookkeeping)))
    noise = tuple(sorted(changed & set(bookkeeping)))
    evidence = (f"proposal {number + 1} for {app}",)
    return SubtaskCandidate(app, path, dict(rehearsal.bindings), effect, noise, seed, evidence, "", 1, effect)


def _operations(steps: object, env: str) -> list[Operation]:
    if not isinstance(steps, list) or not 1 <= len(steps) <= MOST_STEPS:
        raise ValueError(f"a proposal has 1 to {MOST_STEPS} steps")
    found = []
    for step in steps:
        verb, control, text = (
            (step.get(key, "") for key in ("verb", "control", "text")) if isinstance(step, dict) else ("", "", "")
        )
        if verb not in VERBS:
            raise ValueError(f"there is no step {verb!r}; there are {', '.join(VERBS)}")
        if not isinstance(control, str) or not isinstance(text, str):
            raise ValueError("a step's control and text are strings")
        holed = re.sub(r"<(\w+)>", r"{\1}", control)
        if verb == "type":
            hole = HOLE.fullmatch(text)
            name = hole[1] if hole else "text"
            text = f"{{{name if name.endswith('_text') else f'{name}_text'}}}"
        found.append(Operation(cast(Verb, verb), env, holed, text, seconds=5.0 if verb == "wait" else 0.0))
    return found


def _tried(candidate: SubtaskCandidate, types: ResourceTypes, seed: int, known: Mapping[str, SubtaskRecord]) -> Tried:
    if candidate.effect:
        return try_candidate(candidate, types, seed, known)
    readings = list(readings_of(candidate, types, Counter(), seed))
    subtasks = tuple(subtask for one in readings for subtask in one.subtasks)
    if not subtasks:
        return Tried(reason="changes nothing, and tells nothing")
    new = tuple(one for one in subtasks if one.id not in known)
    return Tried(new, "" if new else KNOWN)


def _named(subtask: SubtaskRecord, instruction: str) -> SubtaskRecord:
    """With the model's words if they hold, otherwise by rule."""
    try:
        clause = checked_clause(instruction, HOLE.findall(subtask.instruction_template), subtask)
    except ValueError:
        return subtask
    return subtask if subtask.reveals else replace(subtask, instruction_template=place_of(subtask) + clause)


def _question(
    app: str,
    situations: Sequence[SituationRecord],
    known: Mapping[str, SubtaskRecord],
    types: ResourceTypes,
    docs: Documentation,
    count: int,
) -> str:
    env, _, name = app.partition("/")
    title = app_title(name)
    pages = {one.page: one for one in reversed(situations) if one.app == name}
    examples = [*docs.examples(), *(one.instruction_template for one in known.values() if one.application != title)]
    help_text = docs.of(name, title)
    return "\n".join(
        [
            f"Application: {title} on the {env}",
            *([f"Help: {help_text}"] if help_text else []),
            f"Wanted: {count} different things",
            "Pages:",
            *(f"- {screen_text(one)}" for one in list(pages.values())[:MOST_PAGES]),
            "Examples: " + " | ".join(examples[:3]),
            "Resource types: " + ", ".join(types.names()),
        ]
    )
