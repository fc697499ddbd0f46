"""How well anchors hold what must be typed, and how many are false.

    python tests/perf/anchors_found.py [instances of each duet task, 2]

On `duet`, each demonstration is played, its screens and transcripts are read, and wherever it types a fact that one of
its sub-tasks told it on a screen or in words, the fact is typed by an anchor instead: it counts if the text comes out
exactly. What only a count or a film tells is left out, as nothing wrote it. A false anchor is one whose value is no
content of the world: no text or number of its state holds it as a whole.

The texts of other kinds are in `tests/fixtures/anchor_texts.py`; an entity counts if its type and its value are right.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import typer

sys.path.insert(0, str(Path(__file__).parents[1] / "fixtures"))

from anchor_texts import DEVELOPED, HELD_OUT, Labelled

from omnipilot.bench.suites.duet import Duet
from omnipilot.bench.suites.duet.kit.play import pieces
from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.tables import Table
from omnipilot.envs import Answer, Elements, Intent, Modality, NotFound, Observation, Select, TypeText, resolve
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory.episodic import Scope, TimelineEvent
from omnipilot.memory.episodic.anchors import Anchors, entities_in
from omnipilot.memory.episodic.details import SoundDetail
from omnipilot.memory.episodic.events import EventKind

SEEN = frozenset({Modality.ELEMENTS, Modality.CONTEXT})
KEY = "k7q2"
"""What a planner writes before an anchor's name."""
SCOPE = Scope(frozenset({"phone", "desktop"}), ALL_MODALITIES)
_CHECKED = frozenset({"code", "number", "phone", "mail", "address", "name"})
"""Types whose values a state holds as they are shown; times are made from seconds, and prices are added up."""
_SILENT_ROLES = frozenset({"button", "tab"})


@dataclass
class Measured:
    """What was found on demonstrations.

    Attributes:
        typed: facts typed. exact: those that came out exactly by an anchor, and `missed` the others.
        false: anchors that are no content of the world, as (type, value). seconds: spent on screens that were new.
    """

    typed: int = 0
    exact: int = 0
    missed: list[tuple[str, str]] = field(default_factory=list)
    anchors: int = 0
    checked: int = 0
    false: list[tuple[str, str]] = field(default_factory=list)
    screens: int = 0
    seconds: float = 0.0


class Watcher:
    """Reads what a trial shows and says, as a memory would."""

    def __init__(self, trial: Rehearsal, found: Measured) -> None:
        self.trial = trial
        self.found = found
        self.anchors = Anchors()
        self._since = 0.0
        self._turn = 0

    def look(self) -> list[str]:
        """Take in every device; returns the texts that were shown or said."""
        texts: list[str] = []
        world = self.trial.world
        for name, env in world.envs.items():
            seen = env.observe(SEEN, self._since)
            self._observe(seen)
            for item in seen.elements if isinstance(seen.elements, Elements) else ():
                texts += [item.name, item.value] if item.role not in _SILENT_ROLES else []
            for heard in env.transcript(self._since, seen.time):
                words = heard.words
                kind: EventKind = "sound" if heard.kind == "digits" else "transcript"
                said = f"digits: {words}" if kind == "sound" else words
                detail = SoundDetail(kind=heard.kind) if kind == "sound" else None
                event = TimelineEvent(
                    kind, name, heard.start, heard.end, self._turn, said, Modality.AUDIO, detail=detail
                )
                if heard.kind in ("digits", "speech"):
                    list(self.anchors.take(event))
                    texts.append(words)
        self._since = world.now
        self._turn += 1
        return texts

    def _observe(self, seen: Observation) -> None:
        began = time.perf_counter()
        list(self.anchors.observe(seen, self._turn))
        self.found.seconds += time.perf_counter() - began
        self.found.screens += 1

    def names(self) -> Iterator[tuple[str, str]]:
        """Every way to type an anchor, and what it comes to."""
        for anchor in self.anchors:
            for name in (anchor.name, f"{anchor.name}.plain"):
                yield name, self.anchors.fill(name, SCOPE)


def on_duet(tasks: Sequence[str], instances: Iterable[int], split: str = "all") -> Measured:
    """Play the demonstrations of tasks and type their facts by anchors."""
    suite, found = Duet(split), Measured()  # type: ignore[arg-type]
    for task in tasks:
        for instance in instances:
            _play(suite, task, instance, found)
    return found


