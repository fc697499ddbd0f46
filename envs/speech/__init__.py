"""Speech made of recorded words: four voices that say a few words and phrases, digits and spelled letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.envs.speech.synthesis import VOICES as VOICES
    from omnipilot.envs.speech.synthesis import Spoken as Spoken
    from omnipilot.envs.speech.synthesis import TimedWord as TimedWord
    from omnipilot.envs.speech.synthesis import synthesize as synthesize
    from omnipilot.envs.speech.synthesis import timed_words as timed_words
    from omnipilot.envs.speech.synthesis import words as words

__all__, __getattr__, __dir__ = lazy_exports(__name__)
