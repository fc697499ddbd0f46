"""The planner `gullible`: a diagnostic that knows the solution, and obeys whatever it reads, hears or recalls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.planners.gullible.orders import Order as Order
    from omnipilot.planners.gullible.orders import read_orders as read_orders
    from omnipilot.planners.gullible.planner import GulliblePlanner as GulliblePlanner

__all__, __getattr__, __dir__ = lazy_exports(__name__)
