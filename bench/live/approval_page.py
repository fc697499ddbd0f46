"""`--approver page`: the person who is asked whether a move may be carried out sits at a page of this machine."""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from dataclasses import asdict, dataclass, field
from importlib.resources import files
from typing import Any, ClassVar

from omnipilot.agents.guard import ApprovalRequest, Approver
from omnipilot.bench.local_page import PageContent, PersonalPage
from omnipilot.envs import ConfigError

KEPT = 50
"""Answers that the page still shows."""
SHOWN_WITHIN = 2.0
"""Seconds since a browser last looked within which it is taken to be open."""
_STATIC = {"": "approve.html", "approve.js": "approve.js", "approve.css": "approve.css"}
_KINDS = {"html": "text/html", "js": "text/javascript", "css": "text/css"}


@dataclass(slots=True)
class _Question:
    """A question that waits for its answer.

    Attributes:
        end: on the monotonic clock. answered: set with `allowed`.
    """

    number: int
    request: ApprovalRequest
    end: float
    answered: threading.Event = field(default_factory=threading.Event)
    allowed: bool = False


class ApprovalPage(PersonalPage):
    """Serves the question that is open, and takes its answer. Use it as a context manager, or call `close`.

    An answer names the question that it is for: one that comes too late, or from a window that shows an older one,
    counts for nothing.

    Args:
        port: 0 for a free one.
    """

    def __init__(self, port: int = 0) -> None:
        self._changed = threading.Lock()
        self._open: _Question | None = None
        self._asked = 0
        self._past: deque[dict[str, Any]] = deque(maxlen=KEPT)
        self._seen = 0.0
        super().__init__(port)

    def ask(self, request: ApprovalRequest, seconds: float) -> bool:
        """Show a question until the person answers it or the time is over; only "allow" is a yes."""
        with self._changed:
            self._asked += 1
            question = self._open = _Question(self._asked, request, time.monotonic() + seconds)
        question.answered.wait(seconds)
        with self._changed:
            allowed = question.answered.is_set() and question.allowed
            said = "allowed" if allowed else "refused" if question.answered.is_set() else "no answer: refused"
            self._past.appendleft({"env": request.env, "move": request.move, "rule": request.rule, "said": said})
            if self._open is question:
                self._open = None
        return allowed

    @property
    def looked_at(self) -> bool:
        """Whether a browser shows the page now."""
        return time.monotonic() - self._seen < SHOWN_WITHIN

    def content(self, path: str) -> PageContent | None:
        """The page, its files, and `question`: what is asked now and what was answered."""
        if path == "question":
            return PageContent.json(self._state())
        if (name := _STATIC.get(path)) is None:
            return None
        kind = _KINDS[name.rpartition(".")[2]]
        content = (files("omnipilot.bench.live") / "static" / name).read_bytes()
        return PageContent(content, f"{kind}; charset=utf-8")

    def take(self, path: str, values: Any) -> object:
        """Take an answer: `{"number": …, "allow": true or false}`.

        Raises:
            ConfigError: it is none, or its question is no longer open.
        """
        if path != "answer" or not isinstance(values, dict) or type(values.get("allow")) is not bool:
            raise ConfigError("an answer is a question's number, and whether it is allowed")
        with self._changed:
            question = self._open
            if question is None or question.number != values.get("number") or question.answered.is_set():
                raise ConfigError("this question is no longer open: the move was refused, or another is asked")
            question.allowed = values["allow"]
            question.answered.set()
        return {}

    def _state(self) -> dict[str, Any]:
        self._seen = time.monotonic()
        with self._changed:
            question, past = self._open, list(self._past)
        told = None
        if question is not None:
            left = max(0.0, question.end - time.monotonic())
            told = {"number": question.number, "left": left, **asdict(question.request)}
        return {"question": told, "past": past}


class PageApprover(Approver):
    """Asks the person at a page that is served to this machine alone; its address is said on the terminal.

    Args:
        port: of the page; 0 for a free one.
    """

    main_option: ClassVar[str] = "port"
    own_process: ClassVar[bool] = True

    def __init__(self, *, port: int = 0) -> None:
        self._port = port
        self._page: ApprovalPage | None = None

    def open(self) -> None:
        """Serve the page, and say where."""
        self._page = ApprovalPage(self._port)
        sys.stderr.write(f"what has to be approved is asked at {self._page.url}\n")
        sys.stderr.flush()

    def close(self) -> None:
        """Stop serving."""
        if self._page is not None:
            self._page.close()
            self._page = None

    def approve(self, request: ApprovalRequest, seconds: float) -> bool:
        """What the person says on the page within the time."""
        if self._page is None:
            return False
        if not self._page.looked_at:
            sys.stderr.write(f"\na move waits for you at {self._page.url} ({seconds:g} s)\n")
            sys.stderr.flush()
        return self._page.ask(request, seconds)
