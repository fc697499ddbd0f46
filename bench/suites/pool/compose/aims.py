"""Which shapes meet a request, and how often each is drawn."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from random import Random

from omnipilot.bench.suites.pool.compose.cells import GraphRequest, GraphShape, figures_of, shapes

TRIES_IN_VAIN = 3000
"""Attempts in a row without a new graph after which a request counts as used up."""
_WEIGH_EVERY = 64
_SMALLER = 0.7
"""How much rarer graphs with one node more are."""
_FEWER = 0.8
"""How much rarer graphs with one edge more are."""


@dataclass(slots=True)
class _Figures:
    """Shapes with equal figures, and how drawing them went."""

    shapes: list[GraphShape]
    weight: float
    attempts: int = 0
    kept: int = 0


class Aim:
    """A request, and which shapes meet it.

    Small graphs come more often than large ones, and figures that seldom work less often than others; figures that
    never work are given up.

    Args:
        request: what is asked for. categories: how many the subtasks are of.
    """

    def __init__(self, request: GraphRequest, categories: int) -> None:
        by_figures: dict[tuple[int, ...], list[GraphShape]] = {}
        for shape in shapes(request):
            if shape.categories <= categories:
                by_figures.setdefault(tuple(figures_of(shape).values()), []).append(shape)
        least_nodes = min((figures[1] for figures in by_figures), default=0)
        least_edges = min((figures[0] for figures in by_figures), default=0)
        self.request = request
        self.dropped: Counter[str] = Counter()
        self.attempts = 0
        self.came = 0
        self._figures = {
            shape: group
            for figures, among in by_figures.items()
            for group in (
                _Figures(among, _SMALLER ** (figures[1] - least_nodes) * _FEWER ** (figures[0] - least_edges)),
            )
            for shape in among
        }
        self._groups = list({id(group): group for group in self._figures.values()}.values())
        self._weigh()

    def draw(self, random: Random) -> GraphShape | None:
        """A shape, or None when all were given up."""
        if not self._groups:
            return None
        if not self.attempts % _WEIGH_EVERY:
            self._weigh()
        group = random.choices(self._groups, cum_weights=self._weights)[0]
        self.attempts += 1
        group.attempts += 1
        return group.shapes[int(random.random() * len(group.shapes))]

    def keep(self, shape: GraphShape) -> None:
        """Note that a shape worked."""
        self.came += 1
        self._figures[shape].kept += 1

    def drop(self, shape: GraphShape, reason: str) -> None:
        """Note that a shape did not work this time."""
        self.dropped[reason] += 1
        group = self._figures[shape]
        if not group.kept and group.attempts >= TRIES_IN_VAIN // 10 and len(self._groups) > 1 and group in self._groups:
            self._groups.remove(group)
            self._weigh()

    def _weigh(self) -> None:
        self._weights = list(
            accumulate(group.weight * (group.kept + 2) / (group.attempts + 2) for group in self._groups)
        )