def _play(suite: Duet, task: str, instance: int, found: Measured) -> None:
    composed = suite.composed(task, instance)
    trial = Rehearsal(suite.instantiate(task, instance))
    watcher = Watcher(trial, found)
    outputs = [part.piece.output for part in composed.parts]
    people = {person.id: person for person in trial.start.account.contacts}
    facts: set[str] = set()
    typed = ""
    contents: set[str] = set(_leaves(trial.start))
    for number, moves in enumerate(pieces(trial.world, composed.solutions())):
        shown = watcher.look()
        for move in moves:
            text = _text(move.intent)
            for fact in sorted(facts) if text else ():
                if _holds(text, fact):
                    _type(watcher, move.intent, fact, found)
            typed += f"\n{text}"
            trial.play([move], ended=False)
            shown += watcher.look()
            contents.update(_leaves(trial.world.state()))
        if (output := outputs[number]) is not None and output.value not in trial.instruction:
            person = people.get(output.value)
            told = [person.name, person.email, person.phone] if person else [output.value]
            facts |= {one for one in told if not _holds(typed, one) and any(_holds(text, one) for text in shown)}
    whole = "\n".join(contents)
    for anchor in watcher.anchors:
        found.anchors += 1
        if anchor.type in _CHECKED:
            found.checked += 1
            value = anchor.sightings[0].value
            if not _holds(whole, value) and not _holds(whole, re.sub(r"\D", "", value).lstrip("0") or "0"):
                found.false.append((anchor.type, value))


def _text(intent: Intent) -> str:
    if isinstance(intent, TypeText | Answer):
        return intent.text
    return intent.value if isinstance(intent, Select) else ""


def _holds(text: str, value: str) -> bool:
    """Whether a text holds a value as a whole: not as a part of a longer word or number."""
    return bool(value) and bool(re.search(rf"(?<![\w.,:/-]){re.escape(value)}(?![\w:]|[.,]\d)", text))


def _type(watcher: Watcher, intent: Intent, fact: str, found: Measured) -> None:
    found.typed += 1
    name = next((name for name, value in watcher.names() if value == fact), "")
    said = "value" if isinstance(intent, Select) else "text"
    changed: dict[str, Any] = {said: _text(intent).replace(fact, f"{{@{KEY}:{name}}}")}
    meant = replace(intent, **changed)
    try:
        action = resolve(meant, _nowhere, lambda one: watcher.anchors.fill(one.removeprefix(f"{KEY}:"), SCOPE))
    except NotFound:
        action = None
    if name and action is not None and _text(action) == _text(intent):
        found.exact += 1
    else:
        found.missed.append((fact, _text(intent)))


def _nowhere(_: object) -> Any:
    from omnipilot.envs import Point

    return Point(0.5, 0.5)


def _leaves(value: Any) -> Iterator[str]:
    """Every text and number in a state, as text."""
    if isinstance(value, str):
        yield value
        if re.fullmatch(r"-?\d+[.,]\d+", value):
            yield f"{float(value.replace(',', '.')):.10g}"
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int | float):
        yield f"{value:.10g}"
    elif isinstance(value, Mapping):
        for name, one in value.items():
            yield from _leaves(name)
            yield from _leaves(one)
    elif is_dataclass(value):
        for one in fields(value):
            yield from _leaves(getattr(value, one.name))
    elif isinstance(value, Iterable):
        for one in value:
            yield from _leaves(one)


@dataclass(frozen=True)
class Read:
    """What was found in labelled texts: entities needed and found, false ones, and how many texts there are."""

    needed: int
    found: int
    false: int
    texts: int


def in_texts(rows: Sequence[Labelled]) -> Read:
    """Compare what is found in labelled texts with what is in them."""
    needed = right = false = 0
    for row in rows:
        got = {(one.type, one.value) for one in entities_in(row.text, row.spoken)}
        needed, right = needed + len(row.needed), right + len(got & set(row.needed))
        false += len(got - set(row.needed) - set(row.also))
    return Read(needed, right, false, len(rows))


def tables(instances: int) -> tuple[Table, Table]:
    """The table of the demonstrations, and that of the texts."""
    names = [info.id for info in Duet("all").tasks()]
    one = on_duet(names, range(instances))
    counts = Counter(kind for kind, _ in one.false)
    told = ", ".join(f"{number} {kind}" for kind, number in counts.most_common()) or "none"
    duet = Table(
        ("duet", "typed facts", "exact", "share", "anchors", "checked", "false", "a screen", "ms a screen"),
        (
            (
                f"{len(names)} tasks × {instances}",
                str(one.typed),
                str(one.exact),
                f"{one.exact / one.typed:.1%}",
                str(one.anchors),
                str(one.checked),
                str(len(one.false)),
                f"{len(one.false) / one.screens:.3f}",
                f"{1e3 * one.seconds / one.screens:.2f}",
            ),
        ),
        (f"false: {told}", *(f"missed: {fact!r} in {text!r}" for fact, text in one.missed[:20])),
    )
    rows = []
    for name, texts in (("written against", DEVELOPED), ("held out", HELD_OUT)):
        read = in_texts(texts)
        share = f"{read.found / read.needed:.1%}"
        rows.append((name, str(read.texts), str(read.needed), str(read.found), share, str(read.false)))
    return duet, Table(("texts", "texts", "entities", "found", "share", "false"), tuple(rows))


def main() -> None:
    """Print the tables."""
    for table in tables(int(sys.argv[1]) if len(sys.argv) > 1 else 2):
        typer.echo(table.text() + "\n")


if __name__ == "__main__":
    main()
