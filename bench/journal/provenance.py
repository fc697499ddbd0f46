"""The provenance of a run: our version and commit, Python, platform, libraries; nothing about people or keys."""

from __future__ import annotations

import platform
import subprocess
from importlib import metadata
from pathlib import Path
from typing import Any

LIBRARIES = (
    "numpy",
    "pillow",
    "pydantic",
    "playwright",
    "miniwob",
    "av",
    "rapidocr",
    "urllib3",
    "torch",
    "transformers",
)
GIT_SECONDS = 5.0


def provenance() -> dict[str, Any]:
    """The provenance as plain JSON values; unknown values are left out."""
    found: dict[str, Any] = {
        "omnipilot": version("omnipilot"),
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "libraries": {name: number for name in LIBRARIES if (number := version(name))},
        **commit(Path(__file__).resolve().parent),
    }
    return {name: value for name, value in found.items() if value not in ("", {})}


def version(package: str) -> str:
    """The version of an installed package; "" if it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def commit(folder: Path) -> dict[str, Any]:
    """`commit` and `dirty` (tracked files differ from it) of the checkout that tracks the code in `folder`.

    Empty if none does: an installed package may lie inside an unrelated checkout.
    """
    if _git(folder, "ls-files", "--error-unmatch", Path(__file__).name) is None:
        return {}
    head = _git(folder, "rev-parse", "HEAD")
    changes = _git(folder, "status", "--porcelain", "--untracked-files=no")
    return {} if head is None or changes is None else {"commit": head.strip(), "dirty": bool(changes.strip())}


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        # Without optional locks a run never stands in the way of somebody who is working in the checkout.
        done = subprocess.run(
            ["git", "--no-optional-locks", "-C", str(folder), *arguments],
            capture_output=True,
            text=True,
            timeout=GIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
