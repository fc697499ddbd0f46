"""The episodes of a run by what their tasks need: one or several applications, one or several devices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from omnipilot.bench.journal.results import Episode
from omnipilot.bench.tasks.scope import Count, app_count, device_count

WORDS: Mapping[str, Mapping[Count, str]] = {
    "apps": {"one": "one app", "several": "several apps", "unknown": "apps unknown"},
    "devices": {"one": "one device", "several": "several devices", "unknown": "devices unknown"},
    "both": {
        "one": "one app and device",
        "several": "several apps and devices",
        "unknown": "apps and devices unknown",
    },
}


@dataclass(frozen=True, slots=True)
class TaskScope:
    """Tasks that need equally many applications, or devices.

    Attributes:
        words: such as "one app"; "one app and device" where the two go together in all tasks. count: how many.
        tasks: their ids.
    """

    words: str
    count: Count
    tasks: frozenset[str]


def scopes_of(episodes: Sequence[Episode]) -> list[tuple[TaskScope, ...]]:
    """The scopes of the tasks of some episodes: those by applications, then those by devices.

    Tasks that are all alike in one of the two have nothing to tell apart there, so it is left out.
    """
    found: dict[str, dict[Count, set[str]]] = {"apps": {}, "devices": {}}
    for one in episodes:
        counts = {"apps": app_count(one.tags), "devices": device_count(one.tags, one.envs)}
        for name, count in counts.items():
            found[name].setdefault(count, set()).add(one.task)
    if found["apps"] == found["devices"]:
        found = {"both": found["apps"]}
    return [
        tuple(
            TaskScope(words, count, frozenset(kinds[count])) for count, words in WORDS[name].items() if count in kinds
        )
        for name, kinds in found.items()
        if len(kinds) > 1
    ]
