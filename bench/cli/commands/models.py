"""What `omnipilot serve` and `omnipilot calibrate` do, and the list of model families."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import typer

from omnipilot.agents import PartSpec
from omnipilot.agents.assembly import GROUNDERS
from omnipilot.bench.cli.commands.interrupts import sigterm_as_interrupt
from omnipilot.bench.report.family_evidence import families_used
from omnipilot.bench.run.config import part_of, set_options
from omnipilot.bench.settings import RunSettings
from omnipilot.envs import ConfigError
from omnipilot.envs.installed_plugins import choose_declared, installed_plugins, load_declared
from omnipilot.grounders import Grounder, calibrate
from omnipilot.grounders.calibration import Calibration
from omnipilot.grounders.families.table import rows
from omnipilot.grounders.served import Launch, Server
from omnipilot.grounders.served.command import launch
from omnipilot.grounders.served.server import free

ASKED_NATIVE = "none of these models was asked here: no result of theirs stands behind the records"


class Servable(Protocol):
    """How a model is started: a `Launch` of a grounding model, or what a plug-in makes for a model of its own.

    Attributes:
        url: base URL for clients on this machine. key_env: environment variable with the key that clients must send.
    """

    @property
    def host(self) -> str: ...
    @property
    def port(self) -> int: ...
    @property
    def url(self) -> str: ...
    @property
    def key_env(self) -> str: ...
    def argv(self) -> list[str]:
        """The command as a list of arguments."""
        ...

    def shell(self) -> str:
        """The command for a shell."""
        ...

    def remarks(self) -> Sequence[str]:
        """What to know before."""
        ...


def servable(model: str, family: str, settings: Mapping[str, Any]) -> Servable:
    """How a model is started: as a plug-in says that brings it, or else as a grounding model.

    Raises:
        ConfigError: no family lists this model, or the plug-in cannot be loaded.
    """
    if one := choose_declared("model", model, installed_plugins().declared("served")):
        made: Servable = load_declared("model", one)(settings)
        return made
    return launch(model, family, **settings)


def serve_command(model: str, family: str, settings: dict[str, Any], wait: float, probe: bool, dry_run: bool) -> None:
    """Print the command; unless it is a dry run, start it, wait for it, probe it, and end it when told to."""
    wanted = servable(model, family, settings)
    for remark in wanted.remarks():
        typer.echo(f"note: {remark}", err=True)
    typer.echo(wanted.shell())
    if dry_run:
        return
    free(wanted.host, wanted.port)
    key = _key(wanted)
    with (
        sigterm_as_interrupt(),
        Server(wanted.argv(), wanted.url, {"VLLM_API_KEY": key} if key else {}, key, _log) as server,
    ):
        try:
            names = server.wait(wait)
            if probe and isinstance(wanted, Launch):
                _probed(wanted, names[0])
            typer.echo(f"{names[0]} answers at {wanted.url}; end it with Ctrl-C")
            while not server.ended(1.0):
                pass
        except KeyboardInterrupt:
            typer.echo("ending the server", err=True)
            return
        raise ConfigError(f"the server stopped; its last lines:\n{server.log}")


def calibrate_command(grounder: str, options: Sequence[str]) -> None:
    """Probe a grounder and print what was found; exit status 1 if it does not point where it should."""
    part = grounder_part(grounder, options)
    for family in families_used(part):
        typer.echo(f"{family.name}: {family.proof}", err=True)
    found = _found(part)
    typer.echo(found.text())
    if not found.ok:
        raise typer.Exit(1)


def calibrated(part: PartSpec) -> Calibration:
    """Probe the grounder of a run that asks for it.

    Raises:
        ConfigError: it does not point where it should.
    """
    found = _found(part)
    if not found.ok:
        raise ConfigError(f"the grounder {part.name!r} failed its calibration:\n{found.text()}")
    return found


def _found(part: PartSpec) -> Calibration:
    grounder: Grounder = GROUNDERS.make(part)
    try:
        return calibrate(grounder)
    finally:
        grounder.close()


def list_families() -> None:
    """Print every model family: its name, coordinate space, evidence and models."""
    lines = [("family", "space", "evidence", "models"), *rows()]
    widths = [max(len(line[column]) for line in lines) for column in range(3)]
    typer.echo("\nmodel families, with MODEL one of their models")
    typer.echo("  on a server: --grounder vllm -o grounder.model=MODEL -o grounder.url=URL")
    typer.echo("  in this process, where transformers has it: --grounder local -o grounder.model=MODEL\n")
    room = max(40, shutil.get_terminal_size((120, 24)).columns - sum(widths) - 6)
    for line in lines:
        first, *more = textwrap.wrap(line[3], room, break_long_words=False, break_on_hyphens=False)
        typer.echo("  ".join((*(cell.ljust(width) for cell, width in zip(line, widths, strict=False)), first)))
        for rest in more:
            typer.echo(" " * (sum(widths) + 6) + rest)


def list_native_families() -> None:
    """Print every native family, and the models whose actions are not read."""
    from omnipilot.planners.native.families.table import UNREAD, families

    typer.echo("\nfamilies of the planner native, with MODEL one of their models")
    typer.echo("  on a server of your own: --planner native -o planner.model=hosted_vllm/MODEL --planner-url URL")
    typer.echo("  hosted by their provider: --planner native -o planner.model=MODEL\n")
    known = families()
    width = max(len(family.name) for family in known)
    for family in known:
        words = "ours" if family.layout.ours else "its authors'"
        typer.echo(f"  {family.name.ljust(width)}  {', '.join(family.models)}")
        typer.echo(f"  {' ' * width}  prompt: {words}; {family.proof}")
    typer.echo(f"  {ASKED_NATIVE}")
    typer.echo("\nmodels whose actions the planner native does not read:")
    for name, (ids, why) in UNREAD.items():
        typer.echo(f"  {name} ({ids}): {why}")


def grounder_part(grounder: str, options: Sequence[str]) -> PartSpec:
    """A grounder with its options, each written KEY=VALUE."""
    settings = set_options(RunSettings(grounder=grounder), [f"grounder.{option}" for option in options])
    return part_of(settings, "grounder")


def _probed(wanted: Launch, name: str) -> None:
    from omnipilot.grounders import VllmGrounder

    grounder = VllmGrounder(
        wanted.model, wanted.url, wanted.family.name, key_env=wanted.key_env, timeout=300.0, served_name=name
    )
    try:
        found = calibrate(grounder)
    finally:
        grounder.close()
    typer.echo(found.text(), err=not found.ok)
    if not found.ok:
        raise typer.Exit(1)


def _key(wanted: Servable) -> str:
    if wanted.key_env and not os.environ.get(wanted.key_env):
        raise ConfigError(
            f"the environment variable {wanted.key_env} is empty; set it to the key that clients must send"
        )
    return os.environ.get(wanted.key_env, "") if wanted.key_env else ""


def _log(line: str) -> None:
    sys.stderr.write(f"{line}\n")
