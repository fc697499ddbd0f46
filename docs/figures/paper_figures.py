"""Draws the pictures of docs/paper-figures.md, as its own commands do: python docs/figures/paper_figures.py RUNS

RUNS is the folder in which the commands of the page were run (its `runs/` and `mini/`)."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
WIDEST = 1100
"""Pixels that a page shows."""


def main(folder: Path) -> None:
    """Draw all of them into docs/pictures."""
    text = (ROOT / "docs/paper-figures.md").read_text(encoding="utf-8").replace("\\\n", " ")
    os.chdir(folder)
    for line in re.findall(r"^omnipilot figure .*$", text, re.MULTILINE):
        words = shlex.split(line)
        subprocess.run([Path(sys.executable).with_name("omnipilot"), *words[1:]], check=True)
        with Image.open(words[-1]) as picture:
            small = picture.convert("RGB")
        small.thumbnail((WIDEST, 10_000))
        small.quantize(96).save(ROOT / "docs/pictures" / f"figure-{words[2]}.png", optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
