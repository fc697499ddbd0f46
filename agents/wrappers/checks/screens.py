"""Comparing screens: the same element later, what has changed, and whether a text is what was typed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import TypeAlias

from omnipilot.agents.wrappers.episode_facts import elements
from omnipilot.envs import AudioClip, Context, Element, Elements, Image, Observation, VideoClip
from omnipilot.envs.types import fold
from omnipilot.memory.quoting import plain, quote

BAR = 1 / 16
"""Share of a screen's height at its top and bottom where a clock may run that has nothing to do with the task."""
RUNNING = frozenset({"time", "timer", "progressbar", "meter", "marquee"})
"""Roles of what changes by itself."""
LONGEST_NAMED, LONGEST_NEAR = 100, 500
"""Characters of a name in notes, and of texts that are compared sign by sign."""
NEAR = 0.8
"""Least likeness (difflib's ratio) of a text to the one that was typed, if it is that one with a slip in it."""
_CLOCK = re.compile(r"^[\d:. /,-]*\d[\d:. /,-]*(?:am|pm)?$", re.IGNORECASE)
_MASK = re.compile(r"^[•●∙*·]+$")
_DECIMAL = re.compile(r"^-?\d+[.,]\d+$")
_DATE = re.compile(r"^\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}$")
_LETTER = re.compile(r"[^\W\d_]")
_BUSY = re.compile(r"^(?:loading|please wait|one moment|opening|connecting|starting)\b", re.IGNORECASE)


def element_words(element: Element) -> str:
    """The element in words."""
    name = element.name if len(element.name) <= LONGEST_NAMED else f"{element.name[:LONGEST_NAMED]}…"
    return f"the {plain(element.role)} {quote(name)}" if name else f"the {plain(element.role)}"


def same_element(element: Element, seen: Observation) -> Element | None:
    """The element in a later observation: by its id, else one of its role and name, nearest to where it was."""
    items = elements(seen)
    if element.id is not None:
        found = next((one for one in items if one.id == element.id), None)
        if found is not None or any(one.id is not None for one in items):
            return found
    alike = [one for one in items if one.role == element.role and one.name == element.name]
    return min(alike, key=lambda one: _distance(one, element), default=None)


def _distance(one: Element, other: Element) -> float:
    a, b = one.box.center, other.box.center
    return abs(a.x - b.x) + abs(a.y - b.y)


def focused_element(seen: Observation) -> Element | None:
    """The element that has the focus."""
    return next((one for one in elements(seen) if "focused" in one.states), None)


def is_loading(seen: Observation) -> bool:
    """Whether a screen says that something is still being loaded."""
    return any(
        one.role == "progressbar" or "busy" in one.states or (one.role in ("text", "status") and _BUSY.match(one.name))
        for one in elements(seen)
    )


def has_changed(before: Observation, after: Observation) -> bool | None:
    """Whether what is shown, or said of it, has changed by more than clocks.

    None where that cannot be told: neither screen is visible, or all that changed may change by itself, such as a timer
    or a film.
    """
    if isinstance(before.context, Context) and isinstance(after.context, Context) and before.context != after.context:
        return True
    if isinstance(before.elements, Elements) and isinstance(after.elements, Elements):
        if before.elements is not after.elements:
            (fixed, focus, runs), (fixed_now, focus_now, runs_now) = _shown(before.elements), _shown(after.elements)
            if fixed != fixed_now:
                return True
            if runs != runs_now:
                return None
            if focus != focus_now:
                # A tap that misses may take the focus away, which is seen too.
                return False
        return None if _redrawn(before, after) else False
    return _redrawn(before, after)


Shown: TypeAlias = list[tuple[object, ...]]


def _shown(elements: Elements) -> tuple[Shown, list[str], Shown]:
    """What is shown, without the bars' clock: what stays until something is done, which of it has the focus, and what
    runs by itself."""
    fixed: Shown = []
    runs: Shown = []
    focus: list[str] = []
    for one in elements.items:
        if not BAR < one.box.center.y < 1 - BAR and _CLOCK.match(one.name):
            continue
        states = one.states
        if "focused" in states:
            focus.append(one.name)
            states -= {"focused"}
        (runs if one.role in RUNNING else fixed).append((one.role, one.name, one.value, states, one.box))
    return fixed, focus, runs


