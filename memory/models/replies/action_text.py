"""Splits a native model's reply into its reasoning and the part with its actions."""

from __future__ import annotations

import re
from collections import deque

from omnipilot.memory.messages import MalformedReply
from omnipilot.memory.models.replies.reasoning import split_thoughts

LONGEST_REPLY = 100_000
"""Maximum length of a reply, in characters; a longer one is refused."""

_TOKEN = re.compile(r"<\|[a-z_]{1,40}\|>")
_FENCE = re.compile(r"```[A-Za-z]{0,20}+[ \t]*+\n?")
_MARKUP = re.compile(r"</?(?:think|action|answer|conclusion)\s?>", re.IGNORECASE)


def refuse_long(reply: str) -> None:
    """Refuse a reply that is too long to be read.

    Raises:
        MalformedReply: the reply is longer than `LONGEST_REPLY`.
    """
    if len(reply) > LONGEST_REPLY:
        raise MalformedReply(f"the reply has {len(reply)} characters, more than {LONGEST_REPLY}; answer briefly")


def split_reasoning(reply: str, announces: re.Pattern[str] | None = None) -> tuple[str, str]:
    """The reasoning of a reply and the rest of it, both stripped.

    See `omnipilot.memory.models.replies.reasoning` for what is reasoning.

    Args:
        announces: what ends a thought whose tag is never closed: the beginning of the actions.

    Raises:
        MalformedReply: the reply is longer than `LONGEST_REPLY`.
    """
    refuse_long(reply)
    thoughts, kept = split_thoughts(reply.replace("\ufeff", ""), announces)
    return join_thoughts(thoughts), "".join(kept).strip()


def join_thoughts(pieces: list[str]) -> str:
    """Pieces of thought joined into one text, without empty ones."""
    return "\n".join(piece for piece in map(str.strip, pieces) if piece)


def words(text: str) -> str:
    """A thought without markup: special tokens, fences and empty tags are removed."""
    return _MARKUP.sub("", _FENCE.sub("", _TOKEN.sub("", text))).strip()


def without_tokens(text: str) -> str:
    """Text without special tokens of chat templates, such as `<|im_end|>`."""
    return _TOKEN.sub("", text)


def without_markup(text: str) -> str:
    """Text without the tags that some models put around an answer, such as `<answer>`."""
    return _MARKUP.sub("", text)


def without_fences(text: str) -> str:
    """Text without code fence markers; the enclosed text stays."""
    return _FENCE.sub("", text)


def last_fence(text: str) -> tuple[str, str] | None:
    """The text before the last code fence, and the code in it; None if no fence is opened."""
    marks = list(_FENCE.finditer(text))
    if not marks:
        return None
    # An odd number of marks: the last fence was opened and never closed.
    last = len(marks) - 1 if len(marks) % 2 else len(marks) - 2
    end = marks[last + 1].start() if last + 1 < len(marks) else len(text)
    return text[: marks[last].start()], text[marks[last].end() : end]


def after(text: str, label: str) -> tuple[str, str] | None:
    """The text before and after the last `label:`, preferably one at the start of a line; None without one."""
    last = _last(rf"^[ \t]{{0,80}}+(?P<label>{label}[ \t]{{0,8}}[:：])", text) or _last(
        rf"(?P<label>{label}[ \t]{{0,8}}[:：])", text
    )
    return None if last is None else (text[: last.start("label")], text[last.end() :])


def _last(pattern: str, text: str) -> re.Match[str] | None:
    found = deque(re.compile(pattern, re.IGNORECASE | re.MULTILINE).finditer(text), maxlen=1)
    return found[0] if found else None


def excerpt(text: str, longest: int = 80) -> str:
    """The beginning of a text on one line, quoted."""
    line = " ".join(text[: 4 * longest].split())
    return repr(line if len(line) <= longest else line[:longest] + "…") if line else "nothing"
