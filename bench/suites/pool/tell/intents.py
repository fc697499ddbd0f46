"""Intents as frames: what a group of subtasks is for.

A frame says which kinds of subtasks it admits and what has to flow between them. A group fits one if it hangs together
(weakly connected), or if all its parts share the frame's subject; else it is an errand list, and of those a pool gets
at most one in eight.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from random import Random
from typing import Any

from omnipilot.bench.suites.pool.tell.acts import act_of
from omnipilot.bench.suites.pool.tell.clauses import Clause, noun_of
from omnipilot.bench.suites.pool.tell.topology import Pairs, is_connected

ERRANDS = "errands"
"""The name of what is no frame: a list of unrelated things to do."""
ASKED = "asked of a model"
"""The name of the frame of an intent that a model found for its own group of subtasks."""
ERRANDS_OF = 8
"""One task in so many may be an errand list."""
ERRAND_SENTENCES = (
    "Some small things have been left undone for too long.",
    "A free half hour is to be used for what has piled up.",
    "Odds and ends of the day should be out of the way.",
)


@dataclass(frozen=True, slots=True)
class Part:
    """A subtask as frames see it.

    Attributes:
        act: its kind, one of `ACTS`. app: of its application. env: the device. output: the type that it yields.
        names: the names in it, where its content is drawn already.
    """

    act: str
    app: str
    env: str
    output: str = ""
    names: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Frame:
    """An intent without its subject; see `presets/intents.toml` for what the fields mean."""

    name: str
    sentences: tuple[str, ...]
    allows: frozenset[str]
    flows: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    apps: frozenset[str] = frozenset()
    subject: str = ""

    @property
    def requirements(self) -> int:
        """How much it asks of a group."""
        return 2 * len(self.flows) + len(self.needs) + bool(self.apps)

    def admits(self, parts: Sequence[Part], edges: Pairs) -> bool:
        """Whether a group has the kinds of subtasks and flows that it wants, and no others."""
        if any(part.act != "learn" and part.act not in self.allows for part in parts):
            return False
        if self.apps and any(part.app.rpartition("/")[2] not in self.apps for part in parts):
            return False
        flows = [f"{parts[a].act}>{parts[b].act}" for a, b in sorted(edges)]
        return _are_met(self.flows, flows) and _are_met(self.needs, [part.act for part in parts])

    def subject_of(self, parts: Sequence[Part]) -> str:
        """What all parts share, where it may stand for being connected; "" for nothing."""
        if self.subject == "device":
            devices = {part.env for part in parts}
            return devices.pop() if len(devices) == 1 else ""
        if self.subject == "name":
            return min(frozenset.intersection(*(part.names for part in parts)), default="")
        return ""


@dataclass(frozen=True, slots=True)
class Intent:
    """What a task is for: a frame's name, and the sentence that an agent may be told."""

    frame: str
    sentence: str


@cache
def frames() -> tuple[Frame, ...]:
    """All frames, those that ask for most first."""
    text = resources.files(__package__).joinpath("presets/intents.toml").read_text(encoding="utf-8")
    made = [_frame(one) for one in tomllib.loads(text)["frame"]]
    return tuple(sorted(made, key=lambda frame: -frame.requirements))


def parts_of(clauses: Sequence[Clause]) -> tuple[Part, ...]:
    """The parts of a task with content."""
    return tuple(
        Part(
            act_of(clause.template, clause.app, clause.effect, clause.yields is not None),
            clause.app,
            clause.env,
            clause.yields.type if clause.yields else "",
            frozenset(clause.words.values()),
        )
        for clause in clauses
    )


def fitting_frames(parts: Sequence[Part], edges: Pairs) -> tuple[Frame, ...]:
    """The frames that a group fits, those that ask for most first."""
    connected = is_connected(len(parts), edges)
    return tuple(frame for frame in frames() if frame.admits(parts, edges) and (connected or frame.subject_of(parts)))


def intent_of(parts: Sequence[Part], edges: Pairs, seed: int, used: Mapping[str, int] | None = None) -> Intent | None:
    """An intent for a group: of the frames that fit, the one that was used least so far; None where none fits.

    Args:
        seed: of the choice among a frame's sentences. used: how often each frame was used.
    """
    fitting = fitting_frames(parts, edges)
    if not fitting:
        return None
    counts = used or {}
    best = min(fitting, key=lambda frame: (counts.get(frame.name, 0) // frame.requirements, -frame.requirements))
    sentence = Random(seed).choice(best.sentences)
    fact = _facts(parts, edges)
    return Intent(best.name, sentence.replace("{fact}", fact).replace("{Fact}", fact[:1].upper() + fact[1:]))


def errands_of(seed: int) -> Intent:
    """The intent of an errand list."""
    return Intent(ERRANDS, Random(seed).choice(ERRAND_SENTENCES))


def may_be_errands(used: Mapping[str, int]) -> bool:
    """Whether one more errand list keeps them at one task in eight, of all that have an intent."""
    return (used.get(ERRANDS, 0) + 1) * ERRANDS_OF <= sum(used.values()) + 1


def _facts(parts: Sequence[Part], edges: Pairs) -> str:
    """What flows, in words: "a code and two addresses" without numbers: "codes and an address"."""
    sources = sorted({a for a, _ in edges if parts[a].act == "learn"}) or sorted({a for a, _ in edges})
    nouns = Counter(noun_of(parts[source].output) for source in sources)
    said = [_plural(noun) if count > 1 else f"{_article(noun)} {noun}" for noun, count in nouns.items()]
    if not said:
        return "something"
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"


def _article(noun: str) -> str:
    return "an" if noun[:1] in "aeiou" else "a"


def _plural(noun: str) -> str:
    return {"person": "people"}.get(noun, f"{noun}es" if noun.endswith("s") else f"{noun}s")


def _are_met(wanted: Sequence[str], found: Sequence[str]) -> bool:
    """Whether every requirement is met by something of its own."""
    left = list(found)
    for one in sorted(wanted, key=lambda choice: choice.count("|")):
        met = next((item for item in left if item in one.split("|")), None)
        if met is None:
            return False
        left.remove(met)
    return True


def _frame(values: Mapping[str, Any]) -> Frame:
    def names(key: str) -> Collection[str]:
        return tuple(values.get(key, ()))

    return Frame(
        values["name"],
        tuple(values["sentences"]),
        frozenset(names("allows")),
        tuple(names("flows")),
        tuple(names("needs")),
        frozenset(names("apps")),
        values.get("subject", ""),
    )
