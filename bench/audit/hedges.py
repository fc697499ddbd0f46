"""Texts that say the right thing and more: among other answers, or in the midst of much else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from omnipilot.bench.judges import LETTERS_BESIDE, alternatives_to

LETTERS = "ABCD"
"""Of most choices: an answer that could not be right is no guess."""


def rivals(text: str, state: Any) -> list[str]:
    """What an answer could be instead: the numbers beside it, other letters, and what stands elsewhere in its place.

    Args:
        state: of the world in which it is an answer.
    """
    number = re.fullmatch(r"(.*?)(\d+)(\D*)", text)
    if number:
        head, digits, tail = number.groups()
        near = (int(digits) - 1, int(digits) + 1)
        return [f"{head}{one:0{len(digits)}d}{tail}" for one in near if one >= 0 and len(f"{one}") <= len(digits)]
    head, last = text[:-1], text[-1:]
    if last in LETTERS and not head[-1:].isalnum():
        return [head + letter for letter in LETTERS if letter != last]
    return sorted(alternatives_to([text], state), key=lambda one: (len(one), one))


def hedge(text: str, others: Sequence[str]) -> str:
    """The answer among others of its kind, in as few letters as it may have beside it."""
    chosen: list[str] = []
    for other in others:
        if sum(len(one) + 2 for one in (*chosen, other)) <= LETTERS_BESIDE:
            chosen.append(other)
    middle = (len(chosen) + 1) // 2
    return ", ".join([*chosen[:middle], text, *chosen[middle:]])


def bury(text: str, words: str) -> str:
    """The answer in the midst of much else."""
    return f"{words} {text} {words}"
