"""Answers an instruction's questions about what was seen in videos and heard."""

from __future__ import annotations

import re
from collections.abc import Sequence

from omnipilot.memory.perception import EventPlace, Seen, heard_digits, waits
from omnipilot.planners.rules.matching.notes import Note, rank_notes, with_film, with_sound
from omnipilot.planners.rules.matching.senses import beeps

_BLINKS = re.compile(r"\b(?:number of (?:blinks|flashes|times)|how (?:often|many times)|blinks|blinked|flashed)\b")
_RESTED = re.compile(r"\b(?:rest(?:s|ed)?|wait(?:s|ed)?|stopped|stops|stood still|halted|came to rest)\b")
_ORDER = re.compile(r"\border in which\b")
_NUMBER = re.compile(r"\b(highest|largest|greatest|last|final|lowest|smallest)\s+(?:number|value|count)\b")
_HEARD = re.compile(r"\b(?:digits|heard|hear|dialled|dialed|sounded|pressed)\b")
_BEEPS = re.compile(r"\bnumber of (?:beeps|tones|chimes|rings)\b|\bhow (?:many|often) .*(?:beep|ring|chime)", re.I)
_SPOKEN = re.compile(r"\b(?:says|said|speaks|spoke|spoken|saying)\b")
_SAID = re.compile(r"\(\s*as(?:\s+in)?\s+[\"“]?([^\"”)]+)[\"”]?\s*\)", re.IGNORECASE)


def find_fact(phrase: str, notes: Sequence[Note], read: Sequence[str] = ()) -> str | None:
    """The answer to a phrase about something watched or heard; None if it is about something else, or unknown.

    Args:
        read: texts in which the name behind a letter may be listed, the likeliest first.
    """
    bare = phrase.casefold()
    if _SPOKEN.search(bare):
        return None
    if _BEEPS.search(bare):
        counts = (beeps(note.sound) for note in with_sound(rank_notes(phrase, notes)) if note.sound)
        return next((str(count) for count in counts if count), None)
    films = [film for note in with_film(rank_notes(phrase, notes))[:1] for film in _likeliest(phrase, note)]
    if (shown := next((text for film in films if (text := _of_film(bare, phrase, film))), None)) is not None:
        return _named(bare, shown, read)
    if _HEARD.search(bare):
        keys = (heard_digits(note.sound) for note in with_sound(rank_notes(phrase, notes)) if note.sound)
        return next((said for said in keys if said), None)
    return None


def is_sensed(phrase: str) -> bool:
    """Whether a phrase can only be answered by listening or watching."""
    bare = phrase.casefold()
    asks = (_BEEPS, _SPOKEN, _BLINKS, _ORDER, _NUMBER)
    return any(pattern.search(bare) for pattern in asks) or bool(re.search(r"\b(?:heard|dialled|rested)\b", bare))


def _likeliest(phrase: str, note: Note) -> list[Seen]:
    """A note's films, first those whose picture is named in the phrase or the clause."""
    said = f"{phrase} {note.said}".casefold()
    return [note.films[name] for name in sorted(note.films, key=lambda name: not name or name.casefold() not in said)]


def _of_film(bare: str, phrase: str, film: Seen) -> str | None:
    if _ORDER.search(bare):
        return _order(phrase, film.order)
    if asked := _NUMBER.search(bare):
        if not film.numbers:
            return None
        most = {"last": film.numbers[-1], "final": film.numbers[-1]}
        low = asked[1] in ("lowest", "smallest")
        return str(most.get(asked[1], min(film.numbers) if low else max(film.numbers)))
    if _BLINKS.search(bare):
        if not film.blinks:
            return None
        where, times = max(film.blinks, key=lambda blink: blink[1])
        others = [count for place, count in film.blinks if place is not where]
        if not re.search(r"\b(?:lamp|light|one|which|place)\b.*\bblinked\b", bare):
            return str(times)
        # Where all were lit once before, that is no blink.
        label = where.name or _lettered(where, [place for place, _ in film.blinks])
        return _shaped(phrase, label, times - (1 if others else 0))
    if _RESTED.search(bare) and (rest := waits(film, "wait" in bare)) and rest[0].name:
        return _shaped(phrase, rest[0].name)
    return None


def _order(phrase: str, order: Sequence[EventPlace]) -> str | None:
    if order and all(place.name for place in order):
        return "".join(place.name for place in order)
    said = _SAID.search(phrase)
    if said and len(said[1].strip()) == len(order) > 1:
        return "".join(_lettered(place, order) for place in order)
    return None


def _lettered(place: EventPlace, row: Sequence[EventPlace]) -> str:
    """The letter of an unlabelled place in a fully visible row: letters run from left to right."""
    return chr(ord("A") + sorted(row, key=lambda one: one.box.center.x).index(place))


def _shaped(phrase: str, label: str, times: int | None = None) -> str:
    """In the form of the phrase's example ("Zone X", "B3"); the bare label without an example."""
    said = _SAID.search(phrase)
    bare = label if times is None else f"{label}{times}"
    if said is None:
        return bare
    pattern = r"\b[A-Z]\b" if times is None else r"\b[A-Z]\d+\b"
    return re.sub(pattern, bare, said[1].strip(), count=1) if re.search(pattern, said[1]) else bare


def _named(bare: str, label: str, read: Sequence[str]) -> str:
    """The name for a label, if the phrase asks for the name and a list was read ("B: North Gate")."""
    if not re.match(r"(?:the\s+)?name of\b", bare):
        return label
    listed = re.compile(rf"(?m)^\s*{re.escape(label)}\s*[:.)=–-]\s*(.+)$")
    found = next((found for text in read if (found := listed.search(text))), None)
    return found[1].strip() if found else label
