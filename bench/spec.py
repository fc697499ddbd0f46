"""What a run is: a frozen record whose hash is the run's identity."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.agents.assembly import GROUNDERS, PLANNERS
from omnipilot.agents.assembly.build import check_agent
from omnipilot.agents.assembly.honesty import refuse_told
from omnipilot.agents.assembly.parts import written_part
from omnipilot.bench.settings import MOST_COUNT, LimitSettings
from omnipilot.bench.speech.form import InstructionForm
from omnipilot.bench.tasks.review import REVIEWS
from omnipilot.bench.tasks.variation import VARY
from omnipilot.envs import ConfigError, Modality, Thinking
from omnipilot.memory.models.embeddings import name_model

FORMAT = 1
"""Of `spec.json` and of the journal: another number means that the files of before can no longer be read."""
STAND_INS = ("silence", "noise", "other")
"""Silence and a still; white noise and random pixels; the sound and video of another task of the suite."""
HINTS = ("low", "sub-goals", "way")
"""What an agent may be told in an experiment: the wording that names every step, the task's sub-goals in order, or a
demonstration in words."""
WHEREABOUTS = frozenset({"url", "key_env", "cassette", "replay", "anchor_url", "anchor_key_env", "macros", "fit"})
"""Options of an agent's parts that say where a model is asked, or macros lie, and not what; no part of a run's
identity."""
DATA = "data"
"""The option of a suite that says where its data lies; what it holds is in the suite's version."""
PYTHON = "python"
"""The option of a suite that says which interpreter runs others' code; the versions of its packages are in the suite's
version."""


@dataclass(frozen=True, slots=True)
class RunLimits(LimitSettings):
    """The limits that a run gives for its episodes: None for one that it does not give, 0 for no limit."""


@dataclass(frozen=True, slots=True)
class ExperienceSpec:
    """What of earlier runs an agent is given.

    Attributes:
        runs: their directories; no part of a run's identity. digest: of the examples in them, filled when the run
            starts, which is.
        count: most examples for a task. demonstrations: whether runs of parts that know the solution are among them.
        embeddings: model in this process by which the nearest in meaning are found too, as `make_embeddings` reads it;
            "" for none.

    Raises:
        ConfigError: a count below 1, or no run.
    """

    runs: tuple[str, ...]
    count: int = 2
    demonstrations: bool = False
    digest: str = ""
    embeddings: str = ""

    def __post_init__(self) -> None:
        if not self.runs:
            raise ConfigError("--experience names no run; give directories of runs, or leave it out")
        if self.count < 1:
            raise ConfigError(f"the number of examples must be at least 1, not {self.count}")


@dataclass(frozen=True, slots=True)
class ExamplesSpec:
    """Which solved tasks of a suite's training split an agent is shown.

    Attributes:
        count: most examples for a task.
        ranking: what makes them near: "letters", or embeddings as `make_embeddings` reads them; where those
            are is no part of a run's identity.
        same_screen: whether those of the task's own screen are among them.
        digest: of the examples and of what ranks them, filled when the run starts.

    Raises:
        ConfigError: a count below 1.
    """

    count: int = 5
    ranking: str = "letters"
    same_screen: bool = False
    digest: str = ""

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ConfigError(f"the number of examples must be at least 1, not {self.count}; 0 leaves them out")


@dataclass(frozen=True, slots=True)
class ForkSpec:
    """Where in a recorded run the episodes of this one begin to go another way.

    Attributes:
        run: directory of that run; no part of the identity. identity: of that run.
        key, attempt: which of its episodes. turn: the first turn that is decided anew, counted from 0.
        shadow: whether the agent is asked in the turns before, too, and its answers are thrown away, so that one with a
            state of its own comes to have it.
        loose: whether the recorded actions are carried out without looking whether it all is as it was, as on a world
            that cannot be put back.
        hint: what of the truth the agent is told beside the instruction, one of `HINTS`; "" for nothing.

    Raises:
        ConfigError: a turn below 0, or an unknown hint.
    """

    run: str
    identity: str
    key: str
    attempt: int
    turn: int
    shadow: bool = True
    loose: bool = False
    hint: str = ""

    def __post_init__(self) -> None:
        if self.hint and self.hint not in HINTS:
            raise ConfigError(f"unknown hint {self.hint!r}; choose from {', '.join(HINTS)}, or none")
        if self.turn < 0:
            raise ConfigError(f"a fork begins at turn 1 or later, not at {self.turn + 1}")


