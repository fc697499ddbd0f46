"""What is heard in pieces: an observation may end in the middle of a number that is spoken or dialled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from omnipilot.memory.episodic.anchors.entities import Entity, entities_in
from omnipilot.memory.episodic.details import SoundDetail
from omnipilot.memory.episodic.events import TimelineEvent
from omnipilot.memory.perception.audio.reader import DIAL_PAUSE

LONGEST = 200
"""Characters of earlier speech that are read again with what follows."""
_TOLD = re.compile(
    r"^(?P<start>[\d.]+) s (?:to (?P<end>[\d.]+) s|and goes on), (?P<kind>\w+)(?: \(voice [^)]*\))?: "
    r"(?P<words>.*?)(?: …)?$"
)
"""A line of a reader: "3.4 s to 4.9 s, speech (voice en-a): the code is 4711"."""
_DIGITS, _SPEECH = "digits", "speech"


@dataclass(frozen=True, slots=True)
class _Piece:
    kind: str
    words: str
    start: float
    end: float


class Hearing:
    """Entities in what is heard, with the pieces of one number joined."""

    def __init__(self) -> None:
        self._last: dict[tuple[str, str], _Piece] = {}

    def entities(self, event: TimelineEvent) -> list[Entity]:
        """The entities in a sound or a transcript, those of its beginning together with what was heard before it."""
        return [entity for piece in _pieces(event) for entity in self._in_piece(event.env, piece)]

    def _in_piece(self, env: str, piece: _Piece) -> Iterator[Entity]:
        before = self._last.get((env, piece.kind))
        follows = before is not None and -DIAL_PAUSE <= piece.start - before.end <= DIAL_PAUSE
        if piece.kind == _DIGITS:
            whole = before.words + piece.words if before is not None and follows else piece.words
            yield Entity("code", whole, whole, "digits heard")
        else:
            whole = f"{before.words} {piece.words}"[-LONGEST:] if before is not None and follows else piece.words
            yield from entities_in(whole, spoken=True)
        self._last[env, piece.kind] = _Piece(piece.kind, whole, piece.start, piece.end)


def _pieces(event: TimelineEvent) -> Iterator[_Piece]:
    if event.kind == "sound":
        digits = re.sub(r"[^\d*#]", "", event.text.partition(":")[2])
        if isinstance(event.detail, SoundDetail) and event.detail.kind == _DIGITS and digits:
            yield _Piece(_DIGITS, digits, event.start, event.end)
        return
    for line in event.text.splitlines():
        if told := _TOLD.match(line.strip()):
            if told["kind"] in (_DIGITS, _SPEECH):
                start = float(told["start"])
                yield _Piece(told["kind"], told["words"], start, float(told["end"] or event.end))
        elif line.strip():
            yield _Piece(_SPEECH, line.strip(), event.start, event.end)
