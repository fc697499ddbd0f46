"""Prepares a reply's text: normalised, without reasoning, narrowed to the part with the answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

from omnipilot.memory.models.replies.reasoning import split_thoughts

_WIDE = (("：", ":"), ("，", ","), ("（", "("), ("）", ")"), ("［", "["), ("］", "]"), ("＝", "="), ("\ufeff", ""))


def with_plain_marks(raw: str) -> str:
    """A reply without a byte order mark, with ASCII for full-width punctuation."""
    for wide, plain in _WIDE:
        raw = raw.replace(wide, plain)
    return raw


def without_reasoning(text: str, announces: tuple[str, ...] = ()) -> str:
    """A reply without its reasoning; see `omnipilot.memory.models.replies.reasoning`.

    Args:
        announces: tags and labels that begin the answer, also after a thought that is never closed.
    """
    marks = re.compile("|".join(map(re.escape, announces))) if announces else None
    return "".join(split_thoughts(text, marks)[1])


@dataclass(frozen=True, slots=True)
class AnswerRegion:
    """The part of a reply that contains the answer.

    Attributes:
        inside: tags; the answer is inside the first of them that is there (`answer`: between `<answer>` and
            `</answer>`, or the end where it is not closed).
        last: of several such blocks the last one counts, else the first.
        after: labels; the answer is after the last occurrence of the first of them that is there.
        required: a reply without the tag or label has no answer; else the whole reply is searched.
    """

    inside: tuple[str, ...] = ()
    last: bool = False
    after: tuple[str, ...] = ()
    required: bool = False

    @property
    def announces(self) -> tuple[str, ...]:
        """The tags and labels as they are written."""
        return (*(f"<{tag}>" for tag in self.inside), *self.after)

    def narrow(self, text: str) -> str | None:
        """The part of a reply to search; None if there is none."""
        for tag in self.inside:
            for opening in (f"<{tag}>", *_ALIASES.get(tag, ())):
                start = text.rfind(opening) if self.last else text.find(opening)
                if start >= 0:
                    return _until(text[start + len(opening) :], f"</{tag}>", opening)
        for label in self.after:
            start = text.rfind(label)
            if start >= 0:
                return text[start + len(label) :]
        return None if self.required else text


def _until(text: str, *marks: str) -> str:
    return text[: min((end for mark in marks if (end := text.find(mark)) >= 0), default=len(text))]


_ALIASES = {"tool_call": ("⚗",)}
"""How some tokenizers print a tag that is one token for them."""
WHOLE = AnswerRegion()
