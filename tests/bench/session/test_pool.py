"""A pool's sessions answer as sessions do, from two processes; what hangs or dies is told, and the others go on."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from omnipilot.agents import Limits, PartSpec
from omnipilot.bench.journal.results import survey_of
from omnipilot.bench.session import Session, SessionBug, SessionPool
from omnipilot.bench.toy import TASK, ToySuite
from omnipilot.envs import Click, ConfigError, EnvLost, Modality, OpenApp, Point, Thinking, Wait
from omnipilot.envs.toy import ToyPhone

T = TypeVar("T")
STRUCK = f"{__name__}:StruckSuite"


def go(work: Coroutine[Any, Any, T]) -> T:
    async def limited() -> T:
        return await asyncio.wait_for(work, 60)

    return asyncio.run(limited())


class StruckPhone(ToyPhone):
    """A phone on which an app of this name makes the worker hang, die, or run into a bug."""

    def act(self, action: Any) -> None:
        if isinstance(action, OpenApp):
            if action.app == "hang":
                signal.pause()
            if action.app == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            if action.app == "bug":
                raise RuntimeError("a bug in the device")
        super().act(action)


class StruckSuite(ToySuite):
    def world(self, thinking: Thinking) -> ToyPhone:
        return StruckPhone(thinking)


VERBS: tuple[Any, ...] = (
    {"kind": "open_app", "app": "Notes"},
    Click("field"),
    '{"kind": "type", "text": "é ☃"}',
    {"kind": "clik"},
    {"kind": "click", "at": "Nowhere"},
    {1: {2}},
    {"kind": "wait", "seconds": float("nan")},
    Wait(1.5),
    Click(Point(0.5, 0.5)),
)


@pytest.mark.slow
def test_many_sessions_over_two_processes_answer_as_one_does_here() -> None:
    here = Session("toy", limits=Limits(turns=40))
    opened = here.open(TASK, 3)
    expected = [here.act(verb) for verb in VERBS]
    seen, score = here.observe(Modality), here.score()

    async def play(pool: SessionPool) -> None:
        async with pool.session() as session:
            opening = await session.open(TASK, 3)
            assert (opening.instruction, opening.limits, opening.envs) == (
                opened.instruction,
                opened.limits,
                opened.envs,
            )
            for verb, known in zip(VERBS, expected, strict=True):
                acted = await session.act(verb)
                if isinstance(verb, dict) and 1 in verb:
                    assert acted.result == "malformed" and "no JSON" in acted.message
                else:
                    assert acted == known
            assert await session.observe(Modality) == seen and await session.score() == score

    async def work() -> None:
        async with SessionPool("toy", workers=2, limits=Limits(turns=40)) as pool:
            await asyncio.gather(*(play(pool) for _ in range(16)))
            assert len(pool._workers) == 2

    go(work())


@pytest.mark.slow
def test_forks_and_marks_stay_with_their_worker() -> None:
    async def work() -> None:
        async with SessionPool("toy", workers=2) as pool, pool.session() as session:
            await session.open(TASK)
            mark = await session.mark()
            async with await session.fork() as other:
                await other.act(OpenApp("Notes"))
                assert (await other.observe({Modality.CONTEXT}))["phone"].context.app == "Notes"  # type: ignore[union-attr]
            before = await session.observe(Modality)
            assert before["phone"].context.app == "Home"  # type: ignore[union-attr]
            await session.act(OpenApp("Notes"))
            await session.restore(mark)
            assert await session.observe(Modality) == before
            await session.open(TASK)
            with pytest.raises(ConfigError, match="no longer open"):
                await session.restore(mark)

    go(work())


@pytest.mark.slow
def test_errors_have_their_words_and_end_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        async with SessionPool(STRUCK, workers=1) as pool, pool.session() as session:
            with pytest.raises(ConfigError, match=r"call open\(task\) first"):
                await session.score()
            with pytest.raises(ConfigError, match="has one, 'save-code'"):
                await session.open("nothing")
            await session.open(TASK)
            with pytest.raises(SessionBug, match=r"RuntimeError: a bug in the device\n\nTraceback"):
                await session.act(OpenApp("bug"))
            assert (await session.act(OpenApp("Notes"))).result == "done"
        async with SessionPool("tou") as pool:
            with pytest.raises(ConfigError, match="did you mean toy"):
                await pool.make_session()
        async with SessionPool("toy", workers=1) as pool, pool.session(record=tmp_path / "run") as session:
            await session.open(TASK)
            await session.act(OpenApp("Notes"))
        assert [one.reason for one in survey_of(tmp_path / "run").episodes] == ["done"]
        with pytest.raises(ConfigError, match="closed"):
            await session.score()

    go(work())


# On a busy machine, one that dies is given the time to be seen dead.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("app", "patience", "words"),
    [("hang", 5.0, "did not answer for 5 s, and was killed"), ("die", 60.0, "signal 9")],
    ids=["hangs", "dies"],
)
def test_a_worker_that_hangs_or_dies_is_told_and_replaced(app: str, patience: float, words: str) -> None:
    async def work() -> None:
        async with SessionPool(STRUCK, workers=2, patience=patience) as pool:
            first, second, beside = [await pool.make_session() for _ in range(3)]
            assert first._worker is beside._worker is not second._worker
            for session in (first, second, beside):
                await session.open(TASK)
            lost = await asyncio.gather(first.act(OpenApp(app)), beside.act(Wait(1)), return_exceptions=True)
            assert all(isinstance(one, EnvLost) and words in str(one) for one in lost), lost
            with pytest.raises(EnvLost, match="ask the pool for another session"):
                await first.observe()
            assert (await second.act(OpenApp("Notes"))).result == "done"
            third = await pool.make_session()
            await third.open(TASK)
            assert third._worker is not second._worker and (await third.act(OpenApp("Notes"))).result == "done"
            await first.close()

    go(work())


@pytest.mark.slow
def test_a_pool_ends_with_its_block() -> None:
    async def work() -> list[int]:
        async with SessionPool("toy", workers=2) as pool:
            for _ in range(2):
                await pool.make_session()
            return [worker._process.pid for worker in pool._workers if worker._process is not None]

    processes = go(work())
    assert len(processes) == 2
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_a_pool_has_a_worker() -> None:
    with pytest.raises(ConfigError, match="at least 1 worker"):
        SessionPool(PartSpec("toy"), workers=0)
