"""The command line in this process: what a user types, and what comes back, without an interpreter's start."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from unittest import mock

from omnipilot.bench.cli import main

PLAYS = ("run", "sweep", "ablate")
"""Commands that play episodes; here they do so in this process unless `--jobs` says otherwise."""


def omnipilot(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line, with what it printed and its exit status."""
    if arguments[:1] and arguments[0] in PLAYS and "--jobs" not in arguments:
        arguments = (*arguments, "--jobs", "0")
    out, err, code = io.StringIO(), io.StringIO(), 0
    with (
        mock.patch.object(sys, "argv", ["omnipilot", *arguments]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
    return subprocess.CompletedProcess([*arguments], code, out.getvalue(), err.getvalue())
