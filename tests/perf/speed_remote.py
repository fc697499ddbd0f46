"""What it costs that a world is served over HTTP: requests on the loopback interface, beside calls in the process."""

from __future__ import annotations

import contextlib
import statistics
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from omnipilot.envs import Absent, Action, CustomVerb, Image, Modality, Observation, OpenApp, Size
from omnipilot.envs.base import Env, World
from omnipilot.envs.remote import EnvServer, RemoteWorld
from omnipilot.envs.sim import SimWorld

TOKEN = "t" * 43
LARGE = Size(1280, 800)


@dataclass(frozen=True, slots=True)
class Beside:
    """Median seconds of the same observation over HTTP and in the process, and the bytes of its media."""

    remote: float
    local: float
    size: int = 0


class Noisy(World, Env):
    """A world whose screenshot is a PNG of about 2 MB, another one at each action; it is encoded beforehand."""

    name = "noisy"
    platform = "desktop"
    size = LARGE
    verbs = frozenset({"press"})
    custom: Mapping[str, CustomVerb] = {}
    now = 0.0
    envs: Mapping[str, Any]

    def __init__(self) -> None:
        import numpy as np

        random = np.random.default_rng(0)
        # Two thirds of noise, so that the file has 2 MB.
        pixels = [random.integers(0, 256, (LARGE.height, LARGE.width, 3), dtype=np.uint8) for _ in range(8)]
        for one in pixels:
            one[:, : LARGE.width // 3] = 128
        self._pictures = [Image.from_array(one) for one in pixels]
        self.bytes = max(len(picture.png()) for picture in self._pictures)
        self._shown = 0
        self.envs = {"noisy": self}

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        picture = self._pictures[self._shown % len(self._pictures)]
        shown = picture.at(self.name, 0.0) if Modality.SCREENSHOT in modalities else Absent("unasked")
        return Observation(self.name, 0.0, self.size, screenshot=shown)

    def act(self, action: Action) -> None:
        self._shown += 1

    def reset(self, instance: int) -> None:
        self._shown = 0

    def wait(self, seconds: float) -> None:
        self._shown += 1

    def think(self, measured: float) -> None:
        """Its clock stands still."""

    def close(self) -> None:
        """It holds nothing."""


def median(call: Callable[[], Any], times: int, between: Callable[[], Any] = lambda: None) -> float:
    """Median seconds of a call; `between` is not counted."""
    took = []
    for _ in range(times):
        between()
        began = time.perf_counter()
        call()
        took.append(time.perf_counter() - began)
    return statistics.median(took)


def small_call_seconds(times: int = 300) -> float:
    """A request and an answer of up to 1 KB: the context of a device."""
    with (
        EnvServer(SimWorld, TOKEN) as server,
        contextlib.closing(RemoteWorld(server.url, TOKEN)) as world,
    ):
        phone = world.envs["phone"]
        return median(lambda: phone.observe({Modality.CONTEXT}, 0.0), times)


def large_observation(times: int = 24) -> Beside:
    """A screenshot of 2 MB that the client does not have yet; the picture is encoded already, and not decoded."""
    made = Noisy()
    with (
        EnvServer(lambda: made, TOKEN) as server,
        contextlib.closing(RemoteWorld(server.url, TOKEN)) as world,
    ):
        env = world.envs["noisy"]

        def forget() -> None:
            world.client.media.__init__()  # type: ignore[misc]
            world.wait(0.0)

        remote = median(lambda: env.observe({Modality.SCREENSHOT}, 0.0), times, forget)
        local = median(lambda: made.observe({Modality.SCREENSHOT}, 0.0), times)
        return Beside(remote, local, made.bytes)


def observations(times: int = 15) -> Iterator[tuple[str, Beside]]:
    """One observation of the embedded desktop (1280x800, its mail open) by modality, each after another second."""
    with (
        EnvServer(SimWorld, TOKEN) as server,
        contextlib.closing(RemoteWorld(server.url, TOKEN)) as remote,
        contextlib.closing(SimWorld()) as local,
    ):
        for world in (remote, local):
            world.reset(0)
            world.envs["desktop"].act(OpenApp("Mail"))
        for modality in Modality:
            seconds = []
            for world in (remote, local):
                env: Any = world.envs["desktop"]
                later = median(
                    lambda env=env, world=world, modality=modality: env.observe({modality}, world.now - 1.0),  # type: ignore[misc]
                    times,
                    lambda world=world: world.wait(1.0),  # type: ignore[misc]
                )
                seconds.append(later)
            yield modality.value, Beside(seconds[0], seconds[1])
