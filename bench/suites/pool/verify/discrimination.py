"""Wrong trajectories, from plainly wrong to nearly right, which an evaluator has to refuse (§5.3).

What is wrong is decided by the world: a trajectory that did the same as the demonstration is right, whatever it was
meant to be, and is no evidence against an evaluator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from omnipilot.bench.judges import read_evaluator
from omnipilot.bench.suites.duet.kit.play import pieces
from omnipilot.bench.suites.pool.verify.instances import SubtaskInstance, draw_instance
from omnipilot.bench.suites.pool.verify.outcomes import StateOutcome, collections_of, items_of
from omnipilot.bench.suites.pool.verify.trials import Trace, WorldEdit, play_moves
from omnipilot.bench.synthesis.template import Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.envs import ActionRejected, ConfigError, NotFound, TypeText, Wait
from omnipilot.memory import Move

IDLE_SECONDS, IDLE_STEP = 600, 20
MOST_OTHERS = 3
"""Trajectories of other subtasks (OmniBench B.2)."""
_DIGIT = re.compile(r"\d(?=\D*$)")


@dataclass(frozen=True, slots=True)
class WrongTrajectory:
    """Moves that do not do what a subtask asks.

    Attributes:
        name: what is wrong, in words. required: whether an evaluator has to refuse it to be accepted; refusing the
            others makes it strict.
        instance: with the content that the moves need. edit: see `play_moves`.
    """

    name: str
    required: bool
    instance: SubtaskInstance
    moves: Sequence[Move]
    edit: tuple[int, WorldEdit] | None = None

    def play(self, evaluator: Mapping[str, Any]) -> Trace:
        """Play it before an evaluator."""
        return play_moves(self.instance, self.moves, graph_for(evaluator, self.instance), edit=self.edit)


def graph_for(evaluator: Mapping[str, Any], instance: SubtaskInstance) -> JudgeGraph:
    """An evaluator's judges for an instance.

    Raises:
        ConfigError: it is none, or has holes for which the instance has no values.
    """
    env = instance.template.env
    return read_evaluator(evaluator, instance.holes(), "" if "+" in env else env)


def wrongly_accepted(
    evaluator: Mapping[str, Any], wrongs: Sequence[WrongTrajectory], intended: StateOutcome
) -> list[WrongTrajectory]:
    """Those that the evaluator takes for right although they did something else."""
    found = []
    for wrong in wrongs:
        trace = wrong.play(evaluator)
        if trace.accepted and not trace.outcome.equals(intended):
            found.append(wrong)
    return found


def wrong_trajectories(
    instance: SubtaskInstance, moves: Sequence[Move], others: Sequence[Template], seed: int = 0
) -> list[WrongTrajectory]:
    """All of §5.3 for a demonstration.

    Args:
        moves: the demonstration. others: the pool's templates, of which the hardest are chosen.
    """
    return [
        *_of_other_subtasks(instance, others, seed),
        WrongTrajectory(
            "doing nothing", True, instance, [Move("", Wait(IDLE_STEP)) for _ in range(IDLE_SECONDS // IDLE_STEP)]
        ),
        WrongTrajectory("without its last move", True, instance, moves[:-1]),
        *(
            WrongTrajectory(f"without move {number + 1}", False, instance, [*moves[:number], *moves[number + 1 :]])
            for number in range(len(moves) - 1)
        ),
        *_with_other_texts(instance, moves),
        *_with_unwanted_effect(instance, moves),
    ]


def _of_other_subtasks(instance: SubtaskInstance, others: Sequence[Template], seed: int) -> Iterator[WrongTrajectory]:
    """The same verb on another item, other verbs in the same application, then any."""
    count = 0
    for other in hardest_first(instance.template, others):
        beside = draw_beside(instance, other, seed)
        if beside is None:
            continue
        name = "the same with another item" if other.id == instance.template.id else f"that of {other.id}"
        yield WrongTrajectory(name, True, *beside)
        count += 1
        if count == MOST_OTHERS:
            return


def hardest_first(template: Template, others: Sequence[Template]) -> list[Template]:
    """The subtask itself with other content, then those of its application, those that take the same first, then one
    that is as far away as the order of the pool allows."""
    near = [other for other in others if other.app == template.app and other.id != template.id]
    near.sort(key=lambda other: -len(set(other.inputs.values()) & set(template.inputs.values())))
    far = [other for other in others if other.app != template.app]
    start = sum(map(ord, template.id)) % len(far) if far else 0
    return [template, *near[: MOST_OTHERS - 2], *far[start:], *far[:start], *near[MOST_OTHERS - 2 :]]


def draw_beside(instance: SubtaskInstance, other: Template, seed: int) -> tuple[SubtaskInstance, Sequence[Move]] | None:
    """The instance in a world that has another subtask's content as well, and that one's demonstration there; None
    where the two do not fit into one world."""
    try:
        own = draw_instance(instance.template, instance.number, seed, beside=other)
        assert own.other_solution is not None
        return own, pieces(own.world(), [own.other_solution])[0]
    except (ConfigError, NotFound, ActionRejected):
        return None


def _with_other_texts(instance: SubtaskInstance, moves: Sequence[Move]) -> Iterator[WrongTrajectory]:
    for number, move in enumerate(moves):
        if isinstance(move.intent, TypeText) and move.intent.text:
            typed = replace(move.intent, text=near_text(move.intent.text))
            changed = [*moves[:number], Move(move.env, typed), *moves[number + 1 :]]
            yield WrongTrajectory(f"another text in move {number + 1}", False, instance, changed)


def near_text(text: str) -> str:
    """Another text that is easily taken for this one: another last digit, or without its last letter."""
    if _DIGIT.search(text):
        return _DIGIT.sub(lambda found: str((int(found[0]) + 1) % 10), text)
    return text[:-1] if len(text) > 1 else text + "x"


def _with_unwanted_effect(instance: SubtaskInstance, moves: Sequence[Move]) -> Iterator[WrongTrajectory]:
    """Another item of a collection that the subtask speaks of is deleted, before what is asked for is done; sub-goals
    that were reached stay reached, so that nobody looks for what comes later."""
    for kind in collections_of(instance.state):
        items = items_of(instance.state, kind)
        spoken_of = instance.holes()[f"claimed.{kind}"]
        free = [id for id in items if id not in spoken_of]
        if free and set(instance.items.get(kind, ())) & set(items):
            yield WrongTrajectory(
                f"another one of {kind} deleted", False, instance, moves, (0, WorldEdit(kind, free[-1]))
            )
