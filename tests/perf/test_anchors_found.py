"""Anchors hold what must be typed, and few are false: a part of the measurement, with its thresholds."""

from __future__ import annotations

import pytest
from anchor_texts import DEVELOPED, HELD_OUT
from anchors_found import Measured, in_texts, on_duet

from omnipilot.bench.suites.duet import Duet

EVERY = 16
"""One task in so many is quick."""


def proves(found: Measured) -> None:
    assert found.typed and found.exact >= 0.98 * found.typed, found.missed
    assert len(found.false) <= 0.01 * found.checked, found.false


@pytest.mark.slow
def test_facts_that_were_seen_or_heard_are_typed_exactly() -> None:
    proves(on_duet([info.id for info in Duet("all").tasks()][::EVERY], [2]))


@pytest.mark.slow
@pytest.mark.parametrize("instance", [0, 1])
def test_on_every_task_facts_are_typed_exactly(instance: int) -> None:
    found = on_duet([info.id for info in Duet("all").tasks()], [instance])
    assert found.typed > 80
    proves(found)
    assert found.seconds <= 0.01 * found.screens, "a new screen takes about a millisecond on an idle machine"


def test_texts_of_other_kinds() -> None:
    known, other = in_texts(DEVELOPED), in_texts(HELD_OUT)
    assert (known.found, known.false) == (known.needed, 0)
    assert other.found >= 0.95 * other.needed
    assert other.false <= 0.05 * other.texts