def new_texts(before: Observation, after: Observation) -> Iterator[str]:
    """Names and values that elements did not have before."""
    old = {_identity(one): (one.name, one.value) for one in elements(before)}
    known = {text for pair in old.values() for text in pair}
    for one in elements(after):
        was = old.get(_identity(one))
        for text, then in zip((one.name, one.value), was or ("", ""), strict=True):
            if text and text != then and (was is not None or text not in known):
                yield text


def _identity(one: Element) -> object:
    return one.id if one.id is not None else (one.role, one.name, one.box)


def _redrawn(before: Observation, after: Observation) -> bool | None:
    """Whether the pictures differ by more than their bars; None without pictures."""
    if not isinstance(before.screenshot, Image) or not isinstance(after.screenshot, Image):
        return None
    if before.screenshot is after.screenshot or before.screenshot.digest == after.screenshot.digest:
        return False
    return _middle(before.screenshot) != _middle(after.screenshot)


def _middle(picture: Image) -> bytes:
    pixels = picture.array()
    bar = round(pixels.shape[0] * BAR)
    return bytes(pixels[bar : pixels.shape[0] - bar].tobytes())


def is_heard(seen: Observation) -> bool | None:
    """Whether anything was heard since the last observation; None if sound is not granted."""
    return bool(seen.audio.pcm.strip(b"\0")) if isinstance(seen.audio, AudioClip) else None


def is_moving(seen: Observation) -> bool | None:
    """Whether anything moved since the last observation; None if video is not granted."""
    return len({frame.digest for frame in seen.video.frames}) > 1 if isinstance(seen.video, VideoClip) else None


def texts(seen: Observation) -> Iterator[str]:
    """Names and values of the elements."""
    for one in elements(seen):
        yield from filter(None, (one.name, one.value))


def holds(value: str, text: str) -> bool:
    """Whether a field's content has a text in it, also if the field formats what is typed: a phone number, an amount, a
    date."""
    plain, wanted = _plain(value), _plain(text)
    if wanted in plain:
        return True
    cut = plain.rstrip("…").removesuffix("...")
    if cut != plain and cut and wanted.startswith(cut[-len(wanted) :]):
        return True
    if _DECIMAL.match(text.strip()):
        return _number(value) == _number(text) is not None
    if _DATE.match(text.strip()):
        return sorted(re.sub(r"\D", "", value)) == sorted(re.sub(r"\D", "", text))
    if _LETTER.search(text):
        return _inserted(plain, wanted)
    sought = _squeezed(text)
    return bool(sought) and sought in _squeezed(value)


def _inserted(value: str, text: str) -> bool:
    """Whether a value is a text with no more than spaces and punctuation put into it, as in "DE12 3456"."""
    places = iter(value)
    for sign in text:
        for other in places:
            if other == sign:
                break
            if other.isalnum():
                return False
        else:
            return False
    return True


def is_masked(value: str) -> bool:
    """Whether a field shows dots in place of its content."""
    return _MASK.match(value) is not None


def nearly(found: str, text: str) -> bool:
    """Whether a text is most likely the one that was typed, with a slip in it, and not the same number."""
    a, b = _plain(found), _plain(text)
    if not a or a == b or max(len(a), len(b)) > LONGEST_NEAR or _number(a) == _number(b) is not None:
        return False
    lost = len(b) == len(a) + 1 and any(b[:i] + b[i + 1 :] == a for i in range(len(b)))
    return lost or SequenceMatcher(None, a, b, autojunk=False).ratio() >= NEAR


def same_name(one: str, other: str) -> bool:
    """Whether two names of an application or page are the same, one possibly with more words around it."""
    a, b = fold(one), fold(other)
    return bool(a and b) and (a == b or re.search(rf"\b{re.escape(b)}\b", a) is not None)


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())


def _number(text: str) -> float | None:
    try:
        return float(re.sub(r"[^\d.,-]", "", text).replace(",", ""))
    except ValueError:
        return None
