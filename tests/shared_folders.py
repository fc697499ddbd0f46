"""Folders that tests share: made once for all processes of a test session, and then only read."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("agents", "bench", "envs", "grounders", "memory", "planners")


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder of that name, filled by whoever asks first; other workers of pytest-xdist wait for it.

    Who wants to change something in it makes a copy.
    """
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder, done = base / f"shared-{name}", base / f"shared-{name}.done"
    with (base / f"shared-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            done.touch()
    return folder


def write_miniature(name: str, folder: Path) -> Path:
    """A benchmark's miniature with its sample predictions; the path of these."""
    from importlib import import_module

    from omnipilot.bench.benchmarks import MINIATURES

    write = MINIATURES.load(name)
    write(folder)
    predictions: Path = import_module(write.__module__).sample_predictions(folder)
    return predictions


def copy_checkout(to: Path, *more: str) -> Path:
    """Copy what a wheel is built from, without anything that earlier builds left, and files and folders named beside.

    Times of change are kept, so that `make` finds nothing newer than it is.
    """
    for name in (*SOURCES, "pyproject.toml", "README.md", "LICENSE", *more):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(ROOT / name, to / name)
    return to
