"""What a turn shows: first what later requests repeat, then what is of this turn alone.

A silent sound is the word "silent", and a screen that looks as it last did the word "unchanged".
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from omnipilot.envs import Absent, AudioClip, Elements, Image, Modality, Observation, Size, VideoClip
from omnipilot.envs.types import Square
from omnipilot.memory import MOTION, TEXTS, TRANSCRIPT, Recalled
from omnipilot.memory.messages import Part
from omnipilot.memory.models import draw_boxes, side_by_side
from omnipilot.memory.quoting import quote
from omnipilot.planners.base import Brief, Request, Verbs
from omnipilot.planners.chat.history import MessagePiece, Shown
from omnipilot.planners.chat.own_words import say
from omnipilot.planners.chat.render import context_lines, element_lines, left_words, recalled_parts
from omnipilot.planners.recalled import BESIDE, MARKS, anchor_parts, beside_parts, join_words, noted_parts

MarkedScreens: TypeAlias = Literal["alone", "both", "beside"]
"""Whether a screen with drawn marks is shown instead of the plain one, after it, or at its right in one picture
(OmniBench, appendix E.1)."""

SCREEN, MARKED = "screen", "marked"
"""The words of a style that stand before a screen, and before one with drawn marks."""
SILENCE = 32
"""Largest sample of a sound that counts as silent: 60 dB below full scale."""

_MARK = re.compile(r'\[(\d+)\] (\S+(?: "(?:[^"\\]|\\.)*")?)')
_LINE = re.compile(r'(?:#\S+|-) (\S+(?: "(?:[^"\\]|\\.)*")?)')


@dataclass(frozen=True, slots=True)
class Style:
    """How a turn is shown.

    Attributes:
        coordinates: say where each element is. marks: see `MarkedScreens`.
        unchanged: say so of a screen that looks as it last did, instead of sending it again.
        before: by environment, the screen of the turn before, to be shown at the left of the current one.
        square: see `omnipilot.memory.models.LlmEndpoint`; each half of a picture of two is one.
        wording: other words than ours, see `omnipilot.planners.chat.own_words.WORDING`.
    """

    coordinates: bool = False
    marks: MarkedScreens = "alone"
    unchanged: bool = True
    before: Mapping[str, Image] = field(default_factory=dict)
    square: int = 0
    wording: Mapping[str, str] = field(default_factory=dict)


def show_turn(
    request: Request, style: Style, held: Mapping[str, tuple[Image, int]], opening: Iterable[Part] = ()
) -> Shown:
    """What a request shows of its turn, which later requests repeat.

    Args:
        held: the last picture of each environment that the conversation contains, and the turn it was shown in.
        opening: what the turn begins with.
    """
    told = _beside(request)
    if SCREEN in style.wording:
        return _turn_in_other_words(request, style, told, opening)
    pieces: list[MessagePiece] = [*map(MessagePiece, opening), MessagePiece(f"# Turn {request.turn + 1}")]
    pictures: dict[str, Image] = {}
    still: dict[str, list[str]] = defaultdict(list)
    for clip in _clips(request.observations.values()):
        kind = "video" if isinstance(clip, VideoClip) else "sound"
        if word := _nothing_new(clip):
            still[clip.env].append(f"{kind}: {word}")
        else:
            label = f"{kind.capitalize()} of {clip.env}, {clip.start:.1f} s to {clip.end:.1f} s"
            pieces += [MessagePiece(f"{label}:", clip.env, f"{label} (left out)"), MessagePiece(clip, clip.env)]
    for env, seen in request.observations.items():
        beside = told[env]
        pieces.append(
            MessagePiece(_head(seen, request.brief.envs.get(env), still[env]), env, f"{env}{_in_short(seen)}")
        )
        pieces += [MessagePiece(line) for line in _notes(seen, beside)]
        for label, picture in _stitched(request, seen, _pictures(seen, beside[MARKS], style), style):
            before = held.get(env)
            if style.unchanged and before is not None and before[0].digest == picture.digest:
                pieces.append(MessagePiece(f"{label} unchanged since turn {before[1] + 1}", env))
            else:
                pieces += [MessagePiece(label, env), MessagePiece(picture, env)]
                pictures[env] = picture
    return Shown((*pieces, *map(MessagePiece, _message(request))), pictures)


def show_now(request: Request, recalled: Sequence[Recalled], style: Style) -> tuple[Part, ...]:
    """What a request shows of this turn alone, and no later one repeats.

    That is the lists of elements, marks and texts on the screens, what memory holds, and the task with its question.

    Args:
        recalled: what of the request's recalled parts the conversation does not contain.
    """
    told = _beside(request)
    lists = [part for env, seen in request.observations.items() for part in _lists(seen, told[env], style)]
    past, noted = recalled_parts(recalled, request.turn), noted_parts(recalled, request.turn)
    named = anchor_parts(recalled, request.brief.anchors)
    if SCREEN in style.wording:
        return join_words((*past, *named, *noted))
    return join_words((*lists, *past, *named, *noted, closing(request)))


def _turn_in_other_words(
    request: Request, style: Style, told: Mapping[str, Mapping[str, Sequence[Part]]], opening: Iterable[Part]
) -> Shown:
    """The screens of a turn and its end in the words of a style; of sounds and films, the clips alone."""
    pieces = [MessagePiece(part) for part in opening]
    pictures: dict[str, Image] = {}
    pieces += [MessagePiece(clip, clip.env) for clip in _clips(request.observations.values())]
    for env, seen in request.observations.items():
        marked = [(MARKED, part) for part in told[env][MARKS] if isinstance(part, Image)]
        plain = [] if isinstance(seen.screenshot, Absent) else [(SCREEN, seen.screenshot)]
        for what, picture in plain + marked if style.marks == "both" else marked or plain:
            words = style.wording.get(what, style.wording[SCREEN])
            pieces += [MessagePiece(say(words, environment=env), env), MessagePiece(picture, env)]
            pictures[env] = picture
    if request.message:
        ending = say(style.wording.get("message", "{message}"), message=request.message)
    elif end := style.wording.get("end"):
        ending = say(end, task_description=request.brief.task or request.brief.instruction)
    else:
        ending = closing(request)
    return Shown((*pieces, MessagePiece(ending)), pictures)


def closing(request: Request) -> str:
    """The end of a request: the task, its intent, the remaining limits, and the question.

    A worker in a team gets none of these: the message is its task.
    """
    if request.message:
        return "Do now what the message asks of you."
    lines = [f"The task: {request.brief.instruction}"]
    if request.brief.intent:
        lines.append(f"Why the user wants it: {request.brief.intent}")
    if left := left_words(request.left):
        lines.append(f"You have left: {left}.")
    return "\n".join([*lines, "Decide what to do now."])


def _beside(request: Request) -> Mapping[str, Mapping[str, list[Part]]]:
    """What was read in this turn, by environment and source, for the place next to its screen."""
    told: dict[str, dict[str, list[Part]]] = defaultdict(lambda: defaultdict(list))
    for item in request.recalled:
        if item.source in BESIDE and item.turn == request.turn:
            told[item.env][item.source].append(item.part)
    return told


def introduce_devices(brief: Brief, observations: Mapping[str, Observation]) -> str:
    """The devices with what they are, have on them, and let one hear and see; "" if there are none.

    Args:
        observations: of the first turn, which tell what is seen and heard; none where that is not known.
    """
    if not brief.envs:
        return ""
    lines = [f"- {name}: {_introduction(verbs, observations.get(name))}" for name, verbs in brief.envs.items()]
    use = _how_to_use(observations.values())
    return "\n".join(["## The devices", "", *lines, *(["", use] if use else [])])


def is_silent(clip: AudioClip) -> bool:
    """Whether nothing can be heard: no sample is above `SILENCE`."""
    if not any(clip.pcm):
        return True
    samples = clip.array()
    return int(samples.max()) <= SILENCE and int(samples.min()) >= -SILENCE


def merge_lists(elements: Sequence[str], marks: Sequence[str]) -> Iterator[str]:
    """The lines of elements and of marks as one list: an element that is marked has the number of its mark.

    Args:
        elements: such as `#e7 button "Save" (focused)`. marks: such as `[3] button "Save"`.
    """
    numbers: dict[str, deque[tuple[str, str]]] = defaultdict(deque)
    for line in marks:
        if found := _MARK.match(line):
            numbers[found[2]].append((found[1], line))
    used: set[str] = set()
    merged: list[str] = []
    for line in elements:
        found = _LINE.match(line)
        if found and numbers[found[1]]:
            number, mark = numbers[found[1]].popleft()
            used.add(mark)
            merged.append(f"#{number} {line.partition(' ')[2]}")
        else:
            merged.append(line)
    for line in marks:
        if line not in used:
            found = _MARK.match(line)
            merged.append(f"#{found[1]} {line.partition('] ')[2]}" if found else line)
    yield from merged


def _message(request: Request) -> tuple[Part, ...]:
    """The message of a team's head to a worker; empty for a planner that decides alone."""
    return (f"The message to you:\n{request.message}",) if request.message else ()


