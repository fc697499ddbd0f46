"""A judge's command runs in the shell of a device's world where its environment has none, as on a private desktop."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

import pytest

from omnipilot.envs import Capability, Env, Thinking, World
from omnipilot.envs.composite import open_world
from omnipilot.envs.remote.host import _shell_of
from omnipilot.envs.toy import ToyPhone


class ShelledWorld(World):
    """A phone whose world runs commands, and whose environment does not."""

    capabilities = frozenset({Capability.SHELL})

    def __init__(self) -> None:
        self.phone = ToyPhone()

    @property
    def envs(self) -> Mapping[str, Env]:
        return {"phone": self.phone}

    @property
    def now(self) -> float:
        return self.phone.now

    def reset(self, instance: int) -> None:
        self.phone.reset(instance)

    def wait(self, seconds: float) -> None:
        self.phone.wait(seconds)

    def think(self, measured: float) -> None:
        self.phone.think(measured)

    def close(self) -> None:
        self.phone.close()

    def shell(self, command: str, timeout: float) -> str:
        return f"ran {command} within {timeout:g} s"


@pytest.mark.parametrize("composed", [False, True])
def test_the_shell_of_a_world_is_offered(composed: bool) -> None:
    table = {"devices": {"p": {"kind": f"{__name__}:ShelledWorld"}}}
    world: World = open_world(table, Thinking()) if composed else ShelledWorld()
    with contextlib.closing(world):
        (env,) = world.envs.values()
        shell = _shell_of(world, env)
        assert Capability.SHELL not in env.capabilities and shell is not None
        assert shell("ls", 3.0) == "ran ls within 3 s"


@pytest.mark.parametrize("composed", [False, True])
def test_a_world_without_one_offers_none(composed: bool) -> None:
    world: World = open_world({"devices": {"p": {"kind": "toy"}}}, Thinking()) if composed else ToyPhone()
    with contextlib.closing(world):
        (env,) = world.envs.values()
        assert _shell_of(world, env) is None
