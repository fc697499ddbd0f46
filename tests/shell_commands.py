"""Commands of the documents, run as a user's shell runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def shell(command: str, cwd: Path, timeout: float = 600) -> subprocess.CompletedProcess[str]:
    # Make would hand its own variables down to the make that is tested.
    env = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS"))}
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
    done = subprocess.run(
        command, shell=True, cwd=cwd, env=env, capture_output=True, text=True, timeout=timeout, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done
