"""What a run is: a frozen record whose hash is the run's identity."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from omnipilot.agents.limits import Limits
from omnipilot.agents.spec import AgentSpec, PartSpec
from omnipilot.envs.base import Thinking
from omnipilot.envs.errors import ConfigError
from omnipilot.envs.observation import Modality


@dataclass(frozen=True, slots=True)
class RunSpec:
    """Everything that can change a run's numbers.

    Attributes:
        suite: by name, with its options. suite_version: filled when the run starts.
        tasks: ids; empty for all of the suite.
        instances: seeds 0 … instances-1 of the content. trials: repetitions of each.
        retries: invalid actions in a row that are forgiven; 0 ends an episode at the first, as CRAB does.
        limits: of an episode; a task's own come first.
        thinking: whether simulated worlds run while models think.
    """

    agent: AgentSpec
    suite: PartSpec
    suite_version: str = ""
    tasks: tuple[str, ...] = ()
    instances: int = 1
    trials: int = 1
    limits: Limits = field(default_factory=Limits)
    retries: int = 3
    thinking: Thinking = field(default_factory=Thinking)

    def __post_init__(self) -> None:
        for name, least in (("instances", 1), ("trials", 1), ("retries", 0)):
            if getattr(self, name) < least:
                raise ConfigError(f"{name} must be at least {least}, not {getattr(self, name)}")

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values, sets sorted."""
        plain = _plain(self)
        assert isinstance(plain, dict)
        return plain

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RunSpec:
        """The record that `to_json` wrote.

        Raises:
            ConfigError: written by a version whose specifications look otherwise.
        """
        try:
            agent = dict(data["agent"])
            for part in ("planner", "grounder", "memory"):
                agent[part] = PartSpec(**agent[part])
            for role in ("modalities", "planner_modalities", "grounder_modalities"):
                if agent[role] is not None:
                    agent[role] = frozenset(map(Modality, agent[role]))
            values = dict(data)
            values["agent"] = AgentSpec(**agent)
            values["suite"] = PartSpec(**values["suite"])
            values["tasks"] = tuple(values["tasks"])
            values["limits"] = Limits(**values["limits"])
            values["thinking"] = Thinking(**values["thinking"])
            return cls(**values)
        except (KeyError, TypeError, ValueError) as error:
            raise ConfigError(f"this run was written by another version of omnipilot: {error}") from None

    @property
    def identity(self) -> str:
        """Hash of the whole record, in hexadecimal."""
        return hashlib.sha256(json.dumps(self.to_json(), sort_keys=True).encode()).hexdigest()

    @property
    def label(self) -> str:
        """Short name for tables: suite, planner, grounder."""
        return f"{self.suite.name} · {self.agent.planner.name} · {self.agent.grounder.name}"


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {spec.name: _plain(getattr(value, spec.name)) for spec in fields(value)}
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
            lines.append(f"{prefix}{key}: {json.dumps(b)} there, {json.dumps(a)} asked for")
    return lines
