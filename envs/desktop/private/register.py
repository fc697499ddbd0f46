"""The private desktops that run as programs of their own, by name, for whoever looks for them."""

from __future__ import annotations

import json
import os
import re
import stat
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from omnipilot.envs.desktop.address import DesktopAddress
from omnipilot.envs.desktop.private.keeper import process_row
from omnipilot.envs.types.errors import ConfigError
from omnipilot.envs.types.geometry import Size

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,40}")


@dataclass(frozen=True, slots=True)
class Listed:
    """One desktop that is listed.

    Attributes:
        pid, started: of the process that it belongs to; the second tells a reused number apart.
        programs: that it was started with.
        isolation: how far it is shut off, as a record.
    """

    name: str
    pid: int
    started: int
    address: DesktopAddress
    size: Size
    programs: tuple[str, ...] = ()
    isolation: Mapping[str, Any] = field(default_factory=dict)

    @property
    def runs(self) -> bool:
        """Whether its process does."""
        row = process_row(self.pid)
        return row is not None and row.start == self.started and row.state not in "ZX"


def register_folder() -> Path:
    """This user's list of desktops; made if there is none.

    Raises:
        ConfigError: it cannot be made, or belongs to somebody else.
    """
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    folder = Path(runtime, "omnipilot") if runtime else Path(tempfile.gettempdir(), f"omnipilot-{os.geteuid()}")
    for path in (folder, folder / "desktops"):
        try:
            path.mkdir(mode=0o700, exist_ok=True)
            status = path.lstat()
        except OSError as error:
            raise ConfigError(f"{path} cannot be made ({error}); set XDG_RUNTIME_DIR to a folder of yours") from None
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o022:
            raise ConfigError(f"{path} is not a folder that only you can write; remove it, or set XDG_RUNTIME_DIR")
    return folder / "desktops"


def entry_path(name: str) -> Path:
    """Where a desktop is listed.

    Raises:
        ConfigError: `name` is no name for a desktop.
    """
    if not NAME.fullmatch(name):
        raise ConfigError(f"{name!r} is no name for a desktop; use letters, digits, '-', '_' and '.'")
    return register_folder() / f"{name}.json"


def enter(name: str, address: DesktopAddress, size: Size, programs: tuple[str, ...], isolation: Any) -> Path:
    """List a desktop of this process; returns the file to remove when it ends.

    Raises:
        ConfigError: another one has this name.
    """
    row = process_row(os.getpid())
    assert row is not None
    listed = Listed(name, row.pid, row.start, address, size, programs, asdict(isolation))
    path = entry_path(name)
    read_entry(name)  # removes one that has ended
    fresh = path.with_name(f".{name}.{os.getpid()}")
    fresh.write_text(json.dumps(asdict(listed), default=str), encoding="utf-8")
    try:
        os.link(fresh, path)  # fails if it exists, unlike a renaming
    except FileExistsError:
        raise ConfigError(
            f"a desktop {name!r} runs already; choose another name, or end it: omnipilot desktop down {name}"
        ) from None
    finally:
        fresh.unlink()
    return path


def read_entry(name: str) -> Listed | None:
    """The desktop of a name, None if there is none; the entry of one that has ended is removed."""
    path = entry_path(name)
    try:
        # Not blocking, so that a pipe cannot hold us up.
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), encoding="utf-8") as file:
            if os.fstat(file.fileno()).st_uid != os.geteuid():
                raise ConfigError(f"{path} belongs to another user; remove it")
            data = json.load(file)
        place = data.pop("address")
        home, runtime = Path(place.pop("home")), Path(place.pop("runtime"))
        address = DesktopAddress(home=home, runtime=runtime, **place)
        size, programs = Size(**data.pop("size")), tuple(data.pop("programs"))
        listed = Listed(address=address, size=size, programs=programs, **data)
        if not (type(listed.pid) is type(listed.started) is int and listed.pid > 0 and listed.name == name):
            raise ValueError("no process and name of a desktop")
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        listed = None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read ({error.strerror}); remove it") from None
    if listed is None or not listed.runs:
        with suppress(FileNotFoundError):
            path.unlink()
        return None
    return listed


def running_desktops() -> list[Listed]:
    """All that run, by name."""
    names = sorted(path.stem for path in register_folder().glob("*.json") if NAME.fullmatch(path.stem))
    return [listed for name in names if (listed := read_entry(name)) is not None]


def free_name() -> str:
    """The first of desktop-1, desktop-2, … that nobody has."""
    taken = {one.name for one in running_desktops()}
    return next(name for n in range(1, 10_000) if (name := f"desktop-{n}") not in taken)


def find_desktop(name: str) -> Listed:
    """The desktop of a name; of "", the only one that runs.

    Raises:
        ConfigError: there is none, or several.
    """
    if name:
        listed = read_entry(name)
        if listed is not None:
            return listed
    running = running_desktops()
    if not name and len(running) == 1:
        return running[0]
    names = ", ".join(one.name for one in running)
    if not running:
        raise ConfigError("no private desktop runs; start one: omnipilot desktop up")
    raise ConfigError(f"{f'no desktop {name!r} runs' if name else 'several desktops run'}; say which: {names}")
