"""Parses model output: reasoning, JSON, calls, code, numbers, coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.memory.models.replies.call import Call as Call
    from omnipilot.memory.models.replies.python_calls import parse_calls as parse_calls

__all__, __getattr__, __dir__ = lazy_exports(__name__)
