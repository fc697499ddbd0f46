"""What a run is: a frozen record whose hash is the run's identity."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass, replace
from typing import Any

from omnipilot.agents import AgentSpec, Limits, PartSpec
from omnipilot.agents.assembly.build import GROUNDERS, PLANNERS
from omnipilot.agents.assembly.parts import written_part
from omnipilot.agents.limits import LIMITS
from omnipilot.bench.settings import MOST_COUNT, LimitSettings
from omnipilot.bench.speech.form import InstructionForm
from omnipilot.envs import ConfigError, Modality, Thinking

STAND_INS = ("silence", "noise", "other")
"""Silence and a still; white noise and random pixels; the sound and video of another task of the suite."""
WHEREABOUTS = frozenset({"url", "key_env", "cassette", "replay", "anchor_url", "anchor_key_env", "layout"})
"""Options of an agent's parts that say where a model is asked, and not what; no part of a run's identity. The layout of
requests is among them, because the prompts, which are part of it, tell one from the other."""
DATA = "data"
"""The option of a suite that says where its data lies; what it holds is in the suite's version."""


@dataclass(frozen=True, slots=True)
class RunLimits(LimitSettings):
    """The limits that a run gives for its episodes: None for one that it does not give, 0 for no limit."""

    @property
    def restated(self) -> tuple[str, ...]:
        """Limits that are given with their default value."""
        given = {name: getattr(self, name) for name in LIMITS}
        return tuple(name for name in LIMITS if given[name] is not None and (given[name] or None) == _usual(name))

    def without_restated(self) -> RunLimits:
        """The same without the limits that are given with their default value."""
        return replace(self, **dict.fromkeys(self.restated))

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values.

        A limit that is not given stands there as its default, and None is no limit: so older versions wrote it, and a
        run keeps its identity. Which defaults are given is said apart, where there are any.
        """
        given = {name: getattr(self, name) for name in LIMITS}
        plain = {name: _usual(name) if value is None else value or None for name, value in given.items()}
        kept = {name: value for name, value in plain.items() if value is not None or name not in _LATER}
        return {**kept, **({"given": list(self.restated)} if self.restated else {})}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RunLimits:
        """What `to_json` wrote, of this version or an older one.

        Raises:
            ValueError: there is something else in it.
        """
        if strangers := set(data) - {*LIMITS, "given"}:
            raise ValueError(f"unknown limits: {', '.join(sorted(strangers))}")
        given = data.get("given", ())
        found = {name: data.get(name) for name in LIMITS}
        return cls(**{name: value or 0 for name, value in found.items() if name in given or value != _usual(name)})


_LATER = frozenset(spec.name for spec in fields(Limits) if spec.metadata.get("left_out"))
"""Limits that came later: they are written only where they are set, so that older runs keep their identity."""


def _usual(name: str) -> Any:
    """The default of a limit."""
    return getattr(Limits(), name)


@dataclass(frozen=True, slots=True)
class ExperienceSpec:
    """What of earlier runs an agent is given.

    Attributes:
        runs: their directories; no part of a run's identity. digest: of the examples in them, filled when the run
            starts, which is.
        count: most examples for a task. demonstrations: whether runs of parts that know the solution are among them.

    Raises:
        ConfigError: a count below 1, or no run.
    """

    runs: tuple[str, ...]
    count: int = 2
    demonstrations: bool = False
    digest: str = ""

    def __post_init__(self) -> None:
        if not self.runs:
            raise ConfigError("--experience names no run; give directories of runs, or leave it out")
        if self.count < 1:
            raise ConfigError(f"the number of examples must be at least 1, not {self.count}")


@dataclass(frozen=True, slots=True)
class RunSpec:
    """Everything that can change a run's numbers.

    Attributes:
        suite: by name, with its options. suite_version: filled when the run starts.
        tasks: ids; empty for all of the suite.
        instances: seeds 0 … instances-1 of the content. trials: repetitions of each.
        retries: consecutive invalid actions that are tolerated; 0 ends an episode at the first, as CRAB does.
        limits: of an episode, those that the run gives; see `omnipilot.bench.journal.episode_start.limits_of`.
        thinking: whether simulated worlds run while models think.
        intent: whether the agent is told why the user wants it.
        prompts: hashes of what the agent's models are told, by part; filled when the run starts.
        conditions: what the worlds find on the machine that can change results, such as how far a desktop is shut off;
            filled when the run starts.
        experience: what of earlier runs the agent is given; None for nothing.
        stand_in: replaces audio and video by others of equal length: silence, noise or other; "" for none.
        instruction: the form of the instruction, see `omnipilot.bench.speech.form.InstructionForm`; "" for text.
        speech: what speaks a spoken instruction; None for the shipped recordings.
    """

    agent: AgentSpec
    suite: PartSpec
    suite_version: str = ""
    tasks: tuple[str, ...] = ()
    instances: int = 1
    trials: int = 1
    limits: RunLimits = field(default_factory=RunLimits)
    retries: int = 3
    thinking: Thinking = field(default_factory=Thinking)
    intent: bool = field(default=False, metadata={"left_out": True})
    prompts: Mapping[str, str] = field(default_factory=dict, metadata={"left_out": True})
    conditions: Mapping[str, str] = field(default_factory=dict, metadata={"left_out": True})
    stand_in: str = field(default="", metadata={"left_out": True})
    instruction: str = field(default="", metadata={"left_out": True})
    speech: PartSpec | None = field(default=None, metadata={"left_out": True})
    experience: ExperienceSpec | None = field(default=None, metadata={"left_out": True})

    def __post_init__(self) -> None:
        for name, least in (("instances", 1), ("trials", 1), ("retries", 0)):
            if getattr(self, name) < least:
                raise ConfigError(f"{name} must be at least {least}, not {getattr(self, name)}")
            if getattr(self, name) > MOST_COUNT:
                raise ConfigError(f"{name} must be at most {MOST_COUNT:,}, not {getattr(self, name):,}")
        if self.stand_in and self.stand_in not in STAND_INS:
            raise ConfigError(f"unknown stand_in {self.stand_in!r}; choose from {', '.join(STAND_INS)}, or none")
        granted = self.agent.modalities if self.agent.planner_modalities is None else self.agent.planner_modalities
        if not InstructionForm.parse(self.instruction).written and Modality.AUDIO not in granted:
            raise ConfigError(
                "an instruction that is only spoken has to be heard, and the planner is granted no audio; grant it, or "
                "choose --instruction both"
            )

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values, sets sorted."""
        plain = _plain(self)
        assert isinstance(plain, dict)
        return plain | {"limits": self.limits.to_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RunSpec:
        """The record that `to_json` wrote.

        Raises:
            ConfigError: written by a version whose specifications look otherwise.
        """
        try:
            agent = {name: _agents(name, value) for name, value in data["agent"].items()}
            values = dict(data)
            values["agent"] = AgentSpec(**agent)
            values["suite"] = PartSpec.from_json(values["suite"])
            if values.get("speech") is not None:
                values["speech"] = PartSpec.from_json(values["speech"])
            values["tasks"] = tuple(values["tasks"])
            values["limits"] = RunLimits.from_json(values["limits"])
            values["thinking"] = Thinking(**values["thinking"])
            if (given := values.get("experience")) is not None:
                values["experience"] = ExperienceSpec(**{**given, "runs": tuple(given["runs"])})
            return cls(**values)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ConfigError(f"this run was written by another version of omnipilot: {error}") from None

    @property
    def identity(self) -> str:
        """Hash of the record without the whereabouts of models, in hexadecimal."""
        return hashlib.sha256(json.dumps(essence(self.to_json()), sort_keys=True).encode()).hexdigest()

    @property
    def label(self) -> str:
        """Short name for tables: suite, planner, grounder."""
        planner, grounder = self.agent.planner, self.agent.grounder
        names = written_part(planner, PLANNERS)[0], written_part(grounder, GROUNDERS)[0]
        return f"{self.suite.name} · {' · '.join(names)}"


def essence(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a specification, as JSON, that can change its numbers: without where models, keys and data are."""
    suite = spec.get("suite", {})
    options = {key: value for key, value in suite.get("options", {}).items() if key != DATA}
    kept = {**spec, "agent": _without(spec.get("agent", {})), "suite": {**suite, "options": options}}
    if "speech" in spec:
        kept["speech"] = _without(spec["speech"])
    if "experience" in spec:
        kept["experience"] = {key: value for key, value in spec["experience"].items() if key != "runs"}
    return kept


def _without(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without(item) for key, item in value.items() if key not in WHEREABOUTS}
    return [_without(item) for item in value] if isinstance(value, list) else value


def _agents(name: str, value: Any) -> Any:
    """A value of an `AgentSpec`, from JSON."""
    if name.endswith("modalities"):
        return value if value is None else frozenset(map(Modality, value))
    if isinstance(value, Mapping):
        if {"name", "options"} <= set(value):
            return PartSpec.from_json(value)
        return {key: _agents(key, item) for key, item in value.items()}
    return tuple(_agents("", item) for item in value) if isinstance(value, list) else value


def _left_out(value: Any, spec: Field[Any]) -> bool:
    """Whether a field is left out because it is not used and came later, so that older runs keep their identity."""
    return bool(spec.metadata.get("left_out")) and not getattr(value, spec.name)


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        kept = [spec.name for spec in fields(value) if not _left_out(value, spec)]
        return {name: _plain(getattr(value, name)) for name in kept}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in sorted(value.items())}
    if isinstance(value, frozenset | set):
        return sorted(str(item) for item in value)
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value


def differences(ours: Mapping[str, Any], theirs: Mapping[str, Any], prefix: str = "") -> list[str]:
    """Lines that say in which fields two specifications (as JSON) differ."""
    lines: list[str] = []
    for key in sorted({*ours, *theirs}):
        a, b = ours.get(key), theirs.get(key)
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            lines += differences(a, b, f"{prefix}{key}.")
        elif a != b:
            here, there = (json.dumps(spec[key]) if key in spec else "not given" for spec in (ours, theirs))
            lines.append(f"{prefix}{key}: {there} there, {here} asked for")
    return lines
