"""What memory recalls, as the small planner is told it: the few lines that say most of what the clause is about.

A memory gives a hundred parts: anchors, transcripts, moves, whole screens. A prompt has room for some lines. So parts
are cut into lines, and those are chosen that share the rarest words with the clause, each value once, newest on ties.
They are shown in order of time, so that what was newer stands further behind.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log

from omnipilot.memory import ANCHOR, TEXTS, TRANSCRIPT, Recalled
from omnipilot.memory.episodic.anchors import anchor_label, parse_anchor_line
from omnipilot.planners.mini.hearing import heard_lines
from omnipilot.planners.mini.references import VALUES, plain_words

LONGEST_LINE = 16
"""Words of a line that are shown."""
VALUED = 1.5
"""How much more a line counts that holds a value."""
_SHORT = 4
"""Words up to which a piece of a screen is a label or a value as a whole, and is shown with the piece before it."""
_OWN = frozenset({"action", "outcome", "thought", "note", "write", "check"})
"""Sources of what the planner did or thought itself; of its own episode, other parts of a prompt tell that."""
_SCREENS = frozenset({"text", TEXTS})
_NUMBERED = re.compile(r"(?P<kind>\w+)-\d+$")
_DETAILS = re.compile(r"\s\w+=(?:\([^)]*\)|True|False|#\S+)|:\s\w+$")
"""Of a move: its coordinates, flags and outcome."""
_COMMON = frozenset("a an and as at by for from in is it its of on that the to was with".split())


@dataclass(frozen=True, slots=True)
class RecalledLine:
    """One line of what was recalled.

    Attributes:
        text: its words; values stand in it as `VALUES` finds them, or are quoted.
        time: seconds on the world's clock.
        label: what is quoted in it is any label of a screen.
    """

    text: str
    time: float
    label: bool = False

    @property
    def values(self) -> frozenset[str]:
        """The values in it."""
        return frozenset(match["quoted"] or match[0] for match in VALUES.finditer(self.text))


def recalled_before(items: Iterable[Recalled], turn: int) -> list[Recalled]:
    """The words that memory recalled from before a turn, without what the planner did itself in its episode."""
    return [
        item
        for item in items
        if item.turn < turn and isinstance(item.part, str) and not (item.turn >= 0 and item.source in _OWN)
    ]


def choose_lines(items: Iterable[Recalled], clause: str, most: int) -> list[RecalledLine]:
    """The lines that share most with a clause, at most so many, oldest first.

    A shared word counts the more, the fewer lines have it (inverse document frequency, Spärck Jones 1972), and in a
    line that holds a code, a name that was typed, or another value it counts more than beside any label; at most half
    of the lines are labels. A line whose values are all in lines that were chosen before it is left out.
    """
    lines = [line for item in items for line in split_lines(item)]
    asked = {word for word in plain_words(clause) if len(word) > 1 and word not in _COMMON}
    shared = [asked.intersection(plain_words(line.text)) for line in lines]
    counts = Counter(word for words in shared for word in words)
    weights = [sum(log((1 + len(lines)) / counts[word]) for word in sorted(words)) for words in shared]
    scores = [
        weight * (VALUED if line.values and not line.label else 1.0)
        for weight, line in zip(weights, lines, strict=True)
    ]
    chosen: list[RecalledLine] = []
    told: set[str] = set()
    for at in sorted(range(len(lines)), key=lambda at: (-round(scores[at], 6), -lines[at].time, at)):
        line = lines[at]
        says = line.values or frozenset({line.text.casefold()})
        if len(chosen) == most or not shared[at]:
            break
        labels = sum(one.label for one in chosen)
        if not says <= told and not (line.label and labels >= most // 2):
            told |= says
            chosen.append(line)
    return sorted(chosen, key=lambda line: line.time)


def split_lines(item: Recalled) -> Iterator[RecalledLine]:
    """The lines of a recalled part."""
    text = str(item.part)
    if item.source == ANCHOR:
        found = parse_anchor_line(text)
        match = _NUMBERED.match(found[0]) if found is not None else None
        if found is not None and match is not None:
            about, kind = re.split("[;)]", anchor_label(found[2]))[0], match["kind"]
            words = about if kind in about.casefold() else f"{about} {kind}"
            value = found[1].replace('"', "")
            yield RecalledLine(f'{words.strip()}: "{value}"', item.time)
    elif item.source == TRANSCRIPT:
        yield from (RecalledLine(line, item.time) for line in heard_lines(text))
    elif item.source in _SCREENS:
        for line, label in _pieces(text):
            # A label of the episode's own screens is no news to who acts on them.
            if not label or item.turn < 0:
                yield RecalledLine(line, item.time, label)
    else:
        yield RecalledLine(_DETAILS.sub("", text), item.time)


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """What is written on a screen, piece by piece, and whether it is any label; a short piece stands behind the one
    before it, as a value of it."""
    pieces: Sequence[str] = [piece.strip() for line in text.splitlines() for piece in line.split(" | ")]
    before = ""
    for piece in pieces:
        if not piece.strip("…. "):
            before = ""
            continue
        if len(piece.split()) > _SHORT:
            yield piece, False
        else:
            valued = VALUES.fullmatch(piece.lstrip("€$£")) is not None
            named = piece if valued else '"' + piece.replace('"', "") + '"'
            yield f"{before} {named}" if before and len(before.split()) <= _SHORT else named, not valued
        before = piece
