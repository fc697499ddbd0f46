"""Files of the web that lie in a folder. Imports the standard library alone."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlparse

HUB = "/resolve/main/"
"""What stands in the address of a file of OSWorld's data set before its path there."""


def find_file(folder: Path, url: str) -> Path | None:
    """The file of an address: by its path in OSWorld's data set, or by host and path; None if there is none."""
    asked = urlparse(url)
    path = unquote(asked.path)
    for inside in (path.partition(HUB)[2], f"{asked.hostname}/{path.lstrip('/')}"):
        if inside and ".." not in inside.split("/") and (folder / inside).is_file():
            return folder / inside
    return None
