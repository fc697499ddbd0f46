"""The tracker `clauses`: sub-goals are the clauses of the instruction, reached when what they name was dealt with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from omnipilot.agents.wrappers.episode_facts import Evidence, quoted
from omnipilot.agents.wrappers.progress.agent import SubGoal
from omnipilot.envs import Modality, Observation
from omnipilot.envs.types.element_query import fold
from omnipilot.memory import Turn, Usage
from omnipilot.planners import Brief

_BREAK = re.compile(
    r"(?<=[.;!?])\s+(?=[A-Z\"“])|,?\s+(?:and\s+)?then\s+|,\s+(?=press\b|type\b|open\b|save\b)", re.IGNORECASE
)
_PRESS = re.compile(r"\b(?:press|click|tap)\s+[\"“]([^\"”]{2,})[\"”]", re.IGNORECASE)
_ASKED = re.compile(
    r"\b(?:press|click|tap|type|write|enter|choose|show|play|add|move|put|save|open|rename|select|set|join|make|delete|"
    r"reply|archive|wait|listen|count|find|look|read|watch|see)\b",
    re.IGNORECASE,
)
_NAME = r"([A-Z][a-z]+(?:\s[A-Z][a-z]+)*)(?![\w-])"
_INSIDE = re.compile(rf"(?<!\bas )\b[Ii]n\s+{_NAME}")
_OPENED = re.compile(rf"\b[Oo]pen\s+{_NAME}")
_TYPE = re.compile(r"\b(?:type|write|enter)\s+[\"“]([^\"”]{2,})[\"”]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause with what it names: to press, to type, or just to meet, and the apps that it is done in."""

    text: str
    press: tuple[str, ...]
    type: tuple[str, ...]
    meet: tuple[str, ...]
    apps: tuple[str, ...]

    @property
    def telling(self) -> bool:
        """Whether deeds can tell that it is done: it asks for nothing but to press and type what it quotes."""
        given = len(self.press) + len(self.type)
        return bool(given) and len(_ASKED.findall(re.sub(r"[\"“][^\"”]*[\"”]", "", self.text))) <= given


class ClauseTracker:
    """Sub-goals without a model.

    A clause that says no more than what to press or type is ticked by that. Any other may ask for more with the
    things that it names than was done with them: it is ticked, never for certain, once they and its apps have been met
    with and every clause before it that can be told is reached.
    """

    needs: frozenset[Modality] = frozenset({Modality.ELEMENTS})
    reads: frozenset[Modality] = frozenset({Modality.ELEMENTS, Modality.CONTEXT})

    def begin(self, brief: Brief) -> None:
        """Read the instruction."""
        self._clauses = clauses(brief.instruction)
        self._evidence = Evidence()

    def goals(self) -> tuple[tuple[SubGoal, ...], Usage]:
        """A sub-goal a clause."""
        return tuple(SubGoal(clause.text, certain=clause.telling) for clause in self._clauses), Usage()

    def reached(self, left: Mapping[int, SubGoal], seen: Mapping[str, Observation]) -> tuple[frozenset[int], Usage]:
        """What was pressed and typed, and what must have come before it."""
        self._evidence.look(seen)
        found: set[int] = set()
        for number, clause in enumerate(self._clauses, 1):
            if not (self._done(clause) if clause.telling else self._met(clause)):
                if clause.telling:
                    break
                continue
            found.add(number)
        return frozenset(left) & found, Usage()

    def learn(self, turn: Turn) -> None:
        """Keep what was done."""
        self._evidence.learn(turn)

    def _done(self, clause: Clause) -> bool:
        pressed = all(self._evidence.was_operated(name) or self._by_key(name) for name in clause.press)
        return pressed and all(self._evidence.was_typed(text) for text in clause.type)

    def _met(self, clause: Clause) -> bool:
        evidence = self._evidence
        named = (*clause.meet, *clause.press, *clause.type)
        met = all(evidence.was_seen(name) or evidence.was_typed(name) for name in named)
        return met and all(evidence.was_operated(app) for app in clause.apps)

    def _by_key(self, name: str) -> bool:
        return fold(name) in ("send", "search", "ok") and self._evidence.was_operated("Enter")


def clauses(instruction: str) -> tuple[Clause, ...]:
    """The clauses of an instruction in order. What is quoted is never cut."""
    kept = instruction
    for number, text in enumerate(quoted(instruction)):
        kept = kept.replace(text, f"\x00{number}\x00")
    found: list[Clause] = []
    before = ""
    for piece in _BREAK.split(kept):
        text = before + re.sub("\x00(\\d+)\x00", lambda match: quoted(instruction)[int(match[1])], piece).strip(" .,;")
        # "On the phone" asks for nothing by itself: it says where the next clause is to be done.
        before = f"{text}, " if text and not _ASKED.search(text) else ""
        if text and not before:
            press, typed = tuple(_PRESS.findall(text)), tuple(_TYPE.findall(text))
            meet = tuple(name for name in quoted(text) if name not in (*press, *typed))
            found.append(Clause(text, press, typed, meet, _apps(re.sub(r"[\"“][^\"”]*[\"”]", "", text))))
    return tuple(found)


def _apps(text: str) -> tuple[str, ...]:
    """The apps that a clause names: what something is done in, or else what is opened."""
    return tuple(_INSIDE.findall(text) or _OPENED.findall(text))
