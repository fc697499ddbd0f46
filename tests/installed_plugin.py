"""The sample package of `tests/plugin`, installed into a folder of its own, as a user's interpreter would have it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def install(work: Path) -> Path:
    """Install it below a folder; the folder that an interpreter has it from."""
    shutil.copytree(HERE / "plugin", work / "source")
    flags = "--quiet --no-index --no-deps --no-build-isolation --disable-pip-version-check --target".split()
    command = [sys.executable, "-m", "pip", "install", *flags, str(work / "site"), str(work / "source")]
    subprocess.run(command, check=True, timeout=240)
    return work / "site"


def environment(site: Path) -> dict[str, str]:
    """The environment variables of an interpreter that has it."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(HERE)])}
