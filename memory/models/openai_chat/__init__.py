"""The client for servers that speak the OpenAI chat protocol, over our own connections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.memory.models.openai_chat.client import OpenAiChatClient as OpenAiChatClient

__all__, __getattr__, __dir__ = lazy_exports(__name__)
