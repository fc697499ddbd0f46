"""What is given to the background is done in order, and what goes wrong there is heard."""

from __future__ import annotations

import threading
import time

import pytest

from omnipilot.memory.store.background_writer import BackgroundWriter


def test_jobs_are_done_in_the_order_in_which_they_were_given() -> None:
    writer, done = BackgroundWriter(most=3), list[int]()
    for number in range(20):
        writer.do(lambda number=number: done.append(number))
    writer.wait()
    assert done == list(range(20))


def test_whoever_gives_a_job_does_not_wait_for_it_until_there_are_too_many() -> None:
    writer, open_, began = BackgroundWriter(most=2), threading.Event(), threading.Event()

    def hold() -> None:
        began.set()
        open_.wait()

    writer.do(hold)
    assert began.wait(30)
    writer.do(lambda: None)
    writer.do(lambda: None)
    blocked = threading.Thread(target=lambda: writer.do(lambda: None), daemon=True)
    blocked.start()
    blocked.join(0.05)
    assert blocked.is_alive()
    at = time.monotonic()
    writer.wait(seconds=0.01)
    writer.wait(0)
    assert time.monotonic() - at < 10, "it waits as long as it is told to"
    open_.set()
    blocked.join(30)
    writer.wait()
    assert not blocked.is_alive()


def test_a_single_job_can_be_waited_for() -> None:
    writer, done, open_ = BackgroundWriter(), list[int](), threading.Event()
    first = writer.do(lambda: done.append(1))
    writer.do(open_.wait)
    writer.wait(first)
    assert done == [1]
    open_.set()
    writer.wait()


def test_the_error_of_a_job_is_raised_and_no_later_job_is_done() -> None:
    writer, done = BackgroundWriter(), list[int]()

    def fail() -> None:
        raise OSError("no space")

    writer.do(fail)
    with pytest.raises(OSError, match="no space"):
        writer.wait()
    with pytest.raises(OSError, match="no space"):
        writer.do(lambda: done.append(1))
    assert done == []
