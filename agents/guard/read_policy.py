"""From a file of TOML, or the name of a preset, to a policy."""

from __future__ import annotations

import hashlib
import json
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from omnipilot.agents.guard.origin_patterns import check_host, check_origin
from omnipilot.agents.guard.policy import CONDITIONS, GuardPolicy, GuardRule, Permission
from omnipilot.envs import ConfigError
from omnipilot.envs.types import VERBS, documentation_page, parse_combination
from omnipilot.envs.types.actions import SystemKey

PRESETS = ("ask", "own-device", "read-only")
"""The policies that ship."""
_FURTHER = {"own-device": "ask"}
"""Presets whose file goes on where that of another ends."""
SYSTEM = "system:"
"""Stands before the name of a device's own key, such as `system:back`."""
_CURE = f"{documentation_page('guard')} shows the format, and `omnipilot policy show ask` an example"
_Patterns = Annotated[list[Annotated[str, Field(min_length=1, max_length=200)]], Field(min_length=1)]


class _Door(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _RuleDoor(_Door):
    do: Permission
    name: str = ""
    why: str = ""
    verbs: _Patterns | None = None
    apps: _Patterns | None = None
    roles: _Patterns | None = None
    text: _Patterns | None = None
    hosts: _Patterns | None = None
    typed: _Patterns | None = None
    keys: _Patterns | None = None
    origins: _Patterns | None = None

    @field_validator("verbs")
    @classmethod
    def _check_verbs(cls, verbs: list[str] | None) -> list[str] | None:
        for verb in verbs or ():
            if verb not in VERBS and not verb.startswith("custom:"):
                raise ValueError(f"there is no verb {verb!r}; write custom:NAME, or one of {', '.join(sorted(VERBS))}")
        # All verbs that others add, and none of them, are both written plainly.
        return verbs and ["custom:*" if verb == "custom" else verb for verb in verbs]

    @field_validator("keys")
    @classmethod
    def _check_keys(cls, keys: list[str] | None) -> list[str] | None:
        return keys and [_chord(key) for key in keys]

    @field_validator("origins")
    @classmethod
    def _check_origins(cls, origins: list[str] | None) -> list[str] | None:
        return origins and [check_origin(origin) for origin in origins]

    @field_validator("hosts")
    @classmethod
    def _check_hosts(cls, hosts: list[str] | None) -> list[str] | None:
        return hosts and [check_host(host) for host in hosts]


class _BudgetDoor(_Door):
    moves: Annotated[int, Field(ge=1)] | None = None
    hosts: Annotated[int, Field(ge=0)] | None = None


class _PolicyDoor(_Door):
    default: Permission
    seconds: Annotated[float, Field(gt=0, le=3_600)] = 120.0
    budget: _BudgetDoor = Field(default_factory=_BudgetDoor)
    rule: list[_RuleDoor] = Field(default_factory=list)


def write_chord(keys: tuple[str, ...]) -> str:
    """A chord of canonical keys as policies name it: modifiers first, in the order of the alphabet."""
    modifiers = sorted({key for key in keys if key in ("alt", "ctrl", "meta", "shift")})
    return "+".join((*modifiers, *(key for key in keys if key not in modifiers)))


def policy_text(name: str) -> str:
    """The text of a preset, or of the file of this name.

    Raises:
        ConfigError: there is neither.
    """
    if name in PRESETS:
        text = files("omnipilot.agents.guard").joinpath(f"presets/{name}.toml").read_text(encoding="utf-8")
        return policy_text(_FURTHER[name]) + text if name in _FURTHER else text
    try:
        return Path(name).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"cannot read the policy {name!r} ({error}); give a file, or one of {', '.join(PRESETS)}"
        ) from None


def parse_policy(text: str, name: str) -> GuardPolicy:
    """The policy that a text of TOML describes.

    Raises:
        ConfigError: it is no TOML, or no policy; the message says where, and what it should be.
    """
    try:
        door = _PolicyDoor.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"the policy {name!r} is no TOML: {error}; {_CURE}") from None
    except ValidationError as error:
        where = "; ".join(f"{_place(one['loc'])}: {one['msg']}" for one in error.errors())
        raise ConfigError(f"the policy {name!r} is wrong: {where}; {_CURE}") from None
    rules = tuple(_rule(one, number) for number, one in enumerate(door.rule, 1))
    return GuardPolicy(name, door.default, rules, door.budget.moves, door.budget.hosts, door.seconds)


def policy_digest(text: str) -> str:
    """Hash (SHA-256, hexadecimal) of what a policy says; comments and layout do not count."""
    return hashlib.sha256(json.dumps(tomllib.loads(text), sort_keys=True).encode()).hexdigest()


def _chord(text: str) -> str:
    if not text.startswith(SYSTEM):
        return write_chord(parse_combination(text))
    if text.removeprefix(SYSTEM) not in get_args(SystemKey):
        raise ValueError(
            f"there is no key {text!r} of devices; use {', '.join(SYSTEM + key for key in get_args(SystemKey))}"
        )
    return text


def _rule(door: _RuleDoor, number: int) -> GuardRule:
    given = {name: tuple(value) for name in CONDITIONS if (value := getattr(door, name)) is not None}
    return GuardRule(door.do, door.name or f"rule {number}", door.why, given)


def _place(where: tuple[Any, ...]) -> str:
    return ".".join(str(one + 1) if isinstance(one, int) else str(one) for one in where) or "the file"
