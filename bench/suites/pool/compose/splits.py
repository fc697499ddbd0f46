"""Splits the tasks of a pool into those for development and those of the test, by the subtasks in them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from typing import Literal, TypeAlias

Split: TypeAlias = Literal["dev", "test"]
ONE_IN = 10
"""Of how many subtasks of a category one is held out for the test, at least one where there are five."""


def held_out_subtasks(categories: Mapping[str, str]) -> frozenset[str]:
    """The subtasks that occur in no task for development: of each category a tenth, first by a hash of their ids.

    Args:
        categories: of all subtasks, by id.
    """
    groups: dict[str, list[str]] = {}
    for id, category in categories.items():
        groups.setdefault(category, []).append(id)
    return frozenset(
        id
        for group in groups.values()
        for id in sorted(group, key=_rank)[: max(len(group) // ONE_IN, int(len(group) >= ONE_IN // 2))]
    )


def split_of(subtasks: Collection[str], held_out: Collection[str]) -> Split:
    """The split of a task: of the test if one of its subtasks is held out."""
    return "test" if set(subtasks) & set(held_out) else "dev"


def _rank(id: str) -> bytes:
    return hashlib.sha256(f"pool/split/{id}".encode()).digest()
