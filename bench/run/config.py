"""From flags, a TOML file, a preset and options to the settings of a run, and from these to its `RunSpec`."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Sequence
from dataclasses import fields, replace
from inspect import signature
from pathlib import Path
from typing import Any

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.agents.assembly.examine import examine
from omnipilot.agents.assembly.spec import modalities
from omnipilot.bench.episode.guarding import guard_spec
from omnipilot.bench.registry import SUITES, load_suite
from omnipilot.bench.run import preset as presets
from omnipilot.bench.run.llm_budget import endpoints
from omnipilot.bench.run.mistakes import Mistakes
from omnipilot.bench.run.parts import (
    AROUND,
    PARTS,
    choose_part,
    choose_tool_agent,
    choose_wrapper,
    read_part,
    registry_of,
    set_part_option,
    with_model_options,
)
from omnipilot.bench.run.read_settings import parse_settings
from omnipilot.bench.settings import LimitSettings, Names, Part, RunSettings, given_fields, split_names
from omnipilot.bench.spec import ExamplesSpec, ExperienceSpec, GuardSpec, RunLimits, RunSpec
from omnipilot.bench.speech.form import InstructionForm
from omnipilot.bench.tasks.review import REVIEWS
from omnipilot.bench.tasks.variation import VARY, variation_names
from omnipilot.envs import ConfigError, MissingExtra, Thinking
from omnipilot.envs.schema.read_toml import read_toml
from omnipilot.memory.models import LlmEndpoint
from omnipilot.memory.models.broker.permits import base_of
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


def preset_spec(name: str, **settings: Any) -> RunSpec:
    """The run that a preset describes, with further settings over its own.

    Args:
        settings: fields of `omnipilot.bench.settings.RunSettings`, such as `tasks` and `instances`.

    Raises:
        ConfigError: there is no such preset, or as in `layer_settings` and `spec_from`.
    """
    return spec_from(layer_settings(presets.load(name).settings, RunSettings(**settings)))


def parse_parts(settings: RunSettings) -> RunSettings:
    """Settings with their parts as records, however they were written.

    Raises:
        ConfigError: a part is not written as parts are; all that are not are told at once.
    """
    unread = any(isinstance(getattr(settings, name), str | dict) for name in PARTS)
    return layer_settings(RunSettings(), settings) if unread else settings


def layer_settings(under: RunSettings, over: RunSettings) -> RunSettings:
    """Settings of two sources, their parts as records.

    Those that `over` gives win; limits are merged one by one, parts as in `parse_part`.

    Raises:
        ConfigError: a part is not written as parts are; all that are not are told at once.
    """
    mistakes = Mistakes()
    before, changes = under.given, over.given
    for source in (before, changes):
        # Before any error repeats a value.
        refuse_secrets({name: value for name, value in source.items() if not isinstance(value, PartSpec)})
    for name in PARTS:
        for source in (before, changes):
            old = before.get(name) if source is changes else None
            if name in source and not (old is None and isinstance(source[name], PartSpec)):
                with mistakes.noting():
                    source[name] = read_part(source[name], name, old)
    mistakes.refuse()
    if "limits" in before and "limits" in changes:
        changes["limits"] = replace(before["limits"], **given_fields(changes["limits"]))
    return replace(under, **{**before, **changes})


def set_options(settings: RunSettings, options: Sequence[str]) -> RunSettings:
    """Settings with options of parts, each written PART.KEY=VALUE.

    In PART.INNER.KEY=VALUE the option is one of a part within the part.

    Raises:
        ConfigError: an option is written otherwise, or there is a secret among the settings.
    """
    settings = parse_parts(settings)
    for option in options:
        name, value = read_option(option)
        what, dot, key = name.partition(".")
        if not ("=" in option and dot and key and what in PARTS):
            raise ConfigError(_option_mistake(option))
        try:
            part = set_part_option(_part(settings, what), what, key.split("."), value)
        except MissingExtra:
            raise
        except ConfigError as error:
            raise ConfigError(f"cannot set {option!r}: {error}") from None
        changed: dict[str, Any] = {what: part}
        settings = replace(settings, **changed)
    return settings


def read_option(option: str) -> tuple[str, Any]:
    """The name and the value of an option that is written NAME=VALUE: the value as TOML reads it, or the text itself.

    Raises:
        ConfigError: it is a secret.
    """
    name, _, value = option.partition("=")
    # Before any error repeats the option.
    refuse_secrets({name: value})
    try:
        return name, tomllib.loads(f"v = {value}")["v"]
    except tomllib.TOMLDecodeError:
        return name, value


def _option_mistake(option: str) -> str:
    """What is wrong with an option of a part that is not written PART.KEY=VALUE, and what was meant."""
    name = option.partition("=")[0]
    what, dot, key = name.partition(".")
    if what in PARTS:
        lacks = "its value" if dot and key else "the option's name"
        return f"-o {option} lacks {lacks}: write -o {what}.{key or 'KEY'}=VALUE"
    near = difflib.get_close_matches(what, PARTS, n=3, cutoff=0.5) if dot else []
    meant = f"; did you mean {' or '.join(f'{one}.{key}' for one in near)}?" if near else ""
    return f"-o takes PART.KEY=VALUE with PART one of {', '.join(PARTS)}, not {option!r}{meant}"


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
    mistakes = Mistakes()
    settings = parse_parts(settings)
    suite: PartSpec | None = None
    agent: AgentSpec | None = None
    experience: ExperienceSpec | None = None
    examples: ExamplesSpec | None = None
    guard: GuardSpec | None = None
    values: dict[str, Any] = {}
    with mistakes.noting():
        agent = agent_of(settings)
    with mistakes.noting():
        suite = suite_of(settings)
    with mistakes.noting():
        experience = _experience(settings)
    with mistakes.noting():
        examples = _examples(settings)
    if suite is not None:
        with mistakes.noting():
            guard = guard_spec(settings.policy, _approver(settings), settings.secrets, suite)
    names = {spec.name for spec in fields(RunSpec)} - {"agent", "suite", "experience", "examples", "guard"}
    for name, value in settings.given.items():
        if name in names:
            with mistakes.noting():
                values[name] = _as_in_spec(name, value)
    if (user := values.get("user")) is not None:
        with mistakes.noting():
            values["user"] = with_model_options(user, _cassette_options(settings))
    if agent is not None and suite is not None and not mistakes.found:
        return RunSpec(agent, suite, **values, experience=experience, examples=examples, guard=guard)
    if agent is not None:
        examined = examine(agent)
        mistakes.add(*examined.mistakes, *examined.uncallable())
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
    given = _records(settings)
    found: dict[str, Any] = {}
    with mistakes.noting():
        found["system"] = choose_part(given["agent"], "agent")
        if found["system"].options or found["system"].inner:
            raise ConfigError(f"agent {found['system'].name!r} takes no options")
    with mistakes.noting():
        found["planner"] = _at_server(choose_part(given["planner"], "planner"), settings.planner_url)
    for name in ("grounder", "memory"):
        with mistakes.noting():
            found[name] = choose_part(given[name], name)
    others: dict[str, Any] = {}
    if "planner" in found:
        with mistakes.noting():
            others["tool_agent"] = choose_tool_agent(given["tool_agent"], found["planner"])
    for name in AROUND:
        with mistakes.noting():
            others[name] = choose_wrapper(given[name], name)
    for name, value in settings.given.items():
        if name.endswith("modalities"):
            with mistakes.noting():
                others[name] = _modalities(value)
    others["honest"] = settings.honest or ""
    mistakes.refuse()
    planner, memory = found["planner"], found["memory"]
    models = {name: spec for name, spec in others.items() if name == "tool_agent" or name in AROUND}
    user = given["user"] and choose_part(given["user"], "user")
    if settings.cassette and not any(one and one.calls_model for one in (planner, memory, user, *models.values())):
        raise ConfigError("--cassette records LLM calls, but no part calls an LLM; name one: --planner openai/gpt-4o")
    how = _cassette_options(settings)
    return AgentSpec(
        found["system"].name,
        with_model_options(planner, how),
        found["grounder"],
        with_model_options(memory, how),
        **{**others, **{name: spec and with_model_options(spec, how) for name, spec in models.items()}},
    )


def part_of(settings: RunSettings, what: str) -> PartSpec:
    """The part of a kind that settings name, the default one if they name none.

    Raises:
        ConfigError: it is not written as parts are, or it has no name and there is no default.
    """
    return choose_part(_part(settings, what), what)


def suite_of(settings: RunSettings) -> PartSpec:
    """The suite that settings name, with its data.

    Raises:
        ConfigError: they name none, or give data to one that reads none.
    """
    free = settings.suite is None and settings.task is not None
    suite = choose_part(PartSpec("free") if free else _part(settings, "suite"), "suite")
    if isinstance(suite.options.get("world"), str):
        raise ConfigError(f"a world file is named by --world {suite.options['world']}, not as an option of the suite")
    if settings.task is not None or settings.world is not None:
        suite = _with_world(suite, settings)
    if settings.data is not None:
        suite = suite.with_options({"data": settings.data})
    if settings.reviews is not None:
        suite = suite.with_options({REVIEWS: settings.reviews})
    if settings.vary is not None:
        suite = suite.with_options({VARY: settings.vary})
    if VARY in suite.options:
        # In one order, so that the same variations are the same run.
        names = variation_names(str(suite.options[VARY]))
        suite = suite.with_options({VARY: "+".join(names)}) if names else suite.without_options(VARY)
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
    if (file := _part(settings, "world")) is not None:
        from omnipilot.envs.composite import read_world, with_options

        given["world"] = with_options(read_world(Path(file.name).expanduser()), file.options)
    if suite.name in SUITES.names():
        takes = signature(SUITES.load(suite.name)).parameters
        for name in given:
            if name not in takes:
                raise ConfigError(
                    f"suite {suite.name!r} brings its own {'devices' if name == 'world' else 'tasks'}; "
                    f"leave out --{name}, or choose --suite free"
                )
    return suite.with_options(given)


def unasked_limits(settings: RunSettings, specs: Sequence[RunSpec]) -> list[str]:
    """A warning for each limit of a place where no model is asked that runs are known to have; it names those asked.

    A task's own judge may ask a model that nobody knows beforehand.
    """
    if not (named := settings.endpoint_limits.places):
        return []
    asked: set[str] = set()
    providers: set[str] = set()
    for endpoint in (one for spec in specs for one in _asked_endpoints(spec)):
        providers.add(endpoint.provider)
        asked.update(base_of(replace(endpoint, url=url)) for url in endpoint.urls)
    return [
        f"--endpoint-limit {place}: no model that is known beforehand is asked there; asked are "
        f"{', '.join(sorted(asked | providers)) or 'none'}"
        for place in named
        if place not in asked | providers
    ]


def _asked_endpoints(spec: RunSpec) -> list[LlmEndpoint]:
    """The endpoints of all models of an agent, its grounder's too, and of the user."""
    found = list(endpoints(spec.agent, spec.user))
    for model in examine(spec.agent).models:
        endpoint = getattr(model, "endpoint", None)
        if isinstance(endpoint, LlmEndpoint):
            found.append(endpoint)
    return found


