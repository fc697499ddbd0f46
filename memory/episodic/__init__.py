"""Episodic memory: a timeline of all that was seen, heard and done, and recall of what of it matters now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.memory.episodic.event_index import Scope as Scope
    from omnipilot.memory.episodic.events import TimelineError as TimelineError
    from omnipilot.memory.episodic.events import TimelineEvent as TimelineEvent
    from omnipilot.memory.episodic.memory import EpisodicMemory as EpisodicMemory
    from omnipilot.memory.episodic.streams import StreamChunk as StreamChunk
    from omnipilot.memory.episodic.streams import StreamReader as StreamReader
    from omnipilot.memory.episodic.streams import read_file as read_file
    from omnipilot.memory.episodic.timeline import Timeline as Timeline

__all__, __getattr__, __dir__ = lazy_exports(__name__)
