"""Instructions of one's own with the checks that judge them: those of a world file, `[[tasks]]`.

[[tasks]]
id = "subscribe"
instruction = "Subscribe to the newsletter as Ann."
checks = ["url contains /thanks", "not text contains Error"]
template = "newsletter"
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.free.checks import Check, read_check
from omnipilot.bench.free.readings import refuse_unanswerable
from omnipilot.envs import ConfigError
from omnipilot.envs.schema.read_toml import read_toml
from omnipilot.envs.schema.validation_messages import short

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
_KEYS = ("id", "instruction", "checks", "device", "template")


@dataclass(frozen=True, slots=True)
class OwnTask:
    """An instruction of one's own.

    Attributes:
        id: unique in its list. checks: that judge it, all of which must hold; none for one that nobody judges.
        template: what it is made from, as others of the same template are; "" if nothing is said of that.
    """

    id: str
    instruction: str
    checks: tuple[Check, ...] = ()
    template: str = ""


def tasks_in(file: Path) -> list[dict[str, Any]]:
    """The tasks of a world file as plain values, not checked yet; none if it has none.

    Raises:
        ConfigError: the file cannot be read, or is not TOML.
    """
    found = read_toml(file).get("tasks", [])
    return [dict(one) if isinstance(one, Mapping) else one for one in found] if isinstance(found, list) else [found]


def read_tasks(tables: Sequence[Any], devices: Mapping[str, Mapping[str, Any]]) -> tuple[OwnTask, ...]:
    """Tasks from plain values, in order.

    Args:
        tables: each with an `instruction`, and possibly an `id` (its number, by default), `checks`, the `device` that
            checks are about which name none, and a `template`. devices: of the world, as its file says them.

    Raises:
        ConfigError: what is wrong with them, all of it.
    """
    read: dict[str, OwnTask] = {}
    mistakes: list[str] = []
    for number, table in enumerate(tables, 1):
        at = f"tasks[{number}]"
        if told := list(_mistakes(table, devices)):
            mistakes += [f"{at}: {one}" for one in told]
            continue
        id = str(table.get("id", f"task-{number}"))
        if id in read:
            mistakes.append(f"{at}: there is another task with the id {id!r}; give each its own")
            continue
        try:
            checks = read_checks(table.get("checks", ()), devices, str(table.get("device", "")))
        except ConfigError as error:
            mistakes.append(f"{at}: {error}")
            continue
        read[id] = OwnTask(id, table["instruction"].strip(), checks, table.get("template", ""))
    if mistakes:
        raise ConfigError("\n  ".join(mistakes))
    return tuple(read.values())


def template_tags(tasks: Iterable[tuple[str, Hashable, str]]) -> dict[str, dict[str, str]]:
    """The tag `template` of tasks that are no independent tests of one another, by task; empty for any other.

    Tasks that are judged by the same are one deed in other words: they share the name of the first of them.

    Args:
        tasks: of each its id, what judges it (None if nothing does), and the template that its author names, or "".
    """
    listed = list(tasks)
    judged: dict[Hashable, list[str]] = {}
    for id, by, _ in listed:
        if by is not None:
            judged.setdefault(by, []).append(id)
    copies = {id: ids[0] for ids in judged.values() if len(ids) > 1 for id in ids}
    named = {id: "+".join(dict.fromkeys(filter(None, (own, copies.get(id, ""))))) for id, _, own in listed}
    return {id: {"template": name} if name else {} for id, name in named.items()}


def judged_by(checks: Iterable[Check]) -> frozenset[Check] | None:
    """What checks come to, in whatever order and however they are written; None for none."""
    return frozenset(replace(one, written="") for one in checks) or None


def read_checks(
    written: Sequence[str], devices: Mapping[str, Mapping[str, Any]], default: str = ""
) -> tuple[Check, ...]:
    """The checks of one task.

    Args:
        default: the device of those that name none; "" for the only one that can answer.

    Raises:
        ConfigError: one is none, no device of its kind could answer it, or one is there twice.
    """
    found: dict[str, Check] = {}
    for text in written:
        able = default
        if not able and len(devices) > 1:
            able = _only_page(text, devices)
        check = read_check(text, list(devices), able)
        device = next((name for name in devices if check.device == name), "") or next(
            name for name in devices if check.device.startswith(f"{name}-")
        )
        refuse_unanswerable(check, devices[device]["kind"])
        if text in found:
            raise ConfigError(f"check {text!r} is there twice; leave one out")
        found[text] = check
    return tuple(found.values())


def _only_page(text: str, devices: Mapping[str, Mapping[str, Any]]) -> str:
    """The only browser among the devices, for a check that only a browser can answer."""
    pages = [name for name, options in devices.items() if options.get("kind") == "browser"]
    asks_page = re.match(r"\s*(?:not\s+)?(?:url|storage|js)\b", text) is not None
    return pages[0] if asks_page and len(pages) == 1 else ""


def _mistakes(table: Any, devices: Mapping[str, Any]) -> Iterator[str]:
    if not isinstance(table, Mapping):
        yield f"a task is a table [[tasks]] with an instruction, not {short(table)}"
        return
    for key in table:
        if key not in _KEYS:
            yield describe_unknown("key of a task", str(key), _KEYS)
    text = table.get("instruction")
    if not isinstance(text, str) or not text.strip():
        yield 'a task needs an instruction = "…"' + ("" if text is None else f", not {short(text)}")
    if "id" in table and not (isinstance(table["id"], str) and _ID.fullmatch(table["id"])):
        yield f"an id has up to 80 letters, digits, - _ and ., not {short(table['id'])}"
    if "template" in table and not (isinstance(table["template"], str) and _ID.fullmatch(table["template"])):
        yield f"a template has up to 80 letters, digits, - _ and ., not {short(table['template'])}"
    checks = table.get("checks", [])
    if not isinstance(checks, (list, tuple)) or not all(isinstance(one, str) for one in checks):
        yield f'checks must be a list of texts such as "url contains /thanks", not {short(checks)}'
    if "device" in table and table["device"] not in devices:
        yield describe_unknown("device", str(table["device"]), list(devices))