def _introduction(verbs: Verbs, seen: Observation | None) -> str:
    size = _size(verbs.size or (seen.size if seen is not None else None))
    # A device, or the server of a remote one, may have described itself.
    said = f"a {verbs.platform}{size}" + (f", {quote(verbs.description)}" if verbs.description else "")
    if programs := verbs.applications or verbs.installed:
        said += f"; applications: {quote(', '.join(programs))}"
    if seen is not None and (senses := _senses(seen)):
        said += f"; you get its {senses}"
    return said


def _size(size: Size | None) -> str:
    return "" if size is None else f" of {size.width}x{size.height} pixels"


_SENSES = {Modality.SCREENSHOT: "screen", Modality.AUDIO: "sound", Modality.VIDEO: "video"}


def _senses(seen: Observation) -> str:
    had = [word for modality, word in _SENSES.items() if _is_given(seen, modality)]
    return " and ".join([", ".join(had[:-1]), had[-1]] if len(had) > 1 else had)


def _is_given(seen: Observation, modality: Modality) -> bool:
    """Whether a modality is sent: it is there, or is only missing this time."""
    value = getattr(seen, modality.value)
    return not isinstance(value, Absent) or value.reason in ("failed", "gated")


def _how_to_use(observations: Iterable[Observation]) -> str:
    seen = list(observations)
    lines = []
    if any(_is_given(one, Modality.AUDIO) for one in seen):
        lines.append(
            "Sound is what was heard since your last turn. To hear something, start it and `wait` until it has played."
        )
    if any(_is_given(one, Modality.VIDEO) for one in seen):
        lines.append("Video shows what moved since your last turn, and what came and went.")
    return "\n".join(lines)


