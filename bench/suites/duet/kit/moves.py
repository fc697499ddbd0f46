"""Helpers for the sub-tasks of `duet`: moves, and comparisons for judges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from omnipilot.bench.synthesis.sampling import TaskSampler, key_of
from omnipilot.bench.tasks.judges import Case
from omnipilot.envs import Intent
from omnipilot.envs.sim.state.world_state import DeviceName
from omnipilot.memory import Move


def on_phone(*intents: Intent) -> list[Move]:
    """Moves on the phone."""
    return [Move("phone", intent) for intent in intents]


def on_desktop(*intents: Intent) -> list[Move]:
    """Moves on the desktop."""
    return [Move("desktop", intent) for intent in intents]


def front(device: DeviceName, app: str, view: str = "", arg: str = "") -> Callable[[Case], bool]:
    """A condition: an app is in front, with this view and subject if given."""

    def ask(case: Case) -> bool:
        window = case.state.device(device).front
        return (
            window is not None and window.app == app and view in ("", window.view.name) and arg in ("", window.view.arg)
        )

    return ask


def fresh(case: Case, kind: str) -> list[Any]:
    """The items of an account collection that are new since the start: `fresh(case, "alarms")`."""
    if is_untouched(case, kind):
        return []
    known = _items(case.start, kind)
    return [item for key, item in _items(case.state, kind).items() if key not in known]


def strays(case: Case, kind: str, draw: TaskSampler) -> list[str]:
    """Ids of account items that changed or disappeared although no sub-task of the task involves them.

    Of documents also the paths of new ones, and of new folders, that no sub-task makes: another note may say another
    answer. An empty document says none.
    """
    found = []
    if not is_untouched(case, kind):
        now, claimed = _items(case.state, kind), draw.claimed(kind)
        found = [key for key, item in _items(case.start, kind).items() if key not in claimed and now.get(key) != item]
    if kind == "documents":
        made = [one.path for one in fresh(case, "documents") if one.text]
        made += [one.path for one in fresh(case, "dirs")]
        found += [path for path in made if path not in draw.claimed("paths")]
    return found


def is_untouched(case: Case, kind: str) -> bool:
    """Whether a collection is still the one of the start, as most are: each change makes another."""
    return getattr(case.state.account, kind) is getattr(case.start.account, kind)


def _items(state: Any, kind: str) -> Mapping[str, Any]:
    return {key_of(item): item for item in getattr(state.account, kind)}
