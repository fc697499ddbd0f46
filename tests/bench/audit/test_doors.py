"""Doors that an audit opens: a served world, and the phone's shell."""

from __future__ import annotations

from omnipilot.bench.audit.doors import try_doors
from omnipilot.bench.audit.stage import AuditStage
from omnipilot.bench.toy import TASK, ToySuite


def test_a_served_world_lets_an_agent_start_over_and_nothing_of_the_judges() -> None:
    stage = AuditStage(ToySuite(), TASK)
    found = try_doors(stage)
    stage.close()
    served = found["env serve"]
    assert not served.problem
    assert set(served.allowed or {}) == {"think", "snapshot", "restore", "reset"}
    assert not served.reached
    assert not served.solved
    assert found["shell"].problem


def test_doors_that_start_something_can_be_left_out() -> None:
    stage = AuditStage(ToySuite(), TASK)
    assert try_doors(stage, served=False) == {}
    stage.close()
