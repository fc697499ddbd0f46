"""The teacher-forced loop: the agent predicts the action at each moment of a recording, which goes on as recorded.

A proposal of the agent is its prediction for that moment; its feedback and memory contain the recorded actions.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from itertools import islice

from omnipilot.agents.base import Agent, Proposal, Situation
from omnipilot.agents.limits import Ending, Limits, Meter
from omnipilot.agents.loop import Recorder, Unrecorded, decide, learn, look_at, looker
from omnipilot.envs import Capability, World
from omnipilot.envs.base import Passage
from omnipilot.memory import Move, Outcome, Step, Turn
from omnipilot.memory.trajectory import places_around
from omnipilot.memory.window import verb_text
from omnipilot.planners import Brief, Feedback

NOTHING = Outcome("skipped", "nothing was proposed")


def teacher_forced_episode(
    world: World, agent: Agent, brief: Brief, limits: Limits | None = None, recorder: Recorder | None = None
) -> Generator[Step, None, Ending]:
    """Run one recorded episode to its end; the counterpart of `omnipilot.agents.loop.episode`.

    `Done`, `Answer` and `Wait` are predictions like any other, and no invalid move ends the episode.

    Args:
        world: has the capability `RECORDED`.
        limits: those on turns and actions are ignored, because the recording determines both.

    Yields:
        One step per moment, or one per move of a script; judges should run on each.

    Raises:
        EnvLost, ModelUnavailable: the episode is void.
    """
    if Capability.RECORDED not in world.capabilities:
        raise TypeError(f"{type(world).__name__} is no recorded world")
    recorder = recorder or Unrecorded()
    count = Meter(replace(limits or Limits(), turns=None, actions=None))
    feedback: tuple[Feedback, ...] = ()
    since = dict.fromkeys(world.envs, 0.0)
    agent.begin(brief)
    while not (over := world.ended()):
        if stop := count.exhausted(new_turn=True):
            return stop
        turn = count.turns
        seen = {name: look_at(world, name, agent, recorder, count, since[name], False) for name in world.envs}
        since = {name: observation.time for name, observation in seen.items()}
        look = looker(world, agent, recorder, count, since)
        choice, problem, elapsed = decide(agent, Situation(turn, seen, look, feedback, count.left()), recorder)
        decision, proposals = choice.decision, choice.proposals
        recorder.decided(turn, choice, elapsed)
        count.spend(decision.usage)
        start = world.now
        taken = list(islice(proposals, world.most))
        found = tuple(one.action for one in taken if one.action is not None)
        trouble = problem or next((one.problem or NOTHING for one in taken if one.action is None), None)
        passage = world.take(found, trouble.message if trouble else "" if taken else NOTHING.message)
        steps = list(_steps(taken, problem, passage, count.steps, turn, (start, world.now)))
        for step in steps:
            # Any number of invalid moves in a row is fine here: a recording goes on.
            count.step(step, retries=count.steps + 1)
        learn(agent, Turn(turn, seen, decision.thought, decision.notes, tuple(steps), decision.usage), recorder)
        count.turns += 1
        feedback = tuple(_feedback(steps, passage))
        yield from steps
    return Ending("world", detail=over)


def _steps(
    taken: list[Proposal],
    problem: Outcome | None,
    passage: Passage,
    first: int,
    turn: int,
    times: tuple[float, float],
) -> Iterator[Step]:
    """Steps that pair each proposed move with what the recording did; at least one."""
    done = dict(enumerate(passage.actions))
    if not taken:
        yield Step(first, turn, None, done.get(0), problem or NOTHING, start=times[0], end=times[1])
    for number, proposal in enumerate(taken):
        outcome = proposal.problem or (
            NOTHING if proposal.action is None else Outcome("forced", done_in_words(passage, number))
        )
        yield Step(
            first + number,
            turn,
            proposal.move,
            done.get(number),
            outcome,
            proposal.seen,
            proposal.fresh,
            proposal.pointed,
            *times,
            proposal.usage,
            proposal.action,
        )


def _feedback(steps: list[Step], passage: Passage) -> Iterator[Feedback]:
    """Problems with the moves, if any, and what the recording did instead."""
    for step in steps:
        if step.outcome.result != "forced":
            yield Feedback(step.proposed, step.outcome)
    for number, action in enumerate(passage.actions):
        proposed = steps[number].proposed if number < len(steps) and steps[number].predicted is not None else None
        outcome = Outcome("forced", done_in_words(passage, number))
        yield Feedback(proposed or Move(passage.env, action), outcome, places_around(action))


def done_in_words(passage: Passage, number: int) -> str:
    """The recorded action in words, the recording's own or ours; for a script, its move number `number`."""
    if passage.words and len(passage.actions) == 1:
        return passage.words
    return verb_text(passage.actions[number]) if number < len(passage.actions) else "nothing more"
