"""Words in common, as the step metrics of OS-Atlas count them."""

from __future__ import annotations

LEAST = 0.5
"""A text matches where its F1 is above this."""


def word_f1(said: str, truth: str) -> float:
    """F1 of the two sets of words, in any case; 0 where they share none."""
    ours, theirs = set(said.lower().split()), set(truth.lower().split())
    common = len(ours & theirs)
    if not common:
        return 0.0
    precision, recall = common / len(ours), common / len(theirs)
    return 2 * (precision * recall) / (precision + recall)


def same_words(said: str, truth: str) -> bool:
    """Whether more than half of the words agree, by F1."""
    return word_f1(said, truth) > LEAST


def argument(action: str) -> str:
    """What follows an action's name, without the brackets around it: "Google Play" of "OPEN_APP [Google Play]"."""
    rest = action.strip().partition(" ")[2].strip()
    return rest[1:-1].strip() if rest.startswith("[") and rest.endswith("]") else rest
