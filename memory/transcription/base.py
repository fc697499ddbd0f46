"""The contract of transcribers."""

from __future__ import annotations

from typing import Protocol

from omnipilot.envs import AudioClip


class Transcriber(Protocol):
    """Puts speech into words. Threads may share it."""

    def transcribe(self, clip: AudioClip) -> str:
        """What is said in a clip; "" for nothing.

        Raises:
            ModelUnavailable: a server gave no answer. ConfigError: it cannot be asked like this.
        """
        ...

    def close(self) -> None:
        """Close connections. May be called twice."""
        ...
