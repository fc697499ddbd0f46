"""The suite of the toy phone: its task is solved by what is heard, and by nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import omnipilot

from omnipilot.bench import check_suite, load_run
from omnipilot.bench.toy import TASK, ToySuite
from omnipilot.envs import ConfigError


def test_it_keeps_the_contract_of_suites() -> None:
    check_suite(ToySuite, instances=3)


def test_another_task_is_refused() -> None:
    with pytest.raises(ConfigError, match=f"the suite toy has one, '{TASK}'"):
        ToySuite().instantiate("save-cod", 0)


@pytest.mark.parametrize(("planner", "solved"), [("oracle", 2), ("noop", 0), ("random", 0)])
def test_only_who_knows_the_code_solves_it(planner: str, solved: int, tmp_path: Path) -> None:
    done = omnipilot(*"run --suite toy --instances 2 --planner".split(), planner, "--out", str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
    assert sum(episode.success for episode in load_run(tmp_path / "run").episodes) == solved


def test_a_world_file_can_name_the_phone(tmp_path: Path) -> None:
    (tmp_path / "world.toml").write_text('[devices.phone]\nkind = "toy"\n')
    asked = ("run", "--suite", "free", "--world", str(tmp_path / "world.toml"), "--task", "Save 4 in Notes.")
    done = omnipilot(*asked, "--planner", "noop", "--out", str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