def _clips(observations: Collection[Observation]) -> list[AudioClip | VideoClip]:
    """Sound and video since the last turn in order of time, without clips of no length."""
    clips = [clip for seen in observations for clip in (seen.video, seen.audio) if not isinstance(clip, Absent)]
    return sorted((clip for clip in clips if clip.seconds > 0), key=lambda clip: clip.start)


def _nothing_new(clip: AudioClip | VideoClip) -> str:
    """The word for a clip in which nothing can be heard, or nothing changes; "" for any other."""
    if isinstance(clip, AudioClip):
        return "silent" if is_silent(clip) else ""
    return "unchanged" if len({frame.digest for frame in clip.frames}) == 1 else ""


def _head(seen: Observation, verbs: Verbs | None, still: Sequence[str]) -> str:
    """A device with the time, what is in front, and what of its sound and video is only a word."""
    known = verbs is not None and verbs.size == seen.size
    shape = "" if known else f", {seen.size.width}x{seen.size.height}"
    context = [] if isinstance(seen.context, Absent) else context_lines(seen.context)
    return "\n".join(["; ".join([f"## {seen.env}{shape}, at {seen.time:.1f} s", *still]), *context])


def _in_short(seen: Observation) -> str:
    """What is in front, as earlier turns are told of it."""
    if isinstance(seen.context, Absent):
        return ""
    said = dict.fromkeys(filter(None, (seen.context.title or seen.context.app, seen.context.url)))
    return f": {', '.join(map(quote, said))}" if said else ""


