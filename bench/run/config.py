"""From flags and a TOML file to a `RunSpec`: both fill the same records, and an unknown key is an error."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import Any

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.agents.assembly.registry import unknown
from omnipilot.agents.assembly.spec import modalities
from omnipilot.agents.limits import LIMITS
from omnipilot.bench.run.parts import (
    AROUND,
    DEFAULTS,
    PARTS,
    around,
    choose_part,
    replace_part,
    tool_agent,
    with_model_settings,
)
from omnipilot.bench.run.parts import part as part_of
from omnipilot.bench.spec import RunLimits, RunSpec
from omnipilot.envs import ConfigError, Thinking
from omnipilot.memory.secrets.settings import refuse_secrets

KEYS = (
    *PARTS,
    *("modalities", "planner_modalities", "grounder_modalities", "critic_modalities"),
    *(
        "tasks",
        "where",
        "instances",
        "trials",
        "retries",
        "thinking",
        "intent",
        "stand_in",
        "limits",
        "out",
        "jobs",
        "calibrate",
    ),
    *("preset", "planner_url", "cassette", "replay", "waive_cost"),
)

PLACES = ("planner_url", "cassette")
"""Settings that say where something is, which may be a URL."""


def load_toml(path: Path) -> dict[str, Any]:
    """The settings in a TOML file.

    Raises:
        ConfigError: no such file, or it is not TOML; the message names the line.
    """
    try:
        return tomllib.loads(path.read_text())
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {error}") from None


def merge_settings(file: Mapping[str, Any], flags: Mapping[str, Any], options: Sequence[str] = ()) -> dict[str, Any]:
    """Settings of a file overridden by the flags that were given (those not None), and `part.key=value` options.

    In `part.inner.key=value` the option is one of a part within the part. The name of a model, PROVIDER/MODEL, changes
    the model of the part and leaves its other options.

    Raises:
        ConfigError: an option that is none, or a secret among the settings of the parts.
    """
    settings = layer_settings(file, {key: value for key, value in flags.items() if value is not None})
    for option in options:
        name, equals, value = option.partition("=")
        # Before any error repeats the option.
        refuse_secrets({name: value})
        part, dot, key = name.partition(".")
        if not (equals and dot and key and part in PARTS):
            raise ConfigError(
                f"an option is written PART.KEY=VALUE with PART one of {', '.join(PARTS)}, not {option!r}"
            )
        before = settings.get(part, DEFAULTS.get(part, {}))
        current = _table(before, part) if isinstance(before, str) else before
        settings[part] = _with(current, key.split("."), _value(value), option)
    refuse_secrets({key: settings[key] for key in (*PARTS, *PLACES) if key in settings})
    return settings


def layer_settings(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of two sources; those `over` come first. Limits go one by one, and parts as `replace_part` says.

    Raises:
        ConfigError: a part that is none.
    """
    settings = dict(under)
    for key, value in over.items():
        before = settings.get(key)
        if key == "limits" and isinstance(before, Mapping) and isinstance(value, Mapping):
            settings[key] = {**before, **value}
        else:
            settings[key] = replace_part(before, value, key) if key in PARTS and before is not None else value
    return settings


def spec_from(settings: Mapping[str, Any]) -> RunSpec:
    """The run that these settings describe.

    Raises:
        ConfigError: an unknown key, with the nearest known one, a value of the wrong kind, or a secret.
    """
    _known(settings, KEYS, "setting")
    refuse_secrets({key: settings[key] for key in (*PARTS, *PLACES) if key in settings})
    limits = settings.get("limits", {})
    if not isinstance(limits, Mapping):
        raise ConfigError("limits is a table: turns, actions, tokens, seconds")
    _known(limits, LIMITS, "limit")
    system = choose_part(settings, "agent")
    if system.options:
        raise ConfigError(f"agent {system.name!r} takes no options")
    suite = with_data_read(choose_part(settings, "suite"))
    planner = _planner(settings)
    extra = {"tool_agent": tool_agent(settings, planner), **{name: around(settings, name) for name in AROUND}}
    how = _kept(settings, (planner, *extra.values()))
    agent = AgentSpec(
        system.name,
        with_model_settings(planner, how) or planner,
        choose_part(settings, "grounder"),
        choose_part(settings, "memory"),
        _modalities(settings.get("modalities", "all")) or frozenset(),
        _modalities(settings.get("planner_modalities")),
        _modalities(settings.get("grounder_modalities")),
        **{name: with_model_settings(spec, how) for name, spec in extra.items()},
        critic_modalities=_modalities(settings.get("critic_modalities")),
    )
    return RunSpec(
        agent,
        suite,
        "",
        _names(settings.get("tasks", ())),
        _whole(settings.get("instances", 1), "instances"),
        _whole(settings.get("trials", 1), "trials"),
        RunLimits(**limits),
        _whole(settings.get("retries", 3), "retries"),
        Thinking.parse(str(settings.get("thinking", "frozen"))),
        _yes(settings.get("intent", False), "intent"),
        stand_in="" if settings.get("stand_in") in (None, "none") else str(settings["stand_in"]),
    )


