"""What `omnipilot list` prints can be copied: each example is a command that a dry run accepts."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from command_line import omnipilot

from omnipilot.agents import PartSpec
from omnipilot.agents.assembly.build import GROUNDERS
from omnipilot.agents.assembly.examine import examine, part_mistakes
from omnipilot.bench.run.config import agent_of, set_options
from omnipilot.bench.settings import RunSettings

SERVER = "http://127.0.0.1:8000/v1"
CRAB = {
    "description": 'Write "sun" into a note.',
    "tasks": [{"task": "eb92a1e6-4c86-4d56-baac-95fc8397732e", "attribute": {"content": "sun"}, "output": None}],
    "adjlist": "0",
    "id": "note",
}
"""A task of CRAB's own sub-task that writes a note."""
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in KEYS:
        monkeypatch.setenv(name, "not-a-real-key")


def accepted(line: str) -> str:
    done = omnipilot(*shlex.split(line), "--dry-run")
    assert done.returncode == 0, f"{line}\n{done.stderr}"
    return done.stdout


def write_crab(folder: Path) -> None:
    """A task in CRAB's format, and a world file with devices of its names."""
    (folder / "crab").mkdir(exist_ok=True)
    (folder / "crab" / "note.json").write_text(json.dumps(CRAB), "utf-8")
    (folder / "world.toml").write_text('[devices.android]\nkind = "phone"\n[devices.ubuntu]\nkind = "phone"\n')


def test_every_model_of_the_planner_native_is_accepted_as_it_is_written() -> None:
    told = omnipilot("list", "planners").stdout.partition("families of the planner native")[2]
    own = re.search(r"on a server of your own: (--planner native .*?URL)$", told, re.M)
    hosted = re.search(r"hosted by their provider: (--planner native .*?)$", told, re.M)
    assert own is not None and hosted is not None
    models = [
        model.strip()
        for line in told.partition("models whose actions")[0].splitlines()
        if (found := re.match(r"  [a-z][\w.-]*  +(\S.*)$", line)) and "prompt:" not in line
        for model in found[1].split(",")
    ]
    assert len(models) > 50 and "anthropic/claude-sonnet-4-5" in models
    for model in models:
        line = (hosted if model.split("/")[0] in ("anthropic", "openai", "gemini") else own)[1]
        line = line.replace("MODEL", model).replace("URL", SERVER)
        if model in (models[0], models[-1]):
            accepted(f"run --suite toy --planner noop {line}")
        # The others without looking through the suite each time.
        settings = RunSettings(planner="native", planner_url=SERVER if "--planner-url" in line else None, suite="toy")
        options = [word for word in line.split() if word.startswith("planner.")]
        examined = examine(agent_of(set_options(settings, options)))
        assert [*examined.mistakes, *examined.uncallable()] == []


@pytest.mark.exhibit("duet", "rules")
def test_every_model_of_the_grounders_is_accepted_as_it_is_written() -> None:
    told = omnipilot("list", "grounders").stdout.partition("model families")[2]
    vllm = re.search(r"on a server: (--grounder vllm .*?URL)", told)
    assert vllm is not None
    rows = told.partition("\nfamily")[2].partition("\nknown models")[0].splitlines()[1:]
    models = [model.strip() for row in rows for model in re.split(r"\d{4}-\d{2}|^ +", row)[-1].split(",")]
    models = [model for model in models if model]
    assert len(models) > 80
    for model in dict.fromkeys(models):
        line = vllm[1].replace("MODEL", model).replace("URL", SERVER)
        if model in (models[0], models[-1]):
            accepted(f"ground {line}")
        options = dict(word.removeprefix("grounder.").split("=", 1) for word in line.split() if "grounder." in word)
        found = part_mistakes(GROUNDERS, PartSpec("vllm", options))
        # Some run in this process alone, and say so.
        assert all("use the grounder 'local'" in str(one) for one in found), found


@pytest.mark.exhibit("crab")
def test_tasks_of_a_suite_on_a_world_file_are_listed_and_none_says_why(tmp_path: Path) -> None:
    write_crab(tmp_path)
    done = omnipilot(*"list tasks --suite crab --data crab --world world.toml".split())
    assert done.returncode == 0 and done.stdout.startswith("note  android")
    for more, why in (
        (["--data", "crab"], "needs real devices"),
        ([], "the folder of the data is missing; give it with --data DIR"),
    ):
        done = omnipilot("list", "tasks", "--suite", "crab", *more)
        assert done.returncode == 2
        assert why in done.stderr or "CRAB's own need real devices, --world FILE" in done.stderr
    (tmp_path / "other.toml").write_text('[devices.mine]\nkind = "phone"\n')
    done = omnipilot(*"list tasks --suite crab --data crab --world other.toml".split())
    assert done.returncode == 2 and "name them [devices.android] and [devices.ubuntu]" in done.stderr
    done = omnipilot(*"list tasks --suite free".split())
    assert done.returncode == 2 and "suite free has no task to run; `omnipilot list suites --suite free`" in done.stderr


@pytest.mark.exhibit("crab")
@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("suite.world=world.toml", "a world file is named by --world world.toml"),
        ("suite.world.devices=3", "devices: a world is written as [devices.NAME]"),
        ("suite.world.x=3", "x: a world has nothing but devices"),
        ("suite.instead=3", "option instead is a table, with entries as instead.KEY=VALUE, not 3"),
    ],
)
def test_a_world_that_is_none_is_a_message(tmp_path: Path, option: str, said: str) -> None:
    write_crab(tmp_path)
    done = omnipilot(*f"run --suite crab --data crab --planner noop -o {option} --dry-run".split())
    assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr
