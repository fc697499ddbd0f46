"""What is asked of recorders of sound and video."""

from __future__ import annotations

from typing import Protocol

from omnipilot.envs.types.media import AudioClip, VideoClip
from omnipilot.envs.types.observation import Absent


class Sound(Protocol):
    """Records what a browser plays, all the time."""

    def clip(self, env: str, start: float, end: float) -> AudioClip | Absent:
        """What was played between two times on the world's clock; absent with the reason if it was not recorded."""
        ...


class Video(Protocol):
    """Records what a browser shows, all the time."""

    def follow(self, target: str) -> None:
        """Record the page with this DevTools id from now on, if another one was recorded before."""
        ...

    def clip(self, env: str, start: float, end: float) -> VideoClip | Absent:
        """What was shown between two times on the world's clock; absent with the reason if it was not recorded."""
        ...
