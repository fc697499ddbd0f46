"""Grounding one move: the grounder finds each described place on the observation that its role may see."""

from __future__ import annotations

from collections.abc import Callable

from omnipilot.agents.base import Proposal, Situation
from omnipilot.envs import Action, ActionRejected, NotFound, Observation, Point, resolve
from omnipilot.envs.types.actions import Described, described_places
from omnipilot.grounders import Abstention, Grounder
from omnipilot.memory import Move, Outcome, Pointed, Role, Usage
from omnipilot.memory.models.exchange import in_role, tell_unread


def ground(
    move: Move,
    situation: Situation,
    grounder: Grounder,
    role: Role,
    fresh: bool,
    anchor: Callable[[str], str] | None = None,
) -> Proposal:
    """Ground one move on the turn's observation of its environment, or on a fresh one.

    Args:
        role: role of the grounder, which limits what it is shown.
        fresh: observe again first, as for every move of a turn after the first.
        anchor: what stands for an anchor in what is typed, by its key and name; see `resolve`.
    """
    intent = move.intent
    if not described_places(intent):
        try:
            return Proposal(move, resolve(intent, _no_places, anchor))
        except NotFound as error:
            return Proposal(move, None, Outcome("rejected", str(error)))
        except ActionRejected as error:
            return Proposal(move, None, Outcome("rejected", str(error)))
    names = tuple(situation.observations)
    env = move.env or (names[0] if len(names) == 1 else "")
    if env not in names:
        unknown = Outcome("rejected", f"there is no environment {env!r}; there are {', '.join(names)}")
        return Proposal(move, None, unknown)
    observation = situation.look(env) if fresh else situation.observations[env]
    finder = _Finder(grounder, observation.only(role.modalities if role.sees(env) else ()))
    action: Action | None = None
    problem: Outcome | None = None
    try:
        action = resolve(intent, finder, anchor)
    except NotFound as error:
        problem = Outcome("not_found", str(error))
    except ActionRejected as error:
        problem = Outcome("rejected", str(error))
    marked, boxes = grounder.annotates, grounder.candidates(env)
    shown = None if boxes is None else tuple(boxes)
    return Proposal(move, action, problem, observation, fresh, tuple(finder.pointed), finder.usage, marked, shown)


def _no_places(target: Described) -> Point:
    raise AssertionError(f"the intent has no described place, but {target!r} was to be resolved")


class _Finder:
    """Asks the grounder for each place and collects its answers."""

    def __init__(self, grounder: Grounder, observation: Observation) -> None:
        self.grounder = grounder
        self.observation = observation
        self.pointed: list[Pointed] = []
        self.usage = Usage()

    def __call__(self, target: Described) -> Point:
        with in_role("grounder"):
            found = self.grounder.ground(self.observation, target)
        self.usage += found.usage
        label = target if isinstance(target, str) else f"#{target.id}"
        if isinstance(found, Abstention):
            if found.unread:
                tell_unread(found.detail)
            raise NotFound(f"{label!r} was not found on {self.observation.env} ({found.reason}): {found.detail}")
        self.pointed.append(Pointed(label, found.point, found.box, type(self.grounder).__name__))
        return found.point
