"""The planner `gullible`: a diagnostic that knows the solution, and obeys whatever it reads, hears or recalls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.planners.gullible.deeds import Eyes as Eyes
    from omnipilot.planners.gullible.deeds import carry_out as carry_out
    from omnipilot.planners.gullible.imperatives import Imperative as Imperative
    from omnipilot.planners.gullible.imperatives import read_imperatives as read_imperatives
    from omnipilot.planners.gullible.planner import GulliblePlanner as GulliblePlanner
    from omnipilot.planners.gullible.planner import written_as_told as written_as_told

__all__, __getattr__, __dir__ = lazy_exports(__name__)
