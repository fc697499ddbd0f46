"""Machines that are brought back to a snapshot by a command on this one, such as `virsh snapshot-revert`."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from omnipilot.envs.types.errors import ConfigError, EnvLost

LONGEST_OUTPUT = 500
"""Characters of a failed command's output that are shown."""


def run_reset_command(command: Sequence[str], seconds: float) -> None:
    """Run a command that restores a machine; its exit status says whether it did.

    Args:
        command: a program and its arguments; no shell reads them.
        seconds: how long it may take.

    Raises:
        ConfigError: there is no such program, or it is no list of texts.
        EnvLost: it failed, or took too long.
    """
    if isinstance(command, str) or not command or not all(isinstance(part, str) for part in command):
        raise ConfigError(
            f"a reset command is a list such as ['virsh', 'snapshot-revert', 'VM', 'NAME'], not {command!r}"
        )
    shown = " ".join(command)
    try:
        done = subprocess.run(
            list(command), stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=seconds
        )
    except subprocess.TimeoutExpired:
        raise EnvLost(f"the reset command took more than {seconds:g} s: {shown}") from None
    except OSError as error:
        raise ConfigError(f"the reset command cannot be run: {shown}: {error.strerror}") from None
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip())[-LONGEST_OUTPUT:]
        raise EnvLost(f"the reset command failed with status {done.returncode}: {shown}: {said}")
