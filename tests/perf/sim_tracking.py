"""What tracking single reads of the embedded world's state is worth: pieces of screens kept by whole records instead.

`python tests/perf/sim_tracking.py` prints CPU milliseconds for a step with a look, both ways, in turns. By whole
records, a piece is kept while the account, the device and each table that it read are the same objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from speed_sim import steps_a_second, work

from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.dependency_tracking import Watched, WatchedTable, alike
from omnipilot.envs.sim.state.world_state import DeviceState

ROUNDS, STEPS = 3, 300


@contextmanager
def by_whole_records() -> Iterator[None]:
    """Within, a record or table that was read counts as read as a whole."""
    single: Callable[[Watched, Any], bool] = Watched.same
    single_key: Callable[[WatchedTable, Any], bool] = WatchedTable.same

    def same(self: Watched, now: Any) -> bool:
        if now is self._now:
            return True
        if self._whole or isinstance(self._now, DeviceState | Account):
            return False
        return (
            all(alike(getattr(now, name), was) for name, was in self._read.items())
            and all(inside._now is getattr(now, name) for name, inside in self._inside.items())
            and self._answers(now)
        )

    Watched.same = same  # type: ignore[method-assign]
    WatchedTable.same = lambda self, now: now is self._now  # type: ignore[method-assign]
    try:
        yield
    finally:
        Watched.same, WatchedTable.same = single, single_key  # type: ignore[method-assign,assignment]


def milliseconds(rounds: int = ROUNDS, steps: int = STEPS) -> list[tuple[float, float]]:
    """CPU milliseconds a step: with single reads tracked, and by whole records, in turns."""
    actions = work(steps)
    found = []
    for _ in range(rounds):
        single = 1000 / steps_a_second(actions, rounds=1).cpu
        with by_whole_records():
            found.append((single, 1000 / steps_a_second(actions, rounds=1).cpu))
    return found


if __name__ == "__main__":
    for single, whole in milliseconds():
        print(f"single reads {single:.2f} ms, whole records {whole:.2f} ms: {whole / single:.2f} times")
