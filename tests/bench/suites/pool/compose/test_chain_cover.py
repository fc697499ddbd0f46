"""What chains can cover, against following each chain."""

from __future__ import annotations

from itertools import product

import pytest

from omnipilot.bench.suites.pool.compose.chain_cover import ChainCover

STEPS = {
    "text": (("code", 1), ("file", 2), ("", 4)),
    "code": (("text", 8), ("code", 1)),
    "file": (("", 16), ("text", 2)),
}


def chains(output: str, length: int, categories: int) -> set[int]:
    """The categories of each chain behind an output, followed link by link."""
    if not length:
        return {0}
    return {
        bit | rest
        for next, bit in STEPS.get(output, ())
        if bit & categories
        for rest in chains(next, length - 1, categories)
    }


@pytest.mark.parametrize("categories", [0b00001, 0b01011, 0b10110, 0b11111])
def test_what_chains_leave_uncovered_is_found_without_following_them(categories: int) -> None:
    cover = ChainCover(STEPS, categories)
    for output, length, uncovered, spare in product(STEPS, range(5), range(32), range(4)):
        if uncovered & ~categories:
            continue
        one_does = any((uncovered & ~covered).bit_count() <= spare for covered in chains(output, length, categories))
        assert cover.leaves(output, length, uncovered, spare) is one_does


def test_an_output_that_nobody_takes_leaves_nothing_to_chains() -> None:
    assert not ChainCover(STEPS, 31).leaves("photo", 1, 1, 1)
