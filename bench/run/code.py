"""The code of the parts of a run that are not omnipilot's, and whether it is still what it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from omnipilot.agents import PartSpec, Registry
from omnipilot.agents.assembly import PLANNERS
from omnipilot.agents.assembly.build import parts_around, parts_by_themselves
from omnipilot.agents.assembly.part_code import codes, foreign_parts
from omnipilot.bench.registry import APPROVERS, SPEECH, SUITES, USERS
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import ConfigError


def code_here(spec: RunSpec) -> dict[str, str] | None:
    """The code of others' parts as it is here and now, for `RunSpec.code`; None where there are none."""
    return codes(_parts(spec)) or None


def code_changes(spec: RunSpec) -> dict[str, tuple[str, str]]:
    """Parts whose code is not what a specification says: by name, then and now; "" where it is not found here."""
    now: Mapping[str, str] = code_here(spec) or {}
    return {name: (then, now.get(name, "")) for name, then in (spec.code or {}).items() if now.get(name) != then}


def refuse_changed_code(spec: RunSpec) -> None:
    """Refuse to play with other code than the run began with: its episodes would be of two programs.

    Raises:
        ConfigError: such as for a file that was edited while the run goes on.
    """
    for name, (then, now) in code_changes(spec).items():
        raise ConfigError(
            f"the code of {name} was {then} when this run began, and a worker finds {now or 'none'}: leave its files "
            "as they are until the run ends, have the same on all machines, or play again with another --out"
        )


def foreign_parts_of(spec: RunSpec) -> Iterator[tuple[str, str]]:
    """The parts of a run that are not omnipilot's, each as "planner mine:Mine" with its "module:attribute"."""
    return foreign_parts(_parts(spec))


def _parts(spec: RunSpec) -> Iterator[tuple[PartSpec, Registry]]:
    """Every part of a run, and where it is found by name."""
    yield from ((part, registry) for _, part, registry in parts_by_themselves(spec.agent))
    yield from parts_around(spec.agent)
    approver = spec.guard.approver if spec.guard is not None else None
    others = ((spec.agent.tool_agent, PLANNERS), (spec.suite, SUITES), (spec.speech, SPEECH), (spec.user, USERS))
    yield from ((part, registry) for part, registry in (*others, (approver, APPROVERS)) if part is not None)
