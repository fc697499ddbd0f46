"""Browser profiles: each episode starts on a copy of its own, so that all start alike."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Collection
from pathlib import Path

from omnipilot.envs.temporary_folders import make_folder, remove_folder
from omnipilot.envs.types.errors import ConfigError

LOCK = "SingletonLock"
"""A symbolic link "HOST-PID" in a profile that is in use; its target does not exist."""
LEFT_OUT = frozenset(
    "SingletonLock SingletonSocket SingletonCookie DevToolsActivePort RunningChromeVersion Crashpad BrowserMetrics "
    "ShaderCache GrShaderCache GraphiteDawnCache component_crx_cache extensions_crx_cache".split()
)
"""Locks, and what Chromium makes anew."""
CACHES = frozenset({"Cache", "Code Cache", "GPUCache", "DawnGraphiteCache", "DawnWebGPUCache", "blob_storage"})


def check_profile(profile: Path) -> None:
    """Refuse a profile that does not exist or that a browser has open.

    Raises:
        ConfigError: so it is; the message says what to do.
    """
    if not profile.is_dir():
        raise ConfigError(f"there is no browser profile {profile}; name a folder that Chromium has used as its profile")
    pid = _in_use_by(profile)
    if pid:
        raise ConfigError(f"the profile {profile} is open in a browser (process {pid}); close that browser first")


def copy_profile(profile: Path) -> Path:
    """A copy of a profile in a new temporary folder, without its caches and locks; the original is only read.

    Raises:
        ConfigError: there is no such profile, or a browser has it open, so that a copy would be torn.
    """
    check_profile(profile)
    target = make_folder("profile")
    try:
        _copy(profile, target)
    except (OSError, shutil.Error) as error:
        remove_folder(target)
        raise ConfigError(f"the profile {profile} cannot be copied: {error}") from error
    return target


def save_profile(source: Path, target: Path) -> None:
    """Copy a profile that no browser has open to a new folder.

    Raises:
        ConfigError: the folder exists and is not empty.
    """
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise ConfigError(f"{target} exists already; name a new folder for the profile")
    _copy(source, target)


def _copy(source: Path, target: Path) -> None:
    def left_out(folder: str, names: Collection[str]) -> set[str]:
        inside = Path(folder)
        return {
            name
            for name in names
            if name in LEFT_OUT or name in CACHES or not ((inside / name).is_file() or (inside / name).is_dir())
        }

    shutil.copytree(source, target, symlinks=True, ignore=left_out, dirs_exist_ok=True)


def _in_use_by(profile: Path) -> int:
    """Process of the browser that has the profile open, 0 if none has."""
    try:
        host, _, pid = os.readlink(profile / LOCK).rpartition("-")
    except OSError:
        return 0
    if not pid.isdigit():
        return 0
    if host != socket.gethostname():
        return int(pid)  # on another machine, where we cannot ask
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return 0
    except PermissionError:
        pass
    return int(pid)