def _as_in_spec(name: str, value: Any) -> Any:
    """The value of a setting as the field of `RunSpec` with its name holds it."""
    if isinstance(value, LimitSettings):
        return RunLimits(**given_fields(value))
    if name == "tasks":
        return split_names(value)
    if name == "thinking":
        return Thinking.parse(value)
    if name == "speech":
        return choose_part(read_part(value, "speech"), "speech")
    if name == "user":
        user = choose_part(read_part(value, "user"), "user")
        return None if user == PartSpec("rules") else user
    if name == "instruction":
        return "" if value == "text" else value
    return "" if name == "stand_in" and value == "none" else value


def _approver(settings: RunSettings) -> PartSpec | None:
    given = _part(settings, "approver")
    return None if given is None else choose_part(given, "approver")


def _experience(settings: RunSettings) -> ExperienceSpec | None:
    if settings.experience is None:
        if settings.demonstrations:
            raise ConfigError("--demonstrations requires --experience RUN")
        if settings.experience_embeddings:
            raise ConfigError("--experience-embeddings requires --experience RUN")
        return None
    return ExperienceSpec(
        split_names(settings.experience),
        demonstrations=bool(settings.demonstrations),
        embeddings=settings.experience_embeddings or "",
    )


def _examples(settings: RunSettings) -> ExamplesSpec | None:
    if settings.examples is None or settings.examples == 0:
        # A sweep varies how they are ranked over cells of which one has none.
        if settings.examples is None and (settings.examples_ranking or settings.same_screen):
            what = "--examples-ranking" if settings.examples_ranking else "--same-screen"
            raise ConfigError(f"{what} requires --examples N")
        return None
    return ExamplesSpec(settings.examples, settings.examples_ranking or "letters", bool(settings.same_screen))


