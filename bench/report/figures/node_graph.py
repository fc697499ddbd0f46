"""Draws graphs of sub-goals from top to bottom, each node with its state."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from omnipilot.bench.report.figures.records import GraphNode, NodeGraph
from omnipilot.bench.report.figures.sheet import (
    INK,
    MARGIN,
    QUIET,
    SMALL,
    FigureSheet,
    shade,
    title_height,
    wrap_at_most,
)

BETWEEN, GAP, LINE, ABOUT, EDGE = 5.0, 2.2, 2.9, 4.0, 1.3
LINES = 3
"""Of a name, and of a note, at most."""
WIDEST = 34.0
"""Of a node; narrower where several stand in a row."""
PASS = 3.0
"""Width that an edge takes which passes a row."""
OPEN = "#b93c26"
"""The edge of a node that could have been reached, and was not."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """The rows with their heights, and in each the middle and the width of what stands in it, in millimetres."""

    rows: list[list[str]]
    heights: list[float]
    middles: list[dict[str, float]]
    widths: list[dict[str, float]]

    def top(self, row: int) -> float:
        """Where a row begins, below the first."""
        return sum(self.heights[:row]) + BETWEEN * row


def graph_height(graph: NodeGraph, width: float) -> float:
    """How high a graph is drawn, in millimetres."""
    layout = _layout(graph, width - 2 * MARGIN)
    about = ABOUT if graph.about else 0.0
    whole = layout.top(len(layout.rows)) - BETWEEN
    return title_height(graph.title, width - 2 * MARGIN) + about + whole + 1.0


def draw_graph(graph: NodeGraph, sheet: FigureSheet, left: float, top: float, width: float) -> None:
    """Draw a graph between two places of a sheet.

    A node lies below all that come before it; an edge over several rows passes beside the nodes between.
    """
    start, wide = left + MARGIN, width - 2 * MARGIN
    top = sheet.title(start, top, graph.title, wide)
    if graph.about:
        (words,) = wrap_at_most(graph.about, wide, 1)
        sheet.text(start, top + 1.4, words, SMALL, colour=QUIET)
        top += ABOUT
    nodes = {node.name: node for node in graph.nodes}
    layout = _layout(graph, wide)
    for path in _paths(graph, layout.rows):
        points: list[tuple[float, float]] = []
        for place, (name, row) in enumerate(path):
            x, y = start + layout.middles[row][name], top + layout.top(row)
            ends = [(x, y), (x, y + layout.heights[row])]
            points += ends[1:] if place == 0 else ends[:1] if place == len(path) - 1 else ends
        sheet.line(points, QUIET, 0.8)
        _draw_head(sheet, points[-2], points[-1])
    for row, names in enumerate(layout.rows):
        for name in names:
            if name in nodes:
                own = layout.widths[row][name]
                begin = start + layout.middles[row][name] - own / 2
                _draw_node(nodes[name], sheet, begin, top + layout.top(row), own, layout.heights[row])


def _layout(graph: NodeGraph, wide: float) -> _Layout:
    nodes = {node.name: node for node in graph.nodes}
    layout = _Layout(_rows(graph), [], [], [])
    for row in layout.rows:
        real = [name for name in row if name in nodes]
        room = wide - (len(row) - len(real)) * PASS - GAP * (len(row) - 1)
        each = min(WIDEST, room / max(1, len(real)))
        widths = {name: each if name in nodes else PASS for name in row}
        x = (wide - sum(widths.values()) - GAP * (len(row) - 1)) / 2
        middles = {}
        for name in row:
            middles[name] = x + widths[name] / 2
            x += widths[name] + GAP
        layout.widths.append(widths)
        layout.middles.append(middles)
        layout.heights.append(2 * EDGE + LINE * max(len(_lines(nodes[name], each)) for name in real))
    return layout


def _lines(node: GraphNode, wide: float) -> list[tuple[str, bool]]:
    """The lines of a node's text, and whether they are its name."""
    name = [(words, True) for words in wrap_at_most(node.name, wide - 1.6, LINES)]
    return [*name, *((words, False) for words in wrap_at_most(node.note, wide - 1.6, LINES) if node.note)]


