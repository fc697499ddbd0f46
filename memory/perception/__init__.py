"""Readers that turn images, audio and video into elements and events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.memory.perception.audio.fingerprints import FingerprintIndex as FingerprintIndex
    from omnipilot.memory.perception.audio.reader import AUDIBLE_LOUDNESS as AUDIBLE_LOUDNESS
    from omnipilot.memory.perception.audio.reader import SoundEvent as SoundEvent
    from omnipilot.memory.perception.audio.reader import heard_digits as heard_digits
    from omnipilot.memory.perception.audio.reader import read_sounds as read_sounds
    from omnipilot.memory.perception.ocr.easy import EasyOcrReader as EasyOcrReader
    from omnipilot.memory.perception.ocr.easy import shared_easy_reader as shared_easy_reader
    from omnipilot.memory.perception.ocr.reader import OcrReader as OcrReader
    from omnipilot.memory.perception.ocr.reader import shared_reader as shared_reader
    from omnipilot.memory.perception.video.reader import MotionEvent as MotionEvent
    from omnipilot.memory.perception.video.reader import read_motion as read_motion
    from omnipilot.memory.perception.video.watching import EventPlace as EventPlace
    from omnipilot.memory.perception.video.watching import Seen as Seen
    from omnipilot.memory.perception.video.watching import waits as waits
    from omnipilot.memory.perception.video.watching import watch_clip as watch_clip
    from omnipilot.memory.perception.video.words import motion_lines as motion_lines

__all__, __getattr__, __dir__ = lazy_exports(__name__)
