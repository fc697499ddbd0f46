"""The contract of transcribers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from omnipilot.envs import AudioClip


@dataclass(frozen=True, slots=True)
class SpokenPiece:
    """A word that was said, or all that was said where a model tells no times of words.

    Attributes:
        text: with the space before it, where one belongs there; `join_pieces` puts pieces together.
        start, end: seconds on the world's clock.
    """

    text: str
    start: float
    end: float


class Transcriber(ABC):
    """Puts speech into words. Threads may share it.

    Attributes:
        times_words: whether `transcribe_words` tells when each word was said.
    """

    times_words: bool = False

    @abstractmethod
    def transcribe(self, clip: AudioClip) -> str:
        """What is said in a clip; "" for nothing.

        Raises:
            ModelUnavailable: a server gave no answer. ConfigError: it cannot be asked like this.
        """

    @abstractmethod
    def close(self) -> None:
        """Close connections. May be called twice."""

    def transcribe_words(self, clip: AudioClip) -> tuple[SpokenPiece, ...]:
        """What is said in a clip, word by word with its times, in order; empty for nothing.

        One piece that is as long as the clip, unless a transcriber knows better.

        Raises:
            ModelUnavailable, ConfigError: as in `transcribe`.
        """
        text = self.transcribe(clip).strip()
        return (SpokenPiece(text, clip.start, clip.end),) if text else ()

    def identity(self) -> Mapping[str, str]:
        """What of it can change a run's numbers besides its options, by name; see `AgentPart.identity`."""
        return {}


def join_pieces(pieces: Iterable[SpokenPiece]) -> str:
    """What pieces say, in one text without spaces around it."""
    return "".join(piece.text for piece in pieces).strip()