@dataclass(frozen=True, slots=True)
class GuardSpec:
    """What a run's agent may do.

    Attributes:
        name: of the policy, a preset or a file. digest: of what it says. text: as it is written; "" for no policy but
            secrets. approver: who is asked; None for nobody.
        secrets: where the secrets are, as `read_secrets` takes it; no part of a run's identity. names: of the secrets.

    What identifies a run are the digest, the approver and the names.
    """

    name: str = ""
    digest: str = ""
    text: str = ""
    approver: PartSpec | None = None
    secrets: str = ""
    names: tuple[str, ...] = ()


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
        go_on: whether an episode goes on after its task is solved, until the agent ends it or a limit is reached.
        prompts: hashes of what the agent's models are told, by part; filled when the run starts.
        code: of the parts that are not omnipilot's, a digest of their source or the version of their package, such as
            "planner mine:Mine"; None where there are none; filled when the run starts.
        conditions: what the worlds find on the machine that can change results, such as how far a desktop is shut off;
            filled when the run starts.
        experience: what of earlier runs the agent is given; None for nothing.
        examples: which solved tasks of the suite's training split it is shown; None for none.
        user: who answers the agent's questions; None for the user `rules`, "none" for nobody.
        stand_in: replaces audio and video by others of equal length: silence, noise or other; "" for none.
        instruction: the form of the instruction, see `omnipilot.bench.speech.form.InstructionForm`; "" for text.
        speech: what speaks a spoken instruction; None for the shipped recordings.
        guard: what the agent may do; None for everything.
        taken_out: tasks that people took out of the suite, with the reason; filled when the run starts.
        forked: the recorded episode that all episodes of this run begin with, each trial once; None for none.
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
    intent: bool = False
    go_on: bool = False
    prompts: Mapping[str, str] = field(default_factory=dict)
    conditions: Mapping[str, str] = field(default_factory=dict)
    stand_in: str = ""
    instruction: str = ""
    speech: PartSpec | None = None
    experience: ExperienceSpec | None = None
    examples: ExamplesSpec | None = None
    user: PartSpec | None = None
    forked: ForkSpec | None = None
    guard: GuardSpec | None = None
    taken_out: Mapping[str, str] | None = None
    code: Mapping[str, str] | None = None

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
        check_agent(self.agent)
        refuse_told(self.agent, self._told())

    def _told(self) -> Iterator[str]:
        """What an agent is told of the truth besides its parts, and how."""
        if self.experience is not None and self.experience.demonstrations:
            yield "--demonstrations shows it what was done by parts that know the solution"
        if self.forked is not None and self.forked.hint:
            yield f"--hint {self.forked.hint} tells it of the solution"

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values, sets sorted."""
        return {"format": FORMAT, **_plain(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RunSpec:
        """The record that `to_json` wrote, without fields that this version does not know.

        Raises:
            ConfigError: it is damaged, or of another format, see `check_format`.
        """
        check_format(data)
        try:
            values = _known(cls, data)
            agent = _known(AgentSpec, values["agent"])
            values["agent"] = AgentSpec(**{name: _agents(name, value) for name, value in agent.items()})
            values["suite"] = PartSpec.from_json(values["suite"])
            for name in ("speech", "user"):
                if values.get(name) is not None:
                    values[name] = PartSpec.from_json(values[name])
            values["tasks"] = tuple(values["tasks"])
            values["limits"] = RunLimits(**_known(RunLimits, values["limits"]))
            values["thinking"] = Thinking(**values["thinking"])
            if (given := values.get("experience")) is not None:
                values["experience"] = ExperienceSpec(**{**given, "runs": tuple(given["runs"])})
            if values.get("examples") is not None:
                values["examples"] = ExamplesSpec(**_known(ExamplesSpec, values["examples"]))
            if values.get("forked") is not None:
                values["forked"] = ForkSpec(**_known(ForkSpec, values["forked"]))
            if (guard := values.get("guard")) is not None:
                approver = guard["approver"] and PartSpec.from_json(guard["approver"])
                values["guard"] = GuardSpec(
                    **{**_known(GuardSpec, guard), "approver": approver, "names": tuple(guard["names"])}
                )
            return cls(**values)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ConfigError(f"the specification of this run cannot be read: {error}") from None

    @property
    def identity(self) -> str:
        """Hash of the record without the whereabouts of models, in hexadecimal."""
        return hashlib.sha256(json.dumps(essence(self.to_json()), sort_keys=True).encode()).hexdigest()

    @property
    def vary(self) -> str:
        """How the suite's tasks are varied, an option of it: names joined by a plus, "" for not at all."""
        return str(self.suite.options.get(VARY, ""))

    @property
    def label(self) -> str:
        """Short name for tables: suite, planner, grounder."""
        planner, grounder = self.agent.planner, self.agent.grounder
        names = written_part(planner, PLANNERS)[0], written_part(grounder, GROUNDERS)[0]
        return f"{self.suite.name} · {' · '.join(names)}"


