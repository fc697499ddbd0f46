"""How parts are written: NAME, NAME:VALUE, PROVIDER/MODEL, A+B, A,B, module:attribute.

The only module that takes such a text apart or puts one together. `omnipilot.agents.assembly.parts` makes records of
what it finds, and everything behind that reads the records.
"""

from __future__ import annotations

from collections.abc import Iterable


def split_value(text: str) -> tuple[str, str] | None:
    """The name and the value of NAME:VALUE, without spaces around them; None for a text without a colon."""
    name, colon, value = text.partition(":")
    return (name.strip(), value.strip()) if colon else None


def join_value(name: str, value: str) -> str:
    """NAME:VALUE."""
    return f"{name}:{value}"


def split_sum(text: str) -> list[str]:
    """The names of A+B, without spaces around them, "" for one that is missing."""
    return [name.strip() for name in text.split("+")]


def join_sum(names: Iterable[str]) -> str:
    """A+B."""
    return "+".join(names)


def split_list(text: str) -> list[str]:
    """The names of A,B, without spaces around them; empty ones are left out."""
    return [name.strip() for name in text.split(",") if name.strip()]


def join_list(names: Iterable[str]) -> str:
    """A,B."""
    return ",".join(names)


def is_model(text: str) -> bool:
    """Whether a text has the form of a model, PROVIDER/MODEL."""
    return "/" in text


def is_object(text: str) -> bool:
    """Whether a text has the form of something in a module, module:attribute; so has NAME:VALUE."""
    return ":" in text


def is_attribute(text: str) -> bool:
    """Whether something in a module can be called that: "Planner", "Outer.Inner"."""
    return all(name.isidentifier() for name in text.split("."))


def split_object(text: str) -> tuple[str, str]:
    """The module and the name of module:attribute."""
    module, _, attribute = text.partition(":")
    return module, attribute


def short_name(text: str) -> str:
    """The attribute of module:attribute, for the names of folders; any other name as it is."""
    return text.rpartition(":")[2]
