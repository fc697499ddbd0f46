"""What `omnipilot desktop` does."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import typer

from omnipilot.envs import ConfigError, Size
from omnipilot.envs.desktop import find_program, own_desktop
from omnipilot.envs.desktop.private import (
    Listed,
    PrivateDesktop,
    enter,
    find_desktop,
    free_name,
    parse_network,
    read_entry,
    register_folder,
    running_desktops,
    start_desktop,
)

START = 60.0
"""Seconds that a detached desktop may take to be up."""
END = 30.0
"""Seconds that one may take to be down."""


@dataclass(frozen=True, slots=True)
class DesktopOptions:
    """What a private desktop is made of, as it is written on the command line.

    Attributes:
        size: of its screen in pixels, WxH. programs: to start, comma-separated.
        home: folder whose content its home starts with; None for an empty one.
        window_manager: its name, or "none". sound: whether it has a sound server.
        network: what programs reach, see `parse_network`. variables: of its programs, each written NAME=VALUE.
    """

    size: str = "1280x800"
    programs: str = ""
    home: Path | None = None
    window_manager: str = "xfwm4"
    sound: bool = True
    network: str = "none"
    variables: Sequence[str] = ()

    def arguments(self) -> list[str]:
        """The same on the command line of another process."""
        arguments = [f"--size={self.size}", f"--programs={self.programs}", f"--window-manager={self.window_manager}"]
        arguments += [f"--home={self.home.absolute()}"] if self.home is not None else []
        arguments += ["--sound" if self.sound else "--no-sound", f"--network={self.network}"]
        return arguments + [f"--set={one}" for one in self.variables]


def up_command(name: str, how: DesktopOptions, detach: bool) -> None:
    """Start a desktop, tell how it is reached, and keep it until it is ended.

    Args:
        name: "" for the next that is free. detach: return once it is up; a process of its own keeps it.
    """
    screen = parse_size(how.size)
    wanted = tuple(part.strip() for part in how.programs.split(",") if part.strip())
    for one in wanted:
        find_program(one)
    environment = parse_variables(how.variables)
    parse_network(how.network)
    manager = "" if how.window_manager == "none" else how.window_manager
    if name and read_entry(name) is not None:
        raise ConfigError(f"a desktop {name!r} runs already; choose another name, or: omnipilot desktop down {name}")
    if detach:
        describe(_detached([*([name] if name else []), *how.arguments()]))
        return
    called = ""
    try:
        running = start_desktop(
            screen,
            programs=wanted,
            sound=how.sound,
            network=how.network,
            window_manager=manager,
            home=how.home,
            environment=environment,
        )
        try:
            called, entry = _enter(name, running, wanted)
            try:
                listed = read_entry(called)
                assert listed is not None
                describe(listed)
                while running.alive:
                    select.select([], [], [], 1.0)
                raise ConfigError("the desktop has ended by itself: one of its servers is gone")
            finally:
                entry.unlink(missing_ok=True)
        finally:
            running.close()
    except KeyboardInterrupt:
        typer.echo(f"{called or 'the desktop'} is down", err=True)


def _enter(name: str, running: PrivateDesktop, programs: tuple[str, ...]) -> tuple[str, Path]:
    """List a desktop under its name, or one without under the next that is free; returns it, and the entry."""
    while True:
        called = name or free_name()
        try:
            return called, enter(called, running.address, running.size, programs, running.isolation)
        except ConfigError:
            if name or read_entry(called) is None:
                raise
            # Another one took it just now.


def _detached(arguments: Sequence[str]) -> Listed:
    """Start a process that keeps the desktop, and wait until it is up."""
    number, path = tempfile.mkstemp(prefix="starting-", suffix=".log", dir=register_folder())
    log = Path(path)
    with open(number, "wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "omnipilot.bench.cli.app", "desktop", "up", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    until = time.monotonic() + START
    while time.monotonic() < until:
        listed = next((one for one in running_desktops() if one.pid == process.pid), None)
        if listed is not None:
            log.unlink(missing_ok=True)
            return listed
        if process.poll() is not None:
            break
        select.select([], [], [], 0.02)
    process.terminate()
    process.wait(END)
    said = log.read_text(encoding="utf-8", errors="replace").strip().removeprefix("omnipilot: ")
    log.unlink(missing_ok=True)
    raise ConfigError(said or f"the desktop is not up after {START:g} s")


def describe(listed: Listed) -> None:
    """Print how a desktop is reached."""
    address = listed.address
    shut_off = {
        "bubblewrap": "in a sandbox of its own",
        "processes": f"not shut off: {listed.isolation.get('reason', '')}",
    }[str(listed.isolation.get("kind", "processes"))]
    if listed.isolation.get("network") == "host":
        shut_off += ", with this machine's network and all that listens on its loopback interface"
    elif listed.isolation.get("ports"):
        shut_off += f", with port {', '.join(map(str, listed.isolation['ports']))} of this machine"
    typer.echo(
        f"{listed.name} is up: {listed.size.width}x{listed.size.height}, {shut_off}\n"
        f"  display    {address.display}, XAUTHORITY={address.xauthority}\n"
        f"  sound      {address.pulse or 'none'}\n"
        f"  bus        {address.session_bus}\n"
        f"  home       {address.home}\n"
        f"  look at it omnipilot desktop view {listed.name}\n"
        f"  end it     omnipilot desktop down {listed.name}"
    )


def list_command() -> None:
    """Print a line for each desktop that runs."""
    rows = [("name", "display", "size", "process", "programs")]
    for one in running_desktops():
        size = f"{one.size.width}x{one.size.height}"
        rows.append((one.name, one.address.display, size, str(one.pid), ", ".join(one.programs) or "–"))
    if len(rows) == 1:
        typer.echo("no private desktop runs; start one: omnipilot desktop up")
        return
    widths = [max(len(row[n]) for row in rows) for n in range(5)]
    for row in rows:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def down_command(name: str, every: bool) -> None:
    """End one desktop or all, and wait until nothing is left of them."""
    if every and name:
        raise ConfigError("name a desktop or write --all, not both")
    ending = running_desktops() if every else [find_desktop(name)]
    for one in ending:
        with suppress(ProcessLookupError):  # it has just ended
            os.kill(one.pid, signal.SIGTERM)
    until = time.monotonic() + END
    for one in ending:
        while one.runs or one.address.home.parent.exists():
            if time.monotonic() > until:
                raise ConfigError(f"{one.name} does not end; kill its process {one.pid}")
            select.select([], [], [], 0.02)
        read_entry(one.name)
        typer.echo(f"{one.name} is down")


def view_command(name: str, port: int, control: bool, own: bool) -> None:
    """Serve the page of one desktop."""
    from omnipilot.envs.desktop.view import serve_view

    if own:
        if name:
            raise ConfigError("name a desktop or write --own, not both")
        address, title = own_desktop(), "your desktop"
    else:
        listed = find_desktop(name)
        address, title = listed.address, listed.name
    serve_view(address, title, port, control, typer.echo)


def parse_size(text: str) -> Size:
    """From "1280x800".

    Raises:
        ConfigError: it is not such a text, or no size for a screen.
    """
    found = re.fullmatch(r"(\d{1,5})[x×](\d{1,5})", text.strip())
    if not found or not all(64 <= int(part) <= 16384 for part in found.groups()):
        raise ConfigError(f"--size must be WIDTHxHEIGHT in pixels, from 64 to 16384, such as 1280x800, not {text!r}")
    return Size(int(found[1]), int(found[2]))


def parse_variables(pairs: Sequence[str]) -> Mapping[str, str]:
    """From NAME=VALUE texts.

    Raises:
        ConfigError: one has no name.
    """
    found = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            raise ConfigError(f"--set must be NAME=VALUE, such as GDK_SCALE=2, not {pair!r}")
        found[name] = value
    return found
