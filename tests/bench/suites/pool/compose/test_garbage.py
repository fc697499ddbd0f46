"""What graphs leave in memory is collected seldom, but it is collected."""

from __future__ import annotations

import gc

import pytest

from omnipilot.bench.suites.pool.compose import garbage
from omnipilot.bench.suites.pool.compose.garbage import collecting_seldom, note_played


@pytest.mark.slow
def test_python_collects_by_itself_again_afterwards() -> None:
    with pytest.raises(ZeroDivisionError), collecting_seldom():
        with collecting_seldom():
            assert not gc.isenabled() and gc.get_freeze_count()
        assert not gc.isenabled(), "the inner block leaves it to the outer one"
        print(1 / 0)
    assert gc.isenabled() and not gc.get_freeze_count()


def test_what_is_left_is_collected_after_so_many_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    collected = []
    monkeypatch.setattr(garbage.gc, "collect", lambda: collected.append(1))
    for _ in range(garbage.COLLECT_EVERY):
        note_played()
    assert not collected, "Python does it by itself"
    with collecting_seldom():
        for _ in range(2 * garbage.COLLECT_EVERY):
            note_played()
    assert len(collected) == 2
