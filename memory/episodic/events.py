"""What a timeline holds: typed events, addressed by environment, kind and span of the world's clock."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeAlias, get_args

from omnipilot.envs import Box, Modality, OmnipilotError
from omnipilot.memory.episodic.details import DETAILS, Detail, detail_from_json, detail_to_json
from omnipilot.memory.store.index import Kind as MediaKind
from omnipilot.memory.store.index import MediaRef

EventKind: TypeAlias = Literal[
    "screen",  # a screenshot
    "audio",  # a captured sound
    "video",  # a captured film
    "context",  # the application, title or address in front, when it changes
    "text",  # text read from the screen, from elements or by OCR, when it changes
    "sound",  # a sound event: a chime, a ring, beeps, dialled digits
    "transcript",  # speech in words
    "motion",  # something moved, stopped, blinked or changed
    "thought",
    "note",  # what the planner asked to remember
    "told",  # what wrappers told the planner
    "action",
    "outcome",  # of an action that did not simply succeed
    "write",  # a write-back: copy, paste, save, navigate
    "anchor",  # an entity was sighted
    "page",  # the page in front, when it changes, as the map of screens recognises it
    "check",  # an expectation was stated, kept or violated
    "skill",  # a skill was consulted
    "summary",  # older events in a model's words
]
EVENT_KINDS: tuple[EventKind, ...] = get_args(EventKind)


class TimelineError(OmnipilotError):
    """What is no event of a timeline, or a timeline that is closed; the message says which."""


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """One thing that was seen, heard, said or done.

    Attributes:
        env: environment; "" for what belongs to none.
        start, end: seconds on the world's clock; equal for an instant.
        turn: index of the turn; negative before the episode's first.
        text: what it says in words; this is what full-text search reads.
        modality: what a role must be granted to recall it; None for the agent's own words and deeds.
        media: the capture that it is, or was read from; the span that matters is `start`..`end`.
        app, page: the application and the page in front at that time; "" if unknown.
        origin: where its words come from, such as `mail:ann@example.org`; several are joined by "; ". "" if unknown.
        place: where on the screen.
        detail: the record of its kind, see `omnipilot.memory.episodic.details.DETAILS`; None if there is no more to
            tell.
        id: position in its timeline from 1, given by `Timeline.append`; 0 before.
    """

    kind: EventKind
    env: str
    start: float
    end: float
    turn: int
    text: str = ""
    modality: Modality | None = None
    media: MediaRef | None = None
    app: str = ""
    page: str = ""
    place: Box | None = None
    detail: Detail | None = None
    id: int = 0
    origin: str = ""

    def __post_init__(self) -> None:
        """Check that the detail is of the event's kind.

        Raises:
            TypeError: it is of another.
        """
        if self.detail is not None and type(self.detail) is not DETAILS.get(self.kind):
            raise TypeError(f"the detail of an event of the kind {self.kind} is no {type(self.detail).__name__}")

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values, without what is empty."""
        out: dict[str, Any] = {"kind": self.kind, "env": self.env, "start": self.start, "end": self.end}
        out["turn"] = self.turn
        if self.text:
            out["text"] = self.text
        if self.modality is not None:
            out["modality"] = self.modality.value
        if self.media is not None:
            media = self.media
            out["media"] = [media.digest, media.kind, media.start, media.end]
        if self.app:
            out["app"] = self.app
        if self.page:
            out["page"] = self.page
        if self.origin:
            out["origin"] = self.origin
        if self.place is not None:
            out["place"] = [self.place.left, self.place.top, self.place.right, self.place.bottom]
        if self.detail is not None and (detail := detail_to_json(self.detail)):
            out["detail"] = detail
        if self.id:
            out["id"] = self.id
        return out

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TimelineEvent:
        """What `to_json` wrote. Unknown fields are skipped; see `read_events` for unknown kinds.

        Raises:
            TimelineError: it is of an unknown kind, or a field has a value that cannot be read.
        """
        try:
            values = {name: value for name, value in data.items() if name in _FIELDS}
            if values["kind"] not in EVENT_KINDS:
                raise ValueError(f"unknown kind {values['kind']!r}")
            if (modality := values.get("modality")) is not None:
                values["modality"] = Modality(modality)
            if (media := values.get("media")) is not None:
                digest, kind, start, end = media
                values["media"] = MediaRef(digest, _media_kind(kind), values["env"], start, end)
            if (place := values.get("place")) is not None:
                values["place"] = Box(*place)
            if (detail := values.get("detail")) is not None:
                values["detail"] = detail_from_json(values["kind"], detail)
            return cls(**values)
        except (KeyError, TypeError, ValueError) as error:
            raise TimelineError(f"this is no event of a timeline: {error}") from None

    def to_line(self) -> bytes:
        """One line of a timeline's file."""
        return json.dumps(self.to_json(), separators=(",", ":"), ensure_ascii=True).encode() + b"\n"


_FIELDS = frozenset(one.name for one in fields(TimelineEvent))


def read_events(rows: Iterable[Mapping[str, Any]]) -> Iterator[TimelineEvent]:
    """The events that `TimelineEvent.to_json` wrote, without those of kinds that are not known here.

    Raises:
        TimelineError: an event of a known kind cannot be read.
    """
    return (TimelineEvent.from_json(row) for row in rows if row.get("kind") in EVENT_KINDS)


def _media_kind(kind: str) -> MediaKind:
    if kind not in get_args(MediaKind):
        raise ValueError(f"unknown kind of media {kind!r}")
    return kind  # type: ignore[return-value]
