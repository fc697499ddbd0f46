"""A world in which people, places and products have other names, and everything else is as it was."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from omnipilot.envs.sim.state.table import FrozenTable
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.words.other_names import DOMAINS, PEOPLE, PLACES, PRODUCTS


def _pattern(words: Mapping[str, str]) -> re.Pattern[str]:
    """Any of these words, whole, the longest first."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return re.compile(rf"(?<![^\W\d_])(?:{'|'.join(map(re.escape, ordered))})(?![^\W\d_])")


_NAMES: Mapping[str, str] = {**PEOPLE, **PLACES, **PRODUCTS}
_LOWER: Mapping[str, str] = {**{old.lower(): new.lower() for old, new in PEOPLE.items()}, **DOMAINS}
_NAME, _LOWER_NAME = _pattern(_NAMES), _pattern(_LOWER)
_ADDRESS = re.compile(r"[a-z]+(?:\.[a-z]+)+@[a-z]+\.example")
_PERSON_ID = re.compile(r"[a-z]+-[a-z]+")


def rename(state: WorldState) -> WorldState:
    """The state with the names of `omnipilot.envs.sim.words.other_names` in place of its own, in every text.

    Ids and addresses of people follow their names, so that it is the same world to every judge that compares items.
    """
    renamed: WorldState = _renamed(state)
    return renamed


def rename_text(text: str) -> str:
    """A text of the world with the other names."""
    if _PERSON_ID.fullmatch(text):
        return _LOWER_NAME.sub(lambda found: _LOWER[found[0]], text)
    text = _ADDRESS.sub(lambda found: _LOWER_NAME.sub(lambda word: _LOWER[word[0]], found[0]), text)
    return _NAME.sub(lambda found: _NAMES[found[0]], text)


def _renamed(value: Any) -> Any:
    if isinstance(value, str):
        return rename_text(value)
    if isinstance(value, tuple):
        return tuple([_renamed(item) for item in value])
    if isinstance(value, FrozenTable):
        return FrozenTable({_renamed(key): _renamed(item) for key, item in value.items()})
    if is_dataclass(value) and not isinstance(value, type):
        changed = {field.name: _renamed(getattr(value, field.name)) for field in fields(value)}
        return replace(value, **changed)
    return value
