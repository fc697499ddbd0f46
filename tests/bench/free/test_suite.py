from __future__ import annotations

from pathlib import Path

import pytest

from omnipilot.bench.free import Free
from omnipilot.bench.report.main_table import task_table
from omnipilot.bench.run import run
from omnipilot.bench.run.config import resolve_settings, spec_from
from omnipilot.bench.settings import LimitSettings, RunSettings
from omnipilot.envs import ConfigError

PHONE = '[devices.mine]\nkind = "phone"\ndescription = "an old phone"\napplications = ["Clock"]\n'


@pytest.fixture
def world(tmp_path: Path) -> Path:
    file = tmp_path / "my.toml"
    file.write_text(PHONE)
    return file


@pytest.mark.exhibit("rules")
def test_an_instruction_of_ones_own_is_carried_out_and_not_judged(tmp_path: Path, world: Path) -> None:
    flags = RunSettings(task="Open the clock", world=str(world), planner="rules", limits=LimitSettings(turns=2))
    spec = spec_from(resolve_settings(None, flags))
    assert spec.suite.name == "free" and spec.suite.options["world"]["devices"]["mine"]["kind"] == "phone"
    done = run(spec, tmp_path / "out")
    (episode,) = done.episodes
    assert (episode.reason, episode.success, episode.void) == ("unjudged", False, False)
    assert episode.turns >= 1 and episode.instruction == "Open the clock"
    assert task_table([done]).rows == (("free", "instruction", "unjudged"),)


@pytest.mark.exhibit("duet", "rules")
@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ({"task": "Open the clock"}, "--world FILE"),
        ({"suite": "free", "world": "my.toml"}, "--task"),
        ({"suite": "duet", "world": "my.toml"}, "brings its own devices"),
        ({"suite": "duet", "task": "x"}, "brings its own tasks"),
        ({"task": "x", "world": "other.toml"}, "cannot read"),
    ],
)
def test_what_does_not_go_together_is_refused(
    flags: dict[str, str], told: str, world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(world.parent)
    with pytest.raises(ConfigError, match=told):
        spec = spec_from(resolve_settings(None, RunSettings(**flags)))  # type: ignore[arg-type]
        Free(**spec.suite.options)


@pytest.mark.exhibit("duet", "rules")
def test_an_option_of_the_world_reaches_its_devices(world: Path) -> None:
    world.write_text(PHONE + '[devices.page]\nkind = "browser"\n')
    flags = RunSettings(task="x", world=str(world))
    spec = spec_from(resolve_settings(None, flags, ["world.url=about:srcdoc"]))
    assert spec.suite.options["world"]["devices"]["page"]["url"] == "about:srcdoc"
    with pytest.raises(ConfigError, match="no device of this world takes the option 'inptu'"):
        spec_from(resolve_settings(None, flags, ["world.inptu=pyautogui"]))