def check_format(spec: Mapping[str, Any], run: str = "this run") -> None:
    """Refuse a specification, as JSON, that this version cannot read.

    Args:
        run: what to call the run in the message.

    Raises:
        ConfigError: its format is another one.
    """
    found = spec.get("format")
    if found is None:
        raise ConfigError(
            f"{run} was written by a version before 0.3.0, which was never released; run it again, into another --out"
        )
    if found != FORMAT:
        raise ConfigError(
            f"{run} has the format {found!r}, and this version reads {FORMAT}; install the version that wrote it"
        )


def essence(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a specification, as JSON, that can change its numbers: without where models, keys and data are.

    What is not set (None, false or "") is left out, so that runs keep their identity when a later version knows one
    more setting that they do not use.
    """
    suite = spec.get("suite", {})
    options = {key: value for key, value in suite.get("options", {}).items() if key not in (DATA, PYTHON, REVIEWS)}
    kept = _given(spec)
    kept |= {"agent": _without(_given(spec.get("agent", {}))), "suite": {**suite, "options": options}}
    kept["limits"] = _given(spec.get("limits", {}))
    kept |= {name: _without(kept[name]) for name in ("speech", "user") if name in kept}
    if "experience" in kept:
        # Which weights rank the examples is in their digest.
        given = kept["experience"].items()
        kept["experience"] = {key: value for key, value in given if key not in ("runs", "embeddings")}
    if "examples" in kept:
        kept["examples"] = {**_given(kept["examples"]), "ranking": name_model(kept["examples"]["ranking"])}
    if "taken_out" in kept:
        kept["taken_out"] = sorted(kept["taken_out"])
    if "guard" in kept:
        kept["guard"] = {name: _without(kept["guard"][name]) for name in ("digest", "approver", "names")}
    if "forked" in kept:
        kept["forked"] = {key: value for key, value in kept["forked"].items() if key != "run"}
    return kept


def _given(record: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a record that are set."""
    return {name: value for name, value in record.items() if value is not None and value is not False and value != ""}


def _without(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without(item) for key, item in value.items() if key not in WHEREABOUTS}
    return [_without(item) for item in value] if isinstance(value, list) else value


def _known(record: type[Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of JSON that a record has."""
    names = {spec.name for spec in fields(record)}
    return {name: value for name, value in data.items() if name in names}


def _agents(name: str, value: Any) -> Any:
    """A value of an `AgentSpec`, from JSON."""
    if name.endswith("modalities"):
        return value if value is None else frozenset(map(Modality, value))
    if isinstance(value, Mapping):
        if {"name", "options"} <= set(value):
            return PartSpec.from_json(value)
        return {key: _agents(key, item) for key, item in value.items()}
    return tuple(_agents("", item) for item in value) if isinstance(value, list) else value


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


def differences(
    ours: Mapping[str, Any],
    theirs: Mapping[str, Any],
    prefix: str = "",
    words: tuple[str, str] = ("there", "asked for"),
) -> list[str]:
    """Lines that say in which fields two specifications (as JSON) differ.

    Args:
        words: behind the value of `theirs`, and behind that of `ours`.
    """
    lines: list[str] = []
    for key in sorted({*ours, *theirs}):
        a, b = ours.get(key), theirs.get(key)
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            lines += differences(a, b, f"{prefix}{key}.", words)
        elif a != b:
            here, there = (json.dumps(spec[key]) if key in spec else "not given" for spec in (ours, theirs))
            lines.append(f"{prefix}{key}: {there} {words[0]}, {here} {words[1]}")
    return lines
