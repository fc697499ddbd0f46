"""`python docs/figures/duet_pictures.py docs/pictures`: the pictures of docs/duet.md, from the world itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import typer
from duet_apps import desktop, phone
from duet_resisting import resisting
from duet_strip import strip
from picture_board import Board

PICTURES: Mapping[str, Callable[[], Board]] = {
    "phone.png": phone,
    "desktop.png": desktop,
    "task.png": strip,
    "resisting.png": resisting,
}
"""Each picture by the name of its file."""


def main(arguments: Sequence[str]) -> None:
    """Write every picture into the folder that is named."""
    if len(arguments) != 1:
        raise SystemExit("usage: python docs/figures/duet_pictures.py FOLDER")
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        file = draw().png()
        (folder / name).write_bytes(file)
        typer.echo(f"{folder / name}: {len(file) / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
