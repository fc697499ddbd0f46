"""Parts of an agent as settings name them: by name, by a table with options, or by a model, PROVIDER/MODEL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnipilot.agents import PartSpec, Registry
from omnipilot.envs import ConfigError
from omnipilot.envs.installed_plugins import installed_plugins

DEFAULTS = {"agent": "single", "grounder": "elements", "memory": "window"}
"""What each part is where nothing is said; for the planner, see `default_name`."""
AROUND = {
    "critic": "rules",
    "progress": "clauses",
    "loops": "repeats",
    "skills": "routing",
    "readers": "gold",
    "checks": "notice",
    "gate": "events",
}
"""Parts that may wrap an agent, and what each is if it is given options but no name."""
PARTS = ("agent", "planner", "grounder", "memory", "tool_agent", *AROUND, "suite", "world", "speech")
ASKS = {
    "planner": "function-calling",
    "tool_agent": "function-calling",
    "critic": "model",
    "progress": "model",
    "gate": "model",
}
"""Parts that may call an LLM, and what each is if a model is given as its name."""
OF_A_SERVER = frozenset({"url", "key_env", "price_in", "price_out"})
"""Options of a model at one server. Another model or another server does not inherit them."""


def model_of(part: PartSpec) -> str:
    """The model that a part calls; "" if it calls none."""
    return str(part.options.get("model", part.name if "/" in part.name else ""))


def part(value: Any, what: str, unnamed: str = "") -> PartSpec:
    """A part from its name, from NAME:VALUE with the value of its main option, or from a table with its name and its
    options.

    Args:
        what: the kind of part: "planner", "critic", … unnamed: its name if the table has none.

    Raises:
        ConfigError: neither a name nor such a table, or the part takes no such value.
    """
    if isinstance(value, str) and what == "world":
        return PartSpec(value)  # the path of a file
    if isinstance(value, str):
        name, options = registry_of(what).split(value)
        if options:
            return PartSpec(name, options)
        return PartSpec(ASKS[what], {"model": value}) if what in ASKS and "/" in value else PartSpec(value)
    if isinstance(value, Mapping) and isinstance(name := value.get("name", unnamed or None), str):
        named = part(name, what)
        return PartSpec(named.name, {**named.options, **{key: item for key, item in value.items() if key != "name"}})
    raise ConfigError(f"{what} must be a name, or a table with a name and options, not {value!r}")


def name_of(part: PartSpec, what: str) -> str:
    """The name of a part, with the value of its main option: "graded:0.9"."""
    return registry_of(what).join(part.name, part.options)[0]


def registry_of(what: str) -> Registry:
    """Where parts of a kind are found by name: "planner", "tool_agent", "critic", …"""
    if what == "suite":
        from omnipilot.bench.registry import SUITES

        return SUITES
    if what == "speech":
        from omnipilot.bench.registry import SPEECH

        return SPEECH
    from omnipilot.agents.assembly import build, teams

    return {
        "agent": build.AGENTS,
        "planner": build.PLANNERS,
        "tool_agent": build.PLANNERS,
        "grounder": build.GROUNDERS,
        "memory": build.MEMORIES,
        "critic": teams.CRITICS,
        "progress": teams.TRACKERS,
        "loops": teams.LOOPS,
        "skills": teams.SKILLS,
        "readers": teams.READERS,
        "checks": teams.CHECKS,
        "gate": build.GATES,
    }[what]


def choose_part(value: Any, what: str) -> PartSpec:
    """The part that a setting names; the default one if the setting is None.

    Raises:
        ConfigError: it names none, and there is no default.
    """
    default = default_name(what)
    if value is None and not default:
        name = installed_plugins().default(what) or "NAME"
        raise ConfigError(
            f'no {what} given; use --{what} {name}, or {what} = "{name}" in the file '
            f"(`omnipilot list {what}s` shows all)"
        )
    return part(default if value is None else value, what, default)


def default_name(what: str) -> str:
    """What a part is where nothing is said; "" for a suite, which has to be named.

    The default planner is that of a plug-in of ours; "" where none is installed.
    """
    return installed_plugins().default(what) if what == "planner" else DEFAULTS.get(what, "")


def around(value: Any, what: str) -> PartSpec | None:
    """A part that may be left out, such as the critic: None if the setting is None, "none" or "off".

    Raises:
        ConfigError: it is not written as parts are.
    """
    if value is None or value in ("none", "off"):
        return None
    asks = isinstance(value, Mapping) and what in ASKS and "model" in value
    return part(value, what, ASKS[what] if asks else AROUND[what])


def tool_agent(value: Any, planner: PartSpec) -> PartSpec | None:
    """The planner of a team's workers; None for the head's own model.

    Options without a name change the team's planner. If they name another model or server, the planner's server, key
    and prices are not inherited.

    Raises:
        ConfigError: it is not written as parts are.
    """
    if not isinstance(value, Mapping) or "name" in value:
        return None if value is None else part(value, "tool_agent")
    apart = OF_A_SERVER if {"model", "url"} & set(value) else frozenset()
    kept = {key: item for key, item in planner.options.items() if key not in apart | {"prompt"}}
    return PartSpec(planner.name, {**kept, **value})


def renames(value: Any, old: PartSpec) -> bool:
    """Whether a setting only names another model for a part that calls one."""
    return isinstance(value, str) and "/" in value and "model" in old.options


def replace_part(before: Any, value: Any, what: str) -> dict[str, Any]:
    """A part of earlier settings, overridden by later ones, as a table.

    Another name replaces the part with all its options; the same name, or none, overrides option by option; a model,
    PROVIDER/MODEL, replaces only the model of a part that has one.

    Raises:
        ConfigError: one of the two is not written as parts are.
    """
    if isinstance(before, Mapping) and isinstance(value, Mapping) and not {"name"} & {*before, *value}:
        return {**before, **value}
    old = part(before, what, AROUND.get(what, ""))
    new = part(value, what, old.name)
    if renames(value, old):
        return {"name": old.name, **old.options, **new.options}
    return {"name": new.name, **(old.options if new.name == old.name else {}), **new.options}


def with_model_settings(spec: PartSpec | None, what: Mapping[str, Any]) -> PartSpec | None:
    """A part with settings for the calls of its model, or of the model of the part that it is made of; unchanged if
    there is none."""
    if spec is None:
        return None
    if "model" in spec.options:
        return PartSpec(spec.name, {**spec.options, **what})
    of = spec.options.get("of")
    if isinstance(of, str) and (inside := models_inside(of)):
        return PartSpec(
            spec.name, {**spec.options, **{name: {**spec.options.get(name, {}), **what} for name, _ in inside}}
        )
    if isinstance(of, Mapping) and (inner := with_model_settings(part(of, "planner"), what)) is not None:
        return PartSpec(spec.name, {**spec.options, "of": {"name": inner.name, **inner.options}})
    return spec


def models_inside(of: str) -> list[tuple[str, str]]:
    """The parts with models among those that a part is made of, each as its name, under which its options lie, and its
    model: of blind:openai/gpt-4o, or of episodic+summary:openai/gpt-4o."""
    found = []
    for inner in filter(None, map(str.strip, of.split(","))):
        name, colon, value = inner.partition(":")
        name, model = (name, value) if colon and "/" not in name else (inner, inner)
        if "/" in model:
            found.append((name, model))
    return found


def calls_model(part: PartSpec) -> bool:
    """Whether settings for the calls of a model apply to a part, or to the part that it is made of."""
    return with_model_settings(part, {"": ""}) != part
