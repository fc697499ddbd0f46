"""On which screens and tasks eyes can be measured."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest

from omnipilot.bench.suites.duet import Duet
from omnipilot.bench.training.eyes.measure import look_of, tasks_named
from omnipilot.envs import ConfigError
from omnipilot.envs.sim.state.display import Look


@pytest.mark.parametrize("density", get_args(get_type_hints(Look)["density"]))
def test_eyes_can_be_measured_at_every_density_that_devices_have(density: str) -> None:
    assert look_of(f"dark/{density}") == Look("dark", density)  # type: ignore[arg-type]


@pytest.mark.parametrize("look", ["grey", "dark/huge"])
def test_a_look_that_no_device_has_is_refused(look: str) -> None:
    with pytest.raises(ConfigError, match="choose"):
        look_of(look)


def test_eyes_are_measured_on_development_tasks_alone() -> None:
    assert tasks_named("") == [] and tasks_named("send-message, move-file") == ["send-message", "move-file"]
    test = next(info.id for info in Duet("test").tasks())
    with pytest.raises(ConfigError, match=test):
        tasks_named(f"send-message,{test}")
