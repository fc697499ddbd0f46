"""Motion events in a video clip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.memory.perception.video.reader import MotionEvent as MotionEvent
    from omnipilot.memory.perception.video.reader import MotionReading as MotionReading
    from omnipilot.memory.perception.video.reader import read_motion as read_motion
    from omnipilot.memory.perception.video.watching import EventPlace as EventPlace
    from omnipilot.memory.perception.video.watching import Seen as Seen
    from omnipilot.memory.perception.video.watching import waits as waits
    from omnipilot.memory.perception.video.watching import watch_clip as watch_clip
    from omnipilot.memory.perception.video.words import motion_lines as motion_lines

__all__, __getattr__, __dir__ = lazy_exports(__name__)
