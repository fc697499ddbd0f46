"""The parts of docs/scale.md on shards and on what runs now: their commands do what they say."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import omnipilot
from page_commands import blocks, commands
from shared_folders import ROOT

from omnipilot.bench.journal.run_directory import FRESH
from omnipilot.bench.settings import SILENCE
from omnipilot.envs.types.fields import LONGEST_WAIT
from omnipilot.memory.models import LlmEndpoint

PAGE = (ROOT / "docs/scale.md").read_text(encoding="utf-8")


def part(title: str) -> str:
    """What stands under a heading of the second rank."""
    return next(text for text in re.split(r"^## ", PAGE, flags=re.MULTILINE) if text.startswith(f"{title}\n"))


def play(line: str, folder: Path) -> str:
    """Run a command of the page in this process, its patterns replaced as a shell does; what it printed."""
    words = shlex.split(line)[1:]
    paths = [
        sorted(str(path.relative_to(folder)) for path in folder.glob(word)) if "*" in word else [word] for word in words
    ]
    done = omnipilot(*(word for some in paths for word in some))
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_commands_play_shards_merge_them_and_tell_how_they_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = commands(part("Shards"))
    *shards, slurm = lines
    said = [play(line, tmp_path) for line in shards]
    assert said[2] == blocks(part("Shards"), "text")[0]
    assert said[4].startswith("runs/toy: 8 of 8 episodes, 3 of them new\n")
    assert "submit with: bash " in play(slurm, tmp_path)
    scripts = sorted(Path("runs/slurm-shards").glob("*.s*"))
    assert [path.name for path in scripts] == ["merge.sbatch", "shards.sbatch", "submit.sh"]
    for script in scripts:
        subprocess.run(["bash", "-n", str(script)], check=True)
    *status, view = commands(part("What runs now"))
    assert view in commands((ROOT / "docs/evidence.md").read_text(encoding="utf-8")), "test_watching.py runs it"
    one, several = (play(line, tmp_path) for line in status)
    assert one == blocks(part("What runs now"), "text")[0]
    told = [json.loads(line) for line in several.splitlines()]
    assert [each["shard"] for each in told] == ["1/3", "2/3", "3/3"] and sum(each["done"] for each in told) == 8
    assert all(each["solved"] == each["done"] for each in told)


def test_the_soak_is_a_target_of_make_and_its_options_are_understood(tmp_path: Path) -> None:
    whole, small = commands(part("The soak of many episodes"))
    told = subprocess.run(["make", "--dry-run", *shlex.split(small)[1:]], cwd=ROOT, capture_output=True, text=True)
    line = next(line for line in told.stdout.splitlines() if "soak_fleet.py" in line)
    assert whole == "make soak" and told.returncode == 0
    # tests/perf/test_soak_fleet.py plays one of this size; here none is left to play.
    options = shlex.split(line.partition("soak_fleet.py")[2])
    assert options == ["--rules", "40", "--mini", "0", "--jobs", "4", "--kills", "3"]
    script = [sys.executable, str(ROOT / "tests/perf/soak_fleet.py"), *options, "--rules", "0", "--out", str(tmp_path)]
    done = subprocess.run(script, capture_output=True, text=True)
    assert done.returncode == 0 and "twice" in done.stdout, done.stderr


def test_its_figures_are_those_of_the_code() -> None:
    assert SILENCE == 1800 and "for half an hour" in PAGE
    assert LlmEndpoint("openai/a").timeout == 300 and "may take 300\nseconds with all its attempts" in PAGE
    assert LONGEST_WAIT == 600 and "at most 600 seconds at once" in PAGE
    assert FRESH == 30 and "older than 30 seconds" in PAGE
