"""The measurement of what tracking single reads is worth."""

from __future__ import annotations

import pytest
from sim_tracking import by_whole_records, milliseconds

from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.state.dependency_tracking import Watched


def test_by_whole_records_every_change_of_a_record_counts() -> None:
    state = SimWorld().state()
    seen = Watched(state)
    assert seen.account.mails == state.account.mails
    seen.close()
    other = state.own(state.account.changed(contacts=()))
    assert seen.same(other) and seen.same(state)
    with by_whole_records():
        assert seen.same(state) and not seen.same(other)
    assert seen.same(other)


@pytest.mark.slow
def test_whole_records_cost_more_than_a_tenth() -> None:
    best = min(milliseconds(2, 120), key=sum)
    assert best[1] > 1.1 * best[0]
