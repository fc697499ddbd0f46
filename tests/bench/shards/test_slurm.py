"""The scripts of a Slurm cluster: bash reads them, and with programs that stand in for Slurm's they make the run.

No real cluster takes part.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from command_line import omnipilot

from omnipilot.bench import load_run
from omnipilot.bench.shards.slurm import SlurmOptions, shard_command
from omnipilot.envs import ConfigError

RUN = ["run", "--suite", "toy", "--planner", "oracle", "--trials", "3", "--jobs", "0", "--out", "runs/x"]
STAND_INS = {
    # An array job for each of its numbers, one after the other; any other job at once.
    "sbatch": """#!/bin/bash
echo "$@" >> "$ASKED"
script="${@: -1}"
numbers=$(sed -n 's/^#SBATCH --array=1-\\([0-9]*\\)$/\\1/p' "$script")
export SLURM_CPUS_PER_TASK=$(sed -n 's/^#SBATCH --cpus-per-task=\\([0-9]*\\)$/\\1/p' "$script")
for number in $(seq 1 "${numbers:-1}"); do
  SLURM_ARRAY_TASK_ID=$number bash "$script" >&2
done
echo "4711;cluster"
""",
    # As Slurm's since 22.05: one processor, unless it is told itself how many.
    "srun": """#!/bin/bash
case "$1" in --cpus-per-task=*) processors="${1#*=}"; shift ;; *) processors=1 ;; esac
echo "$processors" >> "$ASKED.processors"
exec "$@"
""",
}


@pytest.fixture
def slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Programs that stand in for Slurm's; the file tells with which arguments `sbatch` was started."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, text in STAND_INS.items():
        (programs / name).write_text(text, encoding="utf-8")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("ASKED", str(tmp_path / "asked"))
    return tmp_path / "asked"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "it's here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_scripts_are_written_and_say_how_they_are_submitted(here: Path) -> None:
    said = omnipilot(*RUN, "--cluster", "slurm", "--nodes", "8", "--partition", "long", "--time", "4:00:00")
    folder = here / "runs/x-shards"
    assert said.returncode == 0 and f"submit with: bash {folder}/submit.sh" in said.stdout, said.stderr
    shards, merge = (folder / f"{name}.sbatch" for name in ("shards", "merge"))
    directives = [line for line in shards.read_text().splitlines() if line.startswith("#SBATCH")]
    asked = ("--array=1-8", "--requeue", "--signal=TERM@60", "--partition=long", "--time=4:00:00", "--cpus-per-task=1")
    assert {f"#SBATCH {one}" for one in asked} <= set(directives)
    assert not any("--array" in line for line in merge.read_text().splitlines())
    for script in (shards, merge, folder / "submit.sh"):
        done = subprocess.run(["bash", "-n", str(script)], capture_output=True, text=True, check=False)
        assert done.returncode == 0 and not done.stderr, done.stderr
    assert not (here / "runs/x").exists(), "nothing was played"


@pytest.mark.slow
def test_the_scripts_play_the_shards_and_merge_them(here: Path, slurm: Path) -> None:
    said = omnipilot(*RUN, "--jobs", "2", "--cluster", "slurm", "--nodes", "2", "--submit")
    assert said.returncode == 0, said.stderr
    assert slurm.with_name("asked.processors").read_text().split() == ["2", "2"]
    assert "shards: job 4711\nmerge: job 4711" in said.stdout
    first, second = slurm.read_text().splitlines()
    assert first.startswith("--parsable ") and second.startswith("--parsable --dependency=afterany:4711 ")
    merged = load_run(here / "runs/x")
    assert len(merged.episodes) == merged.planned == 3 and all(one.success for one in merged.episodes)
    assert sorted(path.name for path in (here / "runs/x-shards").glob("[0-9]")) == ["1", "2"]


def test_another_division_beside_the_first_is_refused(here: Path) -> None:
    words = [*RUN, "--cluster", "slurm", "--nodes"]
    assert omnipilot(*words, "2").returncode == 0
    assert omnipilot(*words, "2").returncode == 0
    said = omnipilot(*words, "4")
    assert said.returncode == 2 and "shards.sbatch is of a run in 2 shards; go on with --nodes 2" in said.stderr
    folder = here / "runs/x-shards"
    (folder / "shards.sbatch").unlink()
    assert omnipilot(*RUN[:-1], str(folder / "1"), "--shard", "1/2").returncode == 0
    said = omnipilot(*words, "4")
    assert said.returncode == 2 and "x-shards/1 is of a run in 2 shards" in said.stderr
    assert not (folder / "shards.sbatch").exists()


def test_without_sbatch_nothing_is_submitted(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(here))
    said = omnipilot(*RUN, "--cluster", "slurm", "--submit")
    assert said.returncode == 2 and "there is no sbatch on this machine" in said.stderr
    assert "submit.sh" in said.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--nodes", "4"], "--nodes: for a cluster; add --cluster slurm"),
        (["--submit"], "--submit: for a cluster"),
        (["--cluster", "lsf"], "scripts are written for slurm"),
        (["--cluster", "slurm", "--nodes", "0"], "from 1 to"),
        (["--cluster", "slurm", "--time", "soon"], "such as 4:00:00"),
        (["--cluster", "slurm", "--partition", "a b"], "as `sinfo` lists it"),
        (["--cluster", "slurm", "--shard", "1/2"], "leave out --shard"),
    ],
)
def test_what_a_cluster_cannot_do_is_refused_with_the_cure(here: Path, words: list[str], said: str) -> None:
    done = omnipilot(*RUN, *words)
    assert done.returncode == 2 and said in done.stderr
    assert not (here / "runs").exists()


def test_a_file_that_the_jobs_read_does_not_name_the_cluster(here: Path) -> None:
    (here / "my.toml").write_text('suite = "toy"\nplanner = "oracle"\ncluster = "slurm"\n', encoding="utf-8")
    done = omnipilot("run", "--config", "my.toml", "--out", "runs/x")
    assert done.returncode == 2 and "take cluster out of it" in " ".join(done.stderr.split())


def test_a_shard_gets_the_command_without_what_is_of_the_cluster() -> None:
    given = ["run", "--nodes=3", "--suite", "toy", "--time", "5", "--cluster", "slurm", "-o", "a.b=--out", "--out", "x"]
    assert shard_command([*given, "--submit", "--jobs", "2"]) == [
        *("run", "--suite", "toy", "-o", "a.b=--out", "--jobs", "2"),
    ]
    assert SlurmOptions(time="2-12").time == "2-12"
    with pytest.raises(ConfigError, match="leave out --shard"):
        shard_command(["run", "--shard=1/2"])
