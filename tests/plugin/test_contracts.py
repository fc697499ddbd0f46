"""The tests of a plug-in: omnipilot ships the checks, a part of one's own is held to its contract in three lines."""

from __future__ import annotations

from pathlib import Path

from omnipilot_errands import Errands, write
from omnipilot_example import FirstButton, FirstNamed, Lamp, LastThought

from omnipilot.bench import check_suite
from omnipilot.envs import check_env
from omnipilot.grounders import check_grounder
from omnipilot.memory import check_memory
from omnipilot.planners import check_planner


def test_the_lamp_keeps_the_contract_of_worlds() -> None:
    check_env(Lamp)


def test_the_memory_keeps_its_contract() -> None:
    check_memory(LastThought)


def test_the_planner_keeps_its_contract() -> None:
    check_planner(lambda: FirstButton(clicks=2))


def test_the_grounder_keeps_its_contract() -> None:
    check_grounder(FirstNamed)


def test_the_suite_keeps_its_contract(tmp_path: Path) -> None:
    write(tmp_path)
    check_suite(lambda: Errands(str(tmp_path)), instances=2)
