"""Ablations: one agent with modalities withheld, and with audio and video replaced by others of equal length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.journal.events import TurnTaken
from omnipilot.bench.journal.journal import read
from omnipilot.bench.spec import STAND_INS, RunSpec
from omnipilot.bench.speech.form import LEVELS
from omnipilot.envs import ConfigError, Modality

Kind: TypeAlias = Literal["full", "withheld", "alone", "control", "spoken"]
FULL = "full set"
MOVING = (Modality.AUDIO, Modality.VIDEO)
"""Modalities that controls replace."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One way to run an agent.

    Attributes:
        name: as in tables: "full set", "no audio", "no audio, video", "only audio", "silence".
    """

    name: str
    kind: Kind
    spec: RunSpec

    @property
    def slug(self) -> str:
        """The name as a directory and on the command line: "full", "no-audio", "no-audio-video"."""
        return "full" if self.kind == "full" else _slug(self.name)


def conditions(spec: RunSpec, absent: Iterable[Modality] = ()) -> list[Condition]:
    """The full set; each modality withheld; audio and video withheld; each modality alone; the controls; and, where
    the specification names a speech synthesis and audio is granted, the instruction spoken, alone and beside its text.

    Each set of modalities occurs once, under its first name.

    Args:
        spec: of the full set.
        absent: modalities that no world of the suite provides; conditions that differ only in these are left out.
    """
    speech, spec = spec.speech, replace(spec, speech=None)
    granted = [one for one in Modality if one in spec.agent.modalities]
    there = [one for one in granted if one not in frozenset(absent)]
    moving = [one for one in there if one in MOVING]
    sets: list[tuple[str, Kind, frozenset[Modality]]] = [(FULL, "full", frozenset(granted))]
    sets += [(f"no {one}", "withheld", frozenset(granted) - {one}) for one in there]
    sets += [(f"no {', '.join(moving)}", "withheld", frozenset(granted) - set(moving))] * (len(moving) > 1)
    sets += [(f"only {one}", "alone", frozenset({one})) for one in there]
    found: dict[frozenset[Modality], Condition] = {}
    for name, kind, kept in sets:
        found.setdefault(kept & set(there), Condition(name, kind, replace(spec, agent=granting(spec.agent, kept))))
    controls = [Condition(name, "control", replace(spec, stand_in=name)) for name in STAND_INS if moving]
    return [*found.values(), *controls, *_spoken(spec, speech if Modality.AUDIO in moving else None)]


def _spoken(spec: RunSpec, speech: PartSpec | None) -> Iterator[Condition]:
    """The instruction spoken beside the application's sound, and over it at each level."""
    forms = [(given, level) for given in ("speech", "both") for level in (None, *LEVELS)]
    for given, level in forms if speech is not None else ():
        form = given if level is None else f"{given}:{level}"
        name = given if level is None else f"{given} {level} dB"
        yield Condition(name, "spoken", replace(spec, instruction=form, speech=speech))


def granting(agent: AgentSpec, kept: frozenset[Modality]) -> AgentSpec:
    """The agent with these modalities only. A role with a subset of its own keeps the part of it that is left."""

    def less(granted: frozenset[Modality] | None) -> frozenset[Modality] | None:
        return None if granted is None else granted & kept

    return replace(
        agent,
        modalities=kept,
        planner_modalities=less(agent.planner_modalities),
        grounder_modalities=less(agent.grounder_modalities),
        critic_modalities=less(agent.critic_modalities),
    )


def choose_conditions(found: Sequence[Condition], names: Sequence[str]) -> list[Condition]:
    """The conditions with these names or kinds, always including the full set; all of them if there are no names.

    Raises:
        ConfigError: no such condition; the message names the nearest.
    """
    wanted = {_slug(name) for name in names}
    kinds = {condition.kind for condition in found}
    for name in wanted:
        if name not in kinds | {condition.slug for condition in found}:
            raise ConfigError(
                describe_unknown("condition", name, [*(one.slug for one in found), *sorted(kinds - {"full"})])
            )
    return [one for one in found if not wanted or one.kind == "full" or {one.slug, one.kind} & wanted]


def absent(folder: Path) -> frozenset[Modality]:
    """Modalities that no environment provided in any turn of a run, because it does not support them."""
    had: set[str] = set()
    lacked: set[str] = set()
    for event in read(folder):
        if isinstance(event, TurnTaken):
            for seen in event.observations.values():
                missing = seen.get("absent", {})
                lacked |= {name for name, why in missing.items() if why.startswith("unsupported")}
                had |= {one.value for one in Modality if one.value not in missing}
    return frozenset(Modality(name) for name in lacked - had)


def _slug(name: str) -> str:
    return "-".join(name.replace(",", " ").split())
