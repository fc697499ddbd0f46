"""A main agent over all devices, one sub-agent per device, and `root`, which waits, answers and finishes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from omnipilot.agents.base import Choice, Situation
from omnipilot.agents.teams.team import WHOLE, Hire, Team, skip_feedback, skips, worker_brief, worker_decision
from omnipilot.envs.types import CONTROL_VERBS
from omnipilot.grounders import Grounder
from omnipilot.memory import Budget, Expectation, Memory, Move, Role
from omnipilot.planners import Brief, Decision, Feedback, Planner, Request, Thinker

ROOT = ""
"""Name of root, which has no environment."""
LOCAL = CONTROL_VERBS - WHOLE
ROOTS = WHOLE | {"noop"}


class ByEnvironmentAgent(Team):
    """Multi-agent by environment: a main agent instructs one sub-agent per device and `root`.

    Every sub-agent gets the main agent's words, sees only its own device and has only that device's verbs. Root sees
    nothing; only root can wait (in the whole world), answer, ask the user, and finish.

    Sub-agents are called in the order of the environments, root last, and do not know the task. One that has nothing to
    do skips, which counts as no step and no action (in CRAB's release every sub-agent had to act). Their moves are
    executed one after another; if one fails, the rest of the turn is skipped, as in every system.
    """

    head_prompt = "main_environment"
    jobs = (("device_agent", LOCAL), ("root_agent", ROOTS))

    def __init__(
        self,
        thinker: Thinker,
        hire: Hire,
        grounder: Grounder,
        memory: Memory,
        planner_role: Role,
        grounder_role: Role,
        budget: Budget | None = None,
    ) -> None:
        super().__init__(thinker, hire, grounder, memory, planner_role, grounder_role, budget)
        self._workers: dict[str, Planner] = {}
        self._briefs: dict[str, Brief] = {}
        self._whose: tuple[str, ...] = ()
        self._skipped: dict[str, tuple[Move, ...]] = {}

    def begin(self, brief: Brief) -> None:
        """Forget the last episode; sub-agents are created when their device first appears."""
        super().begin(brief)
        self._whose, self._skipped = (), {}
        for name in (*brief.envs, ROOT):
            if name not in self._workers:
                self._workers[name] = self._worker_for(*self.jobs[name == ROOT])
            worker, envs = self._workers[name], () if name == ROOT else (name,)
            self._briefs[name] = worker_brief(self._brief, worker, envs, self.jobs[name == ROOT][1])
            worker.begin(self._briefs[name])

    def _choose(self, situation: Situation) -> Choice:
        """Call the main agent, then each sub-agent; each move is grounded when the loop requests it."""
        thought = self._think(situation)
        spent = thought.usage
        moves: list[Move] = []
        notes: list[str] = []
        whose: list[str] = []
        expected: list[Expectation] = []
        feedback = {name: self._share(name, situation.feedback) for name in (*self._brief.envs, ROOT)}
        self._whose, self._skipped = (), {}
        for name in (*self._brief.envs, ROOT):
            request = self._sub_request(name, situation, thought.words, feedback[name])
            who = f"the agent of {name}" if name != ROOT else "the root agent"
            decision = worker_decision(self._workers[name], request, spent, who)
            spent += decision.usage
            notes += decision.notes
            expected += [replace(one, env=one.env or name) for one in decision.expectations]
            self._skipped[name] = tuple(filter(skips, decision.moves))
            for move in decision.moves:
                if not skips(move):
                    moves.append(_with_env(move, name))
                    whose.append(name)
        self._whose = tuple(whose)
        whole = Decision(tuple(moves), thought.words, tuple(notes), tuple(expected), spent)
        return Choice(whole, self._ground_all(moves, situation))

    def _sub_request(self, name: str, situation: Situation, words: str, feedback: Sequence[Feedback]) -> Request:
        """The request for a sub-agent: the message, its own screen and its own last moves; root has no screen."""
        seen = replace(self.planner_role, name="device agent", envs=frozenset({name} - {ROOT}))
        request = self._request(self._briefs[name], situation, seen, words)
        return replace(request, feedback=tuple(feedback), message=words)

    def _share(self, name: str, feedback: Sequence[Feedback]) -> tuple[Feedback, ...]:
        """Feedback on this sub-agent's last moves, which were executed in the order of decision."""
        told = [one for one in feedback if one.move is not None]
        own = tuple(one for one, whose in zip(told, self._whose, strict=False) if whose == name)
        return (*own, *skip_feedback(self._skipped.get(name, ())))

    def _why_barred(self, number: int, move: Move) -> str:
        name = self._whose[number]
        kind = move.intent.kind
        if name == ROOT:
            return (
                ""
                if kind in WHOLE
                else f"root operates no device and cannot {kind}; it waits, answers, finishes or skips"
            )
        if kind in WHOLE:
            return f"only root may {kind}; the agent of {name} operates {name}, or skips with noop"
        if kind not in CONTROL_VERBS and move.env != name:
            return f"the agent of {name} cannot operate {move.env}"
        return ""


def _with_env(move: Move, name: str) -> Move:
    """The move with its environment filled in: a sub-agent has one device and may leave it out."""
    return Move(name, move.intent) if not move.env and move.intent.kind not in CONTROL_VERBS else move
