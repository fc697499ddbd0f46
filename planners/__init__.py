"""Planners: decide what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.memory import Expectation as Expectation
    from omnipilot.memory.models import ChatModel as ChatModel
    from omnipilot.planners.base import Brief as Brief
    from omnipilot.planners.base import Decision as Decision
    from omnipilot.planners.base import Feedback as Feedback
    from omnipilot.planners.base import Left as Left
    from omnipilot.planners.base import Planner as Planner
    from omnipilot.planners.base import Request as Request
    from omnipilot.planners.base import Thinker as Thinker
    from omnipilot.planners.base import Thought as Thought
    from omnipilot.planners.base import Verbs as Verbs
    from omnipilot.planners.baselines.blind import BlindPlanner as BlindPlanner
    from omnipilot.planners.baselines.gold import GoldPlanner as GoldPlanner
    from omnipilot.planners.baselines.graded import GradedPlanner as GradedPlanner
    from omnipilot.planners.baselines.noop import NoopPlanner as NoopPlanner
    from omnipilot.planners.baselines.oracle import OraclePlanner as OraclePlanner
    from omnipilot.planners.baselines.person import PersonPlanner as PersonPlanner
    from omnipilot.planners.baselines.person import PersonTurn as PersonTurn
    from omnipilot.planners.baselines.person import Seat as Seat
    from omnipilot.planners.baselines.person import seat as seat
    from omnipilot.planners.baselines.random import RandomPlanner as RandomPlanner
    from omnipilot.planners.chat.function_calling import FunctionCallingPlanner as FunctionCallingPlanner
    from omnipilot.planners.chat.json_planner import JsonPlanner as JsonPlanner
    from omnipilot.planners.chat.omnigui import OmniGuiPlanner as OmniGuiPlanner
    from omnipilot.planners.chat.pyautogui import ScriptPlanner as ScriptPlanner
    from omnipilot.planners.contract import check_planner as check_planner
    from omnipilot.planners.native.planner import NativePlanner as NativePlanner

__all__, __getattr__, __dir__ = lazy_exports(__name__)
