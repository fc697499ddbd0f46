"""The Dockerfile installs what the Makefile does, by its targets, and hadolint finds nothing in it.

The image itself is not built here: that takes a container engine (`make image test-image`).
"""

from __future__ import annotations

import re
import subprocess

import pytest
from shared_folders import ROOT
from system_needs import SITE

LINES = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def test_what_it_runs_are_targets_of_make_and_all_system_packages_are_theirs() -> None:
    called = [line.removeprefix("RUN ").split() for line in LINES if line.startswith("RUN ")]
    assert [words[0] for words in called] == ["make"] * len(called)
    targets = [target for words in called for target in words[1:]]
    assert set(targets) <= TARGETS
    assert {"system", "system-desktop", "dev-ready"} <= set(targets)
    assert not any("apt" in line for line in LINES if not line.startswith("#"))


def test_it_begins_where_those_packages_are() -> None:
    (base,) = [line.split()[1] for line in LINES if line.startswith("FROM ")]
    assert re.fullmatch(r"python:3\.1[1-3]-[a-z]+", base), "Debian: the packages are its own"


def test_nothing_that_was_built_here_is_copied() -> None:
    ignored = set((ROOT / ".dockerignore").read_text(encoding="utf-8").split())
    assert {".git", ".venv*", "build", "dist", "runs"} <= ignored


@pytest.mark.needs("hadolint")
def test_hadolint_finds_nothing() -> None:
    done = subprocess.run([SITE / "hadolint", ROOT / "Dockerfile"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
