"""What the worlds of a process share: the pictures of screens, by content, and the canvases that they are painted on.

Pixels are a pure function of a display list, so worlds that show the same screen have one picture of it, painted,
hashed and encoded once. Layouts stay with their world, because controls act on its state; of worlds that have not acted
for a while they are dropped, and made again when one does. All of it only saves work.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Protocol, TypeAlias

from omnipilot.envs.sim.render.display_list import Op
from omnipilot.envs.sim.render.rasterizer import IncrementalRenderer, damaged_area
from omnipilot.envs.sim.render.zoom import zoom_ops
from omnipilot.envs.sim.state.display import DeviceScreen
from omnipilot.envs.sim.state.world_state import DeviceName
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.media import Image

BYTES_A_DEVICE = 16 << 20
"""Pixels that are kept for each device of a living world, in bytes: a few screens."""
MOST_BYTES = 256 << 20
"""Pixels that are kept at most, in bytes; what somebody holds lives on besides."""
MOST_PAINTERS = 4
"""Canvases for each device and size: a world that is looked at again finds the one that shows nearly its screen."""
MOST_LAID_OUT = 2_048
"""Devices of which layouts are kept, of those that acted last: both devices of 1,024 worlds."""

_Key: TypeAlias = tuple[DeviceName, Size, tuple[Op, ...]]


class LaidOut(Protocol):
    """A device that keeps layouts."""

    def drop_layouts(self) -> None:
        """Drop them; they are made again when they are needed."""
        ...


class SharedPictures:
    """Pictures by device, size and display list, the latest first to stay; may be used by several threads.

    Attributes:
        asked, painted: how many pictures were asked for, and how many of these were painted.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.asked = self.painted = 0
        self._most = most_bytes
        self._bytes = 0
        self._pictures: OrderedDict[_Key, Image] = OrderedDict()
        self._painters: dict[tuple[DeviceName, Size], list[tuple[tuple[Op, ...], IncrementalRenderer]]] = {}
        self._laid_out: dict[int, weakref.ref[LaidOut]] = {}
        self._lock = Lock()

    @property
    def bytes(self) -> int:
        """Bytes of the pixels that are kept."""
        return self._bytes

    def get(self, device: DeviceName, screen: DeviceScreen, ops: tuple[Op, ...], time: float) -> Image:
        """The picture of a display list, as a capture at `time`."""
        key = (device, screen.pixels, ops)
        with self._lock:
            self.asked += 1
            picture = self._pictures.get(key)
            if picture is None:
                self.painted += 1
                picture = self._painter(device, screen.pixels, ops).paint(zoom_ops(ops, screen), time)
                self._pictures[key] = picture
                self._bytes += 3 * picture.size.pixels
                self._evict()
            else:
                self._pictures.move_to_end(key)
        return picture if picture.start == time else picture.at(device, time)

    def note_layout(self, device: LaidOut) -> None:
        """Note that a device has just laid its screen out; the one that did so longest ago may lose its layouts."""
        name, oldest = id(device), None
        with self._lock:
            known = self._laid_out.pop(name, None)
            self._laid_out[name] = self._refer(name, device) if known is None or known() is not device else known
            if len(self._laid_out) > MOST_LAID_OUT:
                oldest = self._laid_out.pop(next(iter(self._laid_out)))()
        if oldest is not None:
            oldest.drop_layouts()

    def _refer(self, name: int, device: LaidOut) -> weakref.ref[LaidOut]:
        def forget(gone: weakref.ref[LaidOut]) -> None:
            # Without the lock, which may be held where the collector comes by.
            if self._laid_out.get(name) is gone:
                self._laid_out.pop(name, None)

        return weakref.ref(device, forget)

    def _painter(self, device: DeviceName, size: Size, ops: tuple[Op, ...]) -> IncrementalRenderer:
        """The canvas on which the least has to be repainted."""
        painters = self._painters.setdefault((device, size), [])
        whole = (0, 0, size.width, size.height)
        best = min(range(len(painters)), key=lambda i: _area(damaged_area(painters[i][0], ops, whole)), default=None)
        if best is None or (
            len(painters) < MOST_PAINTERS and _area(damaged_area(painters[best][0], ops, whole)) > size.pixels // 2
        ):
            painter = IncrementalRenderer(size, device)
        else:
            painter = painters.pop(best)[1]
        painters.append((ops, painter))
        return painter

    def _evict(self) -> None:
        allowed = min(self._most, max(1, len(self._laid_out)) * BYTES_A_DEVICE)
        while self._bytes > allowed and len(self._pictures) > 1:
            _, gone = self._pictures.popitem(last=False)
            self._bytes -= 3 * gone.size.pixels


def _area(damage: Sequence[int] | None) -> int:
    return 0 if damage is None else max(0, damage[2] - damage[0]) * max(0, damage[3] - damage[1])


SHARED = SharedPictures()
"""Those of this process."""
