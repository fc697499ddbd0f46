"""A thread that does what takes time, such as encoding pictures, while whoever plays goes on."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

MOST_WAITING = 32
"""Jobs that may wait, such as pictures of 3 MB; whoever gives another one waits, too."""


class BackgroundWriter:
    """Does jobs in a thread of its own, one after the other, in the order in which they were given.

    So what a job relies on, such as the file that a line names, is there if it was given before. After a job that fails
    no other is done, and whoever gives the next one, or waits, gets the error. One thread gives jobs.
    """

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._jobs: queue.Queue[Callable[[], object]] = queue.Queue(most)
        self._thread: threading.Thread | None = None
        self._error: BaseException | None = None
        self._given = self._done = 0
        self._more = threading.Condition()

    def do(self, job: Callable[[], object]) -> int:
        """Give it a job, and return before it is done.

        Returns:
            The job's number, from 1.

        Raises:
            BaseException: what an earlier job raised.
        """
        self._refuse()
        if self._thread is None:
            # A daemon: a process that ends at once, because its parent is gone, waits for nobody.
            self._thread = threading.Thread(target=self._work, name="background writer", daemon=True)
            self._thread.start()
        self._jobs.put(job)
        self._given += 1
        return self._given

    def wait(self, number: int | None = None, seconds: float | None = None) -> None:
        """Return once the job with this number is done, or all if it is None; or after so many seconds.

        Raises:
            BaseException: what a job raised.
        """
        until = self._given if number is None else number
        with self._more:
            self._more.wait_for(lambda: self._done >= until, seconds)
        self._refuse()

    def _refuse(self) -> None:
        if self._error is not None:
            raise self._error

    def _work(self) -> None:
        while True:
            job = self._jobs.get()
            try:
                if self._error is None:
                    job()
            except BaseException as error:
                # Not lost: it is raised where the next job is given.
                self._error = error
            finally:
                with self._more:
                    self._done += 1
                    self._more.notify_all()
