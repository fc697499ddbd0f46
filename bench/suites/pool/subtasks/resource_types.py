"""The table of resource types: what passes between subtasks, and how instructions speak of it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from pathlib import Path
from random import Random
from string import ascii_uppercase, digits
from typing import Any

from omnipilot.envs import ConfigError

DRAWN = {"#": digits, "^": ascii_uppercase}
"""What stands for a character to be drawn, in the values of a type."""


@dataclass(frozen=True, slots=True)
class ItemKind:
    """A collection of the account; see the comments of resource_types.toml."""

    name: str
    noun: str
    type: str = ""
    key: tuple[str, ...] = ("id",)
    words: str = ""


@dataclass(frozen=True, slots=True)
class TextType:
    """A type of facts and typed texts: words for one, and values to draw."""

    words: str = ""
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HeardFact:
    """A sound that tells a fact of a type; `{value}` in `sound` is where the fact stands. Beeps are counted instead."""

    type: str
    sound: str
    seconds: float
    values: tuple[str, ...] = ()
    words: str = ""

    @property
    def channel(self) -> str:
        """ "speech" or "sound"."""
        return "speech" if self.sound.startswith("speech:") else "sound"


@dataclass(frozen=True, slots=True)
class FactWords:
    """What a reading tells: its type, and words for it."""

    type: str
    words: str


@dataclass(frozen=True, slots=True)
class ResourceTypes:
    """The whole table.

    Attributes:
        kinds: by name of the collection. fields: type by "kind.field" or "*.field". types: by name.
        planted: sentences that hold a fact, by its type; `{value}` is where it stands. states: what holds each state.
        phrases: how an instruction says that something is done, by the entry of the effect.
        heard: sounds that tell a fact. facts: what a reading tells, by "kind.field" or "kind.field/VALUE".
    """

    kinds: Mapping[str, ItemKind] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, TextType] = field(default_factory=dict)
    planted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    states: Mapping[str, str] = field(default_factory=dict)
    phrases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    heard: tuple[HeardFact, ...] = ()
    facts: Mapping[str, FactWords] = field(default_factory=dict)

    def with_table(self, path: Path) -> ResourceTypes:
        """This table with the entries of a file added; those of the same name are replaced.

        Raises:
            ConfigError: the file is missing, or no such table.
        """
        try:
            more = _parse(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise ConfigError(f"cannot read the table of resource types {path}: {error.strerror}") from None
        except (tomllib.TOMLDecodeError, TypeError, AttributeError) as error:
            raise ConfigError(f"{path} is no table of resource types: {error}") from None
        return replace(
            self,
            kinds={**self.kinds, **more.kinds},
            fields={**self.fields, **more.fields},
            types={**self.types, **more.types},
            planted={**self.planted, **more.planted},
            states={**self.states, **more.states},
            phrases={**self.phrases, **more.phrases},
            heard=(*self.heard, *more.heard),
            facts={**self.facts, **more.facts},
        )

    def names(self) -> Sequence[str]:
        """All types, sorted."""
        items = {kind.type for kind in self.kinds.values() if kind.type}
        return sorted(items | set(self.types) | set(self.states))

    def kind(self, name: str) -> ItemKind:
        """A collection; one that the table does not know has its name for a noun, and no type."""
        return self.kinds.get(name) or ItemKind(name, name.rstrip("s").replace("_", " "), words="{id}")

    def of_field(self, kind: str, name: str) -> str:
        """The type of a field's text; "text" where the table does not know it."""
        return self.fields.get(f"{kind}.{name}") or self.fields.get(f"*.{name}") or "text"

    def holds_a_text(self, kind: str, name: str) -> bool:
        """Whether a field holds a whole text, in which any fact could stand."""
        return (self.fields.get(f"{kind}.{name}") or self.fields.get(f"*.{name}")) == "text"

    def fact(self, kind: str, name: str, variant: str = "") -> FactWords:
        """What a field tells, by the table, or else by its name."""
        for key in (f"{kind}.{name}/{variant}", f"{kind}.{name}", f"*.{name}"):
            if key in self.facts:
                return self.facts[key]
        type = self.fields.get(f"{kind}.{name}") or self.fields.get(f"*.{name}") or "text/word"
        words = self.words_for(type) if type in ("text/phone", "text/email") else f"the {name.replace('_', ' ')}"
        return FactWords(type, words)

    def draw_value(self, type: str, dice: Random) -> str:
        """A value of a text type, or of the closest more general one that has values.

        Raises:
            ConfigError: neither it nor a more general one has values.
        """
        wanted = type
        while wanted:
            known = self.types.get(wanted)
            if known and known.values:
                return draw_pattern(dice.choice(known.values), dice)
            wanted = wanted.rpartition("/")[0]
        raise ConfigError(f"there are no values of the type {type!r}; add some to the table of resource types")

    def words_for(self, type: str) -> str:
        """How an instruction speaks of a fact of this type."""
        wanted = type
        while wanted:
            if wanted in self.types and self.types[wanted].words:
                return self.types[wanted].words
            wanted = wanted.rpartition("/")[0]
        return "the " + type.rpartition("/")[2]


def draw_pattern(pattern: str, dice: Random) -> str:
    """A text of a pattern: # is a digit, ^ a capital letter."""
    return "".join(dice.choice(DRAWN[letter]) if letter in DRAWN else letter for letter in pattern)


@cache
def predefined_types() -> ResourceTypes:
    """The table that comes with the package."""
    return _parse(resources.files(__package__).joinpath("presets", "resource_types.toml").read_text(encoding="utf-8"))


def _parse(text: str) -> ResourceTypes:
    table: dict[str, Any] = tomllib.loads(text)
    return ResourceTypes(
        {
            name: ItemKind(name, **{**values, **({"key": tuple(values["key"])} if "key" in values else {})})
            for name, values in table.get("kinds", {}).items()
        },
        dict(table.get("fields", {})),
        {
            name: TextType(values.get("words", ""), tuple(values.get("values", ())))
            for name, values in table.get("types", {}).items()
        },
        {name: tuple(values) for name, values in table.get("planted", {}).items()},
        dict(table.get("states", {})),
        {name: tuple(values) for name, values in table.get("phrases", {}).items()},
        tuple(HeardFact(**{**one, "values": tuple(one.get("values", ()))}) for one in table.get("heard", ())),
        {name: FactWords(**values) for name, values in table.get("facts", {}).items()},
    )
