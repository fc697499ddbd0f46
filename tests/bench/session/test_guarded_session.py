"""What a session's policy does not let pass is not done, by whichever door it is asked for."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import pytest

from omnipilot.agents import PartSpec
from omnipilot.agents.guard import Guard, SecretValues
from omnipilot.bench.cli.commands import env as env_command
from omnipilot.bench.episode.guarding import act_function, guard_spec, make_guard
from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.results import survey_of
from omnipilot.bench.session import Session, SessionPool
from omnipilot.bench.toy import TASK
from omnipilot.envs import ActionRejected, ConfigError, OpenApp, Point, TypeText, Wait
from omnipilot.envs.toy import ToyPhone

OPEN, TYPE = OpenApp("Notes"), TypeText("hello")
TWO_MOVES = 'default = "allow"\n[budget]\nmoves = 2\n'


def opened(**how: Any) -> Session:
    session = Session("toy", **how)
    session.open(TASK)
    return session


def budget(folder: Path) -> str:
    path = folder / "policy.toml"
    path.write_text(TWO_MOVES)
    return str(path)


def test_what_the_policy_refuses_is_rejected_and_not_done() -> None:
    with opened(policy="read-only") as session:
        assert session.act(OPEN).result == "done"
        before = session.course.world.snapshot()
        refused = session.act(TYPE)
        assert (refused.result, refused.action) == ("denied", None)
        assert refused.message == "the guard refused it: no rule speaks of it"
        assert session.course.world.snapshot() == before


def test_without_a_policy_all_is_carried_out() -> None:
    with opened() as session:
        assert session.act(OPEN).result == "done"
    with opened(policy="none") as session:
        assert session.act(OPEN).result == "done"


def test_whoever_is_to_be_asked_is_asked(tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('default = "ask"\n')
    for answer, result in (("echo yes", "done"), ("echo no", "denied"), ("false", "denied")):
        with opened(policy=str(policy), approver=f"command:{answer}") as session:
            assert session.act(OPEN).result == result
    with pytest.raises(ConfigError, match="no approver 'nobody'"):
        opened(policy="ask", approver="nobody")
    with pytest.raises(ConfigError, match="give a file, or one of"):
        opened(policy="nowhere.toml")


def test_a_fork_and_a_mark_keep_what_has_been_done_so_far(tmp_path: Path) -> None:
    with opened(policy=budget(tmp_path)) as session:
        session.act(OPEN)
        mark, fork = session.mark(), session.fork()
        assert [fork.act(OPEN).result for _ in range(2)] == ["done", "denied"]
        assert [session.act(OPEN).result for _ in range(2)] == ["done", "denied"]
        session.restore(mark)
        assert [session.act(OPEN).result for _ in range(2)] == ["done", "denied"]
        session.open(TASK)
        assert [session.act(OPEN).result for _ in range(3)] == ["done", "done", "denied"]


def test_a_record_holds_the_policy_and_each_ruling(tmp_path: Path) -> None:
    with opened(policy="read-only", record=tmp_path / "run") as session:
        session.act(OPEN)
        session.act(TYPE)
    rulings = [event for event in read(tmp_path / "run") if event.event == "move_guarded"]
    assert [(one.turn, one.passed, one.rule) for one in rulings] == [(0, True, "looks"), (1, False, "default")]
    found = survey_of(tmp_path / "run")
    assert len(found.episodes) == 1 and not found.unreadable
    with pytest.raises(ConfigError):
        opened(record=tmp_path / "run")


@pytest.mark.slow
def test_a_pool_passes_the_policy_on() -> None:
    async def play() -> list[str]:
        async with SessionPool("toy", workers=1, policy="read-only") as pool, pool.session() as session:
            await session.open(TASK)
            return [(await session.act(verb)).result for verb in (OPEN, TYPE)]

    assert asyncio.run(asyncio.wait_for(play(), 60)) == ["done", "denied"]


def test_a_client_of_a_served_world_is_asked_for_as_well(tmp_path: Path) -> None:
    world = ToyPhone()
    phone = world.envs["phone"]
    guard = make_guard(guard_spec(budget(tmp_path), None, None, PartSpec("world")))
    assert guard is not None
    act = act_function(guard)
    act(world, phone, OPEN)
    act(world, phone, OPEN)
    with pytest.raises(ActionRejected, match="the policy's budget of 2 moves is used up"):
        act(world, phone, OPEN)
    world.reset(0)
    with pytest.raises(ActionRejected, match="budget"):
        act(world, phone, OPEN)


def test_a_client_is_answered_as_the_loop_answers_an_agent() -> None:
    world = ToyPhone()
    phone = world.envs["phone"]
    act = act_function(Guard(None, secrets=SecretValues({"app": "Swordfish"})))
    with pytest.raises(ActionRejected, match="a secret can only be typed"):
        act(world, phone, OpenApp("{secret:app}"))
    with pytest.raises(ActionRejected, match=r"\{secret:app\}") as refused:
        act(world, phone, OpenApp("Swordfish"))
    assert "Swordfish" not in str(refused.value)
    began = world.now
    act(world, phone, Wait(2.0))
    assert world.now == began + 2.0


@pytest.mark.parametrize("guard", [None, Guard(None)])
def test_what_a_device_rejects_reaches_the_client(guard: Guard | None) -> None:
    world = ToyPhone()
    act = act_function(guard)
    act(world, world.envs["phone"], OPEN)
    with pytest.raises(ActionRejected, match="Nowhere"):
        act(world, world.envs["phone"], OpenApp("Nowhere"))


@pytest.mark.needs("omnipilot[remote]")
def test_a_served_world_refuses_over_the_wire() -> None:
    from omnipilot.envs.remote import EnvServer, RemoteWorld

    guard = make_guard(guard_spec("read-only", None, None, PartSpec("world")))
    assert guard is not None
    with (
        EnvServer(ToyPhone, "t" * 43, act=act_function(guard)) as served,
        contextlib.closing(RemoteWorld(served.url, "t" * 43)) as world,
    ):
        world.envs["phone"].act(OPEN)
        with pytest.raises(ActionRejected, match="the guard refused it: no rule speaks of it"):
            world.envs["phone"].act(TypeText("hello", Point(0.5, 0.5)))


@pytest.mark.parametrize(
    ("world", "options", "name"),
    [
        ("android", (), "ask"),
        ("android:R58M123", (), "ask"),
        ("android:emulator-5554", (), ""),
        ("android", ("world.serial=10.0.0.5:5555",), ""),
        ("toy", (), ""),
        ("emulator.toml", (), ""),
        ("emulator.toml", ("world.serial=R58M123",), "ask"),
        ("emulator.toml", ("world.mine.serial=R58M123",), "ask"),
    ],
)
def test_a_phone_over_usb_is_served_under_the_preset_ask(
    world: str,
    options: tuple[str, ...],
    name: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("emulator.toml").write_text('[devices.mine]\nkind = "android"\nserial = "emulator-5554"\n')
    found = env_command.guard_of(None, None, world, options)
    assert (found.name if found else "") == name
    assert ("policy ask" in capsys.readouterr().err) == bool(name)
