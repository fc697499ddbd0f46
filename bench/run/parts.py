"""The kinds of parts that settings name: where each is found, and what it is if nothing else is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from omnipilot.agents import PartSpec, Registry, parse_part
from omnipilot.agents.assembly.parts import WrittenPart, name_part, set_option, written_part
from omnipilot.envs import ConfigError
from omnipilot.envs.installed_plugins import installed_plugins

DEFAULTS = {"agent": "single", "grounder": "elements", "memory": "window"}
"""What each part is where nothing is said; for the planner, see `default_name`."""
AROUND = {
    "critic": "rules",
    "progress": "clauses",
    "loops": "repeats",
    "stop": "patience",
    "skills": "routing",
    "readers": "gold",
    "perception": "detact",
    "checks": "notice",
    "gate": "events",
    "verbs": "translate",
}
"""Parts that may wrap an agent, and what each is if it is given options but no name."""
PARTS = (
    "agent",
    "planner",
    "grounder",
    "memory",
    "tool_agent",
    *AROUND,
    "suite",
    "world",
    "speech",
    "user",
    "approver",
)
OF_A_SERVER = ("url", "key_env", "price_in", "price_out")
"""Options of a model at one server. Another model or another server does not inherit them."""
LEFT_OUT = ("none", "off")
"""Names for leaving out a part that wraps an agent."""
_FILES = Registry("world", {}, "")
"""World files are named by their paths, which are no names of parts."""


def registry_of(what: str) -> Registry:
    """Where parts of a kind are found by name: "planner", "tool_agent", "critic", …"""
    if what == "suite":
        from omnipilot.bench.registry import SUITES

        return SUITES
    if what == "speech":
        from omnipilot.bench.registry import SPEECH

        return SPEECH
    if what == "user":
        from omnipilot.bench.registry import USERS

        return USERS
    if what == "approver":
        from omnipilot.bench.registry import APPROVERS

        return APPROVERS
    if what == "world":
        return _FILES
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
        "stop": teams.STOPS,
        "skills": teams.SKILLS,
        "readers": teams.READERS,
        "perception": teams.PERCEPTIONS,
        "checks": teams.CHECKS,
        "gate": build.GATES,
        "verbs": build.VERB_SETS,
    }[what]


def read_part(value: WrittenPart, what: str, under: PartSpec | None = None) -> PartSpec:
    """The part that a setting names, over the one of earlier settings; see `parse_part`.

    Args:
        what: the kind of part: "planner", "critic", …

    Raises:
        ConfigError: it is not written as parts are.
    """
    if what == "suite" and isinstance(value, str) and value.endswith(".py"):
        # A file of tasks, whose path may contain what stands between the names of parts.
        return PartSpec("file", {"file": value})
    return parse_part(_of_path(value) if what == "world" else value, registry_of(what), under, _usual_name(what))


def set_part_option(before: PartSpec | None, what: str, path: Sequence[str], value: Any) -> PartSpec:
    """The part of earlier settings, or one that has no name yet, with one option set; see `set_option`."""
    return set_option(before or PartSpec(""), path, value, registry_of(what))


def choose_part(given: PartSpec | None, what: str) -> PartSpec:
    """The part of a setting; the default one if it is not given.

    Raises:
        ConfigError: it has no name, and there is no default.
    """
    if given is not None and given.name:
        return given
    part = name_part(given or PartSpec(""), registry_of(what), _usual_name(what))
    if not part.name:
        name = installed_plugins().default(what) or "NAME"
        raise ConfigError(
            f'no {what} given; use --{what} {name}, or {what} = "{name}" in the file '
            f"(`omnipilot list {what}s` shows all)"
        )
    return part


def default_name(what: str) -> str:
    """What a part is where nothing is said; "" for a suite, which has to be named.

    The default planner is that of a plug-in of ours; "" where none is installed.
    """
    return installed_plugins().default(what) if what == "planner" else DEFAULTS.get(what, "")


def choose_wrapper(given: PartSpec | None, what: str) -> PartSpec | None:
    """A part that may be left out, such as the critic: None if it is not given, or named "none" or "off"."""
    if given is None or given.name in LEFT_OUT:
        return None
    return name_part(given, registry_of(what), AROUND[what])


def choose_tool_agent(given: PartSpec | None, planner: PartSpec) -> PartSpec | None:
    """The planner of a team's workers; None for the head's own model.

    Options without a name change the team's planner. If they name another model or server, the planner's server, key
    and prices are not inherited.
    """
    if given is None or given.name:
        return given
    apart = OF_A_SERVER if {"model", "url"} & set(given.options) else ()
    kept = planner.without_options("prompt", *apart)
    return parse_part({**given.options}, registry_of("tool_agent"), kept)


def with_model_options(part: PartSpec, options: Mapping[str, Any]) -> PartSpec:
    """A part with options for the calls of its model, and of the models of the parts that it is made of."""
    inner = tuple(with_model_options(one, options) for one in part.inner)
    part = replace(part, inner=inner)
    return part.with_options(options) if part.names_model else part


def name_of(part: PartSpec, what: str) -> str:
    """The name of a part, with the value of its main option: "graded:0.9"."""
    return written_part(part, registry_of(what))[0]


def _usual_name(what: str) -> str:
    return default_name(what) or AROUND.get(what, {"speech": "recordings", "user": "rules"}.get(what, ""))


def _of_path(value: WrittenPart) -> WrittenPart:
    """A world's file is named by its path, which may contain what stands between the names of parts."""
    if isinstance(value, str):
        return PartSpec(value)
    if isinstance(value, Mapping) and isinstance(name := value.get("name", ""), str):
        return PartSpec(name, {key: item for key, item in value.items() if key != "name"})
    return value
