"""The guard: asked by the loop before a move is carried out; what it does not let pass is not done."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from omnipilot.agents.base import Proposal
from omnipilot.agents.guard.approvers import ApprovalRequest, Approver, ask_approver
from omnipilot.agents.guard.facts import HandState, facts_of
from omnipilot.agents.guard.origin_patterns import without_moment
from omnipilot.agents.guard.origins import ShownWords, origins_of
from omnipilot.agents.guard.policy import CONDITIONS, GuardPolicy, GuardRule, MoveFacts, Permission
from omnipilot.agents.guard.secret_values import SecretValues
from omnipilot.envs import Action, ActionRejected, Elements, EnvLost, Modality, Observation, World
from omnipilot.envs.types import CONTROL_VERBS
from omnipilot.grounders.sources import FoundElements
from omnipilot.memory import Origin, Outcome

_LOOKS = frozenset({Modality.ELEMENTS, Modality.CONTEXT})


@dataclass(frozen=True, slots=True)
class Ruling:
    """What became of a move.

    Attributes:
        said: by the policy. rule: by its name. passed: whether the move may be carried out. why: if not, in words.
        seconds: that an approver took. facts: what was known of the move.
    """

    said: Permission
    rule: str
    passed: bool
    why: str = ""
    seconds: float = 0.0
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def refusal(self) -> Outcome | None:
        """The outcome of a move that may not be carried out."""
        return None if self.passed else Outcome("denied", f"the guard refused it: {self.why}")


class Guard:
    """Rules on the moves of one episode after the other.

    Args:
        policy: None to allow everything, for the sake of secrets alone.
        approver: who is asked; None for nobody, so that what has to be approved is refused.
    """

    def __init__(
        self, policy: GuardPolicy | None, approver: Approver | None = None, secrets: SecretValues | None = None
    ) -> None:
        self.policy = policy or GuardPolicy("none", "allow")
        self.secrets = secrets or SecretValues()
        self._approver = approver
        self.begin()

    def begin(self, instruction: str = "") -> None:
        """Start an episode: nothing is held, and the budget is whole.

        Args:
            instruction: what the user said, whose words count as the user's; "" where nobody tells.
        """
        self._hands: dict[str, HandState] = {}
        self._moves = 0
        self._hosts: set[str] = set()
        self._shown = ShownWords()
        if instruction:
            self._shown.hear_user(instruction)

    def fork(self) -> Guard:
        """A guard of a world that was doubled: what has passed so far counts in both, what comes later in each."""
        other = copy.copy(self)
        other._hands = {name: replace(hands) for name, hands in self._hands.items()}
        other._hosts, other._shown = set(self._hosts), self._shown.fork()
        return other

    def show(self, seen: Observation, turn: int | None = None) -> Observation:
        """An observation as the agent may see it, without the secrets that are known; its words are kept in mind.

        Args:
            turn: index of the turn, for records; None for that of the last look.
        """
        hidden = self.secrets.hide_in(seen)
        self._shown.turn = self._shown.turn if turn is None else turn
        if not self.policy.allows_all:
            self._shown.look(hidden)
        return hidden

    def hear_user(self, text: str) -> None:
        """Take in what the user answered; its words count as the user's."""
        self._shown.hear_user(text)

    def rule_on(
        self,
        world: World,
        proposal: Proposal,
        perceived: Mapping[str, FoundElements],
        origins: Callable[[], Iterable[Origin] | None] = lambda: None,
    ) -> Ruling:
        """Whether a move may be carried out.

        Args:
            perceived: elements that were read from the screens as they are now, for where a device has no tree.
            origins: where each value that the agent's memory knows came from; None where nobody keeps that.

        Raises:
            EnvLost: the device is gone.
        """
        action = proposal.action
        assert action is not None
        env = proposal.move.env or (next(iter(world.envs)) if len(world.envs) == 1 else "")
        try:
            return self._rule(env, action, lambda: self._facts(world, env, action, perceived, origins), world.envs)
        except EnvLost:
            raise
        except ActionRejected as error:
            return Ruling("deny", "secrets", False, str(error))
        except Exception as error:
            # A guard that fails lets nothing pass.
            return Ruling("deny", "guard", False, f"the guard failed ({type(error).__name__}: {error})")

    def close(self) -> None:
        """Release the approver; nothing is ruled on afterwards."""
        if self._approver is not None:
            self._approver.close()

    def carried_out(self, env: str, action: Action) -> None:
        """Take in a move that was carried out."""
        if action.kind not in CONTROL_VERBS:
            self._moves += 1
            self._hands.setdefault(env, HandState()).follow(action)

    def _rule(self, env: str, action: Action, learn: Callable[[], MoveFacts], envs: Collection[str]) -> Ruling:
        control = action.kind in CONTROL_VERBS
        if not control and env not in envs:
            return Ruling("deny", "guard", False, f"there is no environment {env!r}")
        self.secrets.fill(action)
        facts = learn()
        rule = self.policy.judge(facts)
        told = _told(facts)
        if rule.do == "deny":
            return Ruling("deny", rule.name, False, rule.why or f"the policy's {rule.name} forbids it", 0.0, told)
        if why := self._over_budget(facts):
            return Ruling("deny", "budget", False, why, 0.0, told)
        if rule.do == "ask":
            began = time.monotonic()
            request = ApprovalRequest(env, str(action), rule.name, rule.why, told)
            passed, why = ask_approver(self._approver, request, self.policy.seconds)
            seconds = time.monotonic() - began
            if passed and self._differs(facts, learn(), rule):
                passed, why = False, "the screen changed while it was asked for; propose it again"
            if not passed:
                about = f"; rule {rule.name!r}" + (f": {rule.why}" if rule.why else "")
                return Ruling("ask", rule.name, False, why + about, seconds, told)
            self._take(facts)
            return Ruling("ask", rule.name, True, "", seconds, told)
        self._take(facts)
        return Ruling("allow", rule.name, True, "", 0.0, told)

    def _differs(self, before: MoveFacts, now: MoveFacts, rule: GuardRule) -> bool:
        """Whether a move is another one than the rule spoke of; that words are no longer shown does not make it one."""
        return _lasting(before) != _lasting(now) or self.policy.judge(now) != rule

    def _facts(
        self,
        world: World,
        env: str,
        action: Action,
        perceived: Mapping[str, FoundElements],
        origins: Callable[[], Iterable[Origin] | None],
    ) -> MoveFacts:
        if action.kind in CONTROL_VERBS or self.policy.allows_all:
            # Nothing could be refused, so the device need not be looked at.
            return facts_of(action, None, HandState())
        seen: Observation = world.envs[env].observe(_LOOKS, world.now)
        if not isinstance(seen.elements, Elements) and env in perceived:
            seen = Observation(env, seen.time, seen.size, elements=perceived[env].elements, context=seen.context)
        facts = facts_of(action, self.show(seen), self._hands.setdefault(env, HandState()))
        for name, found in perceived.items():
            self._shown.look(Observation(name, seen.time, seen.size, elements=found.elements), perceived=True)
        return replace(facts, origins=origins_of(facts.typed, env, origins(), self._shown))

    def _over_budget(self, facts: MoveFacts) -> str:
        policy = self.policy
        if facts.control:
            return ""
        if policy.moves is not None and self._moves >= policy.moves:
            return f"the policy's budget of {policy.moves} moves is used up"
        if policy.hosts is not None and len(self._hosts | set(facts.hosts.values)) > policy.hosts:
            return f"the policy's budget of {policy.hosts} hosts is used up"
        return ""

    def _take(self, facts: MoveFacts) -> None:
        self._hosts |= set(facts.hosts.values)


def _lasting(facts: MoveFacts) -> MoveFacts:
    """What is known of a move, without when words were met."""
    known = facts.origins
    return replace(facts, origins=replace(known, values=tuple(map(without_moment, known.values))))


def _told(facts: MoveFacts) -> dict[str, Any]:
    """What is known of a move, for approvers and records; a condition of which something may be unknown ends in "?"."""
    found: dict[str, Any] = {}
    for name in CONDITIONS:
        known = getattr(facts, name)
        if known.values or not known.whole:
            found[name] = [*known.values, *(() if known.whole else ("?",))]
    return found
