"""Spoken instructions: how they are synthesized, and how the agent hears them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.speech.synthesis import CommandSpeech as CommandSpeech
    from omnipilot.bench.speech.synthesis import EndpointSpeech as EndpointSpeech
    from omnipilot.bench.speech.synthesis import RecordedSpeech as RecordedSpeech
    from omnipilot.bench.speech.synthesis import Synthesizer as Synthesizer

__all__, __getattr__, __dir__ = lazy_exports(__name__)
