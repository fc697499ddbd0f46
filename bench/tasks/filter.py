"""Selects tasks by property: `level=AV-critical`, `env=phone`, `apps=several`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.tasks.review import DRAFT, TAG
from omnipilot.bench.tasks.scope import APPS, DEVICES, app_count, device_count
from omnipilot.bench.tasks.task import TaskInfo
from omnipilot.envs import ConfigError


def facets(info: TaskInfo) -> dict[str, tuple[str, ...]]:
    """The properties that `--where` can select by: a task's tags and environments; a plus separates several values.

    `apps` and `devices` are one, several or unknown for every task, beside what its own tags of these names
    say, and `review` is the state of its review: draft where nobody looked at it.
    """
    found = {"env": info.envs, **{key: tuple(value.split("+")) for key, value in info.tags.items() if value}}
    found.setdefault(TAG, (DRAFT,))
    for key, count in ((APPS, app_count(info.tags)), (DEVICES, device_count(info.tags, info.envs))):
        found[key] = tuple(dict.fromkeys((*found.get(key, ()), count)))
    return found


def select(infos: Sequence[TaskInfo], conditions: Sequence[str]) -> list[TaskInfo]:
    """The tasks that meet every condition `key=value`, in order. `key=a,b` accepts either value.

    Raises:
        ConfigError: a condition has another form, or no task has its key or value; the message names the closest.
    """
    for condition in conditions:
        key, values = _read(condition)
        known: Mapping[str, list[str]] = _known(infos)
        if key not in known:
            raise ConfigError(describe_unknown("property of a task", key, sorted(known)))
        for value in values:
            if value not in known[key]:
                raise ConfigError(describe_unknown(key, value, known[key]))
    return [info for info in infos if all(_meets(info, condition) for condition in conditions)]


def _read(condition: str) -> tuple[str, list[str]]:
    key, equals, values = condition.partition("=")
    if not equals or not key.strip() or not values.strip():
        raise ConfigError(f"--where expects KEY=VALUE, such as level=AV-critical, not {condition!r}")
    return key.strip(), [value.strip() for value in values.split(",")]


def _meets(info: TaskInfo, condition: str) -> bool:
    key, values = _read(condition)
    return bool(set(values) & set(facets(info).get(key, ())))


def _known(infos: Sequence[TaskInfo]) -> dict[str, list[str]]:
    found: dict[str, set[str]] = {}
    for info in infos:
        for key, values in facets(info).items():
            found.setdefault(key, set()).update(values)
    return {key: sorted(values) for key, values in found.items()}
