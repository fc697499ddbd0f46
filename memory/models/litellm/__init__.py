"""The litellm client, for every provider that does not speak the OpenAI chat protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.memory.models.litellm.client import LitellmClient as LitellmClient

__all__, __getattr__, __dir__ = lazy_exports(__name__)
