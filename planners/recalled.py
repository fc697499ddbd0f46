"""How recalled parts are shown to a model: each in its place, with when and where it was and why it is shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from omnipilot.memory import ANCHOR, MOTION, TEXTS, TRANSCRIPT, Recalled
from omnipilot.memory.episodic.anchors.remembered import note_words
from omnipilot.memory.examples.index import SOURCE as EXAMPLE
from omnipilot.memory.messages import Part
from omnipilot.memory.quoting import MATERIAL, one_line, own_lines, quote
from omnipilot.memory.word_origins import origin_words

OWN_WORDS = frozenset({"thought", "action", "outcome"})
"""Sources of recalled parts that a model's own record of its turns contains anyway."""
_SAID = frozenset({"thought", "action", "note"})
"""Sources of a planner's own words. What these quote is in quotes already."""
_TOLD = frozenset({"advice", "check", "map", EXAMPLE})
"""Sources of our words to a planner, which may be several lines. The words of all other sources are from outside."""
_LAST_TURNS = OWN_WORDS | {"note", "screenshot", "audio", "video"}
"""Sources of the parts of the last turns, as the memory `window` gives them."""
MARKS = "marks"
BESIDE: Mapping[str, str] = {
    MARKS: "What is marked on {env}:",
    TRANSCRIPT: "What was heard on {env} since the last turn, in words:",
    TEXTS: "What is written on the screen of {env}:",
    MOTION: "What moved on {env} since the last turn, in words:",
}
"""Sources of the recalled parts that are placed next to their screen, as a grounder's marks are, with the line above
them; like the screen, they remain in the conversation."""
_ANCHORS = (
    "Values that you saw, heard or noted. {{@{key}:name}} in a text that you type is replaced by the value, exactly; "
    "{{@{key}:name.plain}} by the value without signs, units and separators:"
)


def memory_parts(recalled: Iterable[Recalled], now: int) -> tuple[Part, ...]:
    """Recalled parts of turns before `now`, in their order, each after a line that says when and where it was and why
    it is shown; empty if there are none."""
    items = [item for item in recalled if item.turn != now]
    if not items:
        return ()
    times = [item.time for item in items]
    found: list[Part] = ["From your memory, oldest first:" if times == sorted(times) else "From your memory:"]
    for item in items:
        found += label_parts(item, f"{_when(item)}, ")
    return join_words(found)


def join_words(parts: Iterable[Part]) -> tuple[Part, ...]:
    """The parts, with adjacent texts merged."""
    out: list[Part] = []
    for words, group in groupby(parts, key=lambda part: isinstance(part, str)):
        pieces = list(group)
        out += ["\n".join(map(str, pieces))] if words else pieces
    return tuple(out)


def label_parts(item: Recalled, when: str) -> tuple[Part, ...]:
    """A part after its label; a text on the same line."""
    why = f" ({one_line(item.why)})" if item.why else ""
    where = ", ".join(filter(None, (item.env, origin_words(item.origin), item.source)))
    label = f"- {when}{where}{why}:"
    return (f"{label} {recalled_words(item)}",) if isinstance(item.part, str) else (label, item.part)


def recalled_words(item: Recalled) -> str:
    """The words of a recalled text: a planner's own on one line, and ours as they are; all others are quoted."""
    text = str(item.part)
    if item.source in _SAID:
        return one_line(note_words(text))
    return own_lines(text) if item.source in _TOLD else quote(text)


def beside_parts(parts: Iterable[Part], source: str) -> Iterator[Part]:
    """What readers put into words, each line quoted; the lines of marks, which quote what they name, as they are."""
    for part in parts:
        if not isinstance(part, str):
            yield part
        elif source == MARKS:
            yield own_lines(part)
        else:
            yield "\n".join(map(quote, part.split("\n")))


def noted_parts(recalled: Iterable[Recalled], now: int) -> tuple[Part, ...]:
    """Notes on this turn: sub-goals left, a detected loop, …; what is placed next to its screen is excluded."""
    beside = [item for item in recalled if item.turn == now and item.source not in BESIDE and item.source != ANCHOR]
    found = [part for item in beside for part in label_parts(item, "")]
    return join_words(["To be considered now:", *found]) if found else ()


def anchor_parts(recalled: Iterable[Recalled], key: str) -> tuple[Part, ...]:
    """What was seen, heard and noted under a name, in one part; empty if nothing was.

    Args:
        key: by which the planner names it; see `Brief.anchors`.
    """
    listed = [item for item in recalled if item.source == ANCHOR]
    lines = [f"- {f'{item.env}: ' if item.env else ''}{one_line(str(item.part))}" for item in listed]
    return ("\n".join([_ANCHORS.format(key=key), *lines]),) if lines else ()


def told_parts(
    recalled: Iterable[Recalled], now: int, key: str, turns: Collection[int] = (), shown: Collection[object] = ()
) -> tuple[Part, ...]:
    """What a model is told that keeps a record of its turns itself: what a memory chose from before this turn, what
    readers put into words, what is known under a name, and what is to be considered now.

    Args:
        key: of anchors; see `Brief.anchors`.
        turns: in the record: the agent's own words of these are left out. shown: pictures that the model is shown
            anyway.
    """
    items = drop_shown(tuple(_chosen(recalled, turns)), shown)
    past = memory_parts((item for item in items if item.source != ANCHOR), now)
    told = join_words((*past, *_read(items, now), *anchor_parts(items, key), *noted_parts(items, now)))
    quoting = any(isinstance(part, str) and '"' in part for part in told)
    return join_words((MATERIAL, *told)) if quoting else told


def _chosen(recalled: Iterable[Recalled], turns: Collection[int]) -> Iterator[Recalled]:
    """The parts that no record of the turns holds.

    A part without a reason may be one of the last turns, which such a record holds as the model's authors laid it
    out. Marks are for planners that name them; a model that keeps a record points by itself.
    """
    for item in recalled:
        recorded = item.source in OWN_WORDS and item.turn in turns
        if item.source != MARKS and (item.why or item.source not in _LAST_TURNS) and not recorded:
            yield item


def _read(items: Iterable[Recalled], now: int) -> Iterator[Part]:
    """What readers put into words in this turn, under a heading."""
    for item in items:
        if item.turn == now and item.source in BESIDE:
            yield BESIDE[item.source].format(env=item.env)
            yield from beside_parts([item.part], item.source)


def drop_shown(recalled: Sequence[Recalled], shown: Collection[object]) -> tuple[Recalled, ...]:
    """The parts without pictures that the model is shown anyway."""
    return tuple(item for item in recalled if isinstance(item.part, str) or item.part not in shown)


def _when(item: Recalled) -> str:
    when = "before the task began" if item.turn < 0 else f"turn {item.turn + 1}"
    return f"{when}, at {item.time:.1f} s" if item.why or item.turn < 0 else when
