"""BLEU-2 of characters, a second time."""

from __future__ import annotations

import math
from fractions import Fraction


def second_bleu(reference: str, candidate: str) -> float:
    """By its definition, with exact fractions and lists that lose what was matched."""
    precisions = []
    for order in (1, 2):
        left = [reference[i : i + order] for i in range(len(reference) - order + 1)]
        grams = [candidate[i : i + order] for i in range(len(candidate) - order + 1)]
        hits = 0
        for gram in grams:
            if gram in left:
                left.remove(gram)
                hits += 1
        precisions.append(Fraction(hits, max(1, len(grams))))
    if precisions[0] == 0:
        return 0.0
    one, two = float(precisions[0]), float(precisions[1]) or 2.2250738585072014e-308
    short = len(candidate) <= len(reference)
    return math.sqrt(one) * math.sqrt(two) * (math.exp(1 - len(reference) / len(candidate)) if short else 1)
