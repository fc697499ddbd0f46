"""Readers beside the planner: what is heard and what is written, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.agents.wrappers.readers.agent import Reader as Reader
    from omnipilot.agents.wrappers.readers.agent import ReadingAgent as ReadingAgent
    from omnipilot.agents.wrappers.readers.composed import ComposedReader as ComposedReader
    from omnipilot.agents.wrappers.readers.gold import GoldReader as GoldReader
    from omnipilot.agents.wrappers.readers.perception import PerceptionReader as PerceptionReader
    from omnipilot.agents.wrappers.readers.transcribed import EndpointReader as EndpointReader
    from omnipilot.agents.wrappers.readers.transcribed import TranscribingReader as TranscribingReader
    from omnipilot.agents.wrappers.readers.transcribed import WhisperReader as WhisperReader

__all__, __getattr__, __dir__ = lazy_exports(__name__)
