"""The contract of transcribers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from omnipilot.envs import AudioClip


class Transcriber(ABC):
    """Puts speech into words. Threads may share it."""

    @abstractmethod
    def transcribe(self, clip: AudioClip) -> str:
        """What is said in a clip; "" for nothing.

        Raises:
            ModelUnavailable: a server gave no answer. ConfigError: it cannot be asked like this.
        """

    @abstractmethod
    def close(self) -> None:
        """Close connections. May be called twice."""

    def identity(self) -> Mapping[str, str]:
        """What of it can change a run's numbers besides its options, by name; see `AgentPart.identity`."""
        return {}
