"""The filter of DetACT without a model: which elements have to do with the words of a task."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from omnipilot.envs import Box, Element
from omnipilot.envs.types import QUOTED, fold
from omnipilot.grounders.sources.detact.colors import COLORS

ALIKE = 0.8
"""Minimum likeness (`difflib.SequenceMatcher.ratio`) of two words that may be one."""
SYNONYMS = (
    "delete remove trash bin erase discard",
    "search find magnifier lookup",
    "settings gear preferences options configure",
    "add plus new create compose",
    "less minus decrease reduce",
    "more increase",
    "close cancel dismiss exit quit cross",
    "minimize minimise minus hide",
    "back return previous",
    "next forward following",
    "menu hamburger grid launcher start",
    "save disk store",
    "edit pencil change modify rename",
    "send submit post",
    "attach attachment paperclip",
    "play start resume",
    "photo picture image photograph gallery",
    "mail email letter inbox envelope",
    "call phone telephone dial",
    "message text chat sms",
    "refresh reload update again",
    "like heart favourite favorite star bookmark",
    "history clock time recent",
    "internet web browser globe address url",
    "cart basket",
    "map location place pin",
    "profile account user person contact contacts",
    "volume sound speaker audio",
    "calendar date schedule",
    "document file page editor",
    "folder directory file",
    "ok okay confirm accept done check tick",
    "upload export",
    "download import",
    "sort order swap",
    "info information details about",
    "lamp lantern light bulb torch",
    "note notebook notepad memo",
    "home house",
    "table spreadsheet sheet",
    "terminal console shell prompt",
    "wifi wireless network",
    "bell notification alert reminder",
    "help question support",
    "video film movie clip",
    "up parent",
)
"""Words of one line mean the same on a control."""
_STOP = frozenset(
    "a an the of in on at to from for with and or it its is are be this that these those my your me you i then into by "
    "as click clicking tap press select choose open go please button icon field app application window screen".split()
)
_SPELLINGS = {"gray": "grey", "purple": "violet", "magenta": "pink"}
_WORD = re.compile(r"[^\W_]+(?:[.:@'’][^\W_]+)*")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ADDRESS = re.compile(r"(?:https?://)?[\w-]+(?:\.[\w-]+)+(?:/\S*)?")
"""A text that is one, and so has the word's meaning: of a page, a host or a file."""
_FIELDS = frozenset("textbox textfield textarea field input combobox dropdown box list picker selector".split())
"""Words of a task for something that is filled in, of which the screen may write the value alone."""
_QUOTED, _PART_QUOTED, _NAMED_COLOR = 10.0, 5.0, 3.0
"""What a quoted name, a part of one, and a named colour are worth beside single words, each of which is worth 1."""
_WHOLE, _VALUE, _FIELD, _EMPTY_FIELD, _COMPOUND = 0.75, 0.6, 0.5, 0.4, 0.7
"""What an element is worth more where it is decided what is kept, if the task names the whole of it; what the value
beside a named label is worth, a field where the task speaks of one, an empty field, and a word that begins as another
does (notebook, note)."""
_IN_ROW = 0.3
"""What an icon, or a place of a colour without text, is worth in the row of a label that the task names: a switch."""
_OTHERS = 3
"""Place of all other elements behind those that no word can be held against."""
_PALE = ("white", "grey", "black")
"""Colours of empty fields."""
_STEM = 4
"""Least letters of a word that begins another."""
_EQUAL = 0.25
"""Share of what is kept that may be elements of one kind and name before others that the task names, too."""
_FIELD_HEIGHTS = (1.2, 8.0)
"""Height of a field in those of a line of text."""
_VALUE_BELOW = 1.5
"""Greatest distance of a value below its label, in heights of the label."""


def choose_by_words(elements: Sequence[Element], task: str, keep: int) -> list[Element]:
    """The elements that a task speaks of, best first, and then those that it may speak of in other words.

    Counted are words in common, synonyms and words that are nearly the same; a name that the task quotes comes before
    all others, and so do all elements of a colour that it names. Where the task names a label, what stands next to the
    right of it or below it counts as well: the task may mean the field, of which only the value is written. Where it
    speaks of a field, so does what looks like one: a wide box, empty or with one line in it. What is left of `keep` is
    filled with what no word can be held against: icons that are there once, places of a colour without text or icon,
    other icons (first those in the row of a named label); then with the others in the order of the list.

    Args:
        keep: most elements.
    """
    quoted = [fold(next(filter(None, match.groups()), "")) for match in QUOTED.finditer(task)]
    words = words_of(task)
    colors = {_SPELLINGS.get(word, word) for word in words} & set(COLORS)
    scores = [_score(element, words, quoted, colors) for element in elements]
    worth, further = _worth(elements, scores, keep), _unnamed_rank(elements)
    of_less = [(at, _VALUE) for at in _values(elements, scores)]
    of_less += [(at, _IN_ROW) for at in _in_rows(elements, scores) if further[at] < _OTHERS]
    if _FIELDS & {word.casefold() for word in _WORD.findall(task)}:
        of_less += _fields(elements)
    for at, least in of_less:
        scores[at], worth[at] = max(scores[at], least), max(worth[at], least)
    kept = sorted(range(len(elements)), key=lambda at: (-worth[at], further[at]))[:keep]
    return [elements[at] for at in sorted(kept, key=lambda at: (-scores[at], further[at], at))]


