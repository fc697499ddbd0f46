"""Planners over chat models: function calling, JSON, scripts, and the roles of teams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.planners.chat.function_calling import FunctionCallingPlanner as FunctionCallingPlanner
    from omnipilot.planners.chat.head_planner import ChatThinker as ChatThinker
    from omnipilot.planners.chat.json_planner import JsonPlanner as JsonPlanner
    from omnipilot.planners.chat.omnigui import OmniGuiPlanner as OmniGuiPlanner
    from omnipilot.planners.chat.planner import ChatPlanner as ChatPlanner
    from omnipilot.planners.chat.prompted_model import PromptedModel as PromptedModel
    from omnipilot.planners.chat.pyautogui import ScriptPlanner as ScriptPlanner
    from omnipilot.planners.chat.script import parse_script as parse_script
    from omnipilot.planners.chat.text_handoff import RelayPlanner as RelayPlanner
    from omnipilot.planners.chat.text_handoff import RelayThinker as RelayThinker

__all__, __getattr__, __dir__ = lazy_exports(__name__)
