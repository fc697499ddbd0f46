"""Sound events in an audio clip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.memory.perception.audio.fingerprints import FingerprintIndex as FingerprintIndex
    from omnipilot.memory.perception.audio.reader import SoundEvent as SoundEvent
    from omnipilot.memory.perception.audio.reader import read_sounds as read_sounds

__all__, __getattr__, __dir__ = lazy_exports(__name__)
