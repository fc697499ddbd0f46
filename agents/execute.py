"""Executing one move: in its environment or, for control verbs, here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from omnipilot.agents.base import Proposal
from omnipilot.agents.guard.guard import Guard, Ruling
from omnipilot.envs import Action, ActionRejected, Answer, AskUser, Done, Wait, World
from omnipilot.envs.logs import log_time, logger_of
from omnipilot.envs.types import CONTROL_VERBS
from omnipilot.grounders.sources import FoundElements
from omnipilot.memory import Origin, Outcome, Step

_LOG = logger_of("device")


@dataclass(frozen=True, slots=True)
class Guarding:
    """The guard of a move, and who is told of its ruling.

    Attributes:
        tell: given the ruling; by default nobody is told.
        perceived: elements that were read from the screens as they are now, by environment.
        origins: where each value that the agent knows came from; None where nobody keeps that.
    """

    guard: Guard
    tell: Callable[[Ruling], object] = lambda _: None
    perceived: Mapping[str, FoundElements] = field(default_factory=dict)
    origins: Callable[[], Iterable[Origin] | None] = lambda: None


def execute(
    world: World,
    proposal: Proposal,
    index: int,
    turn: int,
    ask: Callable[[str], str] | None,
    guarding: Guarding | None = None,
) -> Step:
    """Execute a proposal; the returned step says whether it was executed or rejected.

    This is the one place where a proposed move becomes an executed one, whatever the agent system and the world.

    Args:
        index: index of the step in the episode. turn: index of its turn.
        ask: answers questions to the user; None rejects them.
        guarding: rules on the move first; None to carry out all. A move that is refused is denied.

    Raises:
        EnvLost: the device is gone.
    """
    start = world.now
    action = proposal.action
    if action is None:
        outcome = proposal.problem or Outcome("rejected", "the move was not grounded")
    elif guarding is not None and (refusal := _refusal(world, proposal, guarding)) is not None:
        outcome = refusal
    elif action.kind in CONTROL_VERBS:
        outcome = _say(world, action, ask) if isinstance(action, Answer | AskUser | Done) else _control(world, action)
        if guarding is not None and isinstance(action, AskUser) and not outcome.refused:
            guarding.guard.hear_user(outcome.message)
    else:
        outcome = _act(world, proposal.move.env, action, None if guarding is None else guarding.guard)
    return Step(
        index,
        turn,
        proposal.move,
        None if outcome.refused else action,
        outcome,
        proposal.seen,
        proposal.fresh,
        proposal.pointed,
        start,
        world.now,
        proposal.usage,
    )


def _refusal(world: World, proposal: Proposal, guarding: Guarding) -> Outcome | None:
    ruling = guarding.guard.rule_on(world, proposal, guarding.perceived, guarding.origins)
    guarding.tell(ruling)
    return ruling.refusal


def _act(world: World, env: str, action: Action, guard: Guard | None) -> Outcome:
    if not env and len(world.envs) == 1:
        env = next(iter(world.envs))
    if env not in world.envs:
        return Outcome("rejected", f"there is no environment {env!r}; there are {', '.join(world.envs)}")
    try:
        with log_time(_LOG, "%s: %s", env, action):
            world.envs[env].act(action if guard is None else guard.secrets.fill(action))
    except ActionRejected as error:
        return Outcome("rejected", str(error) if guard is None else guard.secrets.hide(str(error)))
    if guard is not None:
        guard.carried_out(env, action)
    return Outcome("done")


def _control(world: World, action: Action) -> Outcome:
    if isinstance(action, Wait):
        world.wait(action.seconds)
    return Outcome("control")


def _say(world: World, said: Answer | AskUser | Done, ask: Callable[[str], str] | None) -> Outcome:
    if isinstance(said, AskUser) and ask is None:
        return Outcome("rejected", "there is no user to ask; decide with what you know")
    try:
        world.hear(said)
    except ActionRejected as error:
        return Outcome("rejected", str(error))
    if isinstance(said, AskUser):
        assert ask is not None
        return Outcome("control", ask(said.text))
    return Outcome("control", "the answer was recorded" if isinstance(said, Answer) else "")
