"""What the planner `rules` owes to sound and video: with them it solves tasks that hang on them, without them none."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from omnipilot.agents import AgentSpec, Limits, PartSpec, SingleAgent, build, episode
from omnipilot.bench import Case, GraphEvaluator
from omnipilot.bench.registry import load_suite
from omnipilot.bench.spec import Thinking
from omnipilot.envs import Done, Modality, Observation, Ref, TypeText, World
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.envs.types.actions import Described
from omnipilot.grounders import Abstention, ElementsGrounder, Grounder, Grounding
from omnipilot.memory import Role, WindowMemory
from omnipilot.planners import Brief, Verbs
from omnipilot.planners.rules import RulesPlanner

MUTE_AND_STILL = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS, Modality.CONTEXT})
HANGING_ON_SOUND = ("tones-to-message", "stop-message-at-beep", "beeps-to-table")
HANGING_ON_MOTION = ("blinks-to-log",)
TASKS = HANGING_ON_SOUND + HANGING_ON_MOTION
SUITE = load_suite(PartSpec("duet", {"split": "dev"}))


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    made = SUITE.world(Thinking())
    yield made
    made.close()


def solved(world: World, name: str, modalities: frozenset[Modality], turns: int = 50) -> tuple[bool, str]:
    """Whether all sub-goals were reached, and as what the planner ended it ("" where the task ended by success)."""
    task = SUITE.instantiate(name, 0)
    instruction = task.setup(world)
    start, evaluator = world.state(), GraphEvaluator(task.graph)
    verbs = {env: Verbs(one.platform, one.verbs, one.custom) for env, one in world.envs.items()}
    agent = build(AgentSpec(modalities=modalities))
    status = ""
    for step in episode(world, agent, Brief(instruction, verbs), Limits(turns=turns, actions=2 * turns)):
        if isinstance(step.executed, Done):
            status = step.executed.status
        evaluator.step(Case(world, start, ()))
        if evaluator.success:
            break
    return evaluator.success, status


def choices(world: World, name: str, instances: int = 8) -> int:
    """How many texts are right in one instance of a task or another, at least: what a guess has to choose from."""
    typed = set()
    for instance in range(instances):
        task = SUITE.instantiate(name, instance)
        task.setup(world)
        moves = task.solution(world)
        typed.add(tuple(move.intent.text for move in moves if isinstance(move.intent, TypeText)))
    return len(typed)


def test_the_sample_is_av_critical():
    for name in TASKS:
        assert SUITE.instantiate(name, 0).tags["level"] == "AV-critical"


@pytest.mark.parametrize("name", TASKS)
def test_with_sound_and_video_it_is_solved(world, name):
    assert solved(world, name, ALL_MODALITIES) == (True, "")


def test_without_them_success_falls_to_chance(world):
    outcomes = [solved(world, name, MUTE_AND_STILL) for name in TASKS]
    # A beep after which one must press within seconds leaves nothing to guess; a text is guessed among those possible.
    chance = sum(1 / choices(world, name) for name in TASKS if name != "stop-message-at-beep")
    assert chance < len(TASKS) / 2, "a guess would do as well as the senses, so that the sample proves nothing"
    assert sum(success for success, _ in outcomes) <= chance
    # It does not guess: it says that it cannot.
    assert {status for _, status in outcomes} == {"infeasible"}


class Unsure(Grounder):
    """Finds no key of a keypad, and everything else."""

    needs: frozenset[Modality] = frozenset()

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        if re.search(r"call/\d$|\"\d\" button$", target.id if isinstance(target, Ref) else target):
            return Abstention("not_found", "which digit?")
        return ElementsGrounder().ground(observation, target)


def test_a_last_key_that_is_not_found_is_pressed_again(world: World) -> None:
    task = SUITE.instantiate("tones-to-caller", 0)
    brief = Brief(task.setup(world), {env: Verbs(e.platform, e.verbs, e.custom) for env, e in world.envs.items()})
    agent = SingleAgent(RulesPlanner(), Unsure(), WindowMemory(), Role("planner"), Role("grounder"))
    steps = list(episode(world, agent, brief, Limits(turns=60, actions=100), retries=9))
    missed = [step.index for step in steps if step.outcome.result == "not_found"]
    assert len(missed) >= 4 and steps[missed[3]].proposed.intent.at == 'the "0" button'
    assert len(steps) > missed[3] + 1


def test_what_was_chosen_stays_chosen_while_it_looks_for_something_else(world: World) -> None:
    """It looks for the networks behind the ringtone and the sound of alarms, and both are right by then."""
    assert solved(world, "sounds-and-network", ALL_MODALITIES, 120)[0]
