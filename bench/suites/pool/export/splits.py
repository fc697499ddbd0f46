"""A split by template that no sample crosses: templates of the test never occur in training.

Templates are divided by a hash of their name and a seed. A task whose templates are all of one side belongs there; one
that has templates of both sides belongs to neither and is left out, or else it would teach what is tested.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from typing import Literal, TypeAlias

Split: TypeAlias = Literal["train", "test", ""]
"""Where a task belongs; "" for neither."""


def held_out_templates(templates: Collection[str], share: float, seed: int) -> frozenset[str]:
    """The templates that are kept for the test: that share of them, rounded, those with the smallest hashes.

    Args:
        share: 0 to 1.
    """
    ordered = sorted(templates, key=lambda name: hashlib.sha256(f"{seed}:{name}".encode()).hexdigest())
    return frozenset(ordered[: round(share * len(ordered))])


def split_of(templates: Sequence[str], tested: Collection[str]) -> Split:
    """The side of a task with these templates."""
    of_test = {template in tested for template in templates}
    if of_test == {True}:
        return "test"
    return "train" if of_test == {False} else ""
