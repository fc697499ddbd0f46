"""Matching descriptions such as "the second Save button" with elements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from omnipilot.envs.types.observation import Element
from omnipilot.envs.types.roles import INTERACTIVE, roles_of

ORDINAL_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_ORDINALS = {word: number for number, word in enumerate(ORDINAL_WORDS, 1)} | {"last": -1}
_NTH = re.compile(r"^(\d+)(?:st|nd|rd|th)$")
_FILLERS = frozenset(
    "the a an on in into to at of its this that your only labeled labelled named called titled reading saying with "
    "label name text titled below above left right widget element control colored".split()
)
QUOTED = re.compile(r"\"([^\"]*)\"|“([^”]*)”|‘([^’]*)’|(?<!\w)'([^']*)'(?!\w)")
"""A quotation; one of the groups has its text."""
_INSIDE = re.compile(r"\s(?:in|of|on|from|inside|at|within)\s+(?:the|this|that|a)\s", re.IGNORECASE)
_WORD = re.compile(r"[^\s]+")
REGION = re.compile(
    r",?\s*\b(?:at|in|on|near|towards)\s+the\s+((?:(?:top|upper|bottom|lower|left|right|middle|center|centre|very)[\s-]*)+)"
    r"(?:(?:hand\s+)?(?:corner|side|edge|part|half)(?:\s+of\s+the\s+(?:screen|page|window))?|of\s+the\s+(?:screen|page))",
    re.IGNORECASE,
)
"""Part of the screen, such as "at the top left of the screen"; its group has the sides."""


@dataclass(frozen=True, slots=True)
class Description:
    """A parsed description of an element.

    Attributes:
        phrase: the words as given, without quotation marks. Some names contain a role's word ("Tab #2"), so the whole
            phrase is tried as a name too.
        name: the phrase without role, ordinal and filler words; "" for any name.
        roles: the ARIA roles that the words may mean; empty for any.
        ordinal: 1 for the first match, -1 for the last; None if the match must be unique.
        region: part of the screen: top, bottom, left, right, middle; decides between equally good matches.
    """

    phrase: str
    name: str
    roles: frozenset[str] = frozenset()
    ordinal: int | None = None
    region: frozenset[str] = frozenset()


def describe(phrase: str) -> Description:
    """Parse a phrase. A quotation in it is always the name; the rest gives role, ordinal and region."""
    quoted = QUOTED.search(phrase)
    region: frozenset[str] = frozenset()
    found = REGION.search(phrase, quoted.end() if quoted else 0)
    if found:
        region = region_of(found[1])
        phrase = phrase[: found.start()] + phrase[found.end() :]
    rest = (phrase[: quoted.start()] + " " + phrase[quoted.end() :]) if quoted else phrase
    # "The button in the dialog" is a button, not a dialog.
    head = _INSIDE.split(f" {rest}", maxsplit=1)[0] if quoted else rest
    words = _WORD.findall((head if head.strip() else rest).strip(" .,;:!?"))
    ordinal = next((number for word in words if (number := ordinal_of(word)) is not None), None)
    words = [word for word in words if ordinal_of(word) is None]
    roles, words = _take_role(words)
    if quoted:
        name = next(group for group in quoted.groups() if group is not None)
        whole = name
        if not roles and (kind := roles_of(name)):
            # 'A "checkbox" widget': the quotation is a kind, unless an element has that name.
            roles, name = kind, ""
    else:
        while words and words[0].casefold().strip(",") in _FILLERS:
            words = words[1:]
        while words and words[-1].casefold().strip(",") in _FILLERS:
            words = words[:-1]
        name = " ".join(words)
        whole = re.sub(r"^(the|a|an|on|into|in)\s+", "", rest.strip(" .,;:!?"), flags=re.IGNORECASE)
    return Description(whole, name, roles, ordinal, region)


_SIDES = {"upper": "top", "lower": "bottom", "center": "middle", "centre": "middle", "very": ""}


def region_of(words: str) -> frozenset[str]:
    """The sides that the words of a region name: top, bottom, left, right, middle."""
    said = re.split(r"[\s-]+", words.casefold().strip(" -"))
    return frozenset(filter(None, (_SIDES.get(word, word) for word in said)))


def lies_in(element: Element, region: frozenset[str]) -> bool:
    """Whether an element's centre is in a region of the screen, which is divided into thirds.

    "middle" alone is the middle third in both directions; with a side it is the middle of that side.
    """
    x, y = element.box.center.x, element.box.center.y
    inside = {"left": x <= 1 / 3, "right": x >= 2 / 3, "top": y <= 1 / 3, "bottom": y >= 2 / 3}
    if not all(inside[side] for side in region & set(inside)):
        return False
    if "middle" not in region:
        return True
    across = bool(region & {"left", "right"}) or 1 / 3 <= x <= 2 / 3
    return across and (bool(region & {"top", "bottom"}) or 1 / 3 <= y <= 2 / 3)


def ordinal_of(word: str) -> int | None:
    """1 for "first" or "1st", -1 for "last", None for a word that is not an ordinal."""
    nth = _NTH.match(word.casefold())
    return int(nth.group(1)) or None if nth else _ORDINALS.get(word.casefold())


def _take_role(words: list[str]) -> tuple[frozenset[str], list[str]]:
    """The roles named by the words, and the other words. The last role wins: "Menu button" is a button."""
    for last in range(len(words), 0, -1):
        for length in (2, 1):
            first = last - length
            if first >= 0 and (roles := roles_of(" ".join(words[first:last]).strip(",.:"))):
                return roles, words[:first] + words[last:]
    return frozenset(), words


def fold(text: str) -> str:
    """Text normalized for comparison: case, repeated spaces and surrounding punctuation are ignored."""
    folded = " ".join(text.casefold().split())
    return folded.strip(" .,:;!?…*\"'“”‘’()[]") or folded


def likeness(wanted: str, name: str) -> float:
    """Similarity of a name to the wanted one: 1 if equal, 0 if unrelated."""
    if not wanted or not name:
        return 0.0
    if wanted == name:
        return 1.0
    want, have = fold(wanted), fold(name)
    if want == have:
        return 0.95
    if re.search(rf"(?<!\w){re.escape(want)}(?!\w)", have):
        # The longer a name is compared with the wanted one, the less likely it is meant.
        return 0.6 + 0.2 * len(want) / len(have)
    words = set(re.findall(r"\w+", want))
    if words and words <= set(re.findall(r"\w+", have)):
        return 0.5
    return 0.0


def score(description: Description, element: Element) -> float:
    """How well an element matches, 0 for not at all; only comparable between elements of one screen."""
    fits = not description.roles or element.role in description.roles
    if not description.name:
        named = max(likeness(description.phrase, element.name), 0.5 if description.roles and fits else 0.0)
    else:
        named = max(likeness(description.name, element.name), likeness(description.phrase, element.name))
    if named <= 0:
        return 0.0
    bonus = (0.35 if fits else -0.2) if description.roles else (0.1 if element.role in INTERACTIVE else 0.0)
    return max(0.01, named + bonus - (0.3 if "disabled" in element.states else 0.0))


def matches(description: Description, elements: Sequence[Element], margin: float = 0.001) -> list[Element]:
    """The best matches, in screen order; several if they match equally well.

    Of elements in the same place (a button and its text) one is kept; a covered element is dropped if an uncovered one
    matches too. An ordinal picks one element, or none if there are too few.
    """
    scored = [(score(description, element), element) for element in elements]
    best = max((value for value, _ in scored), default=0.0)
    if best <= 0:
        return []
    alike = _one_a_place([element for value, element in scored if value >= best - margin])
    free = [element for element in alike if not is_covered(element, elements)]
    alike = free or alike
    if description.region and len(alike) > 1 and description.ordinal is None:
        alike = [element for element in alike if lies_in(element, description.region)] or alike
    if description.ordinal is None:
        return alike
    place = description.ordinal - 1 if description.ordinal > 0 else description.ordinal
    return alike[place : place + 1 or None] if -len(alike) <= place < len(alike) else []


def is_covered(element: Element, elements: Iterable[Element]) -> bool:
    """Whether a larger element drawn later covers the element's centre (a dialog over a page)."""
    later = False
    for other in elements:
        if other is element:
            later = True
        elif later and other.box.area > element.box.area and other.box.contains(element.box.center):
            return True
    return False


def _one_a_place(elements: list[Element]) -> list[Element]:
    kept: list[Element] = []
    for element in elements:
        twin = next((i for i, other in enumerate(kept) if _same_place(element, other)), None)
        if twin is None:
            kept.append(element)
        elif kept[twin].role not in INTERACTIVE:
            kept[twin] = element
    return kept


def _same_place(one: Element, other: Element) -> bool:
    return one.box.contains(other.box.center) and other.box.contains(one.box.center)
