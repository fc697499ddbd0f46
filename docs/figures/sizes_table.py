"""`make sizes`: the table of docs/sizes.md, what the core and each extra take on the disk.

Each is installed from the wheel in `dist/` into an empty folder by uv, and the files are added up. Extras that bring
torch or models for a GPU are gigabytes that differ from machine to machine, and are left out.
"""

from __future__ import annotations

import platform
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from marked_part import write_part

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/sizes.md"
LEFT_OUT = ("local", "embed", "train", "detect", "easyocr", "serve", "trl")
"""Those that bring torch."""
GROUPS = ("all", "dev")


def folder_size(folder: Path) -> int:
    """Bytes of all files below a folder, without what Python compiles."""
    return sum(one.stat().st_size for one in folder.rglob("*") if one.is_file() and one.suffix != ".pyc")


def installed_size(uv: str, requirement: str) -> int | None:
    """Bytes of a requirement with all that it needs; None where it cannot be installed here."""
    with TemporaryDirectory() as folder:
        command = [uv, "pip", "install", "--quiet", "--link-mode", "hardlink", "--python", sys.executable]
        done = subprocess.run([*command, "--target", folder, requirement], capture_output=True, text=True, check=False)
        return folder_size(Path(folder)) if done.returncode == 0 else None


def size_table(core: int, sizes: dict[str, int | None]) -> str:
    """The table: what the core takes, and what each extra adds to it, in MB."""
    rows = [f"| core | {core / 1e6:,.0f} |"]
    for name, size in sizes.items():
        told = "not for this Python" if size is None else f"+ {max(0, size - core) / 1e6:,.0f}"
        rows.append(f"| `{name}` | {told} |")
    rows += [f"| `{name}` | not measured: brings torch, gigabytes |" for name in LEFT_OUT]
    return "\n".join(["| extra | MB on the disk |", "|---|--:|", *rows])


def main(uv: Annotated[str, typer.Option(help="The program uv.")] = str(ROOT / ".venv-site/bin/uv")) -> None:
    """Measure, and write the table into the page."""
    wheel = next((ROOT / "dist").glob("*.whl"), None)
    if wheel is None:
        raise SystemExit("there is no wheel in dist/; run: make wheel")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    core = installed_size(uv, str(wheel))
    if core is None:
        raise SystemExit(f"{uv} could not install {wheel}")
    sizes = {}
    for name in (*(one for one in extras if one not in (*LEFT_OUT, *GROUPS)), "all"):
        # What is for newer Pythons alone would be nothing here.
        newer = any("python_version" in one for one in extras[name]) and sys.version_info < (3, 12)
        sizes[name] = None if newer else installed_size(uv, f"omnipilot[{name}] @ {wheel.as_uri()}")
        sys.stderr.write(f"{name}: {sizes[name]}\n")
    where = f"Measured with Python {platform.python_version()} on {platform.system()} ({platform.machine()})."
    write_part(PAGE, "<!-- sizes -->", "<!-- end of sizes -->", f"{size_table(core, sizes)}\n\n{where}")


if __name__ == "__main__":
    typer.run(main)
