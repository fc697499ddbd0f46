"""What a text that an agent writes could say instead: the other zones for a zone, the other places for a place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from omnipilot.bench.judges import alternatives_to
from omnipilot.envs.sim.apps.desktop.films import STOPS
from omnipilot.envs.sim.apps.desktop.signals import ZONES
from omnipilot.envs.sim.state.world_state import WorldState


def other_answers(texts: Sequence[str], start: WorldState) -> list[str]:
    """What answers could be instead, as far as it can be counted: whatever stands in their place elsewhere.

    These are the names beside it in a collection, in the column of a sheet or on a list of a document, and what a film
    or signal could have shown. Numbers are no matter of this: any other number is another answer.

    Args:
        start: the state at the start.
    """
    found = {other for kind in _kinds(start) if not kind.isdisjoint(texts) for other in kind}
    found |= alternatives_to(texts, start.account)
    return sorted(found.difference(texts, [""]))


def _kinds(start: WorldState) -> Iterator[set[str]]:
    """Answers of one kind, where no attribute of a collection tells them."""
    yield {f"Zone {zone}" for zone in ZONES}
    yield set(STOPS)
    yield {"".join(doors) for doors in permutations("ABC")}
    for sheet in start.account.sheets:
        for column in {key[0] for key in sheet.cells}:
            yield {str(value) for key, value in sheet.cells.items() if key[0] == column}
    for document in start.account.documents:
        yield {line.partition(": ")[2] for line in document.text.split("\n")}
