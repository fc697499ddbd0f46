"""Sources of elements: what is on a screen, read from its picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.grounders.sources.base import ElementSource as ElementSource
    from omnipilot.grounders.sources.base import FoundElements as FoundElements

__all__, __getattr__, __dir__ = lazy_exports(__name__)
