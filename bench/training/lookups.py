"""Small questions behind a demonstrated step: which number belongs to these words?

A step teaches a few tokens and costs some hundred and forty, nearly all of them the screen's. What it has to teach
above all is to find the number of a thing. So each step that is trained on goes on with a few questions about its own
prompt, `find ana silva <r19>`, which cost four tokens each. They stand behind the reply's end, so that they change
nothing for a model that answers a prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

ASK = "find"
LONGEST_SPAN = 4
SECTIONS = frozenset({"recalled", "kept", "heard", "saw", "screen"})


def numbered_phrases(words: Sequence[str]) -> list[tuple[list[str], str]]:
    """What stands before each number, behind the task, and the number."""
    found: list[tuple[list[str], str]] = []
    phrase: list[str] = []
    told = False
    for word in words:
        told = told or word in SECTIONS
        if word in SECTIONS:
            phrase = []
        elif word.startswith("<r"):
            if told and phrase:
                found.append((phrase, word))
            phrase = []
        else:
            phrase.append(word)
    return found


def lookups(prompt: str, random: Random, most: int) -> list[tuple[list[str], str]]:
    """Up to `most` questions, of words that occur once among the numbered things of a prompt, and their answers."""
    phrases = numbered_phrases(prompt.split())
    if not phrases:
        return []
    whole = " " + " | ".join(" ".join(phrase) for phrase, _ in phrases) + " "
    found = []
    for _ in range(2 * most):
        phrase, number = random.choice(phrases)
        length = random.randint(1, min(LONGEST_SPAN, len(phrase)))
        start = random.randint(0, len(phrase) - length)
        span = phrase[start : start + length]
        if whole.count(f" {' '.join(span)} ") == 1:
            found.append((span, number))
            if len(found) == most:
                break
    return found
