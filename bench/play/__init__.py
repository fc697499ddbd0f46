"""A person does tasks and is recorded as an agent is: raw touches, mouse and keys become the verbs of agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.play.primitives import PlayedPrimitive as PlayedPrimitive
    from omnipilot.bench.play.primitives import Thresholds as Thresholds
    from omnipilot.bench.play.primitives import primitives_of as primitives_of
    from omnipilot.bench.play.raw_events import RawEvent as RawEvent
    from omnipilot.bench.play.raw_events import read_raw_events as read_raw_events

__all__, __getattr__, __dir__ = lazy_exports(__name__)
