"""How a cluster is named on the command line."""

from __future__ import annotations

import re

SLURM = "slurm"
"""The value of `--cluster` that writes scripts for Slurm."""
_ADDRESS = re.compile(r"auto|(ray://)?[\w.\-\[\]:]+:\d+")


def is_ray(cluster: str) -> bool:
    """Whether `--cluster` names a Ray cluster: auto, HOST:PORT or ray://HOST:PORT."""
    return _ADDRESS.fullmatch(cluster) is not None
