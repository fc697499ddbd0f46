"""The demonstration with some things other: left out, cut short, aimed at a neighbour, typed otherwise, or said twice.

A judge that holds for one of these, though an effect is lacking, does not look at what was left out or exchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from difflib import get_close_matches
from functools import lru_cache
from itertools import takewhile
from random import Random
from typing import Any, TypeAlias

from omnipilot.bench.audit.hedges import bury, hedge, rivals
from omnipilot.bench.audit.records import Verb
from omnipilot.bench.audit.vocabulary import LONGEST, Texts, middle_of, names_of
from omnipilot.bench.judges.matching import fold_text
from omnipilot.envs import Element, Elements

NEIGHBOURS = 5
"""Times that a verb is aimed at something else: the nearest, the first and the last of its group, and any."""
WORDINGS = 9
"""Times that something else is typed, the last two of which have it among others of its kind, and in much else."""
REPEATS = 4
"""Ways to say another answer beside the right one, in a message of its own: before it or after it, from where it is
typed or from where its application is opened."""
LAST_KEPT = 2
"""Verbs at the end that are kept where those before are left out."""
LONGEST_GAP = 5
"""Verbs in a row that are left out."""


@dataclass(frozen=True, slots=True)
class Edit:
    """What is done to one verb: `leave` it out, `aim` it at another element, `say` something else, say a `rival` of the
    answer that it enters, or enter both, one after the other (`twice`); the `number`-th of its kind."""

    kind: str
    number: int = 0


Edits: TypeAlias = Mapping[int, Edit]
"""By the number of the verb in the demonstration."""
Spans: TypeAlias = Mapping[int, tuple[int, int]]
"""Of verbs that enter an answer, by their number: the verb that opens the application, and the one that sends it."""


def variants_of(verbs: Sequence[Verb], most: int, dice: Random, spans: Spans | None = None) -> list[Edits]:
    """Ways to change a demonstration, at most so many: changes of one verb, those near the end first, and gaps, then
    several at once.

    Args:
        spans: of the verbs that enter an answer, from `answer_spans`: further answers are said beside these.
    """
    if not verbs:
        return []
    single, gaps = list(_single(verbs)), list(_gaps(len(verbs)))
    single += [{at: Edit("twice", number)} for at in spans or () for number in range(REPEATS)]
    dice.shuffle(single)
    dice.shuffle(gaps)
    single.sort(key=lambda edits: max(edits), reverse=True)
    found = [edits for at in range(max(len(single), len(gaps))) for edits in (*single[at : at + 1], *gaps[at : at + 1])]
    while single and len(found) < most:
        found.append(
            {at: edit for edits in dice.choices(single, k=dice.choice((2, 2, 3))) for at, edit in edits.items()}
        )
    return found[:most]


def _single(verbs: Sequence[Verb]) -> Iterator[Edits]:
    for at, verb in enumerate(verbs):
        yield {at: Edit("leave")}
        if _aimed(verb):
            before = _scrolls_before(verbs, at)
            for number in range(NEIGHBOURS):
                yield {at: Edit("aim", number)}
                if before:
                    yield {**dict.fromkeys(before, Edit("leave")), at: Edit("aim", number)}
        if verb["kind"] == "type":
            yield from ({at: Edit("say", number)} for number in range(WORDINGS))


def answer_spans(verbs: Sequence[Verb], reached: Sequence[int], instruction: str) -> Spans:
    """The verbs that enter what has to be found, and from where to where each would be repeated to enter it again.

    Args:
        reached: sub-goals after each verb; the next one that reaches a further one sends what was entered.
        instruction: what stands in it is known, and nobody has to guess it.
    """
    found = {}
    for at, verb in enumerate(verbs):
        if verb["kind"] not in ("type", "answer") or is_told(verb["text"], instruction):
            continue
        sent = (end for end in range(at, len(verbs)) if reached[end] > (reached[end - 1] if end else 0))
        opened = (begin for begin in range(at, -1, -1) if verbs[begin]["kind"] == "open_app")
        found[at] = (next(opened, at), next(sent, len(verbs) - 1))
    return found


def is_told(text: str, instruction: str) -> bool:
    """Whether a text stands in an instruction, as whole words."""
    return re.search(rf"(?<!\w){re.escape(fold_text(text))}(?!\w)", fold_text(instruction)) is not None


def changed_course(verbs: Sequence[Verb], edits: Edits, spans: Spans) -> list[tuple[Verb, Edit | None]]:
    """The verbs of a changed demonstration in their order, each with what is done to it; what is said twice has the
    verbs that enter and send it twice."""
    course: list[tuple[Verb, Edit | None]] = []
    again: dict[int, list[tuple[Verb, Edit | None]]] = {}
    for at, verb in enumerate(verbs):
        edit = edits.get(at)
        if edit is not None and edit.kind == "twice":
            opened, sent = spans[at]
            later = edit.number % 2 == 1
            begin = opened if edit.number // 2 else at
            for one in range(begin, sent + 1):
                rival = Edit("rival") if later and one == at else None
                again.setdefault(sent, []).append((_emptying(verbs[one]), rival))
            edit = None if later else Edit("rival")
        course += [(verb, edit), *again.pop(at, ())]
    return course


def _emptying(verb: Verb) -> Verb:
    """The verb, where it types into a field that may hold what was typed before: in its place."""
    return {**verb, "clear": True} if verb["kind"] == "type" and "at" in verb else verb


def _scrolls_before(verbs: Sequence[Verb], at: int) -> list[int]:
    """Verbs that brought what the next one is aimed at into sight, and others out of it."""
    first = at
    while first and verbs[first - 1]["kind"] in ("scroll", "swipe"):
        first -= 1
    return list(range(first, at))


def _gaps(count: int) -> Iterator[Edits]:
    """Several verbs in a row left out: a few, or all up to the last."""
    for first in range(count):
        ends = {first + size for size in range(2, LONGEST_GAP + 1)} | {count - kept for kept in range(LAST_KEPT + 1)}
        for end in sorted(ends):
            if first + 1 < end <= count:
                yield {at: Edit("leave") for at in range(first, end)}


def _aimed(verb: Verb) -> bool:
    return verb["kind"] in ("click", "long_press") and isinstance(verb.get("at"), Mapping) and "id" in verb["at"]


@dataclass(frozen=True, slots=True)
class Variation:
    """Makes verbs of a changed demonstration fit the screens that it leads to.

    Attributes:
        held: texts that the world holds somewhere. state: of the world at the start; None where it cannot be read.
    """

    texts: Texts
    dice: Random
    held: tuple[str, ...] = ()
    state: Any = None

    def verb(self, verb: Verb, edit: Edit | None, look: Callable[[str], Elements]) -> Verb | None:
        """What is done instead of a verb; None for nothing."""
        if edit is not None and edit.kind == "leave":
            return None
        elements = [one for one in look(verb.get("env", "")).items if "disabled" not in one.states]
        if edit is not None and edit.kind == "say":
            verb = {**verb, "text": self._other_text(verb["text"], edit.number, names_of(elements))}
        if edit is not None and edit.kind == "rival":
            text = verb["text"].strip()
            verb = {**verb, "text": self.dice.choice(rivals(text, self.state) or [same_shape(text)])}
        at = verb.get("at")
        if not (isinstance(at, Mapping) and "id" in at):
            return verb
        element = find_again(at["id"], elements)
        if edit is not None and edit.kind == "aim":
            others = neighbours(at["id"], elements)
            if not others:
                return None
            first, last = min(others, key=elements.index), max(others, key=elements.index)
            element = dict(enumerate((others[0], first, last))).get(edit.number) or self.dice.choice(others)
        return None if element is None else {**verb, "at": middle_of(element)}

    def _other_text(self, text: str, number: int, screen: Sequence[str]) -> str:
        """Something else to type, in the room of a text: its shape, a part, what the instruction or the screen has."""
        head = text[: len(text) - len(text.lstrip())]
        words = text.split()
        told = [one for one in self.texts.quoted if one != text.strip()]
        near = near_texts(text.strip(), self.held)
        ways = (
            lambda: self.dice.choice(near) if near else same_shape(text.strip()),
            lambda: same_shape(text.strip()),
            lambda: words[0] if len(words) > 1 else text.strip()[:1],
            lambda: self.dice.choice(told) if told else "x",
            lambda: self.dice.choice(screen)[:LONGEST] if screen else "1",
            lambda: "",
            lambda: self.dice.choice(("1", "x", self.texts.instruction, words[-1] if words else "")),
            lambda: hedge(text.strip(), rivals(text.strip(), self.state) or [same_shape(text.strip())]),
            lambda: bury(text.strip(), self.texts.instruction),
        )
        return head + ways[number % len(ways)]()


def find_again(id: str, elements: Sequence[Element]) -> Element | None:
    """The element of an id; where there is none, the one whose id ends alike, as in the view of another item."""
    same = next((one for one in elements if one.id == id), None)
    if same is not None:
        return same
    head, _, last = id.rpartition("/")
    alike = [one for one in elements if one.id and one.id.rpartition("/")[2] == last]
    return max(alike, key=lambda one: _shared(one.id or "", head), default=None)


def _shared(one: str, other: str) -> int:
    """Letters that both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def neighbours(id: str, elements: Sequence[Element]) -> list[Element]:
    """Elements that an element may be confused with, the nearest first: those of its role and group, else of its role;
    where it is out of sight, those whose ids differ by numbers alone."""
    element = find_again(id, elements)
    if element is None:
        return [one for one in elements if one.id and _numberless(one.id) == _numberless(id)]
    at, group = elements.index(element), _group(element)
    others = [(abs(number - at), one) for number, one in enumerate(elements) if one.role == element.role]
    near = [one for _, one in sorted(others, key=lambda found: found[0]) if one is not element]
    return [one for one in near if _group(one) == group] or near


