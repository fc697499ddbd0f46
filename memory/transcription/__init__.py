"""Speech to text: a model behind an endpoint, or Whisper in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.memory.transcription.base import SpokenPiece as SpokenPiece
    from omnipilot.memory.transcription.base import Transcriber as Transcriber
    from omnipilot.memory.transcription.base import join_pieces as join_pieces
    from omnipilot.memory.transcription.choice import make_transcriber as make_transcriber
    from omnipilot.memory.transcription.choice import record_transcriber as record_transcriber
    from omnipilot.memory.transcription.recorded import RecordedTranscriber as RecordedTranscriber
    from omnipilot.memory.transcription.served import EndpointTranscriber as EndpointTranscriber
    from omnipilot.memory.transcription.whisper import WhisperTranscriber as WhisperTranscriber

__all__, __getattr__, __dir__ = lazy_exports(__name__)