def jobs_of(settings: Mapping[str, Any]) -> int:
    """How many worker processes a run has; 0 plays in this process.

    Raises:
        ConfigError: it is no such number.
    """
    jobs = settings.get("jobs", 1)
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 0:
        raise ConfigError(f"jobs must be a whole number, 0 (play in this process) or more, not {jobs!r}")
    return jobs


def with_data_read(suite: PartSpec) -> PartSpec:
    """A suite that reads the data that it is given, if any.

    Raises:
        ConfigError: it takes none.
    """
    from omnipilot.bench.registry import SUITES

    if "data" in suite.options and suite.name in SUITES.names():
        takes = signature(SUITES.load(suite.name)).parameters
        if "data" not in takes and all(one.kind is not one.VAR_KEYWORD for one in takes.values()):
            raise ConfigError(f"suite {suite.name!r} needs no data, and reads none; leave --data out")
    return suite


def _kept(settings: Mapping[str, Any], parts: Sequence[PartSpec | None]) -> dict[str, Any]:
    """What `cassette` and `replay` say of how the models of all parts are asked."""
    cassette, replay = settings.get("cassette"), _yes(settings.get("replay", False), "replay")
    if replay and not cassette:
        raise ConfigError("replay what? --replay goes with --cassette DIR")
    if cassette and not any(spec is not None and "model" in spec.options for spec in parts):
        raise ConfigError("--cassette keeps calls of LLMs, and no part asks one; name one: --planner openai/gpt-4o")
    return {**({"cassette": cassette} if cassette else {}), **({"replay": True} if replay else {})}


def _planner(settings: Mapping[str, Any]) -> PartSpec:
    planner, url = choose_part(settings, "planner"), settings.get("planner_url")
    if url is None:
        return planner
    if "model" not in planner.options:
        raise ConfigError(f"planner {planner.name!r} asks no model at a URL; name one: --planner hosted_vllm/NAME")
    return PartSpec(planner.name, {**planner.options, "url": url})


def _table(name: str, what: str) -> dict[str, Any]:
    named = part_of(name, what)
    return {"name": named.name, **named.options}


def _with(options: Mapping[str, Any], path: Sequence[str], value: Any, option: str) -> dict[str, Any]:
    """Options with one set; `a.b=1` sets b in the table a, where the options of a part within a part lie."""
    key, *rest = path
    if not rest:
        return {**options, key: value}
    inner = options.get(key, {})
    if not isinstance(inner, Mapping) or not all(path):
        raise ConfigError(f"{option!r} sets an option of {key!r}, which is {inner!r} and not a table of options")
    return {**options, key: _with(inner, rest, value, option)}


def _known(given: Mapping[str, Any], known: Sequence[str], what: str) -> None:
    for key in given:
        if key not in known:
            raise ConfigError(unknown(what, key, known))


def _modalities(value: Any) -> frozenset[Any] | None:
    if value is None:
        return None
    return modalities(",".join(value) if isinstance(value, list | tuple) else str(value))


def _names(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        value = value.split(",")
    return tuple(name.strip() for name in value if name.strip())


def _whole(value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigError(f"{what} is a whole number, not {value!r}")
    return value


def _yes(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(f"{what} is true or false, not {value!r}")
    return value


def _value(text: str) -> Any:
    """An option's value as TOML reads it, or the text itself."""
    try:
        return tomllib.loads(f"v = {text}")["v"]
    except tomllib.TOMLDecodeError:
        return text
