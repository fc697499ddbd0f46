"""From flags, a TOML file, a preset and options to the settings of a run, and from these to its `RunSpec`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from inspect import signature
from pathlib import Path
from typing import Any

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.agents.assembly.examine import agent_mistakes
from omnipilot.agents.assembly.spec import modalities
from omnipilot.bench.registry import SUITES, load_suite
from omnipilot.bench.run import preset as presets
from omnipilot.bench.run.mistakes import Mistakes
from omnipilot.bench.run.parts import (
    AROUND,
    PARTS,
    around,
    calls_model,
    choose_part,
    default_name,
    part,
    registry_of,
    replace_part,
    tool_agent,
    with_model_settings,
)
from omnipilot.bench.run.read_settings import parse_settings
from omnipilot.bench.settings import LimitSettings, Names, RunSettings, given
from omnipilot.bench.spec import ExperienceSpec, RunLimits, RunSpec
from omnipilot.bench.speech.form import InstructionForm
from omnipilot.envs import ConfigError, Thinking
from omnipilot.envs.schema.read_toml import read_toml
from omnipilot.memory.secrets.settings import refuse_secrets


def resolve_settings(config: Path | None, flags: RunSettings, options: Sequence[str] = ()) -> RunSettings:
    """All settings of a run: options override flags, flags override the file, and the file overrides the preset.

    Args:
        config: a TOML file. options: of parts, as PART.KEY=VALUE.

    Raises:
        ConfigError: as in `read_toml`, `parse_settings`, `layer_settings` and `set_options`.
    """
    file = parse_settings(read_toml(config), str(config)) if config else RunSettings()
    return set_options(layer_settings(with_preset(file, flags.preset), flags), options)


def with_preset(file: RunSettings, name: str | None = None) -> RunSettings:
    """The settings of a file over those of a preset: the one of this name, or else the one that the file names.

    Raises:
        ConfigError: there is no such preset.
    """
    chosen = name or file.preset
    return layer_settings(presets.load(chosen).settings, file) if chosen else file


def layer_settings(under: RunSettings, over: RunSettings) -> RunSettings:
    """Settings of two sources. Those that `over` gives win; limits are merged one by one, parts as in `replace_part`.

    Raises:
        ConfigError: a part is not written as parts are.
    """
    changes = over.given
    for name, before in under.given.items():
        if isinstance(limits := changes.get(name), LimitSettings):
            changes[name] = replace(before, **given(limits))
        elif name in PARTS and name in changes:
            changes[name] = replace_part(before, changes[name], name)
    return replace(under, **changes)


def set_options(settings: RunSettings, options: Sequence[str]) -> RunSettings:
    """Settings with options of parts, each written PART.KEY=VALUE.

    In PART.INNER.KEY=VALUE the option is one of a part within the part.

    Raises:
        ConfigError: an option is written otherwise, or there is a secret among the settings.
    """
    for option in options:
        name, equals, value = option.partition("=")
        # Before any error repeats the option.
        refuse_secrets({name: value})
        what, dot, key = name.partition(".")
        if not (equals and dot and key and what in PARTS):
            raise ConfigError(f"-o takes PART.KEY=VALUE with PART one of {', '.join(PARTS)}, not {option!r}")
        before = settings.given.get(what, default_name(what) or {})
        if isinstance(before, str):
            named = part(before, what)
            before = {"name": named.name, **named.options}
        changed: dict[str, Any] = {what: _set(before, key.split("."), _value(value), option)}
        settings = replace(settings, **changed)
    refuse_secrets(settings.given)
    return settings


def check_speech(spec: RunSpec) -> None:
    """Refuse a speech synthesis that nothing would speak with; an ablation speaks in conditions of its own.

    Raises:
        ConfigError: the instruction is written.
    """
    if spec.speech is not None and not InstructionForm.parse(spec.instruction).spoken:
        raise ConfigError("--speech requires a spoken instruction: --instruction speech or both")


def spec_from(settings: RunSettings) -> RunSpec:
    """The run that these settings describe.

    A setting that has the name of a field of `RunSpec` fills it; those that say where or how a run is carried out are
    no part of it.

    Raises:
        ConfigError: no suite is given, a value is impossible, settings contradict each other, or one is a secret. What
            else is wrong with the agent or the suite is told with it.
    """
    refuse_secrets(settings.given)
    mistakes = Mistakes()
    suite: PartSpec | None = None
    agent: AgentSpec | None = None
    experience: ExperienceSpec | None = None
    values: dict[str, Any] = {}
    with mistakes.noting():
        agent = agent_of(settings)
    with mistakes.noting():
        suite = suite_of(settings)
    with mistakes.noting():
        experience = _experience(settings)
    names = {spec.name for spec in fields(RunSpec)} - {"agent", "suite", "experience"}
    for name, value in settings.given.items():
        if name in names:
            with mistakes.noting():
                values[name] = _as_in_spec(name, value)
    if agent is not None and suite is not None and not mistakes.found:
        return RunSpec(agent, suite, **values, experience=experience)
    if agent is not None:
        mistakes.add(*agent_mistakes(agent))
    if suite is not None:
        with mistakes.noting():
            load_suite(suite)
    mistakes.refuse()
    raise AssertionError("what is missing was refused")


def agent_of(settings: RunSettings) -> AgentSpec:
    """The agent that these settings describe.

    Raises:
        ConfigError: a part is not written as parts are, or settings contradict each other; all of it at once.
    """
    mistakes = Mistakes()
    found: dict[str, Any] = {}
    with mistakes.noting():
        found["system"] = choose_part(settings.agent, "agent")
        if found["system"].options:
            raise ConfigError(f"agent {found['system'].name!r} takes no options")
    with mistakes.noting():
        found["planner"] = _planner(settings)
    for name in ("grounder", "memory"):
        with mistakes.noting():
            found[name] = choose_part(getattr(settings, name), name)
    others: dict[str, Any] = {}
    if "planner" in found:
        with mistakes.noting():
            others["tool_agent"] = tool_agent(settings.tool_agent, found["planner"])
    for name in AROUND:
        with mistakes.noting():
            others[name] = around(getattr(settings, name), name)
    for name, value in settings.given.items():
        if name.endswith("modalities"):
            with mistakes.noting():
                others[name] = _modalities(value)
    mistakes.refuse()
    planner, memory = found["planner"], found["memory"]
    models = {name: spec for name, spec in others.items() if name == "tool_agent" or name in AROUND}
    how = _model_settings(settings, (planner, memory, *models.values()))
    return AgentSpec(
        found["system"].name,
        with_model_settings(planner, how) or planner,
        found["grounder"],
        with_model_settings(memory, how) or memory,
        **{**others, **{name: with_model_settings(spec, how) for name, spec in models.items()}},
    )


def suite_of(settings: RunSettings) -> PartSpec:
    """The suite that settings name, with its data.

    Raises:
        ConfigError: they name none, or give data to one that reads none.
    """
    suite = choose_part("free" if settings.suite is None and settings.task else settings.suite, "suite")
    if isinstance(suite.options.get("world"), str):
        raise ConfigError(f"a world file is named by --world {suite.options['world']}, not as an option of the suite")
    if settings.task is not None or settings.world is not None:
        suite = _with_world(suite, settings)
    if settings.data is not None:
        suite = PartSpec(suite.name, {**suite.options, "data": settings.data})
    if "data" in suite.options and suite.name in SUITES.names():
        takes = signature(SUITES.load(suite.name)).parameters
        if "data" not in takes and all(one.kind is not one.VAR_KEYWORD for one in takes.values()):
            raise ConfigError(f"suite {suite.name!r} needs no data; leave out --data")
    return suite


def _with_world(suite: PartSpec, settings: RunSettings) -> PartSpec:
    """A suite with the world's file read into its options, and with an instruction of the user's own.

    The devices are stated in full, so that a run says what it was done with, wherever the file lay.
    """
    given: dict[str, Any] = {}
    if settings.task is not None:
        given["task"] = settings.task
    if settings.world is not None:
        from omnipilot.envs.composite import read_world, with_options

        named = part(settings.world, "world")
        given["world"] = with_options(read_world(Path(named.name).expanduser()), named.options)
    if suite.name in SUITES.names():
        takes = signature(SUITES.load(suite.name)).parameters
        for name in given:
            if name not in takes:
                raise ConfigError(
                    f"suite {suite.name!r} brings its own {'devices' if name == 'world' else 'tasks'}; "
                    f"leave out --{name}, or choose --suite free"
                )
    return PartSpec(suite.name, {**suite.options, **given})


def split_names(value: Names) -> tuple[str, ...]:
    """Names from a list, or from one text with commas."""
    items = value.split(",") if isinstance(value, str) else value
    return tuple(name.strip() for name in items if name.strip())


def _as_in_spec(name: str, value: Any) -> Any:
    """The value of a setting as the field of `RunSpec` with its name holds it."""
    if isinstance(value, LimitSettings):
        return RunLimits(**given(value))
    if name == "tasks":
        return split_names(value)
    if name == "thinking":
        return Thinking.parse(value)
    if name == "speech":
        return part(value, "speech", "recordings")
    if name == "instruction":
        return "" if value == "text" else value
    return "" if name == "stand_in" and value == "none" else value


def _experience(settings: RunSettings) -> ExperienceSpec | None:
    if settings.experience is None:
        if settings.demonstrations:
            raise ConfigError("--demonstrations requires --experience RUN")
        return None
    return ExperienceSpec(split_names(settings.experience), demonstrations=bool(settings.demonstrations))


def _modalities(value: Names) -> frozenset[Any]:
    return modalities(value if isinstance(value, str) else ",".join(value))


def _model_settings(settings: RunSettings, parts: Sequence[PartSpec | None]) -> dict[str, Any]:
    """What `cassette` and `replay` say of the model calls of all parts."""
    if settings.replay and not settings.cassette:
        raise ConfigError("--replay requires --cassette DIR")
    if settings.cassette and not any(spec is not None and calls_model(spec) for spec in parts):
        raise ConfigError("--cassette records LLM calls, but no part calls an LLM; name one: --planner openai/gpt-4o")
    chosen = {"cassette": settings.cassette, "replay": settings.replay}
    return {name: value for name, value in chosen.items() if value}


def _planner(settings: RunSettings) -> PartSpec:
    planner = choose_part(settings.planner, "planner")
    if settings.planner_url is None:
        return planner
    if not calls_model(planner):
        known = planner.name in registry_of("planner").names()
        raise ConfigError(
            f"--planner-url is for a planner over a model, and {planner.name!r} calls none; "
            f"name one: --planner hosted_vllm/{'NAME' if known else planner.name}"
        )
    return with_model_settings(planner, {"url": settings.planner_url}) or planner


def _set(options: Mapping[str, Any], path: Sequence[str], value: Any, option: str) -> dict[str, Any]:
    """Options with one set; `a.b=1` sets b in the table a, which holds the options of a part within a part."""
    key, *rest = path
    if not rest:
        return {**options, key: value}
    if not all(path):
        raise ConfigError(f"cannot set {option!r}: a name between two dots is empty")
    inner = options.get(key, {})
    if not isinstance(inner, Mapping):
        raise ConfigError(f"cannot set {option!r}: {key!r} is {inner!r}, which has no options of its own")
    return {**options, key: _set(inner, rest, value, option)}


def _value(text: str) -> Any:
    """An option's value as TOML reads it, or the text itself."""
    try:
        return tomllib.loads(f"v = {text}")["v"]
    except tomllib.TOMLDecodeError:
        return text
