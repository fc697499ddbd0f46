"""The page on doors: its examples are run, and do what the page says."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest
from page_commands import blocks
from shared_folders import ROOT

PAGE = (ROOT / "docs/doors.md").read_text(encoding="utf-8")
pytestmark = pytest.mark.exhibit("duet")


@pytest.mark.needs("omnipilot[gym]")
def test_the_vector_of_gymnasium_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "example.py").write_text(blocks(PAGE, "python")[0], encoding="utf-8")
    runpy.run_path(str(tmp_path / "example.py"))
    said = capsys.readouterr().out
    assert "(4, 916, 412, 3)" in said and "malformed" not in said


def test_the_client_of_openenv_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("openenv.core")
    from door_players import serving_openenv

    (code,) = (block for block in blocks(PAGE, "python") if "GenericEnvClient" in block)
    (tmp_path / "example.py").write_text(code, encoding="utf-8")
    with serving_openenv(tmp_path) as (url, headers):
        token = headers["Authorization"].removeprefix("Bearer ")
        runpy.run_path(str(tmp_path / "example.py"), {"URL": url, "TOKEN": token})
    said = capsys.readouterr().out.splitlines()
    assert "device phone" in "\n".join(said) and said[-1].startswith("0.0 False done")


def test_the_trainer_of_trl_is_given_what_it_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for the step itself, which wants the weights of the model that is named; `test_trl` takes one without."""
    trl = pytest.importorskip("trl")
    made = {}

    class Trainer:
        def __init__(self, **arguments: Any) -> None:
            made.update(arguments)

        def train(self) -> None:
            made["trained"] = True

    monkeypatch.setattr(trl, "GRPOTrainer", Trainer)
    (code,) = (block for block in blocks(PAGE, "python") if "GRPOTrainer" in block)
    (tmp_path / "example.py").write_text(code, encoding="utf-8")
    runpy.run_path(str(tmp_path / "example.py"))
    assert made["trained"] and len(made["train_dataset"]) == 16
    assert "device phone" in made["environment_factory"]().reset(**made["train_dataset"][9])


@pytest.mark.needs("omnipilot[mcp]")
def test_the_skill_names_tools_and_verbs_that_exist() -> None:
    import asyncio
    import json
    import re

    from mcp import Client

    from omnipilot.agents import PartSpec
    from omnipilot.bench import Suite, load_suite
    from omnipilot.bench.doors.mcp_server import McpDoor, make_server
    from omnipilot.envs.schema import from_json

    skill = (ROOT / "bench/doors/SKILL.md").read_text(encoding="utf-8")
    suite: Suite = load_suite(PartSpec("duet"))

    async def listed() -> set[str]:
        async with Client(make_server(McpDoor(suite))) as client:
            return {tool.name for tool in (await client.list_tools()).tools}

    tools = asyncio.run(listed())
    assert tools == {name for name in re.findall(r"`(\w+)`", skill) if name in tools}
    verbs = [json.loads(" ".join(verb.split())) for verb in re.findall(r'`(\{"kind".*?\})`', skill, re.DOTALL)]
    assert len(verbs) >= 7 and all(from_json(verb) for verb in verbs)
    settings = json.loads(blocks(skill, "json")[0])
    assert settings == json.loads(blocks(PAGE, "json")[0])
    assert settings["mcpServers"]["omnipilot"]["args"][:3] == ["env", "serve", "--mcp"]
