"""The provenance of a run: our version and commit, Python, platform, libraries; nothing about people or keys."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from omnipilot.envs.installed_plugins import GROUP, OURS

LIBRARIES = (
    "numpy",
    "pillow",
    "pydantic",
    "scipy",
    "soundfile",
    "playwright",
    "miniwob",
    "av",
    "rapidocr",
    "onnxruntime",
    "opencv-python-headless",
    "opencv-python",
    "litellm",
    "urllib3",
    "datasets",
    "huggingface-hub",
    "pyarrow",
    "jeepney",
    "mss",
    "python-xlib",
    "pyautogui",
    "adbutils",
    "msgpack",
    "starlette",
    "uvicorn",
    "torch",
    "transformers",
    "safetensors",
    "sentence-transformers",
    "ultralytics",
    "easyocr",
    "faster-whisper",
    "browsergym-miniwob",
    "cube-standard",
    "gymnasium",
    "networkx",
    "mcp",
    "inspect-ai",
    "openenv",
    "trl",
    "ray",
    "pandas",
)
"""Distributions that can have a part in a run's results: our own needs, and those of every extra."""
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
        "libraries": _libraries(),
        "plugins": plugins(),
        **commit(Path(__file__).resolve().parent),
    }
    return {name: value for name, value in found.items() if value not in ("", {})}


@cache
def _libraries() -> dict[str, str]:
    """The versions of what is installed of `LIBRARIES`; read once, since it stays the same while a process runs."""
    return {name: number for name in LIBRARIES if (number := version(name))}


def version(package: str) -> str:
    """The version of an installed package; "" if it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def plugins() -> dict[str, str]:
    """The packages that add parts to omnipilot, with their versions."""
    points = metadata.entry_points(group=GROUP)
    # By its distribution, each of which is read once: many parts come from few packages.
    dists = {id(point.dist): point.dist for point in points if point.dist is not None}
    packages = {dist.name: dist.version for dist in dists.values()}
    return {name: number for name, number in sorted(packages.items()) if name != OURS}


def version_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """What two starts of runs were made with in other versions, by name: each as (before, after), "" for not there.

    Empty where one of the two does not say.
    """
    if not before or not after:
        return {}
    ours, theirs = _versions(before), _versions(after)
    pairs = {name: (ours.get(name, ""), theirs.get(name, "")) for name in sorted({*ours, *theirs})}
    return {name: (was, now) for name, (was, now) in pairs.items() if was != now}


def _versions(made_with: Mapping[str, Any]) -> dict[str, str]:
    """The versions that a provenance states; of Python without the last number, which mends and changes nothing."""
    code = str(made_with.get("omnipilot", ""))
    if commit := str(made_with.get("commit", "")):
        code += f" {commit[:8]}{' and changes' * bool(made_with.get('dirty'))}"
    python = ".".join(str(made_with.get("python", "")).split(".")[:2])
    others = (made_with.get(kind, {}) for kind in ("libraries", "plugins", "programs"))
    return {"omnipilot": code, "Python": python} | {name: number for kind in others for name, number in kind.items()}


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
