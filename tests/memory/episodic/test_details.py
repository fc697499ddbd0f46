"""What events tell besides their words: one record a kind, to JSON and back."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any, get_args

import pytest

from omnipilot.memory.episodic import TimelineError, TimelineEvent
from omnipilot.memory.episodic.details import (
    DETAILS,
    ActionDetail,
    AnchorDetail,
    CheckDetail,
    Detail,
    MotionDetail,
    PageDetail,
    ScreenDetail,
    SkillDetail,
    SoundDetail,
    SummaryClaim,
    SummaryDetail,
    TranscriptDetail,
    VideoDetail,
    WriteDetail,
)
from omnipilot.memory.episodic.events import EVENT_KINDS, read_events

FULL: dict[str, Detail] = {
    "screen": ScreenDetail("cut"),
    "video": VideoDetail("caret"),
    "sound": SoundDetail("speech", 0.5),
    "transcript": TranscriptDetail(("The", " code"), (1.0, 1.25), (1.25, 1.75)),
    "motion": MotionDetail("blinked", 3, "caret"),
    "action": ActionDetail("click", "done", (0.25, 0.5), "Save", "button"),
    "write": WriteDetail("set", "type_text", "To", "7394"),
    "anchor": AnchorDetail("code-1", "code", "7394", "7394", "door", "elements", "1111", "m/n", 0),
    "page": PageDetail("p1", False, "p0", "click"),
    "check": CheckDetail("kept", "stated", {"kind": "title", "value": "x"}, 0, "y"),
    "skill": SkillDetail("read", True, True, True, True),
    "summary": SummaryDetail((0, 2), ("phone",), ("elements",), (SummaryClaim("a", (1, 2)),), 0, "m/n", "cut"),
}


def event(kind: Any, detail: Detail | None) -> TimelineEvent:
    return TimelineEvent(kind, "phone", 1.0, 1.0, 0, detail=detail)


def test_every_record_belongs_to_one_kind() -> None:
    assert set(DETAILS.values()) == set(get_args(Detail)) == {type(one) for one in FULL.values()}
    assert set(DETAILS) == set(FULL) <= set(EVENT_KINDS)


@pytest.mark.parametrize("kind", FULL)
def test_a_record_is_read_back_from_the_json_of_its_event(kind: str) -> None:
    whole = event(kind, FULL[kind])
    data = json.loads(whole.to_line())
    assert TimelineEvent.from_json(data) == whole
    assert len(data["detail"]) == len(fields(FULL[kind])), "every field is written"
    # What a later version adds is skipped; what one left out has its default.
    later = data | {"later": 1, "detail": data["detail"] | {"later": {"a": 1}}}
    assert TimelineEvent.from_json(later) == whole
    assert TimelineEvent.from_json(data | {"detail": {}}).detail == DETAILS[kind]()


def test_events_of_unknown_kinds_are_skipped() -> None:
    known = event("note", None)
    assert list(read_events([known.to_json(), {"kind": "smell", "env": "phone"}, known.to_json()])) == [known, known]
    with pytest.raises(TimelineError, match="unknown kind 'smell'"):
        TimelineEvent.from_json({"kind": "smell", "env": "", "start": 0, "end": 0, "turn": 0})


@pytest.mark.parametrize(
    ("kind", "detail"),
    [
        ("sound", {"kind": 1}),
        ("sound", {"confidence": "high"}),
        ("motion", {"times": True}),
        ("page", {"new": 1}),
        ("action", {"at": "here"}),
        ("check", {"expectation": [1]}),
        ("sound", [1]),
    ],
)
def test_a_value_of_another_type_is_refused(kind: str, detail: Any) -> None:
    with pytest.raises(TimelineError, match=kind):
        TimelineEvent.from_json(event(kind, None).to_json() | {"detail": detail})


def test_an_event_has_the_record_of_its_kind() -> None:
    with pytest.raises(TypeError, match="of the kind note is no SoundDetail"):
        event("note", SoundDetail("speech"))