def _modalities(value: Names) -> frozenset[Any]:
    return modalities(value if isinstance(value, str) else ",".join(value))


def _cassette_options(settings: RunSettings) -> dict[str, Any]:
    """What the cassette's two settings say of the model calls of all parts."""
    if settings.replay and not settings.cassette:
        raise ConfigError("--replay requires --cassette DIR")
    chosen = {"cassette": settings.cassette, "replay": settings.replay}
    return {name: value for name, value in chosen.items() if value}


def _at_server(planner: PartSpec, url: str | None) -> PartSpec:
    """A planner whose models are asked at this address; None for where its options say."""
    if url is None:
        return planner
    if not planner.calls_model:
        known = planner.name in registry_of("planner").names()
        raise ConfigError(
            f"--planner-url is for a planner over a model, and {planner.name!r} calls none; "
            f"name one: --planner hosted_vllm/{'NAME' if known else planner.name}"
        )
    return with_model_options(planner, {"url": url})


def _records(settings: RunSettings) -> dict[str, PartSpec | None]:
    """The record of each part, None for one that is not given."""
    parsed = parse_parts(settings)
    return {name: getattr(parsed, name) for name in PARTS}


def _part(settings: RunSettings, what: str) -> PartSpec | None:
    """The record of a part, None if it is not given."""
    value: Part | None = getattr(settings, what)
    return value if value is None or isinstance(value, PartSpec) else read_part(value, what)
