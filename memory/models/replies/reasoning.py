"""Separates a model's reasoning from its answer, for both planners and grounders."""

from __future__ import annotations

import re

from omnipilot.memory.messages import Reply

LONGEST_THOUGHT = 4_000
"""Characters of a thought that are kept, its end: that is where it decides."""

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_ENDED = re.compile(r"\A.*?</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
# The look ahead keeps a text of nothing but "<" cheap.
TAG = re.compile(
    r"[<◁](?=[\s/tTgG])(/?)\s*+(?:think[\w-]{0,80}+|thought|grounding_think|gui_think)\s*+[>▷]", re.IGNORECASE
)


def split_thoughts(text: str, announces: re.Pattern[str] | None = None) -> tuple[list[str], list[str]]:
    """The reasoning pieces of a reply, and the others, each in order.

    `<think>`, `<thinking>`, `<thinkt>`, `<think_never_used…>`, `<Thought>`, `<grounding_think>`, `<gui_think>` and
    `◁think▷` blocks are reasoning, and so is everything before a closing tag that none opened (the chat template did).
    A block that never closes was cut off: the rest is reasoning, or what comes before the last match of `announces` in
    it, where the model went on to its actions without closing the tag. Time is linear in the length of the text.
    """
    thoughts: list[str] = []
    kept: list[str] = []
    at, inside = 0, False
    for tag in TAG.finditer(text):
        piece = text[at : tag.start()]
        closing = bool(tag[1])
        if inside:
            thoughts.append(piece)
        elif closing:
            thoughts += [*kept, piece]
            kept = []
        else:
            kept.append(piece)
        inside = not closing
        at = tag.end()
    rest = text[at:]
    if inside and announces is not None and (last := _last(announces, rest)) is not None:
        thoughts.append(rest[:last])
        kept.append(rest[last:])
    else:
        (thoughts if inside else kept).append(rest)
    return thoughts, kept


def _last(pattern: re.Pattern[str], text: str) -> int | None:
    found = None
    for match in pattern.finditer(text):
        found = match.start()
    return found


def without_thoughts(text: str) -> str:
    """A reply's text without tagged reasoning (some templates open the tag themselves)."""
    return _ENDED.sub("", _THINKING.sub("", text)).strip()


def thought_of(reply: Reply) -> str:
    """The reason in words: the text beside the answer, or else the model's reasoning."""
    return shorten_thought(without_thoughts(reply.text) or reply.reasoning.strip() or reply.text.strip())


def shorten_thought(said: str) -> str:
    """The end of a thought that is too long to be kept."""
    return said if len(said) <= LONGEST_THOUGHT else f"… {said[-LONGEST_THOUGHT:]}"
