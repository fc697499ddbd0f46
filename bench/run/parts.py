"""The parts of an agent as settings name them: by name, by a table of options, or by a model, PROVIDER/MODEL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnipilot.agents import PartSpec
from omnipilot.envs import ConfigError

DEFAULTS = {"agent": "single", "planner": "rules", "grounder": "elements", "memory": "window"}
AROUND = {"critic": "rules", "progress": "clauses", "loops": "repeats", "skills": "routing"}
"""What can be put around an agent, and what each is where it is given options and no name."""
PARTS = (*DEFAULTS, "tool_agent", *AROUND, "suite")
ASKS = {"planner": "function-calling", "tool_agent": "function-calling", "critic": "model", "progress": "model"}
"""Parts that may ask an LLM, and what each is where a model stands for its name."""
OF_A_SERVER = frozenset({"url", "key_env", "price_in", "price_out"})
"""Options that belong to a model where it is served; another model, or one served elsewhere, has none of them."""


def model_of(part: PartSpec) -> str:
    """The model that a part asks; "" for one that asks none."""
    return str(part.options.get("model", part.name if "/" in part.name else ""))


def part(value: Any, what: str, unnamed: str = "") -> PartSpec:
    """A part from its name, or from a table with its name (`unnamed` where it has none) and its options.

    Args:
        what: the part's place: "planner", "critic", …

    Raises:
        ConfigError: neither a name nor such a table.
    """
    if isinstance(value, str):
        return PartSpec(ASKS[what], {"model": value}) if what in ASKS and "/" in value else PartSpec(value)
    if isinstance(value, Mapping) and isinstance(name := value.get("name", unnamed or None), str):
        named = part(name, what)
        return PartSpec(named.name, {**named.options, **{key: item for key, item in value.items() if key != "name"}})
    raise ConfigError(f"{what} is a name, or a table with a name and its options, not {value!r}")


def choose_part(settings: Mapping[str, Any], what: str) -> PartSpec:
    """The part that settings name, or the default one.

    Raises:
        ConfigError: there is none.
    """
    if what not in settings and what not in DEFAULTS:
        raise ConfigError('which suite? --suite duet, or suite = "duet" in the file; `omnipilot list suites` shows all')
    return part(settings.get(what, DEFAULTS.get(what)), what, DEFAULTS.get(what, ""))


def around(settings: Mapping[str, Any], what: str) -> PartSpec | None:
    """A part that may be left out, as `critic`; None where it is, or where it is named "none".

    Raises:
        ConfigError: it is not written as parts are.
    """
    value = settings.get(what)
    if value is None or value == "none":
        return None
    asks = isinstance(value, Mapping) and what in ASKS and "model" in value
    return part(value, what, ASKS[what] if asks else AROUND[what])


def tool_agent(settings: Mapping[str, Any], planner: PartSpec) -> PartSpec | None:
    """Who works for the head of a team; None for the head's own model.

    Where it is given options and no name, it is the planner with these. Another model, or another server, then gets
    neither the planner's server and key nor its price.

    Raises:
        ConfigError: it is not written as parts are.
    """
    value = settings.get("tool_agent")
    if not isinstance(value, Mapping) or "name" in value:
        return None if value is None else part(value, "tool_agent")
    apart = OF_A_SERVER if {"model", "url"} & set(value) else frozenset()
    kept = {key: item for key, item in planner.options.items() if key not in apart | {"prompt"}}
    return PartSpec(planner.name, {**kept, **value})


def renames(value: Any, old: PartSpec) -> bool:
    """Whether a setting only names another model for a part that asks one."""
    return isinstance(value, str) and "/" in value and "model" in old.options


def replace_part(before: Any, value: Any, what: str) -> dict[str, Any]:
    """A part of earlier settings with what later ones say of it, as a table.

    A part that is named otherwise goes whole; one that is not goes option by option; the name of a model,
    PROVIDER/MODEL, replaces the model of a part that has one.

    Raises:
        ConfigError: one of the two is no part.
    """
    if isinstance(before, Mapping) and isinstance(value, Mapping) and not {"name"} & {*before, *value}:
        return {**before, **value}
    old = part(before, what, AROUND.get(what, ""))
    new = part(value, what, old.name)
    if renames(value, old):
        return {"name": old.name, **old.options, **new.options}
    return {"name": new.name, **(old.options if new.name == old.name else {}), **new.options}


def with_model_settings(spec: PartSpec | None, what: Mapping[str, Any]) -> PartSpec | None:
    """A part with settings of how its model is asked; unchanged where it asks none."""
    if spec is None or "model" not in spec.options:
        return spec
    return PartSpec(spec.name, {**spec.options, **what})
