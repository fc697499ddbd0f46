"""What an event tells besides its words: one record for each kind of event that has more to say, and their JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias

from omnipilot.memory.transcription.base import SpokenPiece


@dataclass(frozen=True, slots=True)
class ScreenDetail:
    """Of a key frame of a film.

    Attributes:
        key: why it is one: `first`, `settled`, `cut` or `going on`; "" for a screenshot.
    """

    key: str = ""


@dataclass(frozen=True, slots=True)
class VideoDetail:
    """Of a film.

    Attributes:
        idle: why it shows nothing that matters, see `omnipilot.memory.perception.video.movements.idle`; "" if it may.
    """

    idle: str = ""


@dataclass(frozen=True, slots=True)
class SoundDetail:
    """Of a sound: its kind, such as `speech`, `digits` or `melody`, and how sure that is, 0..1."""

    kind: str = ""
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class TranscriptDetail:
    """Of speech in words.

    Attributes:
        words: that were said, in order, each with the space before it where one belongs there.
        starts, ends: of each word, in seconds on the world's clock.
    """

    words: tuple[str, ...] = ()
    starts: tuple[float, ...] = ()
    ends: tuple[float, ...] = ()

    @classmethod
    def of(cls, said: Sequence[SpokenPiece]) -> TranscriptDetail | None:
        """The record of what a transcriber told; None where it told no times of words."""
        if len(said) < 2:
            return None
        return cls(*map(tuple, zip(*((one.text, one.start, one.end) for one in said), strict=True)))


@dataclass(frozen=True, slots=True)
class MotionDetail:
    """Of something that moved.

    Attributes:
        kind: `moved`, `stopped`, `blinked`, `changed` or `cut`. times: number of blinks or changes.
        idle: as of its film.
    """

    kind: str = ""
    times: int = 1
    idle: str = ""


@dataclass(frozen=True, slots=True)
class ActionDetail:
    """Of an action.

    Attributes:
        verb: such as `click`. result: of its outcome; "" where the event only names what it went to.
        at: where it went, as shares of the screen's width and height; None where it had no place.
        name, role: of the element that it went to; "" if unknown.
    """

    verb: str = ""
    result: str = ""
    at: tuple[float, float] | None = None
    name: str = ""
    role: str = ""


@dataclass(frozen=True, slots=True)
class WriteDetail:
    """Of a write-back.

    Attributes:
        write: `copy`, `cut`, `paste`, `save`, `navigate` or `set`. verb: of the action that it was; "" for `set`.
        field, value: the field that was set, and what it holds.
    """

    write: str = ""
    verb: str = ""
    field: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class AnchorDetail:
    """Of a sighted entity.

    Attributes:
        name: of its anchor, such as `code-1`; "" where a model was asked and found none.
        type: such as `code`. value: as it stood there. key: what all spellings of it have in common; None for the
            value. label: what stood beside it. source: what it was read from, such as `elements`.
        replaces: the value that stood beside the same label before; None if it is the first.
        model: that named it; "" for none. dropped: values that this model named and that do not stand there.
    """

    name: str = ""
    type: str = ""
    value: str | None = None
    key: str | None = None
    label: str = ""
    source: str = ""
    replaces: str | None = None
    model: str = ""
    dropped: int | None = None


@dataclass(frozen=True, slots=True)
class PageDetail:
    """Of a page of the map of screens.

    Attributes:
        id: of the page. new: whether it was never seen before.
        before: id of the page before; "" if unknown. action: the own actions in between.
    """

    id: str = ""
    new: bool = False
    before: str = field(default="", metadata={"json": "from"})
    action: str = ""


@dataclass(frozen=True, slots=True)
class CheckDetail:
    """Of an expectation.

    Attributes:
        status: such as `stated`, `kept`, `violated` or `repaired`. source: `stated` or `implied`.
        expectation: as JSON values. step: index of the step; None if it belongs to none. found: what was found instead.
    """

    status: str = ""
    source: str = ""
    expectation: Mapping[str, Any] | None = None
    step: int | None = None
    found: str = ""


@dataclass(frozen=True, slots=True)
class SkillDetail:
    """Of a skill that was consulted.

    Attributes:
        skill: which: `zoom`, `read` or `recall`. unsure: whether the agent was unsure, or a place was not found.
        gave: whether it had an answer. helped: whether the answer was used, and no move of the turn was refused.
        needless: it did not help, and no move of the turn was refused: the agent got along without it.
    """

    skill: str = ""
    unsure: bool = False
    gave: bool = False
    helped: bool = False
    needless: bool = False


@dataclass(frozen=True, slots=True)
class SummaryClaim:
    """A sentence of a summary, and the turns that it is taken from."""

    text: str
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SummaryDetail:
    """Of older turns in a model's words.

    Attributes:
        turns: the first and the last. envs, modalities: of the role that it was made for. claims: what it consists of.
        dropped: sentences that no turn bears out. model: that wrote it. problem: why it is empty; "" if it is not.
    """

    turns: tuple[int, ...] = ()
    envs: tuple[str, ...] = ()
    modalities: tuple[str, ...] = ()
    claims: tuple[SummaryClaim, ...] = ()
    dropped: int = 0
    model: str = ""
    problem: str = ""


Detail: TypeAlias = (
    ScreenDetail
    | VideoDetail
    | SoundDetail
    | TranscriptDetail
    | MotionDetail
    | ActionDetail
    | WriteDetail
    | AnchorDetail
    | PageDetail
    | CheckDetail
    | SkillDetail
    | SummaryDetail
)
DETAILS: Mapping[str, type[Detail]] = {
    "screen": ScreenDetail,
    "video": VideoDetail,
    "sound": SoundDetail,
    "transcript": TranscriptDetail,
    "motion": MotionDetail,
    "action": ActionDetail,
    "write": WriteDetail,
    "anchor": AnchorDetail,
    "page": PageDetail,
    "check": CheckDetail,
    "skill": SkillDetail,
    "summary": SummaryDetail,
}
"""The record of each kind of event; other kinds have none."""


def detail_to_json(detail: Detail) -> dict[str, Any]:
    """A record as JSON values, without what is empty: None, "" and ()."""
    out: dict[str, Any] = {}
    for name, key, _ in _FIELDS[type(detail)]:
        value = getattr(detail, name)
        if value is None or value == "" or value == ():
            continue
        if isinstance(value, tuple):
            value = [
                {"text": one.text, "turns": [*one.turns]} if isinstance(one, SummaryClaim) else one for one in value
            ]
        out[key] = dict(value) if isinstance(value, Mapping) else value
    return out


def detail_from_json(kind: str, data: Any) -> Detail | None:
    """The record of an event of a kind; None for kinds without one. Unknown fields are skipped.

    Raises:
        ValueError: a value is of another type than its field.
    """
    record = DETAILS.get(kind)
    if record is None:
        return None
    if not isinstance(data, Mapping):
        raise ValueError(f"the detail of {kind} is an object, not {data!r:.60}")
    given: dict[str, Any] = {}
    for name, key, types in _FIELDS[record]:
        if (value := data.get(key)) is None:
            continue
        if isinstance(value, list):
            value = tuple(map(_item, value))
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise ValueError(f"{key} of {kind} cannot be {value!r:.60}")
        given[name] = value
    return record(**given)


def _item(value: Any) -> Any:
    if isinstance(value, Mapping):
        return SummaryClaim(str(value.get("text", "")), tuple(value.get("turns", ())))
    return value


_TYPES: Mapping[str, tuple[type, ...]] = {
    "str": (str,),
    "str | None": (str,),
    "int": (int,),
    "int | None": (int,),
    "float": (int, float),
    "bool": (bool,),
    "Mapping[str, Any] | None": (Mapping,),
}


_FIELDS: Mapping[type, tuple[tuple[str, str, tuple[type, ...]], ...]] = {
    record: tuple(
        (one.name, one.metadata.get("json", one.name), _TYPES.get(str(one.type), (tuple,))) for one in fields(record)
    )
    for record in DETAILS.values()
}
"""Of each field of a record its name, its key in JSON, and the types that its value may have."""
