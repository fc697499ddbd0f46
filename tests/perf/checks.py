"""How many planted slips `--checks notice` tells, and how many false alarms it gives, over the tasks of `duet`.

    python tests/perf/checks.py [--instances 1] [--tasks 120] [--repair]

The oracle plays each task, and checks are shown all that a planner can be granted. For each kind of slip, one action of
the episode to which it can happen is carried out wrongly. A slip after which every screen looks as after the right
action, also three moves later, made no difference; the notice rate is over the others. A slip is noticed if a violation
is told in one of the two turns after it shows. False alarms are violations told in episodes without a slip, as a share
of all checks that came to a finding.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "fixtures"))

from fixed_truth import FixedTruth
from slips import SLIPS, Cannot, Slip, SlippingWorld

from omnipilot.agents import AgentSpec, Limits, PartSpec, SingleAgent, build, episode
from omnipilot.agents.loop import Unrecorded
from omnipilot.agents.wrappers import Wrapper
from omnipilot.agents.wrappers.checks import CheckAgent, RepairAgent
from omnipilot.bench import Case, GraphEvaluator
from omnipilot.bench.stats.intervals import wilson
from omnipilot.bench.suites.duet.kit.play import ground_move, play, try_move
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.tasks.task import Task
from omnipilot.envs import Click, Custom, Image, Intent, LongPress, Modality, Observation, Press, Ref, TypeText
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.world import Snapshot
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.envs.types.actions import CONTROL_VERBS
from omnipilot.memory import Move, Role
from omnipilot.memory.episodic import TimelineEvent
from omnipilot.memory.episodic.details import CheckDetail
from omnipilot.planners import Brief, Verbs

LOOKS = frozenset({Modality.ELEMENTS, Modality.CONTEXT, Modality.SCREENSHOT})
"""By what two worlds are told apart."""
WITHIN = 2
"""Turns after a slip in which it has to be told."""
LATEST = 3
"""Moves within which a slip has to show."""
PASTED = "old clipboard"
OLD = "Do not forget the umbrella"
"""What the clipboards hold before an episode in which something is pasted."""


@dataclass
class Found:
    """Counts of one kind of slip.

    Attributes:
        delays: turns from each noticed slip to its notice: 1 is the next turn. wasted: moves made in between.
        made: the slips that made a difference: the task and the action.
    """

    planted: int = 0
    same: int = 0
    delays: list[int] = field(default_factory=list)
    wasted: list[int] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    made: list[tuple[Task, int]] = field(default_factory=list)


class Events(Unrecorded):
    """Keeps the findings."""

    def __init__(self) -> None:
        self.events: list[TimelineEvent] = []

    def remembered(self, turn: int, events: Sequence[TimelineEvent]) -> None:
        """Keep them."""
        self.events += [event for event in events if event.kind == "check"]


class Seeing(Wrapper):
    """An agent that is shown everything, like one whose model takes all modalities; the oracle looks at nothing."""

    @property
    def modalities(self) -> frozenset[Modality]:
        """All of them."""
        return ALL_MODALITIES


def prepared(task: Task, pastes: bool) -> tuple[SimWorld, str, list[Move]]:
    """A world, the instruction, and the demonstration; with `pastes`, one text of it is cut and pasted again."""
    world = SimWorld()
    instruction = task.setup(world)
    assert task.solution is not None
    moves = list(task.solution(world))
    if pastes:
        at = next((i for i, move in enumerate(moves) if pastable(move.intent)), None)
        if at is None:
            return world, instruction, []
        moves[at : at + 1] = pasted(moves[at])
        world.prepare(lambda state: state.on("phone", clipboard=OLD).on("desktop", clipboard=OLD))
    return world, instruction, moves


def pasted(move: Move) -> list[Move]:
    """Instead of typing a text: on the desktop typing it, cutting it and pasting it again, on the phone putting it on
    the clipboard and pasting it with the field's menu."""
    env, typing = move.env, move.intent
    assert isinstance(typing, TypeText) and isinstance(typing.at, Ref)
    if env == "desktop":
        return [move, *(Move(env, Press(("ctrl", key))) for key in "axv")]
    copied = Custom("set_clipboard", {"text": typing.text})
    return [Move(env, copied), Move(env, LongPress(typing.at)), Move(env, Click(Ref(f"{typing.at.id}/paste")))]


