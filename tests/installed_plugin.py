"""The sample package of `tests/plugin`, installed into a folder of its own, as a user's interpreter would have it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def installed(work: Path) -> dict[str, str]:
    """Install it below a folder; the environment variables of an interpreter that has it."""
    shutil.copytree(HERE / "plugin", work / "source")
    flags = "--quiet --no-index --no-deps --no-build-isolation --disable-pip-version-check --target".split()
    install = [sys.executable, "-m", "pip", "install", *flags, str(work / "site"), str(work / "source")]
    subprocess.run(install, check=True, timeout=240)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(work / "site"), str(HERE)])}
