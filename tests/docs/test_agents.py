"""docs/agents.md tells the truth: its example runs, its tables name what there is, and its picture is the one made."""

from __future__ import annotations

import io
import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from agents_picture import agents
from page_commands import join_lines
from PIL import Image as pil
from typer.testing import CliRunner

from omnipilot.agents import AgentSpec, PartSpec, build, episode
from omnipilot.agents.assembly.build import AGENTS, PLANNERS
from omnipilot.bench.cli.app import app
from omnipilot.bench.registry import USERS
from omnipilot.bench.run import preset as presets
from omnipilot.envs import Answer
from omnipilot.envs.sim import SimWorld
from omnipilot.planners import Brief, Verbs

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/agents.md").read_text(encoding="utf-8")


def named(head: str) -> set[str]:
    """What stands in code in the first column of the table with that head."""
    table = PAGE.split(f"| {head} |", 1)[1].split("\n\n", 1)[0]
    return {name for row in table.splitlines()[2:] for name in re.findall(r"`([^`]+)`", row.split("|")[1])}


def pixels(png: bytes) -> np.ndarray:
    with pil.open(io.BytesIO(png)) as picture:
        return np.asarray(picture.convert("RGB"), np.int16)


def test_the_planner_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, _ = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "headline_of_the_page.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    world = SimWorld()
    world.reset(0)
    verbs = {name: Verbs(env.platform, env.verbs, env.custom) for name, env in world.envs.items()}
    agent = build(AgentSpec(planner=PartSpec("headline_of_the_page:Headline")))
    steps = list(episode(world, agent, Brief("What does the screen say?", verbs)))
    assert import_module("headline_of_the_page").Headline.reads <= agent.modalities
    assert [step.outcome.result for step in steps] in (["control", "control"], ["control"])
    assert len(steps) == 1 or isinstance(steps[0].executed, Answer)


def test_the_tables_name_what_there_is() -> None:
    assert named("`--agent`") == set(AGENTS.names())
    planners = named("`--planner`") - {"PROVIDER/MODEL"}
    assert planners == {name for name in PLANNERS.names() if PLANNERS.where(name) == "omnipilot"}
    assert named("`--preset`") == set(presets.names())


def test_the_picture_is_the_one_that_is_made() -> None:
    kept, made = pixels((ROOT / "docs/pictures/agents.png").read_bytes()), pixels(agents().png())
    assert kept.shape == made.shape
    assert np.abs(kept - made).mean() < 1.0


@pytest.mark.slow
@pytest.mark.exhibit("duet", "rules")
def test_the_table_of_asking_is_what_the_command_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    section = PAGE.partition("## Asking the user")[2].partition("\n## ")[0]
    (command,) = re.findall(r"^omnipilot (sweep .*)$", join_lines(section), re.MULTILINE)
    (table,) = re.findall(r"```text\n(.*?)```", section, re.DOTALL)
    done = CliRunner().invoke(app, command.split())
    assert done.exit_code == 0 and table in done.stdout


def test_the_users_of_the_page_are_those_that_there_are() -> None:
    assert named("`--user`") - {"--jobs 0", "PROVIDER/MODEL", "none"} <= set(USERS.names())
