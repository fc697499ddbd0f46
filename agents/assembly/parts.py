"""Where parts come in: what flags, files, presets and callers write of a part becomes a record.

Written are a name, NAME:VALUE with the value of its main option, PROVIDER/MODEL for a part that calls it, A+B for a
memory joined of several, and a table with a name and options, of which `of` names the parts that it is made of.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from omnipilot.agents.assembly.composite import OF, how_it_combines, refuse_without_inner
from omnipilot.agents.assembly.part_names import (
    is_attribute,
    is_model,
    join_list,
    join_sum,
    join_value,
    split_list,
    split_sum,
    split_value,
)
from omnipilot.agents.assembly.registry import Registry, kind_of
from omnipilot.agents.assembly.spec import PartSpec
from omnipilot.envs import ConfigError, MissingExtra

WrittenPart: TypeAlias = PartSpec | str | Mapping[str, Any]
"""A part as it may be given: a record, a text, or a table."""


def parse_part(value: WrittenPart, known: Registry, under: PartSpec | None = None, unnamed: str = "") -> PartSpec:
    """The record of a part that is written in one of the ways above.

    Over a part of earlier settings, another name replaces it with all its options; the same name, or none, overrides it
    option by option; and a model, PROVIDER/MODEL, replaces only the model of a part that has one.

    Args:
        known: the parts of this kind. under: the part of earlier settings; None for none.
        unnamed: what a part without a name is, see `name_part`. The result has none if no settings name it.

    Raises:
        ConfigError: it is written otherwise, or the part takes no such value.
    """
    over = _parsed(value, known)
    if under is None:
        return over
    if isinstance(value, str) and is_model(value) and over.name == known.by_model and "model" in under.options:
        return under.with_options(over.options)
    if over.name and over.name != _given_name(under, known, unnamed):
        return over
    return _overridden(replace(under, name=over.name or under.name), over, known)


def name_part(part: PartSpec, known: Registry, unnamed: str) -> PartSpec:
    """A part that has a name: if it was only given options, the part that asks a model if one is among them, or else
    the one of the name `unnamed`."""
    return part if part.name else _overridden(PartSpec(_given_name(part, known, unnamed)), part, known)


def set_option(part: PartSpec, path: Sequence[str], value: Any, known: Registry) -> PartSpec:
    """A part with one option set.

    Args:
        path: the option's name; before it, those of inner parts, or of tables, that it lies in. The option `name` gives
            the part another name, and leaves it its options.

    Raises:
        ConfigError: an empty name in the path, or an option that has none of its own.
    """
    key, *rest = path
    if not rest and key == "name" and isinstance(value, str):
        return _overridden(_parse_name(value, known), replace(part, name=""), known)
    if not rest:
        return _overridden(part, PartSpec("", {key: value}), known)
    _refuse_empty(path)
    if key == OF and part.inner:
        raise ConfigError(f"{key!r} is {_listed(part.inner, known)!r}, which has no options of its own")
    if any(_is_called(one, key) for one in part.inner):
        return _in_inner(part, key, lambda one: set_option(one, rest, value, known))
    return replace(part, options=set_in_table(part.options, path, value))


def set_in_table(table: Mapping[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    """A table of options with one set.

    Args:
        path: the option's name; before it, those of the tables that it lies in, which are made where there are none.

    Raises:
        ConfigError: an empty name in a path of several, or an option on the way that is no table.
    """
    key, *rest = path
    if not rest:
        return {**table, key: value}
    _refuse_empty(path)
    inner = table.get(key, {})
    if not isinstance(inner, Mapping):
        raise ConfigError(f"{key!r} is {inner!r}, which has no options of its own")
    return {**table, key: set_in_table(inner, rest, value)}


def written_part(part: PartSpec, known: Registry) -> tuple[str, dict[str, Any]]:
    """The inverse of `parse_part`: how a part is written, and those of its options that this does not tell.

    Options of an inner part are a table under its name. A part whose name cannot be found any more is shown by it.
    """
    if part.inner:
        texts, rest = _written_inner(part, known)
        joined = part.name == known.joined and len(texts) > 1
        return (join_sum(texts) if joined else join_value(part.name, join_list(texts))), rest
    if not any(isinstance(value, str | int | float) for value in part.options.values()):
        return part.name, dict(part.options)
    try:
        option = known.main_option(part.name)
    except (ConfigError, MissingExtra):
        return part.name, dict(part.options)
    if not isinstance(value := part.options.get(option), str | int | float):
        return part.name, dict(part.options)
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return join_value(part.name, text), dict(part.without_options(option).options)


def part_table(part: PartSpec, known: Registry) -> dict[str, Any]:
    """A part as a table that a file might hold, with a name and options; `parse_part` makes the same part of it."""
    if not part.inner:
        return {"name": part.name, **part.options}
    texts, rest = _written_inner(part, known)
    if len({one.name for one in part.inner}) == len(part.inner):
        return {"name": part.name, OF: join_list(texts), **rest}
    return {"name": part.name, **part.options, OF: [part_table(one, known) for one in part.inner]}


def _given_name(part: PartSpec, known: Registry, unnamed: str) -> str:
    return part.name or (known.by_model if "model" in part.options else "") or unnamed


def _parsed(value: WrittenPart, known: Registry) -> PartSpec:
    """The record of what is written, without regard to what it overrides."""
    if isinstance(value, PartSpec):
        return value
    if isinstance(value, str):
        return _parse_name(value, known)
    if isinstance(value, Mapping) and isinstance(name := value.get("name", ""), str):
        given = PartSpec("", {key: item for key, item in value.items() if key != "name"})
        return _overridden(_parse_name(name, known), given, known) if name else given
    raise ConfigError(f"{known.kind} must be a name, or a table with a name and options, not {value!r}")


def _parse_name(text: str, known: Registry) -> PartSpec:
    """The part of a text.

    What stands before the first colon must be a known name: "module:attribute" and models such as
    "ollama/qwen3:8b" are names as they stand.

    Raises:
        ConfigError: the part takes no value, or not this one; or as in `Registry.load`.
    """
    if known.joined and len(names := split_sum(text)) > 1:
        if not all(names):
            raise ConfigError(f"{known.kind} {text!r} lacks a name beside a +; write NAME+NAME, or one name alone")
        return PartSpec(known.joined, {}, tuple(_parse_name(name, known) for name in names))
    pair = split_value(text)
    if pair is not None and pair[0] in known.names():
        return _parse_value(*pair, known)
    if pair is not None and not is_model(text) and not is_attribute(pair[1]):
        # No attribute of a module is called that, so a name was meant.
        raise ConfigError(known.unknown_name(pair[0]))
    return PartSpec(known.by_model, {"model": text}) if known.by_model and is_model(text) else PartSpec(text)


def _parse_value(name: str, text: str, known: Registry) -> PartSpec:
    """The part of a known name with a value after the colon."""
    option = known.main_option(name)
    if not option:
        raise ConfigError(
            f"{known.kind} {name!r} takes no value after a colon; write {name!r}, and its options as "
            f"-o {known.kind}.KEY=VALUE"
        )
    factory = known.load(name)
    kind = kind_of(inspect.signature(factory).parameters[option])
    value = _read_value(text, kind, f"{known.kind} {name!r}", option)
    return _overridden(PartSpec(name), PartSpec("", {option: value}), known)


def _overridden(under: PartSpec, over: PartSpec, known: Registry) -> PartSpec:
    """A part with what another says of it: options one by one, inner parts all at once.

    An inner part that stays keeps the options that it had. Tables under the name of an inner part are its options.
    """
    options = {**under.options, **over.options}
    inner = over.inner
    if OF in options and (combines := _how_it_combines(under.name, known)):
        inner = _parse_inner(options.pop(OF), under.name, combines, known)
    part = PartSpec(under.name, options, tuple(_kept(one, under.inner, known) for one in inner) or under.inner)
    for key in [key for key in options if any(_is_called(one, key) for one in part.inner)]:
        given = options[key]
        if not isinstance(given, Mapping):
            raise ConfigError(
                f"{known.kind} {part.name!r}: the options of {key!r} are written {key}.KEY=VALUE, not {key}={given!r}"
            )
        more = PartSpec("", given)
        part = _in_inner(part.without_options(key), key, lambda one, more=more: _overridden(one, more, known))
    return part


def _kept(one: PartSpec, before: Sequence[PartSpec], known: Registry) -> PartSpec:
    """An inner part with the options that it had in earlier settings, if it alone has this name there."""
    same = [old for old in before if old.name == one.name and old.model in (one.model, "")]
    return _overridden(same[0], one, known) if len(same) == 1 else one


def _how_it_combines(name: str, known: Registry) -> str:
    """As `how_it_combines`; "" for a name that cannot be found, which is told when the part is made."""
    try:
        return how_it_combines(known.load(name)) if name else ""
    except (ConfigError, MissingExtra):
        return ""


def _parse_inner(of: Any, name: str, combines: str, known: Registry) -> tuple[PartSpec, ...]:
    """The parts that the option `of` names: "elements,ocr", or a list of names and of tables."""
    items = split_list(of) if isinstance(of, str) else [of] if isinstance(of, Mapping | PartSpec) else of
    found = []
    for item in items if isinstance(items, list | tuple) else ():
        named = isinstance(item, Mapping) and isinstance(item.get("name"), str)
        if not (named or isinstance(item, PartSpec) or (isinstance(item, str) and item.strip())):
            raise ConfigError(
                f"{known.kind} {name!r}: option `of` must be a list of names, or of tables with a name and options, "
                f"not {item!r}"
            )
        found.append(parse_part(item.strip() if isinstance(item, str) else item, known))
    if not found:
        refuse_without_inner(known.kind, name, combines)
    return tuple(found)


def _is_called(part: PartSpec, key: str) -> bool:
    """Whether the options of an inner part may be written under this key: its name, or the model that stands for it."""
    return key == part.name or (is_model(key) and key == part.model)


def _in_inner(part: PartSpec, key: str, change: Any) -> PartSpec:
    """A part with a change to those of its inner parts that are called `key`."""
    return replace(part, inner=tuple(change(one) if _is_called(one, key) else one for one in part.inner))


def _refuse_empty(path: Sequence[str]) -> None:
    if not all(path):
        raise ConfigError("a name between two dots is empty")


def _listed(parts: Sequence[PartSpec], known: Registry) -> str:
    return join_list(written_part(one, known)[0] for one in parts)


def _written_inner(part: PartSpec, known: Registry) -> tuple[list[str], dict[str, Any]]:
    """How the parts within a part are written, and its options with tables of those that this does not tell."""
    texts: list[str] = []
    rest = dict(part.options)
    for one in part.inner:
        key, more = one.name, {}
        if known.by_model and one.name == known.by_model and is_model(one.model):
            text = key = one.model
            more = dict(one.without_options("model").options)
        elif len(one.inner) > 1:
            inner, more = _written_inner(one, known)
            text, more = one.name, {OF: join_list(inner), **more}
        else:
            text, more = written_part(one, known)
        if more:
            times = sum(told == key or told.startswith(f"{key} ") for told in rest)
            rest[f"{key} {times + 1}" if times else key] = more
        texts.append(text)
    return texts, rest


def _read_value(text: str, kind: str, what: str, option: str) -> Any:
    """The value after a name, of its option's type.

    Raises:
        ConfigError: it is empty, or of another type.
    """
    words = {"float": "a number, such as 0.9", "int": "a whole number", "bool": "true or false"}.get(kind, "a value")
    try:
        if not text:
            raise ValueError
        if kind == "bool":
            return {"true": True, "false": False}[text]
        return {"float": float, "int": int}.get(kind, str)(text)
    except (ValueError, KeyError):
        raise ConfigError(f"{what}: the value after the colon is its option {option}: {words}, not {text!r}") from None
