"""Learns the vocabulary of a small model from what it is trained on."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterable, Sequence

from omnipilot.planners.mini.references import MOST_REFERENCES, NEWLINE
from omnipilot.planners.mini.vocabulary import ACT, CONTINUES, END, PAD, UNKNOWN, Vocabulary

FIXED = (PAD, UNKNOWN, END, ACT, NEWLINE, *(f"<r{number}>" for number in range(MOST_REFERENCES)))


def learn_vocabulary(texts: Iterable[str], size: int, fixed: Sequence[str] = FIXED) -> Vocabulary:
    """The vocabulary for texts: fixed words, every character, and the words and pieces of words that save most.

    Args:
        texts: words, with a space between any two.
        size: number of tokens. fixed: the first ones.
    """
    counts = Counter(word for text in texts for word in text.split() if not word.startswith("<"))
    letters = {letter for word in counts for letter in word} | set(string.ascii_letters + string.digits)
    characters = sorted(letters)
    alone = [letter for letter in characters if letter not in fixed]
    tokens = [*fixed, *alone, *(CONTINUES + letter for letter in characters if letter.isalnum())]
    known = set(tokens)
    # Half of what is left for whole words by what they save, the rest for pieces of the words that are not among them.
    room = size - len(tokens)
    by_savings = sorted(counts, key=lambda word: (-counts[word] * (len(word) - 1), word))
    whole = [word for word in by_savings if word not in known][: room * 4 // 5]
    known |= set(whole)
    pieces: Counter[str] = Counter()
    for word, count in counts.items():
        if word in known:
            continue
        for start in range(len(word)):
            for end in range(start + 2, min(len(word), start + 5) + 1):
                pieces[(CONTINUES if start else "") + word[start:end]] += count * (end - start - 1)
    rest = [piece for piece in sorted(pieces, key=lambda piece: (-pieces[piece], piece)) if piece not in known]
    return Vocabulary([*tokens, *whole, *rest[: room - len(whole)]])
