"""Playing one episode: set up, act, judge, record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.episode.prologue import BrokenPrologue as BrokenPrologue
    from omnipilot.bench.episode.prologue import play_prologue as play_prologue
    from omnipilot.bench.episode.truth import EpisodeTruth as EpisodeTruth

__all__, __getattr__, __dir__ = lazy_exports(__name__)
