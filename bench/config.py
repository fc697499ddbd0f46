"""From flags and a TOML file to a `RunSpec`: both fill the same records, and an unknown key is an error."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from omnipilot.agents.limits import Limits
from omnipilot.agents.registry import unknown
from omnipilot.agents.spec import AgentSpec, PartSpec, modalities
from omnipilot.bench.spec import RunSpec
from omnipilot.envs.base import Thinking
from omnipilot.envs.errors import ConfigError

DEFAULTS = {"agent": "single", "planner": "rules", "grounder": "elements", "memory": "window"}
PARTS = (*DEFAULTS, "suite")
LIMITS = ("turns", "actions", "tokens", "seconds")
KEYS = (
    *PARTS,
    *("modalities", "planner_modalities", "grounder_modalities"),
    *("tasks", "where", "instances", "trials", "retries", "thinking", "limits", "out", "jobs", "calibrate"),
)


def load_toml(path: Path) -> dict[str, Any]:
    """The settings in a TOML file.

    Raises:
        ConfigError: no such file, or it is not TOML; the message names the line.
    """
    try:
        return tomllib.loads(path.read_text())
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {error}") from None


def merged(file: Mapping[str, Any], flags: Mapping[str, Any], options: Sequence[str] = ()) -> dict[str, Any]:
    """Settings of a file overridden by the flags that were given (those not None), and `part.key=value` options.

    In `part.inner.key=value` the option is one of a part within the part.
    """
    settings = dict(file)
    for key, value in flags.items():
        if value is not None:
            settings[key] = value
    for option in options:
        name, equals, value = option.partition("=")
        part, dot, key = name.partition(".")
        if not (equals and dot and key and part in PARTS):
            raise ConfigError(
                f"an option is written PART.KEY=VALUE with PART one of {', '.join(PARTS)}, not {option!r}"
            )
        current = _chosen(settings, part)
        settings[part] = {"name": current.name, **_with(current.options, key.split("."), _value(value), option)}
    return settings


def spec_from(settings: Mapping[str, Any]) -> RunSpec:
    """The run that these settings describe.

    Raises:
        ConfigError: an unknown key, with the nearest known one, or a value of the wrong kind.
    """
    _known(settings, KEYS, "setting")
    limits = settings.get("limits", {})
    if not isinstance(limits, Mapping):
        raise ConfigError("limits is a table: turns, actions, tokens, seconds")
    _known(limits, LIMITS, "limit")
    system = _chosen(settings, "agent")
    if system.options:
        raise ConfigError(f"agent {system.name!r} takes no options")
    suite = _chosen(settings, "suite")
    agent = AgentSpec(
        system.name,
        _chosen(settings, "planner"),
        _chosen(settings, "grounder"),
        _chosen(settings, "memory"),
        _modalities(settings.get("modalities", "all")) or frozenset(),
        _modalities(settings.get("planner_modalities")),
        _modalities(settings.get("grounder_modalities")),
    )
    return RunSpec(
        agent,
        suite,
        "",
        _names(settings.get("tasks", ())),
        _whole(settings.get("instances", 1), "instances"),
        _whole(settings.get("trials", 1), "trials"),
        Limits(**{name: limits.get(name, getattr(Limits(), name)) or None for name in LIMITS}),
        _whole(settings.get("retries", 3), "retries"),
        Thinking.parse(str(settings.get("thinking", "frozen"))),
    )


def _with(options: Mapping[str, Any], path: Sequence[str], value: Any, option: str) -> dict[str, Any]:
    """Options with one set; `a.b=1` sets b in the table a, where the options of a part within a part lie."""
    key, *rest = path
    if not rest:
        return {**options, key: value}
    inner = options.get(key, {})
    if not isinstance(inner, Mapping) or not all(path):
        raise ConfigError(f"{option!r} sets an option of {key!r}, which is {inner!r} and not a table of options")
    return {**options, key: _with(inner, rest, value, option)}


def _known(given: Mapping[str, Any], known: Sequence[str], what: str) -> None:
    for key in given:
        if key not in known:
            raise ConfigError(unknown(what, key, known))


def _chosen(settings: Mapping[str, Any], part: str) -> PartSpec:
    if part not in settings and part not in DEFAULTS:
        raise ConfigError('which suite? --suite duet, or suite = "duet" in the file; `omnipilot list suites` shows all')
    return _part(settings.get(part, DEFAULTS.get(part)), part)


def _part(value: Any, what: str) -> PartSpec:
    if isinstance(value, str):
        return PartSpec(value)
    if isinstance(value, Mapping) and isinstance(value.get("name"), str):
        return PartSpec(value["name"], {key: item for key, item in value.items() if key != "name"})
    raise ConfigError(f"{what} is a name, or a table with a name and its options, not {value!r}")


def _modalities(value: Any) -> frozenset[Any] | None:
    if value is None:
        return None
    return modalities(",".join(value) if isinstance(value, list | tuple) else str(value))


def _names(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        value = value.split(",")
    return tuple(name.strip() for name in value if name.strip())


def _whole(value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigError(f"{what} is a whole number, not {value!r}")
    return value


def _value(text: str) -> Any:
    """An option's value as TOML reads it, or the text itself."""
    try:
        return tomllib.loads(f"v = {text}")["v"]
    except tomllib.TOMLDecodeError:
        return text
