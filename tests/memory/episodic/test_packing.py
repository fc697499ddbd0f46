"""What a recall may hold, and in which order."""

from __future__ import annotations

from omnipilot.envs import AudioClip, Image, Size, VideoClip
from omnipilot.memory import Recalled
from omnipilot.memory.episodic.packing import arrange


def test_the_order_of_omnigui_is_by_kind() -> None:
    image = Image.raw(Size(1, 1), b"\0\0\0")
    film, sound = VideoClip([image], 1.0), AudioClip(b"\0\0" * 100)
    parts = [image, "first", sound, film, image, "second"]
    found = [Recalled(part, "x", "", float(time), 0) for time, part in enumerate(parts)]
    assert [one.time for one in arrange(found, "omnigui")] == [0, 3, 2, 4, 1, 5]
    assert [one.time for one in arrange(found, "time")] == [0, 1, 2, 3, 4, 5]
