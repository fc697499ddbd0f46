"""Recognises pages: a screen is a page seen before where enough of what stays on it is alike."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from omnipilot.memory.episodic.screen_map.features import is_mark

THRESHOLD = 0.51
"""Least likeness, 0..1, of a screen and the page that it is taken for.

Chosen on wanderings through the embedded world; the measurements of `tests/perf/map_pages.py` are on others.
"""
CONTRADICTED, STEADY = 0.8, 0.6
"""A screen and a page whose marks (what is selected, the title of the window) differ are less alike by this factor;
only marks count that the page had in at least so many of its screens."""
RARITY = 1.0
"""How fast a feature counts for less, the more pages have it."""
CANDIDATES, MOST_VOTES = 8, 600
"""Pages that are compared with a screen, and entries of the index that are read to find them, the rarest first."""


@dataclass(slots=True)
class PagePattern:
    """What a page looks like: how often each feature was there in so many screens.

    Attributes:
        screens: number of different screens. seen: by feature, the number of those that had it. weights: of features.
        marks: the features that say which of several alike pages it is.
    """

    screens: int = 0
    seen: dict[str, int] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)
    marks: list[str] = field(default_factory=list)


class Pages:
    """The pages of one environment, by number from 0.

    The likeness of a screen and a page is a weighted Jaccard index of their features. A feature counts for less, the
    more pages have it (so that bars that are always there do not decide), and, on the page's side, the less often the
    page had it (so that contents do not). Candidates come from an index of features, the rarest first.
    """

    def __init__(self, threshold: float = THRESHOLD) -> None:
        self.threshold = threshold
        self.patterns: list[PagePattern] = []
        self._holders: dict[str, list[int]] = {}

    def recognise(self, features: Mapping[str, float]) -> tuple[int | None, float]:
        """The page that a screen with these features is, and their likeness; None where it is none seen before."""
        weighed = {name: self._weight(name, weight) for name, weight in features.items()}
        votes: dict[int, float] = {}
        looked = 0
        for holders, weight in sorted(
            ((self._holders[name], weight) for name, weight in weighed.items() if name in self._holders),
            key=lambda pair: len(pair[0]),
        ):
            if (looked := looked + len(holders)) > MOST_VOTES and votes:
                break
            for number in holders:
                votes[number] = votes.get(number, 0.0) + weight
        every = sum(weighed.values())
        best, likeness = None, 0.0
        for number in sorted(votes, key=lambda number: -votes[number])[:CANDIDATES]:
            if (found := self._likeness(weighed, every, self.patterns[number])) > likeness:
                best, likeness = number, found
        return (best, likeness) if likeness >= self.threshold else (None, likeness)

    def learn(self, number: int | None, features: Mapping[str, float]) -> int:
        """Add a screen to a page, or to a new one for None; returns the page's number."""
        if number is None:
            number = len(self.patterns)
            self.patterns.append(PagePattern())
        pattern = self.patterns[number]
        pattern.screens += 1
        for name, weight in features.items():
            if name not in pattern.seen:
                pattern.seen[name] = 0
                self._holders.setdefault(name, []).append(number)
                if is_mark(name):
                    pattern.marks.append(name)
            pattern.seen[name] += 1
            pattern.weights[name] = weight
        return number

    def _weight(self, name: str, weight: float) -> float:
        holders = len(self._holders.get(name, ()))
        return weight / (1.0 + RARITY * math.log(holders)) if holders > 1 else weight

    def _likeness(self, weighed: Mapping[str, float], every: float, pattern: PagePattern) -> float:
        shared = 0.0
        for name, times in pattern.seen.items():
            share = times / pattern.screens
            if (weight := weighed.get(name)) is not None:
                shared += weight * share
            elif share > 0.1:
                every += self._weight(name, pattern.weights[name]) * share * share
        if not every:
            return 0.0
        return shared / every * (CONTRADICTED if self._contradicts(weighed, pattern) else 1.0)

    def _contradicts(self, weighed: Mapping[str, float], pattern: PagePattern) -> bool:
        steady = [name for name in pattern.marks if pattern.seen[name] >= STEADY * pattern.screens]
        return bool(steady) and not any(name in weighed for name in steady) and any(map(is_mark, weighed))
