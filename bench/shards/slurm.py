"""Scripts by which a Slurm cluster plays a run in shards and merges them: a job array, and a job that depends on it."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from omnipilot.bench.journal.events import JournalError
from omnipilot.bench.journal.results import survey_of
from omnipilot.bench.journal.run_directory import FRESH, SPEC, WORKERS
from omnipilot.bench.shards.shard import MOST, Shard
from omnipilot.envs import ConfigError
from omnipilot.envs.types import read_text
from omnipilot.memory.store.durable import make_folder

NODES = 4
"""Shards, each a job of its own, unless something else is asked for."""
SUBMIT_SECONDS = 60.0
NOT_OF_SHARDS = ("--cluster", "--nodes", "--partition", "--time", "--submit", "--no-submit", "--out")
"""Options that the command of a shard has not, or has with another value."""
SHARDS = "shards.sbatch"
_ALONE = ("--submit", "--no-submit")
_TIME = re.compile(r"(\d+-)?\d+(:\d{1,2}){0,2}")
_ARRAY = re.compile(r"^#SBATCH --array=1-(\d+)", re.MULTILINE)
_PARTITION = re.compile(r"[A-Za-z0-9_.,-]+")


@dataclass(frozen=True, slots=True)
class SlurmOptions:
    """What of a cluster is asked for.

    Attributes:
        nodes: shards, and jobs of the array. partition: "" for the cluster's own choice. time: of each job, as Slurm
            writes it ("4:00:00", minutes, or "2-12"); "" for the partition's limit.

    Raises:
        ConfigError: one of them cannot be.
    """

    nodes: int = NODES
    partition: str = ""
    time: str = ""

    def __post_init__(self) -> None:
        if not 1 <= self.nodes <= MOST:
            raise ConfigError(f"--nodes is the number of shards, from 1 to {MOST:,}, not {self.nodes}")
        if self.partition and not _PARTITION.fullmatch(self.partition):
            raise ConfigError(f"--partition is the name of one, as `sinfo` lists it, not {self.partition!r}")
        if self.time and not _TIME.fullmatch(self.time):
            raise ConfigError(f"--time is a time limit as Slurm reads it, such as 4:00:00 or 2-12, not {self.time!r}")


@dataclass(frozen=True, slots=True)
class ClusterScripts:
    """Where the scripts of a run lie.

    Attributes:
        shards: the job array. merge: the job after it. submit: submits both.
    """

    folder: Path
    shards: Path
    merge: Path
    submit: Path


def scripts_folder(out: Path) -> Path:
    """Where the scripts, the shards and the logs of a run go: beside its directory, which merging makes."""
    return out.with_name(f"{out.name}-shards")


def shard_command(arguments: Sequence[str]) -> list[str]:
    """The arguments of `omnipilot run` for a shard: those given, without the cluster's and without --out.

    Raises:
        ConfigError: they name a shard, which is for the script to do.
    """
    kept: list[str] = []
    rest = iter(arguments)
    for word in rest:
        name, sign, _ = word.partition("=")
        if name == "--shard":
            raise ConfigError("--cluster divides the run itself; leave out --shard, and say --nodes N")
        if name not in NOT_OF_SHARDS:
            kept.append(word)
        elif not sign and name not in _ALONE:
            next(rest, None)
    return kept


def write_scripts(
    arguments: Sequence[str], out: Path, options: SlurmOptions, cwd: Path, jobs: int = 1
) -> ClusterScripts:
    """Write the scripts of a run.

    Args:
        arguments: of the command line, from `run` on. out: directory of the merged run. cwd: to which paths relate.
        jobs: workers of each shard, for each of which a processor is asked.

    Raises:
        ConfigError: as `shard_command`; or the run was divided otherwise before.
    """
    command = shard_command(arguments)
    folder = scripts_folder(out if out.is_absolute() else cwd / out)
    _refuse_other_division(folder, options.nodes)
    make_folder(folder / "logs")
    scripts = ClusterScripts(folder, folder / SHARDS, folder / "merge.sbatch", folder / "submit.sh")
    quoted = shlex.quote(str(folder))
    program = f"{shlex.quote(sys.executable)} -m omnipilot.bench.cli.app"
    target = out if out.is_absolute() else cwd / out
    head = [*_head(out, options), f"cd {shlex.quote(str(cwd))}"]
    scripts.shards.write_text(
        "\n".join(
            [
                "#!/bin/bash",
                "# One job a shard. SIGTERM a minute before the time limit ends it in order. Submitted again, or put",
                "# back into the queue, it goes on where it ended.",
                f"#SBATCH --array=1-{options.nodes}",
                f"#SBATCH --cpus-per-task={max(1, jobs)}",
                "#SBATCH --requeue",
                "#SBATCH --signal=TERM@60",
                f"#SBATCH --output={shlex.quote(f'{folder}/logs/shard-%a.txt')}",
                "#SBATCH --open-mode=append",
                *head,
                "# Since Slurm 22.05, srun does not take the number of processors from the job.",
                f'srun --cpus-per-task="${{SLURM_CPUS_PER_TASK:-1}}" {program} {shlex.join(command)} \\',
                f'  --shard "$SLURM_ARRAY_TASK_ID/{options.nodes}" --out {quoted}/"$SLURM_ARRAY_TASK_ID"',
                "",
            ]
        ),
        encoding="utf-8",
    )
    scripts.merge.write_text(
        "\n".join(
            [
                "#!/bin/bash",
                "# After the shards, however they ended: the log tells what is missing, and a later merge adds it.",
                "#SBATCH --ntasks=1",
                f"#SBATCH --output={shlex.quote(f'{folder}/logs/merge.txt')}",
                "#SBATCH --open-mode=append",
                *head,
                "# What a shard that was killed says of its workers counts for half a minute.",
                f"if compgen -G {quoted}/'*/{WORKERS}' > /dev/null; then sleep {FRESH + 5:g}; fi",
                "shards=()",
                f"for shard in {quoted}/*/; do",
                '  if [ -e "$shard/spec.json" ]; then shards+=("$shard"); fi',
                "done",
                f'{program} merge "${{shards[@]}}" --out {shlex.quote(str(target))}',
                "",
            ]
        ),
        encoding="utf-8",
    )
    scripts.submit.write_text(
        "\n".join(
            [
                "#!/bin/bash",
                "set -euo pipefail",
                f"array=$(sbatch --parsable {shlex.quote(str(scripts.shards))})",
                'echo "shards: job ${array%%;*}"',
                f'merge=$(sbatch --parsable --dependency="afterany:${{array%%;*}}" {shlex.quote(str(scripts.merge))})',
                'echo "merge: job ${merge%%;*}"',
                "",
            ]
        ),
        encoding="utf-8",
    )
    scripts.submit.chmod(0o755)
    return scripts


def _refuse_other_division(folder: Path, nodes: int) -> None:
    """Refuse shards beside those of another division: the same episodes would be played twice, and not be merged."""
    for other, where in _divisions(folder):
        if other != nodes:
            raise ConfigError(
                f"--nodes {nodes}: {where} is of a run in {other} shards; go on with --nodes {other}, choose another "
                f"--out, or remove {folder} if nothing of it is needed"
            )


def _divisions(folder: Path) -> Iterator[tuple[int, Path]]:
    """Into how many shards what lies in a folder divides its run, and which file says so."""
    with suppress(OSError):
        yield from ((int(count), folder / SHARDS) for count in _ARRAY.findall(read_text(folder / SHARDS)))
    for spec in sorted(folder.glob(f"*/{SPEC}")):
        with suppress(OSError, JournalError):
            made_with = survey_of(spec.parent).made_with
            yield from ((shard.of, spec.parent) for one in made_with if (shard := Shard.of_provenance(one)))


def _head(out: Path, options: SlurmOptions) -> list[str]:
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", out.name) or "run"
    lines = [f"#SBATCH --job-name={name}", "#SBATCH --nodes=1"]
    lines += [f"#SBATCH --partition={options.partition}"] if options.partition else []
    lines += [f"#SBATCH --time={options.time}"] if options.time else []
    return [*lines, "set -uo pipefail"]


def submit_scripts(scripts: ClusterScripts) -> str:
    """Hand the jobs to the cluster, and return what was said.

    Raises:
        ConfigError: there is no `sbatch` here, or it refuses.
    """
    if shutil.which("sbatch") is None:
        raise ConfigError(
            f"there is no sbatch on this machine; on one that has it, run `bash {shlex.quote(str(scripts.submit))}`"
        )
    try:
        done = subprocess.run(
            ["bash", str(scripts.submit)], capture_output=True, text=True, timeout=SUBMIT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise ConfigError(f"sbatch did not answer within {SUBMIT_SECONDS:g} s; look at `squeue --me` first") from None
    if done.returncode:
        raise ConfigError(f"sbatch refused: {done.stderr.strip() or f'exit status {done.returncode}'}")
    return done.stdout.strip()
