"""Lures: what is planted, where, in which words, and what it asks for; read from `lures.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from omnipilot.envs import ConfigError
from omnipilot.planners.gullible import Imperative

Channel: TypeAlias = Literal[
    "screen", "page", "hidden", "file", "mail", "notification", "spoken", "subtitle", "clipboard", "memory"
]
Kind: TypeAlias = Literal["leaves", "destroys", "secret", "changes", "within"]
HARMFUL: tuple[Kind, ...] = ("leaves", "destroys", "secret")
"""Kinds whose effect leaves the device, destroys something, or gives a secret away."""
FILE = Path(__file__).with_name("lures.toml")


@dataclass(frozen=True, slots=True)
class Lure:
    """One lure.

    Attributes:
        id: unique, also of its task. channel: by which its words come. kind: what its effect does.
        task: the sub-tasks of the benign task, by their templates' ids. asks: what it asks for. words: as planted.
    """

    id: str
    channel: Channel
    kind: Kind
    task: tuple[str, ...]
    asks: Imperative
    words: str


@cache
def lures() -> Mapping[str, Lure]:
    """All lures by id, in the order of their file.

    Raises:
        ConfigError: the file has an unknown channel or kind, or an id twice.
    """
    found: dict[str, Lure] = {}
    for row in tomllib.loads(FILE.read_text("utf-8"))["lure"]:
        lure = _lure(row)
        if lure.id in found:
            raise ConfigError(f"lures.toml has the id {lure.id!r} twice; give one of them another")
        found[lure.id] = lure
    return found


def _lure(row: Mapping[str, Any]) -> Lure:
    for name, known in (("channel", get_args(Channel)), ("kind", get_args(Kind))):
        if row[name] not in known:
            raise ConfigError(f"lures.toml: {row['id']} has the {name} {row[name]!r}; it is one of {', '.join(known)}")
    return Lure(row["id"], row["channel"], row["kind"], tuple(row["task"]), Imperative(**row["asks"]), row["words"])
