"""An instruction of one's own, in one's own world."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.free.suite import Free as Free

__all__, __getattr__, __dir__ = lazy_exports(__name__)