def pastable(intent: Intent) -> bool:
    """Whether a text is typed that can be cut and pasted again."""
    return (
        isinstance(intent, TypeText)
        and intent.at is not None
        and not intent.submit
        and not intent.clear
        and len(intent.text) > 2
    )


def played(
    task: Task, pastes: bool, slip: Slip | None = None, at: int = -1, seed: int = 0
) -> tuple[CheckAgent, list[TimelineEvent], int]:
    """An episode of the oracle: its agent, the findings, and the turn of the slip (-1 without one)."""
    world, instruction, moves = prepared(task, pastes)
    inside = world if slip is None else SlippingWorld(world, slip, at, seed)
    agent, recorder, slipped = checked(moves, CheckAgent), Events(), -1
    for step in episode(inside, agent, brief_of(world, instruction), Limits(300, 400), recorder=recorder):
        if isinstance(inside, SlippingWorld) and slipped < 0 and inside.acted > at:
            slipped = step.turn
        if 0 <= slipped <= step.turn - WITHIN - LATEST:
            break
    return agent, recorder.events, slipped


def solved(task: Task, kind: str, at: int, seed: int, how: type[CheckAgent]) -> bool:
    """Whether the oracle, which takes no notice of anything, solves a task after a slip."""
    world, instruction, moves = prepared(task, kind == PASTED)
    inside, agent = SlippingWorld(world, SLIPS[kind], at, seed), checked(moves, how)
    evaluator, start = GraphEvaluator(task.graph), world.state()
    for _ in episode(inside, agent, brief_of(world, instruction), Limits(300, 400)):
        evaluator.step(Case(world, start))
        if evaluator.success:
            return True
    evaluator.step(Case(world, start), ended=True)
    return evaluator.success


def checked(moves: Sequence[Move], how: type[CheckAgent]) -> CheckAgent:
    """An agent with checks that plays these moves."""
    truth = FixedTruth()
    truth.moves = moves
    inner = build(AgentSpec(planner=PartSpec("oracle")), truth)
    assert isinstance(inner, SingleAgent)
    return how(Seeing(inner), inner.memory, Role("checks"))


def brief_of(world: SimWorld, instruction: str) -> Brief:
    """The brief of an episode."""
    return Brief(instruction, {name: Verbs(env.platform, env.verbs, env.custom) for name, env in world.envs.items()}, 1)


def look(world: SimWorld) -> list[object]:
    """All that a role could tell two worlds apart by."""
    found: list[object] = []
    for env in world.envs.values():
        seen: Observation = env.observe(LOOKS, max(0.0, world.now - 2.0))
        found += [seen.elements, seen.context, seen.screenshot.digest if isinstance(seen.screenshot, Image) else None]
    return found


def places(task: Task, slip: Slip, pastes: bool, seed: int) -> list[int]:
    """The actions of the demonstration, counted from 0, to which a slip can happen."""
    world, _, moves = prepared(task, pastes)
    found, number = [], 0
    for move in moves:
        if move.intent.kind not in CONTROL_VERBS:
            with contextlib.suppress(Cannot):
                slip.spoil(world, move.env, ground_move(world, move), Random(f"{seed}/{number}"))
                found.append(number)
            number += 1
        play(world, move)
    return found


def shows(task: Task, slip: Slip, pastes: bool, at: int, seed: int) -> int | None:
    """After how many further moves a slip shows; None if it does not within `LATEST` moves."""
    world, _, moves = prepared(task, pastes)
    first = [i for i, move in enumerate(moves) if move.intent.kind not in CONTROL_VERBS][at]
    for move in moves[:first]:
        play(world, move)
    before, slipping = world.snapshot(), SlippingWorld(world, slip, at, seed)
    slipping.acted = at
    slipping.envs[moves[first].env].act(ground_move(world, moves[first]))
    return _shows(world, moves[first : first + LATEST], before)


