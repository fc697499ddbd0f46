"""The notes of a release: its section of CHANGELOG.md. Run by `make release-notes TAG=v0.3.0`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Annotated

import typer

ROOT = Path(__file__).resolve().parents[2]


def release_notes(changelog: str, version: str, tag: str) -> str:
    """The section of a version, without its heading.

    Args:
        version: that of pyproject.toml. tag: such as "v0.3.0".

    Raises:
        ValueError: the tag is of another version, or the section is missing, empty, or still says "unreleased".
    """
    if tag != f"v{version}":
        raise ValueError(f"the tag {tag} is not of version {version}: tag v{version}, or change pyproject.toml")
    found = re.search(rf"^## \[{re.escape(version)}\] - (\S+)\n(.*?)(?=^## \[|\Z)", changelog, re.M | re.S)
    if found is None or not found[2].strip():
        raise ValueError(f"CHANGELOG.md has no section on {version}: write one")
    if found[1] == "unreleased":
        raise ValueError(f"CHANGELOG.md says that {version} is unreleased: put the day of its release there")
    return found[2].strip() + "\n"


def main(
    tag: Annotated[str, typer.Argument(help="Such as v0.3.0.")],
    out: Annotated[Path, typer.Argument(help="The file to write.")],
) -> None:
    """Write the notes of a release."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    try:
        notes = release_notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version, tag)
    except ValueError as error:
        raise SystemExit(str(error)) from None
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(notes, encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
