"""Several devices as one world: started, observed and stopped together, on one clock."""

from __future__ import annotations

import concurrent.futures
import contextlib
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

from omnipilot.envs.base import Capability, World
from omnipilot.envs.clock import WallClock
from omnipilot.envs.composite.device_env import DeviceEnv
from omnipilot.envs.composite.device_thread import DeviceThread
from omnipilot.envs.types.actions import Answer, AskUser, Done
from omnipilot.envs.types.errors import ConfigError, EnvLost
from omnipilot.envs.types.observation import Modality, Observation

T = TypeVar("T")
ANSWER = 120.0
"""Seconds after which a device that does not answer is given up, in addition to those that it was asked to wait."""
CLOSING = 30.0
"""Seconds for a device to close."""


@dataclass(frozen=True, slots=True)
class Device:
    """One device of a world, not started yet.

    Attributes:
        make: starts it: a world of one environment or more, which leaves the clock to be restarted by the composite.
            It is called on the device's thread, as is everything else that is asked of the device.
        description, applications: what the planner is told of it.
        own_clock: its world does not take the composite's clock, so it must be the only device; the time is its own.
    """

    make: Callable[[WallClock], World]
    description: str = ""
    applications: tuple[str, ...] = ()
    own_clock: bool = False


class CompositeWorld(World):
    """Devices of any kind as one world in real time.

    All devices are started at the same time, each on a thread of its own. If one fails to start, those that did start
    are closed again. Environments are named after their devices; those of a device with several, DEVICE-ENV.

    Args:
        devices: by name, in the order in which the planner is told of them.
        answer: seconds after which a device that does not answer is given up.

    Raises:
        ConfigError: there is no device, or one cannot be started; the message names it.
        EnvLost: a device cannot be reached.
    """

    capabilities = frozenset({Capability.STATE, Capability.ENDS, Capability.HEARS, Capability.TOGETHER})

    def __init__(self, devices: Mapping[str, Device], answer: float = ANSWER) -> None:
        if not devices:
            raise ConfigError("a world needs at least one device")
        alone = next((name for name, device in devices.items() if device.own_clock), "")
        if alone and len(devices) > 1:
            raise ConfigError(f"device {alone!r} has a clock of its own, so it cannot stand beside other devices")
        self._alone = alone
        self._clock = WallClock()
        self._answer = answer
        self._closed = False
        self._threads = {name: DeviceThread(name) for name in devices}
        self._worlds: dict[str, World] = {}
        starting = {
            name: self._threads[name].call(partial(device.make, self._clock)) for name, device in devices.items()
        }
        deadline = time.monotonic() + answer
        failed: list[tuple[str, BaseException]] = []
        for name, future in starting.items():
            try:
                self._worlds[name] = future.result(max(0.0, deadline - time.monotonic()))
            except concurrent.futures.TimeoutError:
                failed.append((name, EnvLost(f"it did not start within {answer:g} s")))
                future.add_done_callback(_close_late)
            except BaseException as error:
                failed.append((name, error))
        if failed:
            self.close()
            first, why = failed[0]
            raise _named(first, why) from why
        if alone and Capability.SNAPSHOTS in self._worlds[alone].capabilities:
            # Nothing here is on the wall's clock, so all of it can be put back.
            self.capabilities = self.capabilities | {Capability.SNAPSHOTS}
        self._envs: dict[str, DeviceEnv] = {}
        self._device_of: dict[str, str] = {}
        for name, device in devices.items():
            inner = self._worlds[name].envs
            for key, env in inner.items():
                called = name if len(inner) == 1 else f"{name}-{key}"
                self._device_of[called] = name
                self._envs[called] = DeviceEnv(
                    env, called, partial(self._call, name), device.description, device.applications
                )

    @property
    def envs(self) -> Mapping[str, DeviceEnv]:
        """The environments of all devices, by name."""
        return MappingProxyType(self._envs)

    @property
    def now(self) -> float:
        """Wall seconds since the last reset; where the only device has a clock of its own, seconds on that."""
        return self._call(self._alone, lambda: self._worlds[self._alone].now) if self._alone else self._clock.now

    def device_of(self, env: str) -> str:
        """The name of the device that an environment is of.

        Raises:
            KeyError: there is no such environment.
        """
        return self._device_of[env]

    def ask(self, device: str, function: Callable[[Any], T]) -> T:
        """Call a function with a device's own world, on the device's thread: for suites that prepare and judge.

        Raises:
            EnvLost: the device is gone, or did not answer.
        """
        return self._call(device, lambda: function(self._worlds[device]))

    def reset(self, instance: int) -> None:
        """Reset all devices at once, then restart the clock."""
        self._each(self._worlds, lambda world: world.reset(instance))
        self._clock.restart()

    def wait(self, seconds: float) -> None:
        """Let all devices wait at once."""
        self._each(self._worlds, lambda world: world.wait(seconds), seconds)

    def think(self, measured: float) -> None:
        """Tell a device that has a clock of its own. All others kept running."""
        if self._alone:
            self._call(self._alone, lambda: self._worlds[self._alone].think(measured))

    def observe_together(
        self, modalities: Collection[Modality], since: Mapping[str, float]
    ) -> Mapping[str, Observation]:
        """One observation of each environment; all devices are captured at the same time."""

        def look(device: str) -> dict[str, Observation]:
            mine = [env for env in since if self._device_of[env] == device]
            return {env: self._envs[env].observe_here(modalities, since[env]) for env in mine}

        wanted = {self._device_of[env] for env in since}
        found = self._gather({device: partial(look, device) for device in self._worlds if device in wanted})
        return {env: found[self._device_of[env]][env] for env in since}

    def state(self) -> Mapping[str, Any]:
        """The state of each device that has one that judges can read, by the device's name."""
        with_state = self._worlds_with(Capability.STATE)
        return MappingProxyType(self._each(with_state, lambda world: world.state()))

    def snapshot(self) -> object:
        """The whole state of the only device, where its clock is its own and it can be put back."""
        self._check_restorable()
        return self._call(self._alone, self._worlds[self._alone].snapshot)

    def restore(self, snapshot: Any) -> None:
        """Restore a snapshot of this world."""
        self._check_restorable()
        self._call(self._alone, lambda: self._worlds[self._alone].restore(snapshot))

    def ended(self) -> str:
        """Why a device has ended the episode, with its name; "" while none has."""
        ending = self._worlds_with(Capability.ENDS)
        reasons = self._each(ending, lambda world: world.ended())
        return next((f"{name}: {reason}" for name, reason in reasons.items() if reason), "")

    def hear(self, said: Answer | AskUser | Done) -> None:
        """Hand on what the agent says to each device that hears."""
        self._each(self._worlds_with(Capability.HEARS), lambda world: world.hear(said))

    def close(self) -> None:
        """Close all devices at once. May be called twice.

        Raises:
            EnvLost: devices did not close in time; the message names them. All others are closed.
        """
        if self._closed:
            return
        self._closed = True
        closing = {name: self._threads[name].call(world.close) for name, world in self._worlds.items()}
        deadline = time.monotonic() + CLOSING
        stuck, failed = [], None
        for name, future in closing.items():
            try:
                future.result(max(0.0, deadline - time.monotonic()))
            except concurrent.futures.TimeoutError:
                stuck.append(name)
            except EnvLost:
                pass  # what is gone needs no closing
            except Exception as error:
                failed = failed or _named(name, error)
        for thread in self._threads.values():
            thread.end(max(0.0, min(1.0, deadline - time.monotonic())))
        if failed is not None:
            raise failed
        if stuck:
            raise EnvLost(f"{', '.join(stuck)} did not close within {CLOSING:g} s")

    def _check_restorable(self) -> None:
        if Capability.SNAPSHOTS not in self.capabilities:
            raise self._without(Capability.SNAPSHOTS)

    def _worlds_with(self, capability: Capability) -> dict[str, World]:
        return {name: world for name, world in self._worlds.items() if capability in world.capabilities}

    def _call(self, device: str, function: Callable[[], T], extra: float = 0.0) -> T:
        return self._gather({device: function}, extra)[device]

    def _each(self, worlds: Mapping[str, Any], function: Callable[[Any], T], extra: float = 0.0) -> dict[str, T]:
        return self._gather({name: partial(function, world) for name, world in worlds.items()}, extra)

    def _gather(self, calls: Mapping[str, Callable[[], T]], extra: float = 0.0) -> dict[str, T]:
        """The results of calls, made at the same time on the threads of their devices.

        Raises:
            EnvLost: a device did not answer, or is gone. Any other error is raised as it is, after all have answered.
        """
        if self._closed:
            raise EnvLost("this world was closed")
        futures = {device: self._threads[device].call(function) for device, function in calls.items()}
        deadline = time.monotonic() + self._answer + extra
        found: dict[str, T] = {}
        failed: BaseException | None = None
        for device, future in futures.items():
            try:
                found[device] = future.result(max(0.0, deadline - time.monotonic()))
            except concurrent.futures.TimeoutError:
                failed = failed or EnvLost(f"{device}: no answer within {self._answer:g} s")
            except EnvLost as error:
                failed = failed or _named(device, error)
            except Exception as error:
                failed = failed or error
        if failed is not None:
            raise failed
        return found


def _named(device: str, error: BaseException) -> BaseException:
    """The same error with the name of its device; bugs and interruptions stay what they are."""
    if isinstance(error, ConfigError | EnvLost):
        kind: Any = ConfigError if isinstance(error, ConfigError) else EnvLost
        return kind(f"device {device!r}: {error}")  # type: ignore[no-any-return]
    error.add_note(f"on device {device!r}")
    return error


def _close_late(future: concurrent.futures.Future[World]) -> None:
    """Close a device that started after it had been given up."""
    with contextlib.suppress(Exception):
        future.result().close()