def _draw_head(sheet: FigureSheet, before: tuple[float, float], end: tuple[float, float]) -> None:
    """The head of an arrow: two short lines."""
    across, down = end[0] - before[0], end[1] - before[1]
    long = (across**2 + down**2) ** 0.5 or 1.0
    along, side = (across / long, down / long), (-down / long, across / long)
    for sign in (1, -1):
        back = (end[0] - 1.5 * along[0] + sign * 0.8 * side[0], end[1] - 1.5 * along[1] + sign * 0.8 * side[1])
        sheet.line([back, end], QUIET, 0.8)


def _draw_node(node: GraphNode, sheet: FigureSheet, left: float, top: float, wide: float, high: float) -> None:
    reached = node.share > 0
    fill, ink = shade(0.15 + 0.85 * node.share) if reached else ("white", INK if node.ready else QUIET)
    edge = "none" if reached else OPEN if node.ready else QUIET
    sheet.box(left, top, wide, high, fill, edge, dashed=not reached and not node.ready, round_=1.0)
    lines = _lines(node, wide)
    y = top + high / 2 - (len(lines) - 1) * LINE / 2
    for words, name in lines:
        sheet.text(
            left + wide / 2, y, words, SMALL, bold=False, align="center", colour=ink if name or reached else QUIET
        )
        y += LINE


def _rows(graph: NodeGraph) -> list[list[str]]:
    """The names in rows, and in each the edges that pass it, named "before→after"; crossings are few."""
    depth = _depths(graph)
    rows: list[list[str]] = [[] for _ in range(max(depth.values(), default=0) + 1)]
    for node in graph.nodes:
        rows[depth[node.name]].append(node.name)
    for before, after in dict.fromkeys(graph.edges):
        for number in range(depth[before] + 1, depth[after]):
            rows[number].append(f"{before}→{after}")
    links = [(one, other) for path in _paths(graph, rows) for one, other in itertools.pairwise(path)]
    for sweep in range(4):
        order = range(1, len(rows)) if sweep % 2 == 0 else range(len(rows) - 2, -1, -1)
        step = -1 if sweep % 2 == 0 else 1
        for number in order:
            places = {name: at for at, name in enumerate(rows[number + step])}
            rows[number].sort(key=lambda name, n=number, p=places, s=step: _middle(name, n, s, p, links))  # type: ignore[misc]
    return rows


def _middle(
    name: str,
    number: int,
    step: int,
    places: Mapping[str, int],
    links: Sequence[tuple[tuple[str, int], tuple[str, int]]],
) -> float:
    """The mean place of the neighbours in the row above or below; the middle of it without any."""
    if step < 0:
        near = [one[0] for one, other in links if other == (name, number)]
    else:
        near = [other[0] for one, other in links if one == (name, number)]
    return sum(places[one] for one in near) / len(near) if near else (len(places) - 1) / 2


def _depths(graph: NodeGraph) -> dict[str, int]:
    """The row of each node: one more than the lowest of those before it."""
    depth = {node.name: 0 for node in graph.nodes}
    for _ in graph.nodes:
        for before, after in graph.edges:
            depth[after] = max(depth[after], depth[before] + 1)
    return depth


def _paths(graph: NodeGraph, rows: Sequence[Sequence[str]]) -> list[list[tuple[str, int]]]:
    """Each edge as the places that it passes: names with their rows."""
    row = {name: number for number, names in enumerate(rows) for name in names}
    return [
        [
            (before, row[before]),
            *((f"{before}→{after}", number) for number in range(row[before] + 1, row[after])),
            (after, row[after]),
        ]
        for before, after in dict.fromkeys(graph.edges)
    ]
