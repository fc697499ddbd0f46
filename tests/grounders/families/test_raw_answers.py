"""Answers in every family's style point where their authors mean them to."""

from __future__ import annotations

import pytest
from raw_answers import POINTING

from omnipilot.envs import Size
from omnipilot.grounders import Abstention
from omnipilot.grounders.families.table import get

SCREEN = Size(1000, 1000)


def meaning(family: str, said: str) -> str:
    found = get(family).parse(said, SCREEN, SCREEN)
    return found.reason if isinstance(found, Abstention) else f"{found.point.x * 1000:.5g} {found.point.y * 1000:.5g}"


@pytest.mark.parametrize(
    ("family", "source", "said", "means"),
    [pytest.param(*row, marks=pytest.mark.exhibit("mini") if row[0] == "mini-grounder" else ()) for row in POINTING],
)
def test_an_answer_points_where_its_authors_mean(family: str, source: str, said: str, means: str) -> None:
    assert meaning(family, said) == means, source
