"""Policies: rules over what a move does, each condition of which holds, does not hold, or cannot be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from omnipilot.agents.guard.origin_patterns import fits_host, fits_origin
from omnipilot.agents.guard.words import is_readable, is_whole, is_within

Permission: TypeAlias = Literal["allow", "ask", "deny"]
STRICTNESS: tuple[Permission, ...] = ("allow", "ask", "deny")
"""From the mildest to the strictest."""
CONDITIONS = ("verbs", "apps", "roles", "text", "hosts", "typed", "keys", "origins")
"""What a rule may ask of a move."""
_WORDED = ("apps", "text", "typed")


@dataclass(frozen=True, slots=True)
class KnownSide:
    """What is known of one side of a move.

    Attributes:
        values: what it is for certain. whole: whether that is all; False if there may be more that nobody can tell.
        perhaps: what it may be besides; only rules that restrict look at it.
    """

    values: tuple[str, ...] = ()
    whole: bool = True
    perhaps: tuple[str, ...] = ()


UNKNOWN = KnownSide((), False)
NOTHING = KnownSide()


@dataclass(frozen=True, slots=True)
class MoveFacts:
    """What a move does, as far as it is understood.

    Attributes:
        verbs: what it is, such as `click` or `custom:NAME`. apps: where, and what it opens. roles, text: of the
            elements that it reaches. hosts: where, and where it leads. typed: what it enters. keys: chords, such as
            `ctrl+v`. origins: where what it enters was read or heard before, each with its labels, see
            `omnipilot.agents.guard.origin_patterns`.
        control: whether it is carried out by the loop and reaches no device.
    """

    verbs: KnownSide
    apps: KnownSide = NOTHING
    roles: KnownSide = NOTHING
    text: KnownSide = NOTHING
    hosts: KnownSide = NOTHING
    typed: KnownSide = NOTHING
    keys: KnownSide = NOTHING
    origins: KnownSide = NOTHING
    control: bool = False


@dataclass(frozen=True, slots=True)
class GuardRule:
    """One rule; a condition without patterns holds for every move.

    Attributes:
        do: what becomes of the moves that it is about. name: for reports. why: told to the agent and the approver.
        conditions: patterns by the name of a condition, one of `CONDITIONS`; all conditions must hold, each with one
            of its patterns.
    """

    do: Permission
    name: str
    why: str = ""
    conditions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def applies(self, facts: MoveFacts) -> bool:
        """Whether it speaks of a move. A rule that allows does so only if each condition holds for certain; any other
        one unless a condition fails for certain."""
        if facts.control and not set(self.conditions.get("verbs", ())) & set(facts.verbs.values):
            return False
        test = _holds if self.do == "allow" else _may_hold
        return all(test(name, patterns, getattr(facts, name)) for name, patterns in self.conditions.items())


@dataclass(frozen=True, slots=True)
class GuardPolicy:
    """What an agent may do.

    Attributes:
        default: for moves that no rule speaks of. moves: most moves of an episode that reach a device; None for any
            number. hosts: most different hosts of an episode. seconds: how long an approver is waited for.
    """

    name: str
    default: Permission
    rules: tuple[GuardRule, ...] = ()
    moves: int | None = None
    hosts: int | None = None
    seconds: float = 120.0

    @property
    def allows_all(self) -> bool:
        """Whether there is no move that it would not allow."""
        return self.default == "allow" and not self.rules and self.moves is None and self.hosts is None

    def judge(self, facts: MoveFacts) -> GuardRule:
        """The strictest of the rules that speak of a move; the default as a rule where none does."""
        found = [rule for rule in self.rules if rule.applies(facts)]
        if found:
            return max(found, key=lambda rule: STRICTNESS.index(rule.do))
        return GuardRule("allow" if facts.control else self.default, "default", "no rule speaks of it")


def _holds(name: str, patterns: tuple[str, ...], known: KnownSide) -> bool:
    """Whether a condition holds for certain, whatever it is that a person would see."""
    if not (known.whole and known.values):
        return False
    if name in _WORDED and not all(is_readable(value, patterns) for value in known.values):
        return False
    if name == "origins" and "user" in patterns and "user" in known.values:
        # What the user said may be typed wherever else it stands.
        return True
    return all(any(_fits(name, pattern, value, True) for pattern in patterns) for value in known.values)


def _may_hold(name: str, patterns: tuple[str, ...], known: KnownSide) -> bool:
    """Whether a condition may hold."""
    if not known.whole:
        return True
    values = (*known.values, *known.perhaps)
    if any(_fits(name, pattern, value, False) for pattern in patterns for value in values):
        return True
    return name in _WORDED and not all(is_readable(value, patterns) for value in values)


def _fits(name: str, pattern: str, value: str, whole: bool) -> bool:
    if name in _WORDED:
        # What is typed may join what stands there already, so its words have no edges.
        return is_whole(pattern, value) if whole else is_within(f"*{pattern}*" if name == "typed" else pattern, value)
    if name == "hosts":
        return fits_host(pattern, value)
    if name == "origins":
        return fits_origin(pattern, value, whole)
    if pattern.endswith("*"):
        return value.startswith(pattern[:-1])
    return value == pattern