def _notes(seen: Observation, beside: Mapping[str, Sequence[Part]]) -> Iterator[Part]:
    """What readers heard, and what is missing."""
    if beside[TRANSCRIPT]:
        yield BESIDE[TRANSCRIPT].format(env=seen.env)
        yield from beside_parts(beside[TRANSCRIPT], TRANSCRIPT)
    if beside[MOTION]:
        yield BESIDE[MOTION].format(env=seen.env)
        yield from beside_parts(beside[MOTION], MOTION)
    if not beside[MARKS] and isinstance(seen.screenshot, Absent) and isinstance(seen.elements, Absent):
        yield f"(You are not shown the screen of {seen.env}; whoever carries out your actions sees it.)"
    for modality in Modality:
        absent = getattr(seen, modality.value)
        if isinstance(absent, Absent) and absent.reason in ("failed", "gated"):
            why = "could not be captured" if absent.reason == "failed" else "was held back"
            yield f"({modality.value} of {seen.env} {why}{f': {quote(absent.detail)}' if absent.detail else ''})"


def _pictures(seen: Observation, marks: Sequence[Part], style: Style) -> Iterator[tuple[str, Image]]:
    """The pictures of a screen, each with its label."""
    marked = [part for part in marks if isinstance(part, Image)]
    if not isinstance(seen.screenshot, Absent) and marked and style.marks == "beside":
        for picture in marked:
            label = f"The screen of {seen.env}, plain on the left, and with numbered marks on the right:"
            yield label, side_by_side(seen.screenshot, picture)
        return
    if not isinstance(seen.screenshot, Absent) and (not marked or style.marks == "both"):
        yield f"The screen of {seen.env}:", seen.screenshot
    for picture in marked:
        yield f"The screen of {seen.env} with numbered marks:", picture


def _stitched(
    request: Request, seen: Observation, shown: Iterable[tuple[str, Image]], style: Style
) -> Iterator[tuple[str, Image]]:
    """The pictures of a screen, each at the right of the screen of the turn before, where that is to be shown.

    What was acted on has a red frame in both, as in OmniBench (D.3): on the current one, the same place.
    """
    before = style.before.get(seen.env)
    if before is None:
        yield from shown
        return
    moves = (told for told in request.feedback if told.move is not None and told.move.env == seen.env)
    touched = [box for told in moves for box in told.touched]
    for label, picture in shown:
        halves = [draw_boxes(one, touched) for one in (before, picture)]
        if style.square:
            halves = [Square(style.square).fit(one) for one in halves]
        now = label.removesuffix(":").replace("The screen", "the screen", 1)
        framed = ", with red frames around what was acted on" if touched else ""
        yield f"On the left the turn before, on the right {now} now{framed}:", side_by_side(halves[0], halves[1])


def _lists(seen: Observation, beside: Mapping[str, Sequence[Part]], style: Style) -> Iterator[Part]:
    marks = [line for part in beside_parts(beside[MARKS], MARKS) if isinstance(part, str) for line in part.split("\n")]
    if isinstance(seen.elements, Elements):
        yield f"The elements of {seen.env}:"
        listed = element_lines(seen.elements, style.coordinates, seen.context)
        yield from merge_lists(list(listed), marks) if marks else listed
    elif marks:
        yield BESIDE[MARKS].format(env=seen.env)
        yield from merge_lists([], marks)
    if beside[TEXTS]:
        yield BESIDE[TEXTS].format(env=seen.env)
        yield from beside_parts(beside[TEXTS], TEXTS)
