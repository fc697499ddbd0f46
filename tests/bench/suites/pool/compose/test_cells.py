"""Which cells exist, and what is said of those that do not."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from omnipilot.bench.suites.pool.compose.cells import (
    GRADES,
    NAMES,
    anything,
    capability_request,
    cell_of,
    cell_request,
    explain_impossible,
    figures_request,
    possible_cells,
    shapes,
    within_both,
)
from omnipilot.bench.tasks.complexity import CAPABILITIES, HARD_FROM, Complexity
from omnipilot.envs import ConfigError

# How many possible cells are hard in all complexities of a capability, in the order of table 12.
CELLS_OF_CAPABILITIES = (9, 9, 9, 18, 3, 6, 24, 30, 15, 45)


@pytest.mark.slow
def test_67_of_243_cells_are_possible() -> None:
    assert len(possible_cells()) == len(set(possible_cells())) == 67
    assert possible_cells(12) == possible_cells(9)


def test_every_random_graph_lies_in_a_possible_cell() -> None:
    draw = Random(5)
    for _ in range(3000):
        count = draw.randint(1, 9)
        chance = draw.random()
        edges = [(a, b) for b in range(count) for a in range(b) if draw.random() < chance]
        levels = [1] * count
        for a, b in edges:
            levels[b] = max(levels[b], levels[a] + 1)
        depth, width = max(levels), max(levels.count(level) for level in levels)
        found = Complexity(len(edges), count, depth, width, draw.randint(1, count))
        assert cell_of(found.figures()) in possible_cells()


def test_capabilities_have_as_many_possible_cells_as_their_complexities_allow() -> None:
    found = [
        sum(all(cell.split("-")[NAMES.index(name)] == "hard" for name in needed) for cell in possible_cells())
        for needed in CAPABILITIES.values()
    ]
    assert tuple(found) == CELLS_OF_CAPABILITIES


def test_every_other_cell_is_refused_with_an_inequality() -> None:
    possible = set(possible_cells())
    for cell in product(GRADES, repeat=len(NAMES)):
        why = explain_impossible(cell_request(",".join(cell)))
        assert bool(why) == ("-".join(cell) not in possible)
        assert not why or "≥" in why or "≤" in why, (cell, why)


@pytest.mark.parametrize(
    ("figures", "why"),
    [
        ("nodes=5,depth=4,width=3", r"nodes ≥ depth \+ width - 1: depth 4 and width 3 need 6 nodes"),
        ("nodes=9,depth=2,width=3", "nodes ≤ depth · width: depth 2 and width 3 hold 6 nodes"),
        ("nodes=3,categories=4", "categories ≤ nodes"),
        ("nodes=5,depth=3,edges=1", "edges ≥ nodes - nodes of level 1: .* at least 2 edges"),
        ("nodes=3,edges=4", "edges ≤ pairs of nodes on different levels: at most 3"),
    ],
)
def test_impossible_figures_are_refused_with_the_inequality(figures: str, why: str) -> None:
    import re

    assert re.match(why, explain_impossible(figures_request(figures)))


def test_cells_are_read_in_either_form() -> None:
    assert cell_request("hhmee").ranges == cell_request("hard,hard,medium,easy,easy").ranges
    assert cell_request("hhmee").ranges["hierarchy"] == (3, 4)


def test_requests_hold_together() -> None:
    both = within_both(cell_request("hhhee"), figures_request("nodes=6"))
    assert {sum(shape.levels) for shape in shapes(both)} == {6}
    assert all(shape.edges >= HARD_FROM["dependency"] for shape in shapes(both))


@pytest.mark.parametrize(
    ("read", "why"),
    [
        (lambda: cell_request("hhx"), "a cell is five grades"),
        (lambda: capability_request("paralel planning"), "did you mean.*parallel planning"),
        (lambda: figures_request("nods=3"), "nodes"),
        (lambda: figures_request("nodes=x"), "NAME=NUMBER or NAME=LEAST-MOST"),
        (lambda: figures_request("nodes=40"), "at most 12 nodes"),
    ],
)
def test_what_cannot_be_read_is_refused(read: object, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        read()  # type: ignore[operator]


def test_anything_is_every_shape() -> None:
    assert len(list(shapes(anything(3)))) == len(set(shapes(anything(3)))) > 20
