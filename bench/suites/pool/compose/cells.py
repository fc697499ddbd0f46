"""The cells of OmniBench's five complexities: which exist, which shapes fill them, and why a request cannot be met.

A shape is the number of nodes at each level and the number of edges. A graph of n nodes, depth d and width w has
n ≥ d + w - 1, because every level has a node and the widest has w; at least n minus the nodes of level 1 edges, because
every later node takes something from the level before it; at most one edge for each pair of nodes on different levels;
and at most n categories.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.tasks.complexity import CAPABILITIES, HARD_FROM, MEDIUM_FROM, Complexity, grade_of
from omnipilot.envs import ConfigError

NAMES = tuple(HARD_FROM)
"""dependency, instruction, hierarchy, branch, knowledge; in this order everywhere."""
MEASURES: Mapping[str, str] = {
    "dependency": "edges",
    "instruction": "nodes",
    "hierarchy": "depth",
    "branch": "width",
    "knowledge": "categories",
}
"""What each complexity counts, and the names by which figures are asked for."""
GRADES = ("easy", "medium", "hard")
MOST_NODES = 9
"""Nodes of the largest graphs, unless more are asked for: they reach every cell."""
LARGEST = 12
"""Nodes of the largest graphs that can be asked for."""


@dataclass(frozen=True, slots=True)
class GraphShape:
    """Nodes at each level, and edges.

    Attributes:
        levels: number of nodes at each level, from the first on. edges: distinct pairs of joined nodes.
        categories: of applications.
    """

    levels: tuple[int, ...]
    edges: int
    categories: int

    def complexity(self) -> Complexity:
        """The five figures."""
        return Complexity(self.edges, sum(self.levels), len(self.levels), max(self.levels), self.categories)


@cache
def figures_of(shape: GraphShape) -> Mapping[str, int]:
    """The five figures of a shape by complexity."""
    return shape.complexity().figures()


@dataclass(frozen=True, slots=True)
class GraphRequest:
    """Which graphs are asked for: a range for each of the five figures, ends included.

    Attributes:
        ranges: complexity → (least, most).
        name: of a cell or capability that it was read from, for messages.
    """

    ranges: Mapping[str, tuple[int, int]]
    name: str = ""

    def has(self, complexity: Complexity) -> bool:
        """Whether these figures are within the ranges."""
        figures = complexity.figures()
        return all(low <= figures[name] <= high for name, (low, high) in self.ranges.items())


def anything(most_nodes: int = MOST_NODES) -> GraphRequest:
    """Any graph of at most so many nodes."""
    return GraphRequest(
        {
            "dependency": (0, most_nodes * (most_nodes - 1) // 2),
            "instruction": (1, most_nodes),
            "hierarchy": (1, most_nodes),
            "branch": (1, most_nodes),
            "knowledge": (1, most_nodes),
        }
    )


def cell_request(cell: str, most_nodes: int = MOST_NODES) -> GraphRequest:
    """The request of a cell, written as five grades or their first letters in the order of `NAMES`: "hhmee".

    Raises:
        ConfigError: it is not five grades.
    """
    parts = cell.replace(",", " ").replace("-", " ").split()
    grades = parts if len(parts) == len(NAMES) else list(cell)
    known = {grade[0]: grade for grade in GRADES} | {grade: grade for grade in GRADES}
    if len(grades) != len(NAMES) or any(grade not in known for grade in grades):
        raise ConfigError(
            f"a cell is five grades for {', '.join(NAMES)}, such as hhmee or hard,hard,medium,easy,easy; not {cell!r}"
        )
    ranges = dict(anything(most_nodes).ranges)
    for name, grade in zip(NAMES, grades, strict=True):
        ranges[name] = _within(ranges[name], _grade_range(name, known[grade]))
    return GraphRequest(ranges, f"the cell {'-'.join(known[grade] for grade in grades)}")


def capability_request(capability: str, most_nodes: int = MOST_NODES) -> GraphRequest:
    """The request of a capability of table 12: its complexities are hard, the others free.

    Raises:
        ConfigError: no such capability.
    """
    if capability not in CAPABILITIES:
        raise ConfigError(describe_unknown("capability", capability, list(CAPABILITIES)))
    ranges = dict(anything(most_nodes).ranges)
    for name in CAPABILITIES[capability]:
        ranges[name] = _within(ranges[name], _grade_range(name, "hard"))
    return GraphRequest(ranges, capability)


def figures_request(figures: str, most_nodes: int = MOST_NODES) -> GraphRequest:
    """The request of figures, "edges=4,nodes=5-6,depth=3": each exact or a range; what is not named is free.

    Raises:
        ConfigError: another form, or no such figure.
    """
    ranges: dict[str, tuple[int, int]] = {}
    by_measure = {measure: name for name, measure in MEASURES.items()} | {name: name for name in NAMES}
    for part in filter(None, (item.strip() for item in figures.split(","))):
        name, _, wanted = part.partition("=")
        if name not in by_measure:
            raise ConfigError(describe_unknown("figure", name, list(MEASURES.values())))
        low, _, high = wanted.partition("-")
        if not low.isdecimal() or (high and not high.isdecimal()) or int(high or low) < int(low):
            raise ConfigError(f"a figure is NAME=NUMBER or NAME=LEAST-MOST, such as nodes=5-6; not {part!r}")
        ranges[by_measure[name]] = (int(low), int(high or low))
    least, most = ranges.get("instruction", (1, most_nodes))
    if least > LARGEST:
        raise ConfigError(f"graphs have at most {LARGEST} nodes, not {least}")
    if "instruction" in ranges:
        ranges["instruction"] = (least, min(most, LARGEST))
    return GraphRequest({**anything(max(most_nodes, min(most, LARGEST))).ranges, **ranges}, figures)


def within_both(first: GraphRequest, second: GraphRequest) -> GraphRequest:
    """The request of both; nothing meets it where their ranges do not touch."""
    ranges = {name: _within(first.ranges[name], second.ranges[name]) for name in NAMES}
    return GraphRequest(ranges, f"{first.name} and {second.name}")


def cell_of(figures: Mapping[str, int]) -> str:
    """The cell of figures, such as "hard-medium-easy-easy-easy", in the order of `NAMES`; a missing one counts as 0."""
    return "-".join(grade_of(name, figures.get(name, 0)).value for name in NAMES)


@lru_cache(maxsize=4)
def possible_cells(most_nodes: int = MOST_NODES) -> tuple[str, ...]:
    """The cells that some graph fills, in order of difficulty: 67 of 243."""
    found = {cell_of(shape.complexity().figures()) for shape in shapes(anything(most_nodes))}
    cells = map("-".join, product(GRADES, repeat=len(NAMES)))
    return tuple(cell for cell in cells if cell in found)


def shapes(request: GraphRequest) -> Iterator[GraphShape]:
    """All shapes that meet a request."""
    nodes, depth, width = (request.ranges[name] for name in ("instruction", "hierarchy", "branch"))
    for count in range(nodes[0], nodes[1] + 1):
        for levels in _level_sizes(count):
            if not (depth[0] <= len(levels) <= depth[1] and width[0] <= max(levels) <= width[1]):
                continue
            least, most = _edge_range(levels)
            few, many = request.ranges["dependency"]
            low, high = request.ranges["knowledge"]
            for edges in range(max(least, few), 1 + min(most, many)):
                for categories in range(max(1, low), 1 + min(count, high)):
                    yield GraphShape(levels, edges, categories)


def explain_impossible(request: GraphRequest) -> str:
    """Why no graph at all can meet a request, as the inequality that forbids it; "" where some can."""
    if next(shapes(request), None) is not None:
        return ""
    e, n, d, w, k = (request.ranges[name] for name in NAMES)
    if n[1] < d[0] + w[0] - 1:
        return (
            f"nodes ≥ depth + width - 1: depth {d[0]} and width {w[0]} need {d[0] + w[0] - 1} nodes, "
            f"but at most {n[1]} are asked for"
        )
    if k[0] > n[1]:
        return f"categories ≤ nodes: {k[0]} categories need as many nodes, but at most {n[1]} are asked for"
    if n[0] > d[1] * w[1]:
        return (
            f"nodes ≤ depth · width: depth {d[1]} and width {w[1]} hold {d[1] * w[1]} nodes, "
            f"but at least {n[0]} are asked for"
        )
    fitting = [
        levels
        for count in range(n[0], n[1] + 1)
        for levels in _level_sizes(count)
        if d[0] <= len(levels) <= d[1] and w[0] <= max(levels) <= w[1]
    ]
    if not fitting:
        return "no numbers of nodes at each level have these nodes, depth and width together"
    least = min(_edge_range(levels)[0] for levels in fitting)
    if e[1] < least:
        return (
            f"edges ≥ nodes - nodes of level 1: every later node takes something, so at least {least} edges are "
            f"needed, but at most {e[1]} are asked for"
        )
    most = max(_edge_range(levels)[1] for levels in fitting)
    return (
        f"edges ≤ pairs of nodes on different levels: at most {most} with these nodes, depth and width, "
        f"but at least {e[0]} are asked for"
    )


def _edge_range(levels: tuple[int, ...]) -> tuple[int, int]:
    count = sum(levels)
    return count - levels[0], (count * count - sum(size * size for size in levels)) // 2


@lru_cache(maxsize=64)
def _level_sizes(nodes: int) -> tuple[tuple[int, ...], ...]:
    if not nodes:
        return ((),)
    return tuple((first, *rest) for first in range(1, nodes + 1) for rest in _level_sizes(nodes - first))


def _grade_range(name: str, grade: str) -> tuple[int, int]:
    if grade == "easy":
        return 0, MEDIUM_FROM[name] - 1
    if grade == "medium":
        return MEDIUM_FROM[name], HARD_FROM[name] - 1
    return HARD_FROM[name], 10**6


def _within(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
    return max(first[0], second[0]), min(first[1], second[1])
