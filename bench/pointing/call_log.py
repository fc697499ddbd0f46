"""What the grounder's models were sent for each instruction of a pointing run, and what they answered."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias, cast

from omnipilot.bench.journal.events import Event, ModelCalled, ReplyUnread
from omnipilot.bench.journal.journal import MEDIA, Journal, read
from omnipilot.bench.journal.message_log import MessageLog
from omnipilot.bench.pointing.evaluation import Style, Target
from omnipilot.memory import MediaStore
from omnipilot.memory.models.exchange import Exchange

CALLS = "calls.jsonl"
Question: TypeAlias = tuple[str, Style]
"""A target's id, and the style of its instruction."""


class CallLog:
    """Writes the calls of a pointing run, beside its answers. Threads may share it.

    An instruction that is asked again, because its model was gone, gets a further attempt.

    Args:
        folder: of the run; its lock is held. keep: whether messages and answers are kept, and not only what they cost.
    """

    def __init__(self, folder: Path, keep: bool = True) -> None:
        self._folder, self._keep = folder, keep
        self._store = MediaStore(folder / MEDIA)
        self._journal: Journal | None = None
        self._lock = threading.Lock()
        self._attempts: dict[str, int] = {}
        if (folder / CALLS).exists():
            for event in read(folder, CALLS):
                if isinstance(event, ModelCalled):
                    self._attempts[event.key] = max(event.attempt, self._attempts.get(event.key, 0))

    def listener(self, target: Target, style: Style) -> QuestionListener:
        """Who is told of the calls for one instruction."""
        key = _key(target.id, style)
        log = MessageLog(key, self._attempts.get(key, 0) + 1, self._store, self._append, self._keep)
        return QuestionListener(log, self._lock)

    def close(self) -> None:
        """Sync what was written. May be called twice."""
        if self._journal is not None:
            self._store.sync()
            self._journal.close()

    def _append(self, event: Event) -> None:
        if self._journal is None:
            self._journal = Journal.open(self._folder, CALLS)
        self._journal.append(event)


class QuestionListener:
    """Is told of the calls for one instruction, one at a time."""

    def __init__(self, log: MessageLog, lock: threading.Lock) -> None:
        self._log, self._lock = log, lock

    def exchanged(self, exchange: Exchange) -> None:
        """See `omnipilot.memory.models.exchange.Listener`."""
        with self._lock:
            self._log.exchanged(exchange)

    def unread(self, problem: str, unknown: Sequence[str] = ()) -> None:
        """See `omnipilot.memory.models.exchange.Listener`."""
        with self._lock:
            self._log.unread(problem, unknown)


def read_calls(folder: Path) -> dict[Question, list[Event]]:
    """The events of each instruction's last attempt, in the order in which they were first asked."""
    attempts: dict[Question, int] = {}
    found: dict[Question, list[Event]] = {}
    for event in read(folder, CALLS):
        if not isinstance(event, ModelCalled | ReplyUnread):
            continue
        question = _question(event.key)
        if event.attempt > attempts.get(question, 0):
            attempts[question] = event.attempt
            found[question] = []
        found[question].append(event)
    return found


def _key(target: str, style: Style) -> str:
    return f"{target}#{style}"


def _question(key: str) -> Question:
    target, _, style = key.rpartition("#")
    return target, cast(Style, style)
