"""What `omnipilot calibrate` does: check with known targets where a grounder points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import typer

from omnipilot.agents import PartSpec
from omnipilot.agents.assembly import GROUNDERS
from omnipilot.bench.report.family_evidence import families_used
from omnipilot.bench.run.config import part_of, set_options
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import ConfigError
from omnipilot.grounders import Grounder, calibrate
from omnipilot.grounders.calibration import Calibration


def calibrate_command(grounder: str, options: Sequence[str]) -> None:
    """Probe a grounder and print what was found; exit status 1 if it does not point where it should."""
    part = grounder_part(grounder, options)
    for family in families_used(part):
        typer.echo(f"{family.name}: {family.proof}", err=True)
    found = _found(part)
    typer.echo(found.text())
    if not found.ok:
        raise typer.Exit(1)


def calibrate_grounder(part: PartSpec) -> Calibration:
    """Probe the grounder of a run that asks for it.

    Raises:
        ConfigError: it does not point where it should.
    """
    found = _found(part)
    if not found.ok:
        raise ConfigError(f"the grounder {part.name!r} failed its calibration:\n{found.text()}")
    return found


def calibration_of(settings: RunSettings, spec: RunSpec) -> dict[str, Any]:
    """What a run that asks for it keeps of the calibration of its grounder; nothing for one that does not.

    Raises:
        ConfigError: the grounder does not point where it should.
    """
    return {"calibration": calibrate_grounder(spec.agent.grounder).to_json()} if settings.calibrate else {}


def _found(part: PartSpec) -> Calibration:
    grounder: Grounder = GROUNDERS.make(part)
    try:
        return calibrate(grounder)
    finally:
        grounder.close()


def grounder_part(grounder: str, options: Sequence[str]) -> PartSpec:
    """A grounder with its options, each written KEY=VALUE."""
    settings = set_options(RunSettings(grounder=grounder), [f"grounder.{option}" for option in options])
    return part_of(settings, "grounder")
