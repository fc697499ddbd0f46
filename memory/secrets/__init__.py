"""Finding API keys in the forms that servers and libraries write, and keeping them out of everything we write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.memory.secrets.scrub import scrub_values as scrub_values

__all__, __getattr__, __dir__ = lazy_exports(__name__)
