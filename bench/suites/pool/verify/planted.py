"""Planted faults: pairs that are known to be sound get one fault each, which mutual verification has to find (§5.4).

Sound is what the hand-written judges of a subtask agree with on every trajectory that there is: right and wrong ones.
Verification never sees these judges.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from omnipilot.bench.suites.pool.verify.differences import NoEvaluator, evaluator_of
from omnipilot.bench.suites.pool.verify.discrimination import draw_beside, graph_for, near_text
from omnipilot.bench.suites.pool.verify.instances import SubtaskInstance
from omnipilot.bench.suites.pool.verify.outcomes import items_of
from omnipilot.bench.suites.pool.verify.trials import WorldEdit, play_moves
from omnipilot.bench.suites.pool.verify.verification import (
    SAMPLES,
    SubtaskEvidence,
    gather_evidence,
    judge_pair,
    right_traces,
)
from omnipilot.bench.synthesis.template import Template
from omnipilot.envs import ActionRejected, Click, ConfigError, NotFound, TypeText
from omnipilot.memory import Move

Planted: TypeAlias = tuple[SubtaskEvidence, Sequence[Move], Mapping[str, Any]]
"""SubtaskEvidence, a trajectory and an evaluator, one of which has a fault."""


@dataclass(frozen=True, slots=True)
class SoundPair:
    """A pair on which the hand-written judges agree with the evaluator everywhere."""

    template: Template
    evidence: SubtaskEvidence
    evaluator: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PlantedCount:
    """What verification found of planted faults.

    Attributes:
        planted, detected, blamed: by kind of fault: how many there were, how many were found, and for how many the
            side with the fault was blamed. sound, rejected: sound pairs, and how many of them were rejected.
        missed: faults that were not found, as "kind: subtask".
    """

    planted: Mapping[str, int]
    detected: Mapping[str, int]
    blamed: Mapping[str, int]
    sound: int
    rejected: Sequence[str]
    missed: Sequence[str] = field(default_factory=tuple)

    @property
    def detection(self) -> float:
        """Share of the faults that were found."""
        return sum(self.detected.values()) / sum(self.planted.values())

    @property
    def rejection(self) -> float:
        """Share of the sound pairs that were rejected."""
        return len(self.rejected) / self.sound

    def table(self) -> str:
        """Markdown: a row for each kind of fault, and the sound pairs."""
        lines = ["| fault | planted | detected | right side blamed |", "|---|---|---|---|"]
        lines += [
            f"| {k} | {n} | {self.detected.get(k, 0)} | {self.blamed.get(k, 0)} |" for k, n in self.planted.items()
        ]
        total = sum(self.planted.values())
        found, blamed = sum(self.detected.values()), sum(self.blamed.values())
        lines.append(f"| all | {total} | {found} ({found / total:.1%}) | {blamed} ({blamed / total:.1%}) |")
        return "\n".join(
            [*lines, "", f"Sound pairs rejected: {len(self.rejected)} of {self.sound} ({self.rejection:.1%})."]
        )


def plant_faults(templates: Sequence[Template], most: int = 100, seed: int = 0) -> PlantedCount:
    """Plant one fault in each of up to `most` sound pairs, each kind equally often as far as it can be planted.

    Args:
        templates: with hand-written judges.
        seed: decides which subtasks are taken, and their content.
    """
    dice = random.Random(seed)
    planted: Counter[str] = Counter(dict.fromkeys(FAULTS, 0))
    detected: Counter[str] = Counter()
    blamed: Counter[str] = Counter()
    rejected: list[str] = []
    missed: list[str] = []
    sound = 0
    for template in dice.sample(list(templates), len(templates)):
        if sound == most:
            break
        pair = sound_pair(template, templates, seed)
        if pair is None:
            continue
        sound += 1
        if judge_pair(pair.evidence, pair.evidence.demonstration, pair.evaluator).blame:
            rejected.append(template.id)
        for name in sorted(FAULTS, key=lambda name: planted[name]):
            faulty = FAULTS[name](pair)
            if faulty is None or (SIDES[name] == "trajectory" and _passes_by_hand(*faulty)):
                continue
            planted[name] += 1
            finding = judge_pair(*faulty)
            detected[name] += bool(finding.blame)
            blamed[name] += finding.blame == SIDES[name]
            if not finding.blame:
                missed.append(f"{name}: {template.id}")
            break
    return PlantedCount(planted, detected, blamed, sound, tuple(rejected), tuple(missed))


def sound_pair(template: Template, others: Sequence[Template], seed: int) -> SoundPair | None:
    """The demonstration and the evaluator of a subtask, if its hand-written judges find no fault with them: both accept
    the right trajectories, and the evaluator accepts no other that the judges refuse; None otherwise.

    An evaluator may refuse what the judges let pass, if the world says that something else was done.
    """
    try:
        evidence = gather_evidence(template, others, seed)
        evaluator = evaluator_of(template.id, right_traces(template, SAMPLES, seed)).evaluator
    except (NoEvaluator, ConfigError, NotFound, ActionRejected):
        return None
    trials: list[tuple[SubtaskInstance, Sequence[Move], tuple[int, WorldEdit] | None]]
    trials = [(evidence.instance, evidence.demonstration, None)]
    trials += [(instance, moves, None) for _, instance, moves in evidence.right]
    trials += [(wrong.instance, wrong.moves, wrong.edit) for wrong in evidence.wrong]
    intended = evidence.intended.outcome
    for number, (instance, moves, edit) in enumerate(trials):
        by_hand = play_moves(instance, moves, instance.graph, edit=edit).accepted
        trace = play_moves(instance, moves, graph_for(evaluator, instance), edit=edit)
        is_right = number <= len(evidence.right)
        if (is_right and not (by_hand and trace.accepted)) or (trace.accepted and not by_hand):
            return None
        if not is_right and not trace.accepted and by_hand and trace.outcome.equals(intended):
            return None
    return SoundPair(template, evidence, evaluator)


def _passes_by_hand(evidence: SubtaskEvidence, moves: Sequence[Move], _: Mapping[str, Any]) -> bool:
    """Whether the hand-written judges accept a trajectory, so that what was done to it is no fault."""
    return play_moves(evidence.instance, moves, evidence.instance.graph).accepted


def _misses_the_save(pair: SoundPair) -> Planted | None:
    return pair.evidence, pair.evidence.demonstration[:-1], pair.evaluator


def _stops_early(pair: SoundPair) -> Planted | None:
    moves = pair.evidence.demonstration
    return (pair.evidence, moves[: len(moves) // 2], pair.evaluator) if len(moves) > 2 else None


def _types_another_value(pair: SoundPair) -> Planted | None:
    moves = list(pair.evidence.demonstration)
    typed = [number for number, move in enumerate(moves) if isinstance(move.intent, TypeText) and move.intent.text]
    if not typed:
        return None
    move = moves[typed[-1]]
    assert isinstance(move.intent, TypeText)
    moves[typed[-1]] = Move(move.env, replace(move.intent, text=near_text(move.intent.text)))
    return pair.evidence, moves, pair.evaluator


def _acts_on_the_near_item(pair: SoundPair) -> Planted | None:
    beside = draw_beside(pair.evidence.instance, pair.template, 0)
    if beside is None:
        return None
    instance, moves = beside
    return replace(pair.evidence, instance=instance), moves, pair.evaluator


def _checks_a_wrong_control(pair: SoundPair) -> Planted | None:
    trace = play_moves(pair.evidence.instance, pair.evidence.demonstration, _click_judges(pair))
    names = [action.control for action in trace.actions if isinstance(action.action, Click) and action.control]
    return _with_goal(pair, [{"check": "check_mouse_clicks", "args": {"text": f"{names[-1]} all"}}]) if names else None


def _checks_too_little(pair: SoundPair) -> Planted | None:
    kept = [check for check in _goal(pair.evaluator)["all"] if check.get("check") == "check_untouched"]
    always = [{"check": "check_state", "args": {"path": "time", "op": ">=", "value": 0}}]
    changed = {**pair.evaluator, "checks": [{**_goal(pair.evaluator), "all": kept or always}]}
    return pair.evidence, pair.evidence.demonstration, changed


def _checks_too_much(pair: SoundPair) -> Planted | None:
    """Asks for a control that only the demonstration clicks, not the other way; or, if there is none, for a text that
    only this instance has."""
    other = pair.evidence.instance.other_way()
    judges = _click_judges(pair)
    if other:
        both = [
            [action.control for action in play_moves(pair.evidence.instance, moves, judges).actions]
            for moves in (pair.evidence.demonstration, other)
        ]
        only = [name for name in both[0] if name and not any(name.casefold() in one.casefold() for one in both[1])]
        if only:
            return _with_goal(pair, [{"check": "check_mouse_clicks", "args": {"text": _literal(only[-1])}}])
    texts = [move.intent.text for move in pair.evidence.demonstration if isinstance(move.intent, TypeText)]
    values = {str(value) for value in pair.evidence.instance.values.values()}
    own = [text for text in texts if text in values]
    return _with_goal(pair, [{"check": "check_keyboard_types", "args": {"text": _literal(own[-1])}}]) if own else None


def _checks_another_item(pair: SoundPair) -> Planted | None:
    """The item that is found by what an instance holds becomes another one of the same collection."""
    holes = pair.evidence.instance.holes()
    text = json.dumps(_goal(pair.evaluator), ensure_ascii=False)
    for name, value in holes.items():
        if not isinstance(value, str) or f"{{{name}}}" not in text:
            continue
        near = _near_value(pair, value)
        changed = json.loads(text.replace(f"{{{name}}}", json.dumps(_literal(near), ensure_ascii=False)[1:-1]))
        own = list(pair.evaluator["checks"][:-1])
        return pair.evidence, pair.evidence.demonstration, {**pair.evaluator, "checks": [*own, changed]}
    return None


def _near_value(pair: SoundPair, value: str) -> str:
    state = pair.evidence.instance.state
    for kind in pair.evidence.instance.items:
        items = items_of(state, kind) if hasattr(state.account, kind) else {}
        for item in items.values():
            for name in getattr(item, "__dataclass_fields__", ()):
                if getattr(item, name) == value:
                    others = [getattr(other, name) for other in items.values() if getattr(other, name) != value]
                    if others and others[0]:
                        return str(others[0])
    return near_text(value)


def _click_judges(pair: SoundPair) -> Any:
    """Judges that look at each click, so that the trace has the names of controls."""
    looks = {"checks": [{"check": "check_mouse_clicks", "args": {"text": "no control is called so"}}]}
    return graph_for(looks, pair.evidence.instance)


def _with_goal(pair: SoundPair, more: Sequence[Mapping[str, Any]]) -> Planted:
    goal = _goal(pair.evaluator)
    changed = {**goal, "all": [*goal["all"], *more]}
    return (
        pair.evidence,
        pair.evidence.demonstration,
        {**pair.evaluator, "checks": [*pair.evaluator["checks"][:-1], changed]},
    )


def _goal(evaluator: Mapping[str, Any]) -> Mapping[str, Any]:
    goal: Mapping[str, Any] = evaluator["checks"][-1]
    return goal


def _literal(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


FAULTS: Mapping[str, Callable[[SoundPair], Planted | None]] = {
    "trajectory misses the save": _misses_the_save,
    "trajectory types another value": _types_another_value,
    "trajectory acts on the near-alike item": _acts_on_the_near_item,
    "trajectory stops early": _stops_early,
    "evaluator checks a wrong control name": _checks_a_wrong_control,
    "evaluator checks too little": _checks_too_little,
    "evaluator checks too much": _checks_too_much,
    "evaluator checks another item": _checks_another_item,
}
"""Each plants its fault in a sound pair, or returns None where that cannot be done."""
SIDES: Mapping[str, str] = {name: name.partition(" ")[0] for name in FAULTS}
