"""The demo's row of an agent that nobody tells the truth: there and said to be so, or left out and said to be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import omnipilot

from omnipilot.bench.run import preset
from omnipilot.bench.run.read_settings import parse_settings
from omnipilot.bench.suites.duet.commands import run_demo
from omnipilot.envs import ConfigError

SEES = {"suite": "duet", "honest": "pixels", "modalities": "screenshot,video", "planner": "noop", "grounder": "centre"}


def shipped(monkeypatch: pytest.MonkeyPatch, **settings: str) -> None:
    """A preset of these settings instead of the one that is there."""
    made = SimpleNamespace(settings=parse_settings({**SEES, **settings}))
    monkeypatch.setattr(preset, "load", lambda name: made)


def test_the_row_is_that_of_the_preset_on_the_demos_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped(monkeypatch)
    spec, missing = run_demo._honest()
    assert spec is not None and missing == ""
    assert (spec.tasks, spec.instances, spec.agent.honest) == (run_demo.TASKS, 3, "pixels")
    assert spec.suite_version


@pytest.mark.parametrize(
    ("settings", "missing"),
    [
        ({"readers": "no-such-ears"}, "there is no readers 'no-such-ears'"),
        ({"modalities": "screenshot,elements", "perception": "no-eyes"}, "there is no perception 'no-eyes'"),
        ({"readers": "gold"}, "readers gold knows the solution"),
    ],
)
def test_what_keeps_it_out_is_told(monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], missing: str) -> None:
    shipped(monkeypatch, **settings)
    spec, told = run_demo._honest()
    assert spec is None and missing in told and "\n" not in told


@pytest.mark.exhibit("mini")
def test_weights_that_are_not_there_are_told_with_the_command_that_makes_some(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from omnipilot.memory.mini import transcriber

    monkeypatch.setattr(transcriber, "MINI_EARS", replace(transcriber.MINI_EARS, shipped=tmp_path / "nowhere"))
    assert run_demo._honest() == (None, "this copy has no weights of mini-ears; make some with `omnipilot train ears`")


def test_without_the_preset_the_row_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str) -> None:
        raise ConfigError(f"there is no preset {name!r}")

    monkeypatch.setattr(preset, "load", load)
    assert run_demo._honest() == (None, "there is no preset 'mini-pixels'")


@pytest.mark.slow
@pytest.mark.exhibit("mini", "rules")
def test_the_table_says_that_nothing_gold_is_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped(monkeypatch)
    monkeypatch.setattr(run_demo, "TASKS", ("send-message",))
    monkeypatch.setattr(run_demo, "_no_browser", lambda: "no browser")
    done = omnipilot("demo", "--out", str(tmp_path), "--jobs", "0")
    assert done.returncode == 0, done.stderr
    assert "nothing gold is in it" in " ".join(done.stdout.split())
    assert "planner noop on pixels and sound alone" in done.stderr
    assert any(folder.name.startswith("duet-mini-pixels-") for folder in tmp_path.iterdir())
