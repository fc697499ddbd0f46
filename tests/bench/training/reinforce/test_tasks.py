"""What may be practised: development tasks alone, and no instance that is kept for measuring."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import pytest

from omnipilot.bench.session import Session
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.training.reinforce.tasks import DuetSource, PoolSource
from omnipilot.envs import ConfigError


def test_the_test_split_is_refused() -> None:
    task = next(info.id for info in Duet("test").tasks())
    source = DuetSource()
    with pytest.raises(ConfigError, match="test split"):
        DuetSource(tasks=[task])
    with pytest.raises(ConfigError, match="test split"):
        source.check(task, 100)
    with pytest.raises(ConfigError, match="test split"):
        source.lead(task, 100)
    assert task not in source.complexities
    assert task not in {one for wanted in source.curve_tasks().values() for one, _ in wanted}


def test_instances_that_are_kept_for_measuring_are_refused() -> None:
    source = DuetSource(instances=5)
    with pytest.raises(ConfigError, match="kept for measuring"):
        source.check("send-message", 2)
    random = Random(0)
    assert {source.draw_instance("send-message", random) for _ in range(100)} == {100, 101, 102, 103, 104}
    assert all(instance >= 100 for wanted in source.curve_tasks().values() for _, instance in wanted)


def test_tasks_that_hang_on_motion_are_left_out_unless_they_are_named() -> None:
    assert "pause-tram" not in DuetSource().complexities
    assert set(DuetSource(tasks=["pause-tram"]).complexities) == {"pause-tram"}
    assert DuetSource().complexities["send-message"]["branch"] == "easy"


def test_a_pool_says_which_of_its_tasks_may_be_practised() -> None:
    tasks = [SimpleNamespace(id=f"t{number}", complexity={"branch": "easy"}) for number in range(100)]
    source = PoolSource(SimpleNamespace(suite=None, tasks=tasks, dropped={"like one of the test": 3}), instances=2)
    assert source.complexities["t3"] == {"branch": "easy"} and source.lead("t3", 100) is None
    with pytest.raises(ConfigError, match="none of the pool's tasks"):
        source.check("other", 100)
    with pytest.raises(ConfigError, match="kept for measuring"):
        source.check("t3", 5)
    assert 40 <= len(source.curve_tasks()["held-out instances"]) <= 50
    with pytest.raises(ConfigError, match="no task of the pool"):
        PoolSource(SimpleNamespace(suite=None, tasks=[], dropped={}))


def test_a_demonstration_that_is_followed_solves_the_task() -> None:
    from omnipilot.agents.wrappers.readers import GoldReader
    from omnipilot.bench.training.reinforce.mini_seat import MiniSeat
    from omnipilot.planners.mini.model_folder import read_vocabulary
    from omnipilot.planners.mini.network import SHIPPED
    from omnipilot.planners.mini.session import MiniSession

    source = DuetSource()
    vocabulary = read_vocabulary(SHIPPED)
    for task in ("send-message", "network-by-voicemail"):
        steps = source.lead(task, 100)
        assert steps
        session = Session(source.suite, modalities=("elements",))
        told = session.open(task, 100)
        mini = MiniSession.begin(told.instruction)
        seat = MiniSeat(session, mini, told.envs, vocabulary, 900, GoldReader("transcript"), Random(1))
        for step in steps[:-2]:
            seat.follow(step)
        # The fork goes on from there by itself; the other one stays where it is.
        other, asked = seat.fork(), seat.fork().ask()
        for step in steps[-2:]:
            assert not other.over
            other.follow(step)
        assert other.over and other.session.score().success and not seat.session.score().success
        assert seat.ask() == asked
        session.close()
        other.session.close()


@pytest.mark.parametrize("count", [0, 9_901])
def test_instances_that_are_none_or_reach_those_that_are_measured_on_are_refused(count: int) -> None:
    pool = SimpleNamespace(suite=None, tasks=[SimpleNamespace(id="t", complexity={})], dropped={})
    for make in (DuetSource, lambda instances: PoolSource(pool, instances)):
        with pytest.raises(ConfigError, match="train on 1 to 9900"):
            make(count)
