from __future__ import annotations

import threading
import time
from collections.abc import Collection, Mapping

import pytest
from live_world import LiveWorld

from omnipilot.envs import (
    ActionRejected,
    Answer,
    Capability,
    Click,
    ConfigError,
    CustomVerb,
    EnvLost,
    Modality,
    Observation,
    Point,
    Size,
)
from omnipilot.envs.base import Env, World
from omnipilot.envs.clock import WallClock
from omnipilot.envs.composite import CompositeWorld, Device
from omnipilot.envs.recorded.substitute_world import with_changed_view
from omnipilot.envs.sim.live import LivePhone


class Slow(World, Env):
    """A device that takes a while for everything, and notes on which thread it was asked."""

    capabilities = frozenset({Capability.STATE})
    name = "anything"
    platform = "desktop"
    size = Size(4, 3)
    verbs = frozenset({"click"})
    custom: Mapping[str, CustomVerb] = {}

    def __init__(self, clock: WallClock, seconds: float = 0.5, fails: Exception | None = None) -> None:
        self.threads = {threading.get_ident()}
        self.clock, self.seconds, self.fails, self.closed = clock, seconds, fails, 0
        time.sleep(seconds)
        if fails is not None:
            raise fails

    @property
    def envs(self) -> dict[str, Slow]:
        return {self.name: self}

    @property
    def now(self) -> float:
        return self.clock.now

    def reset(self, instance: int) -> None:
        self._asked()

    def wait(self, seconds: float) -> None:
        self._asked()

    def think(self, measured: float) -> None:
        pass

    def state(self) -> str:
        self._asked()
        return "idle"

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        began = self.clock.now
        self._asked()
        return Observation(self.name, began, self.size)

    def act(self, action: object) -> None:
        self._asked()
        raise ActionRejected("it only looks")

    def close(self) -> None:
        self._asked()
        self.closed += 1

    def _asked(self) -> None:
        self.threads.add(threading.get_ident())
        time.sleep(self.seconds)


def made(*devices: Device) -> CompositeWorld:
    return CompositeWorld({f"d{number}": device for number, device in enumerate(devices)})


def test_devices_start_are_seen_and_wait_at_the_same_time_each_on_one_thread() -> None:
    parts: list[Slow] = []

    def make(clock: WallClock) -> Slow:
        parts.append(Slow(clock))
        return parts[-1]

    began = time.monotonic()
    world = made(*[Device(make)] * 4)
    try:
        assert time.monotonic() - began < 1.5
        world.reset(0)
        assert world.now < 0.5
        began = time.monotonic()
        assert Capability.TOGETHER in world.capabilities
        seen = world.observe_together({Modality.SCREENSHOT}, dict.fromkeys(world.envs, 0.0))
        assert time.monotonic() - began < 1.5
        assert list(seen) == ["d0", "d1", "d2", "d3"] == [one.env for one in seen.values()]
        assert max(one.time for one in seen.values()) - min(one.time for one in seen.values()) < 1.2
        with pytest.raises(ActionRejected, match="only looks"):
            world.envs["d1"].act(Click(Point(0.5, 0.5)))
        assert Capability.STATE in world.capabilities and dict(world.state()) == dict.fromkeys(world.envs, "idle")
    finally:
        world.close()
        world.close()
    assert [len(part.threads) for part in parts] == [1] * 4 and len({id for part in parts for id in part.threads}) == 4
    assert [part.closed for part in parts] == [1] * 4


def test_if_one_does_not_start_those_started_are_closed_and_it_is_named() -> None:
    parts: list[Slow] = []

    def make(clock: WallClock) -> Slow:
        parts.append(Slow(clock, 0.05))
        return parts[-1]

    before = threading.active_count()
    for error, expected in ((EnvLost("unplugged"), EnvLost), (ConfigError("no such port"), ConfigError)):
        with pytest.raises(expected, match=f"device 'd1': {error}"):
            made(Device(make), Device(lambda clock, error=error: Slow(clock, 0.0, error)))
    assert [part.closed for part in parts] == [1, 1]
    assert threading.active_count() == before


def test_a_device_that_does_not_answer_is_lost_and_the_others_are_closed() -> None:
    part: list[Slow] = []

    def make(clock: WallClock) -> Slow:
        part.append(Slow(clock, 0.0))
        return part[0]

    world = CompositeWorld({"fine": Device(make), "stuck": Device(lambda clock: Slow(clock, 0.0))}, answer=0.3)
    world.ask("stuck", lambda slow: setattr(slow, "seconds", 2.0))
    with pytest.raises(EnvLost, match="stuck: no answer"):
        world.reset(0)
    world.close()
    assert part[0].closed == 1
    with pytest.raises(EnvLost, match="closed"):
        world.reset(0)


def test_the_embedded_phone_lives_by_the_clock_under_its_devices_name() -> None:
    world = CompositeWorld({"mine": Device(LivePhone, "an old phone", ("Clock", "Notes"))})
    try:
        world.reset(3)
        env: Env = world.envs["mine"]
        assert Capability.UI_TREE in env.capabilities and env.platform == "phone"
        time.sleep(0.3)
        seen = env.observe(set(Modality), 0.0)
        assert 0.3 <= seen.time <= world.now and seen.env == "mine"
        for medium in (seen.screenshot, seen.audio, seen.video):
            assert medium.env == "mine"  # type: ignore[union-attr]
        assert seen.audio.end == pytest.approx(seen.time, abs=0.01)  # type: ignore[union-attr]
        assert world.state()["mine"].time >= seen.time
    finally:
        world.close()


def test_what_an_agent_says_reaches_each_device_that_hears() -> None:
    hearing = [LiveWorld(), LiveWorld()]
    world = made(*[Device(lambda clock, one=one: one) for one in hearing], Device(lambda clock: Slow(clock, 0.0)))
    try:
        with_changed_view(world, lambda seen: seen).hear(Answer("42"))
        assert [one.heard for one in hearing] == [[Answer("42")]] * 2
    finally:
        world.close()


def test_a_changed_view_is_captured_together_too() -> None:
    world = made(Device(lambda clock: Slow(clock, 0.0)))
    try:
        changed = with_changed_view(world, lambda seen: Observation("other", seen.time, seen.size))
        assert Capability.TOGETHER in changed.capabilities
        assert changed.observe_together((), {"d0": 0.0})["d0"].env == "other"
    finally:
        world.close()
