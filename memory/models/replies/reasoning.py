"""Separates a model's reasoning from its answer, for both planners and grounders."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import groupby

from omnipilot.memory.messages import Reply

LONGEST_THOUGHT = 4_000
"""Characters of a thought that are kept, its end: that is where it decides."""
ONLY_REASONING = (
    "All of the reply came as reasoning, without a </think>: end the thought before the answer (a model that does not "
    "think is served without --reasoning-parser)"
)
"""Why there is no answer in a reply of nothing but reasoning, for the model and for whoever serves it."""
LOOP = 3
"""So many times in a row, a sentence is a loop."""
_SENTENCE = re.compile(r"[^.!?\n]*+[.!?\n]++\s*+|[^.!?\n]++")


@dataclass(frozen=True, slots=True)
class ReasoningTag:
    """A tag that models put around their reasoning.

    Attributes:
        name: as it is written between the brackets, a regular expression; the case of letters does not matter.
        models: families that write it.
    """

    name: str
    models: str


TAGS = (
    ReasoningTag("think", "DeepSeek-R1, Qwen3, GLM-V, UI-Venus, UI-Ins; between ◁ and ▷: Kimi-VL"),
    ReasoningTag("thinking", "MAI-UI as an agent, and models whose prompt asks for it"),
    ReasoningTag("grounding_think", "MAI-UI as a grounder"),
    ReasoningTag("gui_think", "UI-TARS-2"),
    ReasoningTag("seed:think", "Seed-OSS"),
    ReasoningTag("thought", "models whose prompt asks for it"),
    ReasoningTag("reasoning", "models whose prompt asks for it"),
    ReasoningTag(r"think[\w-]{0,80}+", "Seed 1.6 and UI-TARS-2, as <think_never_used_51bce0c785ca>; misspelt ones"),
)
"""Every tag of reasoning that replies are read with. The last is tried last: it takes what begins like `think`."""
# The look ahead keeps a text of nothing but "<" cheap.
TAG = re.compile(
    rf"[<◁](?=[\s/tTgGrRsS])(/?)\s*+(?:{'|'.join(tag.name for tag in TAGS)})\s*+[>▷]",
    re.IGNORECASE,
)


def split_thoughts(text: str, announces: re.Pattern[str] | None = None) -> tuple[list[str], list[str]]:
    """The reasoning pieces of a reply, and the others, each in order.

    Blocks in one of `TAGS` are reasoning, and so is everything before a closing tag that none opened (the chat template
    did).
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
    """A reply's text without its reasoning."""
    return "".join(split_thoughts(text)[1]).strip()


def split_leading_thought(text: str) -> tuple[str, str]:
    """The block of reasoning that a text begins with, and what follows it; ("", text) if there is no whole one."""
    opening = TAG.match(text)
    if opening is None or opening[1]:
        return "", text
    closing = next((tag for tag in TAG.finditer(text, opening.end()) if tag[1]), None)
    return ("", text) if closing is None else (text[opening.end() : closing.start()], text[closing.end() :])


def thought_of(reply: Reply) -> str:
    """The reason in words: the text beside the answer, or else the model's reasoning."""
    return shorten_thought(without_thoughts(reply.text) or reply.reasoning.strip() or reply.text.strip())


def shorten_thought(said: str) -> str:
    """A thought without its loops; of one that is still too long, the end."""
    said = without_loops(said)
    return said if len(said) <= LONGEST_THOUGHT else f"… {said[-LONGEST_THOUGHT:]}"


def without_lost_answer(reply: Reply) -> Reply:
    """The reply, with its reasoning as its text where a server took the answer for reasoning.

    Servers that part reasoning from the answer wait for `</think>`. Where a model never writes it, because it does not
    think or went on to its answer, all of the reply comes as reasoning, and there is no text. A reply that was cut off
    while it reasoned holds no answer, and stays.
    """
    if reply.text.strip() or reply.calls or not reply.reasoning.strip() or reply.finish == "length":
        return reply
    return replace(reply, text=reply.reasoning, reasoning="")


def without_loops(said: str) -> str:
    """A text in which a sentence or line that follows itself at least twice stands once, with an ellipsis.

    A model that is stuck in a loop goes on with it where it sees it again.
    """
    kept: list[str] = []
    for _, run in groupby(_SENTENCE.findall(said), str.strip):
        same = list(run)
        kept += same if len(same) < LOOP else [f"{same[0].strip()} … "]
    return "".join(kept).strip()
