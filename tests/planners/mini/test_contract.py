"""The planner `mini` keeps the contract of planners."""

from __future__ import annotations

import pytest

from omnipilot.planners import check_planner
from omnipilot.planners.mini import MiniPlanner


@pytest.mark.slow
def test_it_keeps_the_contract() -> None:
    check_planner(MiniPlanner, turns=5)
