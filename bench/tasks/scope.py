"""Whether a task needs one or several applications, and one or several devices.

MMBench-GUI's levels 3 and 4 differ in this alone: tasks within one application, and tasks across applications. Here any
suite has the two, from what its tasks say of themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal, TypeAlias

from omnipilot.bench.tasks.task import values_of

Count: TypeAlias = Literal["one", "several", "unknown"]
APPS, DEVICES = "apps", "devices"
"""The names of the two properties, and of the tags by which a suite may state them itself."""


def app_count(tags: Mapping[str, str]) -> Count:
    """How many applications a task needs: what its tag `apps` says, else the number of names in its tag `app`.

    "unknown" if it has neither tag.
    """
    return _stated(tags.get(APPS, "")) or _count(values_of(tags, "app"))


def device_count(tags: Mapping[str, str], envs: Collection[str]) -> Count:
    """How many devices a task needs: what its tag `devices` says, by a word or by their names, else the number of
    environments.

    Args:
        envs: the task's environments, or those that its judges are about.
    """
    return _stated(tags.get(DEVICES, "")) or _count(values_of(tags, DEVICES) or envs)


SCOPES = ("one app", "several apps", "several devices")
"""What a task spans, from the least to the most; each task one of them."""


def scope_words(tags: Mapping[str, str], envs: Collection[str]) -> str:
    """Which of `SCOPES` a task spans; "" if it is not known.

    Args:
        envs: as in `device_count`.
    """
    if device_count(tags, envs) == "several":
        return SCOPES[2]
    return {"one": SCOPES[0], "several": SCOPES[1]}.get(app_count(tags), "")


def _stated(value: str) -> Count | None:
    known: dict[str, Count] = {"one": "one", "several": "several", "both": "several", "unknown": "unknown"}
    return known.get(value)


def _count(names: Collection[str]) -> Count:
    return "unknown" if not names else "one" if len(set(names)) == 1 else "several"
