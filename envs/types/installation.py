"""What is known of how omnipilot was installed: what brings an extra here, and where its documentation is."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
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
    return _line(requirement(*extras), Path(sys.prefix))


def requirement(*extras: str) -> str:
    """What pip is given for extras, in quotes for a shell: the name, or the file or address of an installation that
    came from none of an index's."""
    return shlex.quote(_requirement(_origin(), ",".join(extras)))


def documentation_page(name: str) -> str:
    """Where a page of the documentation is, for messages: a reader of a wheel has no folder `docs`.

    Args:
        name: such as "outside" or "devices/worlds".

    Returns:
        Its address, where the package names one of its documentation (`[project.urls]`), or else such as
        "docs/outside.md of the repository".
    """
    site = _documentation()
    return f"{site.rstrip('/')}/{name}/" if site else f"docs/{name}.md of the repository"


@cache
def _documentation() -> str:
    """The address of the documentation, by the package's metadata; "" for none."""
    try:
        links = metadata.metadata(PACKAGE).get_all("Project-URL") or ()
    except metadata.PackageNotFoundError:
        return ""
    named = (link.partition(", ") for link in links)
    return next((address for name, _, address in named if name.lower() == "documentation"), "")


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


def _line(wanted: str, prefix: Path) -> str:
    """By what made the environment at `prefix`, where its path or what was left in it tells.

    UV_TOOL_DIR, UV_CACHE_DIR and PIPX_HOME may be anywhere, under any name; what uv and pipx write may not be there.
    """
    parts = prefix.parts
    if ("uv" in parts and "tools" in parts) or (prefix / "uv-receipt.toml").exists():
        return f"uv tool install --force {wanted}"
    # Below uv's cache: archive-v0, environments-v2, …
    if any(part.startswith(("archive-v", "environments-v")) for part in parts):
        return f"uvx --from {wanted} {PACKAGE} …"
    if "pipx" in parts or _made_by_pipx(prefix):
        return f"pipx install --force {wanted}" if "venvs" in parts else f"pipx run --spec {wanted} {PACKAGE} …"
    return f"pip install {wanted}"


def _made_by_pipx(prefix: Path) -> bool:
    """Whether pipx left a file of its own in the environment at `prefix`."""
    if (prefix / "pipx_metadata.json").exists():
        return True
    # lib/python3.11/site-packages; on Windows Lib/site-packages.
    return any(
        path
        for pattern in ("lib/python*/site-packages", "Lib/site-packages")
        for path in prefix.glob(f"{pattern}/pipx_shared.pth")
    )
