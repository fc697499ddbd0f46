"""Parts that are made of other parts: `cascade` of elements and ocr, `zoom` of a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias, runtime_checkable

from omnipilot.envs import ConfigError
from omnipilot.envs.installed_plugins import installed_plugins


@runtime_checkable
class Combines(Protocol):
    """A factory of a part that is made of other parts: `combines` is "one" or "many".

    A factory that does not say, or says "", makes a part of its own.
    """

    combines: str


Split: TypeAlias = Callable[[str], tuple[str, Mapping[str, Any]]]
"""Splits NAME:VALUE into a name and options; see `Registry.split`."""


def with_inner(
    kind: str,
    name: str,
    combines: str,
    options: Mapping[str, Any],
    make: Callable[[str, Mapping[str, Any]], Any],
    split: Split,
) -> dict[str, Any]:
    """The options of a part that combines others, with these made.

    A factory that combines says so by an attribute `combines`: "one" or "many". Its option `of` names the inner parts
    ("elements,ocr", or a list of names and of tables with a name and options), and the options of an inner part lie
    under its name (`vllm.model=…` on the command line).

    Args:
        kind, name: of the part. make: makes an inner part from its name and options. split: of the inner names.

    Raises:
        ConfigError: `of` is missing, or names several for a part that combines one; or from `make`, as MissingExtra.
    """
    what = f"{kind} {name!r}"
    named = inner_parts(options, what, kind, split, combines == "many")
    if combines == "one" and len(named) != 1:
        cure = f"of=cascade and cascade.of={','.join(inner for inner, _ in named)}"
        told = f"for several, write {cure}" if kind == "grounder" else "name one"
        raise ConfigError(f"{what} combines one {kind}; {told}")
    made = [make(inner, given) for inner, given in named]
    own = {key: value for key, value in options.items() if key not in {inner for inner, _ in named}}
    own["of"] = tuple(made) if combines == "many" else made[0]
    return own


def inner_parts(
    options: Mapping[str, Any], what: str, kind: str, split: Split, many: bool = False
) -> list[tuple[str, Mapping[str, Any]]]:
    """Names and options of the inner parts that the options of a part name.

    Raises:
        ConfigError: as in `with_inner`.
    """
    found: list[tuple[str, Mapping[str, Any]]] = []
    for text, given in _named(options.get("of"), what, kind, many):
        inner, valued = split(text)
        beside = options.get(inner, {})
        if not isinstance(beside, Mapping):
            raise ConfigError(f"{what}: the options of {inner!r} are written {inner}.KEY=VALUE, not {inner}={beside!r}")
        found.append((inner, {**valued, **beside, **given}))
    return found


def _named(of: Any, what: str, kind: str, many: bool) -> list[tuple[str, Mapping[str, Any]]]:
    """Names and options of the inner parts."""
    items = [name for name in of.split(",") if name.strip()] if isinstance(of, str) else of
    items = [of] if isinstance(of, Mapping) else items
    found: list[tuple[str, Mapping[str, Any]]] = []
    for item in items if isinstance(items, list | tuple) else ():
        if isinstance(item, str) and item.strip():
            found.append((item.strip(), {}))
        elif isinstance(item, Mapping) and isinstance(item.get("name"), str):
            found.append((item["name"], {key: value for key, value in item.items() if key != "name"}))
        else:
            raise ConfigError(
                f"{what}: option `of` must be a list of names, or of tables with a name and options, not {item!r}"
            )
    if not found:
        plural = f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"
        name, wanted = what.partition(" ")[2].strip("'"), f"{plural} it asks" if many else f"{kind} it asks"
        planner = installed_plugins().default("planner") or "random"
        examples = {"planner": planner, "grounder": "elements,ocr" if many else "elements", "memory": "window,episodic"}
        example = examples.get(kind, "NAME")
        raise ConfigError(
            f"{what} needs the option `of`, the {wanted}: write {name}:{example}, or -o {kind}.of={example}"
        )
    return found
