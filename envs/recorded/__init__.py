"""Worlds made from recordings: replay, and substitution of audio and video."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.envs.recorded.replay import Prediction as Prediction
    from omnipilot.envs.recorded.replay import RecordedStep as RecordedStep
    from omnipilot.envs.recorded.replay import Recording as Recording
    from omnipilot.envs.recorded.replay import ReplayWorld as ReplayWorld
    from omnipilot.envs.recorded.substitute_media import Noise as Noise
    from omnipilot.envs.recorded.substitute_media import Silence as Silence

__all__, __getattr__, __dir__ = lazy_exports(__name__)
