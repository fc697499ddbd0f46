"""The tracker `clauses`: each clause of the instruction is a sub-goal, reached when everything it names was handled."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from omnipilot.agents.wrappers.episode_facts import EpisodeEvidence, quoted_texts
from omnipilot.agents.wrappers.progress.agent import SubGoal, Tracker
from omnipilot.envs import Modality, Observation
from omnipilot.envs.types import fold
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
class ClauseTargets:
    """One clause and the things it names: to press, to type, or just to encounter, and its apps."""

    text: str
    press: tuple[str, ...]
    type: tuple[str, ...]
    meet: tuple[str, ...]
    apps: tuple[str, ...]

    @property
    def telling(self) -> bool:
        """Whether actions can prove it done: it only asks to press and type what it quotes."""
        given = len(self.press) + len(self.type)
        return bool(given) and len(_ASKED.findall(re.sub(r"[\"“][^\"”]*[\"”]", "", self.text))) <= given


class ClauseTracker(Tracker):
    """Sub-goals without a model.

    A clause that only says what to press or type is ticked once that was done. Any other clause may ask for more than
    its names tell: it is ticked, but never as certain, once the things and apps it names were encountered and every
    provable clause before it is reached.
    """

    needs: frozenset[Modality] = frozenset({Modality.ELEMENTS})
    reads: frozenset[Modality] = frozenset({Modality.ELEMENTS, Modality.CONTEXT})

    def begin(self, brief: Brief) -> None:
        """Read the instruction."""
        self._clauses = clauses(brief.instruction)
        self._evidence = EpisodeEvidence()

    def goals(self) -> tuple[tuple[SubGoal, ...], Usage]:
        """One sub-goal per clause."""
        return tuple(SubGoal(clause.text, certain=clause.telling) for clause in self._clauses), Usage()

    def reached(self, left: Mapping[int, SubGoal], seen: Mapping[str, Observation]) -> tuple[frozenset[int], Usage]:
        """The clauses that were pressed or typed, and those that must have come before them."""
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
        """Keep the executed steps."""
        self._evidence.learn(turn)

    def _done(self, clause: ClauseTargets) -> bool:
        pressed = all(self._evidence.was_operated(name) or self._by_key(name) for name in clause.press)
        return pressed and all(self._evidence.was_typed(text) for text in clause.type)

    def _met(self, clause: ClauseTargets) -> bool:
        evidence = self._evidence
        named = (*clause.meet, *clause.press, *clause.type)
        met = all(evidence.was_seen(name) or evidence.was_typed(name) for name in named)
        return met and all(evidence.was_operated(app) for app in clause.apps)

    def _by_key(self, name: str) -> bool:
        return fold(name) in ("send", "search", "ok") and self._evidence.was_operated("Enter")


def clauses(instruction: str) -> tuple[ClauseTargets, ...]:
    """The clauses of an instruction in order; quoted text is never split."""
    kept = instruction
    for number, text in enumerate(quoted_texts(instruction)):
        kept = kept.replace(text, f"\x00{number}\x00")
    found: list[ClauseTargets] = []
    before = ""
    for piece in _BREAK.split(kept):
        text = before + re.sub("\x00(\\d+)\x00", lambda match: quoted_texts(instruction)[int(match[1])], piece).strip(
            " .,;"
        )
        # "On the phone" is no request by itself: it says where the next clause applies.
        before = f"{text}, " if text and not _ASKED.search(text) else ""
        if text and not before:
            press, typed = tuple(_PRESS.findall(text)), tuple(_TYPE.findall(text))
            meet = tuple(name for name in quoted_texts(text) if name not in (*press, *typed))
            found.append(ClauseTargets(text, press, typed, meet, _apps(re.sub(r"[\"“][^\"”]*[\"”]", "", text))))
    return tuple(found)


def _apps(text: str) -> tuple[str, ...]:
    """The apps that a clause names: those to work in, or else those to open."""
    return tuple(_INSIDE.findall(text) or _OPENED.findall(text))
