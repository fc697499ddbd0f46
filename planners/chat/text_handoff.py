"""A team without a model: a head that writes its decisions as text, and a worker that parses them into moves."""

from __future__ import annotations

import json
from collections.abc import Iterator

from omnipilot.envs import Modality
from omnipilot.envs.schema import from_json, parse_json, to_json
from omnipilot.envs.types import CONTROL_VERBS, MalformedAction
from omnipilot.memory import MalformedReply, Move
from omnipilot.memory.warm_up import warm_up
from omnipilot.planners.base import Brief, Decision, Planner, Request, Thinker, Thought, plan_with


class RelayThinker(Thinker):
    """Writes a planner's decision as text: its thought, then one line of JSON per move.

    Args:
        planner: decides.
    """

    def __init__(self, planner: Planner) -> None:
        self.planner = planner

    def warm_up(self) -> None:
        """Warm up the planner."""
        warm_up(self.planner)

    def begin(self, brief: Brief) -> None:
        """Start an episode of the planner."""
        self.planner.begin(brief)

    def think(self, request: Request) -> Thought:
        """The planner's thought and moves, as text."""
        decision = plan_with(self.planner, request)
        lines = [json.dumps({"env": move.env, "do": to_json(move.intent)}) for move in decision.moves]
        return Thought("\n".join([" ".join(decision.thought.split()), *lines]), decision.usage)


class RelayPlanner(Planner):
    """Parses the message's lines that start with a brace into moves for its environments and control verbs.

    It uses no observations and has no memory.
    """

    reads: frozenset[Modality] = frozenset()

    def begin(self, brief: Brief) -> None:
        """Do nothing: there is no state."""

    def plan(self, request: Request) -> Decision:
        """The moves in the message that this planner may make.

        Raises:
            MalformedReply: a line is not a valid move.
        """
        return Decision(tuple(self._moves(request)))

    def _moves(self, request: Request) -> Iterator[Move]:
        brief = request.brief
        for line in request.message.splitlines():
            if not line.startswith("{"):
                continue
            try:
                said = parse_json(line)
                env = str(said["env"])
                custom = brief.envs[env].custom if env in brief.envs else {}
                control = said["do"]["kind"] in CONTROL_VERBS
                if said["do"]["kind"] not in brief.control if control else env not in brief.envs:
                    continue
                yield Move("" if control else env, from_json(said["do"], custom))
            except (ValueError, KeyError, TypeError, AttributeError, MalformedAction) as error:
                raise MalformedReply(f"{line[:200]!r} is not a valid move: {error}") from None
