"""What the gate promises, on demonstrations of which the needed clips are proved."""

from __future__ import annotations

import pytest
from gate_media import lines, measured

from omnipilot.bench.suites.duet import Duet

UNASKED = "events, unasked=false"


@pytest.mark.slow
def test_needed_clips_are_kept_and_needless_ones_withheld_on_two_tasks() -> None:
    found = measured(Duet(), ("tones-to-message", "send-message"), 1)
    needed = found["events", "needed"]
    assert 0 < needed.clips == needed.right, needed.wrong
    assert found[UNASKED, "needed"].right == needed.clips and needed.saved == 0
    for media in ("noise", "pink noise"):
        needless = found["events", f"needless, {media}"]
        assert needless.clips > 5 and needless.right == needless.clips, needless.wrong
        assert needless.saved == needless.tokens > 0
    # Another task's sounds are events, and sent; not where the instruction has to speak of hearing.
    other = found["events", "needless, other"]
    assert 0 < other.right < other.clips
    assert found[UNASKED, "needless, other"].right == other.clips
    # The energy gate is no straw man: it is as good on noise.
    assert found["energy", "needless, noise"].right == found["energy", "needless, noise"].clips
    printed = lines(found)
    assert len(printed) == 2 + len(found) + 4, "with a row for all needless clips of each gate"
    assert all(row.count("|") == 7 for row in printed)


@pytest.mark.slow
def test_needed_clips_are_kept_and_needless_ones_withheld_on_every_task_for_development() -> None:
    found = measured(Duet(), instances=1, gates=("events", UNASKED))
    needed = found["events", "needed"]
    assert needed.clips >= 40 and needed.right >= 0.99 * needed.clips, needed.wrong
    for gate in ("events", UNASKED):
        parts = [count for (name, kind), count in found.items() if name == gate and kind != "needed"]
        withheld, clips = sum(one.right for one in parts), sum(one.clips for one in parts)
        assert clips > 400 and withheld >= 0.8 * clips, [why for one in parts for why in one.wrong]