def _worth(elements: Sequence[Element], scores: Sequence[float], keep: int) -> list[float]:
    """The scores, and more for what the task names whole; of many alike, such as folders in a list, for the first."""
    worth, before = list(scores), Counter[tuple[str, str]]()
    for at, one in enumerate(elements):
        before[one.role, one.name] += 1
        if before[one.role, one.name] <= max(1, _EQUAL * keep) and _is_named_whole(one, scores[at]):
            worth[at] += _WHOLE
    return worth


def _is_named_whole(element: Element, score: float) -> bool:
    """Whether a score says that the task names all words of an element; of an icon, if by synonyms."""
    least = 0.9 if element.role == "image" else 1.0
    return element.role != "color" and score >= least * len(words_of(element.name)) ** 0.5 > 0


def _fields(elements: Sequence[Element]) -> Iterator[tuple[int, float]]:
    """What looks like a field, and its worth: wide boxes of a field's height with one line of text, and the line; for
    less, pale boxes without text."""
    texts = [at for at, one in enumerate(elements) if one.role == "text"]
    heights = sorted(elements[at].box.bottom - elements[at].box.top for at in texts)
    line = heights[len(heights) // 2] if heights else 0.0
    for at, one in enumerate(elements):
        wide, high = one.box.right - one.box.left, one.box.bottom - one.box.top
        if one.role != "color" or wide < 2 * high or not _FIELD_HEIGHTS[0] * line <= high <= _FIELD_HEIGHTS[1] * line:
            continue
        inside = [text for text in texts if one.box.contains(elements[text].box.center)]
        if len(inside) == 1:
            yield from ((of, _FIELD) for of in (at, *inside))
        elif not inside and one.name in _PALE:
            yield at, _EMPTY_FIELD


def _values(elements: Sequence[Element], scores: Sequence[float]) -> Iterator[int]:
    """What stands next to the right of the texts that the task names best, and next below them."""
    texts = [at for at, one in enumerate(elements) if one.role == "text"]
    best = max((scores[at] for at in texts), default=0.0)
    for label in (elements[at].box for at in texts if scores[at] == best > 0):
        reach = _VALUE_BELOW * (label.bottom - label.top)
        right = [at for at in texts if _is_beside(label, elements[at].box)]
        below = [at for at in texts if _is_below(label, elements[at].box, reach)]
        if right:
            yield min(right, key=lambda at: elements[at].box.left)
        if below:
            yield min(below, key=lambda at: elements[at].box.top)


def _in_rows(elements: Sequence[Element], scores: Sequence[float]) -> Iterator[int]:
    """What is in the row of the texts that the task names best: at the height of their line or of the next one."""
    named = [(score, one.box) for score, one in zip(scores, elements, strict=True) if one.role == "text" and score]
    best = max((score for score, _ in named), default=0.0)
    for label in (box for score, box in named if score == best):
        lower = label.bottom + (label.bottom - label.top)
        for at, one in enumerate(elements):
            if label.top <= one.box.center.y <= lower:
                yield at


def _is_beside(label: Box, box: Box) -> bool:
    return box.left >= label.right and label.top <= box.center.y <= label.bottom


def _is_below(label: Box, box: Box, reach: float) -> bool:
    overlaps = box.left < label.right and box.right > label.left
    return overlaps and label.center.y < box.top <= label.bottom + reach


def _unnamed_rank(elements: Sequence[Element]) -> list[int]:
    """How far each element is from the front of those that the task does not name."""
    icons = Counter(one.name for one in elements if one.role == "image")
    named = [one.box.center for one in elements if one.role != "color"]
    return [
        (0 if icons[one.name] == 1 else 2)
        if one.role == "image"
        else 1
        if one.role == "color" and not any(map(one.box.contains, named))
        else 3
        for one in elements
    ]


def words_of(text: str) -> frozenset[str]:
    """The words of a text that say something, in lower case, without a plural's s; all if none does."""
    every = [word.casefold() for word in _WORD.findall(_CAMEL.sub(" ", text))]
    return frozenset(map(_singular, [word for word in every if word not in _STOP] or every))


def _score(element: Element, words: frozenset[str], quoted: Sequence[str], colors: set[str]) -> float:
    if element.role == "color":
        return _NAMED_COLOR if element.name in colors else 0.0
    name = fold(element.name)
    score = 0.0
    if name in quoted:
        score += _QUOTED
    elif any(len(part) > 1 and (part in name or (len(name) > 2 and name in part)) for part in quoted):
        score += _PART_QUOTED
    own = words_of(element.name) | ({"address"} if _ADDRESS.fullmatch(element.name) else frozenset())
    hits = sum(
        max((word_likeness(word, other) or _compound_likeness(word, other) for other in words), default=0.0)
        for word in own
    )
    # A long line shares a word with any task: its words count less, each.
    return score + (hits / len(own) ** 0.5 if own else 0.0)


@lru_cache(maxsize=1 << 16)
def word_likeness(one: str, other: str) -> float:
    """How much two words are the same: 1 if equal, 0.9 if synonyms, their likeness from `ALIKE` on, else 0."""
    if one == other:
        return 1.0
    if _MEANINGS.get(one, frozenset()) & _MEANINGS.get(other, frozenset()):
        return 0.9
    if min(len(one), len(other)) < 3 or 2 * min(len(one), len(other)) < ALIKE * (len(one) + len(other)):
        return 0.0
    alike = difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()
    return alike if alike >= ALIKE else 0.0


def _compound_likeness(one: str, other: str) -> float:
    short, long = sorted((one, other), key=len)
    return _COMPOUND if len(short) >= _STEM and long.startswith(short) else 0.0


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _meanings() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, line in enumerate(SYNONYMS):
        for word in line.split():
            found.setdefault(_singular(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


_MEANINGS = _meanings()
