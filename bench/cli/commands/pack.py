"""What `omnipilot pack` does: writes a run as a bundle, and prints its root hash."""

from __future__ import annotations

from pathlib import Path

import typer

from omnipilot.bench.verification.bundle import SUFFIX
from omnipilot.bench.verification.pack import pack_run
from omnipilot.envs.types.system_errors import telling_disk_errors
from omnipilot.memory.store import write_atomically
from omnipilot.memory.store.durable import make_folder


def pack_command(folder: Path, out: Path | None) -> None:
    """Pack a run.

    Args:
        out: the file to write; None for one beside the run, with its name.

    Raises:
        ConfigError: as `pack_run`; or the file cannot be written.
    """
    packed = pack_run(folder)
    whole = folder.resolve()
    path = out or whole.with_name(f"{whole.name}{SUFFIX}")
    with telling_disk_errors(path):
        make_folder(path.resolve().parent)
        write_atomically(path, packed.content)
    typer.echo(f"{path}: {packed.episodes} episodes, {packed.media} captures by hash, {len(packed.content):,} bytes")
    typer.echo(f"root: {packed.root}")
    typer.echo(f"to check it: omnipilot verify {path} --root {packed.root}")
