"""Rendering a request as message parts for a chat model. Absent modalities are left out or named as absent."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from omnipilot.envs import Absent, Context, Element, Elements, Modality, Observation, VideoClip
from omnipilot.envs.types import origin_of
from omnipilot.memory import ANCHOR, Outcome, Recalled
from omnipilot.memory.messages import Part
from omnipilot.memory.quoting import plain, quote
from omnipilot.memory.window import verb_text
from omnipilot.memory.word_origins import origin_words, says_more
from omnipilot.planners.base import Feedback, Left
from omnipilot.planners.recalled import BESIDE, MARKS, beside_parts, join_words, memory_parts

_RESULTS = {
    "done": "carried out",
    "control": "carried out",
    "rejected": "refused",
    "not_found": "not carried out, the place was not found",
    "denied": "refused",
    "malformed": "your reply could not be read",
    "skipped": "not carried out",
    "forced": "the recording went on with",
    "vetoed": "held back before it was carried out",
}


_OURS = frozenset({"control", "malformed", "skipped"})
"""Results whose message is the user's answer, or ours."""


def outcome_words(outcome: Outcome) -> str:
    """The outcome of a move, in words: what devices, grounders and critics say of it is quoted."""
    said = _RESULTS.get(outcome.result, outcome.result)
    if not outcome.message:
        return said
    return f"{said}: {outcome.message if outcome.result in _OURS else quote(outcome.message)}"


def feedback_words(feedback: Sequence[Feedback]) -> tuple[Part, ...]:
    """The outcomes of the last moves, in one part; empty if there is nothing to report."""
    lines = []
    for told in feedback:
        what = "" if told.move is None else verb_text(told.move.intent)
        where = f" on {told.move.env}" if told.move is not None and told.move.env else ""
        lines.append(f"- {what}{where}: {outcome_words(told.outcome)}" if what else f"- {outcome_words(told.outcome)}")
    return ("\n".join(["What became of your last actions:", *lines]),) if lines else ()


def recalled_parts(recalled: Iterable[Recalled], now: int) -> tuple[Part, ...]:
    """Recalled parts of turns before `now`, each with its source; see `omnipilot.planners.recalled.memory_parts`."""
    return join_words(memory_parts((item for item in recalled if item.source not in (MARKS, ANCHOR)), now))


def seen_parts(
    observations: Mapping[str, Observation],
    recalled: Iterable[Recalled] = (),
    coordinates: bool = False,
    now: int | None = None,
) -> tuple[Part, ...]:
    """The current observations: clips in order of time, then the state of each environment.

    Args:
        recalled: marks, transcripts and texts among these are shown with their environment.
        coordinates: include where each element is, for a planner that gives coordinates itself.
        now: index of this turn; what was heard and written in others is not shown here. None for what is of this turn
            alone.
    """
    beside: dict[str, dict[str, list[Part]]] = {}
    for item in recalled:
        if item.source in BESIDE and now in (None, item.turn):
            beside.setdefault(item.env, {}).setdefault(item.source, []).append(item.part)
    parts = list(_clips(observations.values()))
    for name, seen in observations.items():
        parts += _screen(seen, beside.get(name, {}), coordinates)
    return join_words(parts)


def left_words(left: Left) -> str:
    """The remaining limits in words; wall time in whole minutes, so that requests differ as little as possible."""
    told = [
        f"{number} {what}{'s' if number != 1 else ''}"
        for number, what in ((left.turns, "turn"), (left.actions, "action"), (left.tokens, "token"))
        if number is not None
    ]
    if left.seconds is not None:
        told.append(f"about {max(1, round(left.seconds / 60))} min")
    return ", ".join(told)


def _clips(observations: Collection[Observation]) -> Iterator[Part]:
    """Audio and video since the last turn, without zero-length clips."""
    clips = [clip for seen in observations for clip in (seen.video, seen.audio) if not isinstance(clip, Absent)]
    for clip in sorted(clips, key=lambda clip: clip.start):
        if clip.seconds > 0:
            kind = "Video" if isinstance(clip, VideoClip) else "Sound"
            yield f"{kind} of {clip.env}, from {clip.start:.1f} s to {clip.end:.1f} s:"
            yield clip


def _screen(seen: Observation, beside: Mapping[str, Sequence[Part]], coordinates: bool) -> Iterator[Part]:
    yield f"## {seen.env}, {seen.size.width}x{seen.size.height} pixels, at {seen.time:.1f} s"
    if not isinstance(seen.context, Absent):
        yield from context_lines(seen.context)
    if not isinstance(seen.screenshot, Absent):
        yield f"The screen of {seen.env}:"
        yield seen.screenshot
    if not isinstance(seen.elements, Absent):
        yield f"The elements of {seen.env}:"
        yield from element_lines(seen.elements, coordinates, seen.context)
    for source, above in BESIDE.items():
        if source in beside:
            yield above.format(env=seen.env)
            yield from beside_parts(beside[source], source)
    if MARKS not in beside and isinstance(seen.screenshot, Absent) and isinstance(seen.elements, Absent):
        yield f"(You are not shown the screen of {seen.env}; whoever carries out your actions sees it.)"
    for modality in Modality:
        absent = getattr(seen, modality.value)
        if isinstance(absent, Absent) and absent.reason in ("failed", "gated"):
            why = "could not be captured" if absent.reason == "failed" else "was held back"
            yield f"({modality.value} of {seen.env} {why}{f': {quote(absent.detail)}' if absent.detail else ''})"


def context_lines(context: Context) -> Iterator[str]:
    """What is in front, on the clipboard and in the tabs, one line each."""
    told = [("In front", context.app), ("title", context.title), ("address", context.url)]
    shown = f"; it shows: {words}" if (words := origin_words(context.origin)) else ""
    if line := ", ".join(f"{what}: {quote(said)}" for what, said in told if said):
        yield line + shown
    if context.clipboard:
        yield f"On the clipboard: {quote(context.clipboard)}"
    if context.tabs:
        current = "" if context.tab is None else f"; the current one is {context.tab}"
        yield "Tabs: " + ", ".join(f"{i} {quote(title)}" for i, title in enumerate(context.tabs)) + current


def element_lines(
    elements: Elements, coordinates: bool = False, context: Context | Absent | None = None
) -> Iterator[str]:
    """One line per element, in order, with where its words come from if that is not the application or page in front,
    and one line for what is missing.

    Args:
        coordinates: include the centre of each, as fractions of the screen's sides.
        context: of the same observation.
    """
    whole = {str(origin_of(None, context))}
    for element in elements.items:
        said = origin_words(element.origin) if element.origin not in whole and says_more(element.origin) else ""
        yield _line(element, coordinates) + (f" [{said}]" if said else "")
    if not elements.items:
        yield "(there are none)"
    if elements.truncated:
        yield f"(the list is cut: {quote(elements.detail)})" if elements.detail else "(the list is cut)"


def _line(element: Element, coordinates: bool) -> str:
    # A page may say what its elements are, so that even a role can be anything.
    words = [f"#{plain(element.id)}"] if element.id is not None else ["-"]
    words.append(plain(element.role))
    if element.name:
        words.append(quote(element.name))
    if element.value:
        words.append(f"= {quote(element.value)}")
    if element.states:
        words.append(f"({', '.join(map(plain, sorted(element.states)))})")
    if coordinates:
        words.append(f"at {element.box.center.x:.3f}, {element.box.center.y:.3f}")
    return " ".join(words)
