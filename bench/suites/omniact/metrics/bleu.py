"""Character BLEU-2, as OmniACT's evaluators compute it for texts to type."""

from __future__ import annotations

import math
import sys
from collections import Counter


def bleu2(reference: str, candidate: str) -> float:
    """BLEU of character 1- and 2-grams, each with weight 1/2, one reference, no smoothing; in 0..1.

    The same number as nltk's `sentence_bleu([reference], candidate, weights=(0.5, 0.5))` on raw strings: 0 without a
    common character, and without a common pair the pair's precision is the smallest positive float, so that a correct
    text of one character gets about 1e-154.
    """
    if not candidate:
        return 0.0
    single = _precision(reference, candidate, 1)
    if single == 0:
        return 0.0
    pair = _precision(reference, candidate, 2) or sys.float_info.min
    missing = 1 - len(reference) / len(candidate)
    brevity = math.exp(missing) if len(candidate) <= len(reference) else 1.0
    return brevity * math.exp(0.5 * math.log(single) + 0.5 * math.log(pair))


def _precision(reference: str, candidate: str, order: int) -> float:
    """Share of the candidate's n-grams found in the reference, each counted at most as often as there."""
    wanted, found = _grams(reference, order), _grams(candidate, order)
    common = sum(min(count, wanted[gram]) for gram, count in found.items())
    return common / max(1, sum(found.values()))


def _grams(text: str, order: int) -> Counter[str]:
    return Counter(text[i : i + order] for i in range(len(text) - order + 1))
