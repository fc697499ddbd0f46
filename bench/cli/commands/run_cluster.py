"""What `omnipilot run --cluster` does: write the scripts of its jobs, and say how they are submitted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import typer

from omnipilot.bench.run.cluster.address import SLURM, is_ray
from omnipilot.bench.shards.slurm import NODES, SlurmOptions, submit_scripts, write_scripts
from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class ClusterFlags:
    """The flags of a cluster as they were given, None or False for each that was not.

    Attributes:
        arguments: of the whole command line, from the command's name on, which the jobs repeat.
    """

    nodes: int | None = None
    partition: str | None = None
    time: str | None = None
    submit: bool = False
    arguments: tuple[str, ...] = ()

    def options(self, cluster: str | None) -> SlurmOptions | None:
        """What of the cluster is asked for; None if there is none, or one of Ray.

        Args:
            cluster: the setting of that name.

        Raises:
            ConfigError: a flag cannot be, or is given without --cluster.
        """
        if cluster is None or is_ray(cluster):
            given = {"nodes": self.nodes, "partition": self.partition, "time": self.time, "submit": self.submit or None}
            if lonely := [f"--{name}" for name, value in given.items() if value is not None]:
                raise ConfigError(f"{', '.join(lonely)}: for a cluster; add --cluster {SLURM}, or leave it out")
            return None
        nodes = NODES if self.nodes is None else self.nodes
        return SlurmOptions(nodes, self.partition or "", self.time or "")

    def write(self, out: Path, options: SlurmOptions, jobs: int) -> None:
        """Write the scripts of a run and say how they are submitted, or submit them.

        Args:
            out: directory of the merged run. jobs: workers of each shard.

        Raises:
            ConfigError: there is no `sbatch`, or it refuses; a file that the jobs read names the cluster; or as in
                `write_scripts`.
        """
        if self.arguments[:1] != ("run",):
            raise ConfigError("--cluster repeats the command line in its jobs; give it to `omnipilot run`")
        if not any(one.partition("=")[0] == "--cluster" for one in self.arguments):
            raise ConfigError(f"the jobs read the file, too; take cluster out of it, and add --cluster {SLURM}")
        scripts = write_scripts(self.arguments, out, options, Path.cwd(), jobs)
        typer.echo(f"{scripts.folder}: {options.nodes} shards, then merged into {out}")
        typer.echo(submit_scripts(scripts) if self.submit else f"submit with: bash {scripts.submit}")
