"""Whether two machines have the same omnipilot: its version, and a hash of its code."""

from __future__ import annotations

import hashlib
import socket
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import omnipilot
from omnipilot.bench.journal.provenance import version

ROOMS = ("envs", "memory", "planners", "grounders", "agents", "bench")


@cache
def code_here() -> dict[str, str]:
    """The host's name, the version of omnipilot that it has, and a hash of all of its Python files."""
    found = hashlib.sha256()
    root = Path(omnipilot.__file__).parent
    for folder in (root / room for room in ROOMS):
        # The rooms may be links, which are not followed further down.
        for path in sorted(folder.resolve().rglob("*.py")):
            name = f"{folder.name}/{path.relative_to(folder.resolve()).as_posix()}"
            found.update(f"{name}\n".encode() + hashlib.sha256(path.read_bytes()).digest())
    return {"host": socket.gethostname(), "version": version("omnipilot"), "code": found.hexdigest()}


def refusal(theirs: Mapping[str, str], ours: Mapping[str, str]) -> str:
    """Why a worker cannot play for a run, as both say what they have; "" if it can."""
    if (theirs["version"], theirs["code"]) == (ours["version"], ours["code"]):
        return ""
    has, here = (f"omnipilot {one['version']} (code {one['code'][:12]})" for one in (theirs, ours))
    return f"the worker on {theirs['host']} has {has}, and this process {here}; install the same on all machines"
