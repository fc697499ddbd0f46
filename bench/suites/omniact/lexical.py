"""The planner `lexical`: a script without a model, from the first elements that a task's words match."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from omnipilot.envs import Click, Done, Element, Elements, Intent, Modality, MouseMove, Point, Press, Scroll, TypeText
from omnipilot.grounders.sources.detact import word_likeness, words_of
from omnipilot.memory import Move
from omnipilot.planners import Brief, Decision, Planner, Request

MATCHING = 0.6
"""Share of the words of an element's name that a task has to say."""
_REPLACE = re.compile(r"replace what (?P<where>.+) holds by (?P<text>.+) and confirm", re.IGNORECASE)
_SEARCH = re.compile(r"(?:search for|type|write|enter) (?P<text>.+) (?:in|into) (?P<where>.+)", re.IGNORECASE)
_PARTS = re.compile(r",? then | and (?=copy|press)", re.IGNORECASE)


class LexicalPlanner(Planner):
    """Points at the first element of the list that matches the words of the task; a floor, and a probe of the list.

    It knows the wordings of OmniACT's miniature and what each asks for, so that a wrong script is the list's: that
    something is missing there, or stands after something else that matches as well. It decides once.
    """

    reads: frozenset[Modality] = frozenset({Modality.ELEMENTS})
    takes_notes: bool = False
    points: bool = True

    def begin(self, brief: Brief) -> None:
        """Nothing to forget."""

    def plan(self, request: Request) -> Decision:
        """The whole script, then the end."""
        env, seen = next(iter(request.observations.items()))
        elements = seen.elements.items if isinstance(seen.elements, Elements) else ()
        moves = [Move(env, intent) for intent in write_script(request.brief.instruction, elements)]
        return Decision((*moves, Move("", Done())))


def write_script(task: str, elements: Sequence[Element]) -> Iterator[Intent]:
    """The moves for a task; nothing is done at a place that no element matches."""
    if found := _REPLACE.fullmatch(task):
        yield from _at(found["where"], elements, "click")
        yield from (Press(("ctrl", "a")), TypeText(found["text"]), Press(("enter",)))
    elif found := _SEARCH.fullmatch(task):
        yield from _at(found["where"], elements, "click")
        yield from (TypeText(found["text"]), Press(("enter",)))
    else:
        for part in _PARTS.split(task):
            yield from _simple(part, elements)


def _simple(part: str, elements: Sequence[Element]) -> Iterator[Intent]:
    said = part.casefold()
    if "go down" in said:
        yield Scroll(direction="down", amount=10)
    elif "select everything" in said:
        yield Press(("ctrl", "a"))
    elif "copy" in said:
        yield Press(("ctrl", "c"))
    else:
        kinds = (("double click", "double"), ("context menu of", "right"), ("pointer on", "move"))
        begin, kind = next(((words, kind) for words, kind in kinds if words in said), ("", "click"))
        yield from _at(part[said.index(begin) + len(begin) :], elements, kind)


def _at(words: str, elements: Sequence[Element], kind: str) -> Iterator[Intent]:
    place = next((one.box.center for one in elements if is_named(one, words)), None)
    if place is not None:
        yield _pointed(place, kind)


def _pointed(place: Point, kind: str) -> Intent:
    if kind == "move":
        return MouseMove(place)
    return Click(place, button="right" if kind == "right" else "left", count=2 if kind == "double" else 1)


def is_named(element: Element, words: str) -> bool:
    """Whether words name an element: `MATCHING` of its name's words are among them, or nearly."""
    asked, own = words_of(words), words_of(element.name)
    if element.role == "color":
        return element.name in asked
    hits = sum(max((word_likeness(word, other) for other in asked), default=0.0) for word in own)
    return bool(own) and hits / len(own) >= MATCHING
