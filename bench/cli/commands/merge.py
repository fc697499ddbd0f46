"""What `omnipilot merge` does: make one run of several, and say what is missing."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import typer

from omnipilot.bench.journal.run_directory import SPEC
from omnipilot.bench.run.progress import CountProgress
from omnipilot.bench.shards.merge import SHOWN, MergedRun, merge_runs
from omnipilot.envs import ConfigError


def merge_command(folders: Sequence[Path], out: Path, mixed_versions: bool = False) -> None:
    """Merge runs, or the runs of several sweeps by the names of their directories.

    Raises:
        ConfigError: as `merge_runs`.
    """
    chosen = runs_of(folders)
    if skipped := [str(folder) for folder in folders if folder not in chosen]:
        typer.echo(f"left out, as there is no run in them: {', '.join(skipped)}", err=True)
    for name, runs in runs_by_name(chosen, out).items():
        told = merge_runs(runs, out / name, mixed_versions, CountProgress("media", sys.stderr))
        typer.echo("\n".join(merge_lines(told)))


def runs_of(folders: Sequence[Path]) -> list[Path]:
    """Those that are run directories or hold some: `DIR/*` names logs and scripts, too, where a cluster played.

    Returns:
        All, if none is, or for what does not exist: that is a slip, which merging refuses.
    """
    runs = [folder for folder in folders if _is_run(folder) or any(folder.glob(f"*/{SPEC}"))]
    return [folder for folder in folders if folder in runs or not folder.exists()] if runs else list(folders)


def _is_run(folder: Path) -> bool:
    return (folder / SPEC).exists()


def runs_by_name(folders: Sequence[Path], out: Path) -> dict[str, list[Path]]:
    """Which runs are merged into which directory of `out`: "" where the folders are run directories, else the names of
    those in them.

    Raises:
        ConfigError: some are run directories, and some hold such.
    """
    others = [folder for folder in folders if folder.resolve() != out.resolve()]
    cells = {folder: sorted(path.parent for path in folder.glob(f"*/{SPEC}")) for folder in others}
    above = [folder for folder in others if not _is_run(folder) and cells[folder]]
    if not above:
        return {"": others}
    if len(above) < len(others):
        other = next(folder for folder in others if folder not in above)
        raise ConfigError(f"{above[0]} holds several runs, as of a sweep, and {other} does not; merge them apart")
    found: dict[str, list[Path]] = {}
    for folder in above:
        for cell in cells[folder]:
            found.setdefault(cell.name, []).append(cell)
    return found


def merge_lines(told: MergedRun) -> list[str]:
    """What a merge came to, and what is missing, in lines."""
    lines = [f"{told.out}: {told.episodes} of {told.planned} episodes, {told.added} of them new"]
    if told.absent:
        lines.append(f"not there: shard{'s' * (len(told.absent) > 1)} {', '.join(map(str, told.absent))}")
    lines += [
        f"shard {part.shard} in {part.folder}: {part.finished} of {part.episodes} episodes are finished"
        for part in told.parts
        if part.finished < part.episodes and told.left
    ]
    lines += [f"{folder}: its journal ends in half a line, which was left out" for folder in told.torn]
    if told.left:
        some = ", ".join(told.left[:SHOWN]) + (", …" if len(told.left) > SHOWN else "")
        lines.append(
            f"not finished: {len(told.left)} ({some}); let the shards go on and merge again, or run the rest with "
            f"--out {told.out}"
        )
    return [*lines, f"table and page: omnipilot report {told.out}"]
