"""How an extra of omnipilot is installed where it runs: by its name, or from the file that it was installed from."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

PACKAGE = "omnipilot"


def install_line(*extras: str) -> str:
    """The command that installs extras into the environment in which omnipilot runs now.

    Args:
        extras: names such as "web".

    Returns:
        Such as `pip install 'omnipilot[web]'`, or `uvx --from '/path/omnipilot-1.0-py3-none-any.whl[web]' omnipilot …`
        in an environment that uvx made for one command.
    """
    return _line(requirement(*extras), PurePath(sys.prefix))


def requirement(*extras: str) -> str:
    """What pip is given for extras, in quotes for a shell: the name, or the file or address of an installation that
    came from none of an index's."""
    return shlex.quote(_requirement(_origin(), ",".join(extras)))


@cache
def _origin() -> Mapping[str, Any]:
    """Where omnipilot was installed from, as PEP 610 records it; empty where it came from an index."""
    try:
        text = metadata.distribution(PACKAGE).read_text("direct_url.json")
        found = json.loads(text or "{}")
    except (metadata.PackageNotFoundError, OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _requirement(origin: Mapping[str, Any], extras: str) -> str:
    url, named = str(origin.get("url", "")), f"{PACKAGE}[{extras}]"
    # Of a checkout that is installed editably pip knows that it is there already.
    if not url or origin.get("dir_info", {}).get("editable"):
        return named
    if vcs := origin.get("vcs_info"):
        return f"{named} @ {vcs.get('vcs', 'git')}+{url}@{vcs.get('commit_id', 'HEAD')}"
    if not url.startswith("file:"):
        return f"{named} @ {url}"
    path = url2pathname(urlsplit(url).path)
    return f"{path}[{extras}]" if Path(path).exists() else named


def _line(wanted: str, prefix: PurePath) -> str:
    """By what made the environment at `prefix`, where its path tells."""
    parts = prefix.parts
    if "uv" in parts and "tools" in parts:
        return f"uv tool install --force {wanted}"
    # Below uv's cache: archive-v0, environments-v2, …
    if any(part.startswith(("archive-v", "environments-v")) for part in parts):
        return f"uvx --from {wanted} {PACKAGE} …"
    if "pipx" in parts:
        return f"pipx install --force {wanted}" if "venvs" in parts else f"pipx run --spec {wanted} {PACKAGE} …"
    return f"pip install {wanted}"
