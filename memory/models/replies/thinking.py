"""What a model thought before it answered, told apart from the answer."""

from __future__ import annotations

import re

from omnipilot.memory.messages import Reply

LONGEST_THOUGHT = 4_000
"""Characters of a thought that are kept, its end: that is where it decides."""

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_ENDED = re.compile(r"\A.*?</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)


def spoken(text: str) -> str:
    """A reply's text without what the model thought in tags (some templates open the tag themselves)."""
    return _ENDED.sub("", _THINKING.sub("", text)).strip()


def thought_of(reply: Reply) -> str:
    """Why, in words: what the model said beside its answer, or else what it thought."""
    said = spoken(reply.text) or reply.reasoning.strip() or reply.text.strip()
    return said if len(said) <= LONGEST_THOUGHT else f"… {said[-LONGEST_THOUGHT:]}"