def _group(element: Element) -> str:
    return (element.id or "").rpartition("/")[0]


def _numberless(id: str) -> str:
    return re.sub(r"\d+", "", id)


@lru_cache(maxsize=256)
def near_texts(text: str, held: tuple[str, ...]) -> tuple[str, ...]:
    """What of the world's texts is easily taken for a text: names that are nearly the same, and numbers as long that
    stand among the words among which it stands."""
    close = [one for one in get_close_matches(text, held, 4, 0.6) if one != text]
    if not text.isdecimal():
        return tuple(close)
    alike: list[tuple[int, str]] = []
    around = [set(re.findall(r"[^\W\d]+", one)) for one in held if re.search(rf"\b{text}\b", one)]
    for one in held:
        words = set(re.findall(r"[^\W\d]+", one))
        shared = max((len(words & other) for other in around), default=0)
        alike += [(-shared, found) for found in re.findall(rf"\b\d{{{len(text)}}}\b", one) if found != text]
    return tuple(dict.fromkeys(found for _, found in sorted(alike)[:4]))


def texts_held(state: Any) -> tuple[str, ...]:
    """All texts in a state, each once."""
    found: dict[str, None] = {}

    def collect(value: Any) -> None:
        if isinstance(value, str):
            found[value] = None
        elif is_dataclass(value):
            for one in fields(value):
                collect(getattr(value, one.name))
        elif isinstance(value, Mapping):
            for one in value.values():
                collect(one)
        elif isinstance(value, tuple | list):
            for one in value:
                collect(one)

    collect(state)
    return tuple(found)


def same_shape(text: str) -> str:
    """A text of the same shape that says something else: other digits, or another letter at its end."""
    if any(letter.isdigit() for letter in text):
        return re.sub(r"\d", lambda found: str((int(found[0]) + 3) % 10), text)
    last = text[-1:]
    other = "b" if last.casefold() == "a" else "a"
    return text[:-1] + (other.upper() if last.isupper() else other)
