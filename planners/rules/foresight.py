"""Macro-actions whose moves are the next ones that the planner `rules` would make.

A macro needs its arguments before the screens that its first moves bring up. What those screens will show is imagined:
the places that the macro names in words, and what the next clauses name in quotation marks. Where the rules would make
the macro's next move on such a screen, and so on to its end, the macro is called. A name that is not on the real
screen, or is there twice, is found by no grounder; so a wrong guess ends the macro, and costs no turn.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, Self, TypeVar

from omnipilot.envs import Absent, Box, Custom, Element, Elements, TypeText
from omnipilot.envs.types import describe
from omnipilot.memory import Macro, Move
from omnipilot.planners.base import Request
from omnipilot.planners.rules.matching.elements import said_role
from omnipilot.planners.rules.matching.notes import words
from omnipilot.planners.rules.words import Clause, quoted_texts

_AHEAD = 3
"""Clauses whose names are imagined: some are fulfilled already when their turn comes."""
NOTING = frozenset({"read", "copy", "listen", "sample", "wait", "hear", "motion", "still", "shown", "moment", "tune"})
"""Kinds of clauses that need the real screen."""


class Foreseeing(Protocol):
    """A planner that can go on in thought."""

    def fork(self) -> Self:
        """A copy that can go on without changing this one."""
        ...

    def go_on(self, request: Request) -> Move | None:
        """Its next move if the last one is carried out and the screen is that of the request; None for its end."""
        ...

    @property
    def clause(self) -> Clause:
        """What its last move is for."""
        ...

    def next_clauses(self) -> Sequence[Clause]:
        """The clauses that are not carried out, if the last move is."""
        ...


_P = TypeVar("_P", bound=Foreseeing)


@dataclass(frozen=True, slots=True)
class MacroCall(Generic[_P]):
    """A call of a macro.

    Attributes:
        states: the planner as it is when it has decided each of the moves.
    """

    name: str
    move: Move
    states: Sequence[_P]


def foresee(planner: _P, request: Request, first: Move, refused: Container[str] = ()) -> MacroCall[_P] | None:
    """The longest macro offered that makes a move and those which the planner would make next; None for none.

    Args:
        first: the move that it has decided.
        refused: macros that are not to be called.
    """
    if not first.env or isinstance(request.observations[first.env].elements, Absent):
        return None
    verbs = request.brief.envs[first.env].custom.values()
    offered = [one for verb in verbs if verb.name not in refused and (one := Macro.from_verb(verb)) is not None]
    for macro in sorted(offered, key=lambda one: -len(one.steps)):
        states, moves = [planner.fork()], [first]
        while len(moves) < len(macro.steps) and macro.begin_with(moves) is not None:
            ahead = states[-1].fork()
            step = macro.steps[len(moves)]
            # Typing changes the field alone; what comes after anything else is imagined.
            known = all(isinstance(one.intent, TypeText) and not one.intent.submit for one in moves)
            screen = None if known else Elements(tuple(_named(step, ahead.next_clauses())))
            move = ahead.go_on(_with_screen(request, first.env, screen))
            if move is None or not (known or _is_meant(step, ahead.clause)):
                break
            states.append(ahead)
            moves.append(move)
        if (arguments := macro.match(moves)) is not None:
            return MacroCall(macro.name, Move(first.env, Custom(macro.name, arguments)), states)
    return None


def _with_screen(request: Request, env: str, elements: Elements | None) -> Request:
    """The request of the turn after, with other elements on a device; None for those that are there."""
    if elements is None:
        return replace(request, feedback=())
    observation = replace(request.observations[env], elements=elements)
    return replace(request, observations={**request.observations, env: observation}, feedback=())


def _named(step: Mapping[str, Any], clauses: Sequence[Clause]) -> Iterator[Element]:
    """What the next screen shows for a step: the place that it names, or what clauses name where that is open."""
    place = step.get("at")
    if not isinstance(place, str):
        return
    if "{" not in place:
        description = describe(place)
        role = next(
            (one for one in sorted(description.roles) if said_role(one) and place.endswith(said_role(one))), "generic"
        )
        yield _element(role, description.name, 0, "…" if step.get("clear") else "")
        return
    if step["kind"] != "click":
        return
    names = dict.fromkeys(name for clause in clauses[:_AHEAD] for name in _names(clause))
    for number, name in enumerate(names):
        yield _element("generic", name, number)


def _names(clause: Clause) -> Iterator[str]:
    """What a clause calls the things that it is about: what it quotes, or what is to be opened or clicked."""
    yield from quoted_texts(f"{clause.target} {clause.text}")
    if clause.kind in ("open", "click") and (name := describe(clause.target).name):
        yield name


def _is_meant(step: Mapping[str, Any], clause: Clause) -> bool:
    """Whether a clause says the place that a step names, as the real screen may have another that is likelier: who
    asks for the ball to be played does not mean the "Play tones" button. What is typed and sent off has a single field.
    """
    place = step.get("at")
    if not isinstance(place, str) or "{" in place or step.get("submit"):
        return True
    name = describe(place).name
    return name in quoted_texts(clause.said) or words(name) <= words(clause.said)


def _element(role: str, name: str, number: int, value: str = "") -> Element:
    top = min(0.1 + 0.08 * number, 0.8)
    return Element(role, name, Box(0.1, top, 0.3, top + 0.05), frozenset({"clickable"}), value=value)
