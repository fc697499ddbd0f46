"""How a Ray cluster is named on the command line."""

from __future__ import annotations

import re

_ADDRESS = re.compile(r"auto|(ray://)?[\w.\-\[\]:]+:\d+")


def is_ray(cluster: str) -> bool:
    """Whether `--cluster` names a Ray cluster: auto, HOST:PORT or ray://HOST:PORT."""
    return _ADDRESS.fullmatch(cluster) is not None
