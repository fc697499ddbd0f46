"""The planner `rules` keeps the contract of planners."""

from __future__ import annotations

from omnipilot.planners import BlindPlanner, check_planner
from omnipilot.planners.rules import RulesPlanner


def test_it_keeps_the_contract() -> None:
    check_planner(RulesPlanner, turns=5)


def test_it_keeps_the_contract_without_its_eyes() -> None:
    check_planner(lambda: BlindPlanner(RulesPlanner()), turns=5)
