"""What `omnipilot serve` does: start a model behind a server, probe it, and end it when told to."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import typer

from omnipilot.bench.cli.commands.interrupts import say_ending, serve_until_told
from omnipilot.envs import ConfigError
from omnipilot.envs.installed_plugins import choose_declared, installed_plugins, load_declared
from omnipilot.grounders import calibrate
from omnipilot.grounders.served import Launch, Server
from omnipilot.grounders.served.command import launch
from omnipilot.grounders.served.server import free


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
    with Server(wanted.argv(), wanted.url, {"VLLM_API_KEY": key} if key else {}, key, _log) as server:
        try:
            names = server.wait(wait)
            if probe and isinstance(wanted, Launch):
                _probed(wanted, names[0])
        except KeyboardInterrupt:
            say_ending()
            return
        if serve_until_told(f"{names[0]} answers at {wanted.url}; end it with Ctrl-C", server.ended):
            return
        raise ConfigError(f"the server stopped; its last lines:\n{server.log}")


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
