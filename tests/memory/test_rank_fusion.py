"""Reciprocal rank fusion."""

from __future__ import annotations

import pytest

from omnipilot.memory.rank_fusion import K, fuse_ranks


def test_values_are_those_of_the_paper_times_a_constant() -> None:
    values = fuse_ranks([7, 8, 9], [9, 7])
    assert values == pytest.approx({7: (K + 1) * (1 / 61 + 1 / 62), 8: (K + 1) / 62, 9: (K + 1) * (1 / 63 + 1 / 61)})
    assert sorted(values, key=values.__getitem__, reverse=True) == [7, 9, 8]


def test_what_one_ranking_has_alone_is_not_lost() -> None:
    assert fuse_ranks([1], []) == {1: 1.0}
    assert fuse_ranks() == {}