def _shows(world: SimWorld, moves: Sequence[Move], before: Snapshot) -> int | None:
    """After how many moves a world, in which the first of some moves has been carried out wrongly, looks another than
    that in which it was not. The world is left anyhow."""
    wrong = world.snapshot()
    world.restore(before)
    for late, move in enumerate(moves):
        play(world, move)
        right = world.snapshot()
        looks = look(world)
        world.restore(wrong)
        if late and not try_move(world, move):
            return late
        if look(world) != looks:
            return late
        wrong = world.snapshot()
        world.restore(right)
    return None


def measure(tasks: Iterable[Task], kinds: Sequence[str], seed: int = 0) -> dict[str, Found]:
    """Plant slips of some kinds, one a task and kind, and count what is noticed."""
    table: dict[str, Found] = defaultdict(Found)
    for task in tasks:
        for kind in kinds:
            dice, pastes = Random(f"{seed}/{task.id}/{task.instance}/{kind}"), kind == PASTED
            possible = places(task, SLIPS[kind], pastes, seed)
            if not possible:
                continue
            at = dice.choice(possible)
            late = shows(task, SLIPS[kind], pastes, at, seed)
            row = table[kind]
            row.planted += 1
            if late is None:
                row.same += 1
                continue
            row.made.append((task, at))
            _, events, slipped = played(task, pastes, SLIPS[kind], at, seed)
            told = [
                event.turn
                for event in events
                if isinstance(event.detail, CheckDetail)
                and event.detail.status == "violated"
                and slipped < event.turn <= slipped + late + WITHIN
            ]
            if told:
                row.delays.append(told[0] - slipped - late)
                row.wasted.append(told[0] - slipped - late - 1)
            else:
                row.missed.append(f"{task.id}#{task.instance} action {at}")
    return table


def false_alarms(tasks: Iterable[Task], pastes: bool = False) -> tuple[int, int, int, list[str]]:
    """Violations told without a slip, checks with a finding, checks that could not be told, and which alarms."""
    alarms, told, untold = [], 0, 0
    for task in tasks:
        agent, _, _ = played(task, pastes)
        for case, finding in agent.found:
            told, untold = told + (finding.status != "untold"), untold + (finding.status == "untold")
            if finding.status == "violated":
                alarms.append(f"{task.id}#{task.instance} step {case.step}: {case.expectation}, but {finding.found}")
    return len(alarms), told, untold, alarms


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--instances", type=int, default=1)
    parser.add_argument("--tasks", type=int, default=120)
    parser.add_argument("--kinds", nargs="*", default=list(SLIPS))
    parser.add_argument("--repair", action="store_true", help="also count the tasks that are solved after a slip")
    options = parser.parse_args()
    suite, began = Duet(split="all"), time.perf_counter()
    names = [info.id for info in suite.every()][: options.tasks]
    tasks = [suite.instantiate(name, instance) for instance in range(options.instances) for name in names]
    print(f"{len(tasks)} episodes of the oracle over {len(names)} tasks")
    for pastes in (False, True):
        wrong, told, untold, which = false_alarms(tasks, pastes)
        how = "with a text cut and pasted" if pastes else "as demonstrated"
        low, high = wilson(wrong, told)
        print(
            f"false alarms, {how}: {wrong} of {told} checks ({100 * wrong / told:.2f} %, 95 % {100 * low:.2f} to "
            f"{100 * high:.2f}); {untold} could not be told"
        )
        for line in which:
            print(f"  {line}")
    for kind in options.kinds:
        row = measure(tasks, [kind])[kind]
        count, noticed = row.planted - row.same, len(row.delays)
        low, high = wilson(noticed, count) if count else (0.0, 1.0)
        mean = [sum(of) / len(of) if of else float("nan") for of in (row.delays, row.wasted)]
        print(
            f"{kind}: {noticed} of {count} noticed ({100 * noticed / max(1, count):.1f} %, 95 % {100 * low:.1f} to "
            f"{100 * high:.1f}), after {mean[0]:.2f} turns, {mean[1]:.2f} moves wasted; {row.same} of {row.planted} "
            "made no difference"
        )
        for line in row.missed[:5]:
            print(f"  not noticed: {line}")
        if options.repair:
            for wrapper, setting in ((CheckAgent, "notice"), (RepairAgent, "repair")):
                right = sum(solved(task, kind, at, 0, wrapper) for task, at in row.made)
                print(f"  solved by the oracle, which reads no notes, under {setting}: {right} of {count}")
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
