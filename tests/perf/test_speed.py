"""What `make bench AREA=…` chooses; nothing is measured here."""

from __future__ import annotations

from pathlib import Path

import pytest
import speed

from omnipilot.envs import ConfigError


def test_without_a_name_every_area_is_measured() -> None:
    assert speed.choose_areas([]) == list(speed.AREAS)


def test_named_areas_are_measured_once_in_the_order_of_the_table() -> None:
    assert speed.choose_areas(["marks", "sim", "marks"]) == ["sim", "marks"]


def test_an_unknown_area_lists_the_areas(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ConfigError, match="'simulator'.*start, graph, sim, harness"):
        speed.choose_areas(["sim", "simulator"])
    with pytest.raises(SystemExit) as exit:
        speed.main(["simulator"])
    assert exit.value.code == 2 and "the areas are start" in capsys.readouterr().err


def test_only_the_chosen_areas_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    ran = []
    for name in speed.AREAS:

        def part(name: str = name) -> list[speed.Figure]:
            """Measures nothing."""
            ran.append(name)
            return [speed.Figure(f"figure of {name}", "1", "≤ 2", True)]

        monkeypatch.setitem(speed.AREAS, name, part)
    speed.main(["vllm", "graph"])
    assert ran == ["graph", "vllm"]
    assert "figure of vllm" in (out := capsys.readouterr().out) and "figure of sim" not in out


def test_areas_are_named_by_the_modules_that_measure_them() -> None:
    modules = {path.stem.removeprefix("speed_") for path in Path(speed.__file__).parent.glob("speed_*.py")}
    assert set(speed.AREAS) - {"start"} <= modules
    # metrics_gui is measured in the area metrics, remote in devices; delay is the server of slow answers that others
    # measure with.
    assert modules - set(speed.AREAS) == {"metrics_gui", "remote", "delay"}
