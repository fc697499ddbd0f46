"""The page of `--approver page`: what it takes for an answer, and a person at it in a real Chromium."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from report_visit import launched_browser as launched_browser

from omnipilot.agents import PartSpec
from omnipilot.agents.guard import ApprovalRequest
from omnipilot.agents.guard.approvers import ask_approver
from omnipilot.bench.live.approval_page import ApprovalPage, PageApprover
from omnipilot.bench.registry import APPROVERS

SEND = ApprovalRequest("phone", "click(at='Send')", "leaves", "it sends", {"text": ["<b>Send</b>"], "apps": ["Mail"]})


@contextmanager
def asked(page: ApprovalPage, seconds: float = 10.0) -> Iterator[Future[bool]]:
    """A question that is open on the page."""
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(page.ask, SEND, seconds)
        while not answer.done() and state(page)["question"] is None:
            time.sleep(0.01)
        yield answer


def state(page: ApprovalPage) -> Any:
    with urllib.request.urlopen(page.url + "question") as reply:
        return json.load(reply)


def send(page: ApprovalPage, values: object) -> int:
    """Send an answer; the status of the reply."""
    request = urllib.request.Request(
        page.url + "answer", json.dumps(values).encode(), {"Content-Type": "application/json"}, method="POST"
    )
    try:
        with urllib.request.urlopen(request) as reply:
            return int(reply.status)
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.parametrize("allow", [True, False])
def test_what_the_person_says_is_the_answer(allow: bool) -> None:
    with ApprovalPage() as page:
        with asked(page) as answer:
            assert state(page)["question"]["move"] == SEND.move
            assert send(page, {"number": 1, "allow": allow}) == 200
            assert answer.result(5) is allow
        assert state(page) == {
            "question": None,
            "past": [{"env": "phone", "move": SEND.move, "rule": "leaves", "said": "allowed" if allow else "refused"}],
        }


@pytest.mark.parametrize(
    "values",
    [{"number": 2, "allow": True}, {"number": 1, "allow": 1}, {"number": 1, "allow": "yes"}, {"allow": True}, []],
)
def test_whatever_else_is_sent_is_no_yes(values: object) -> None:
    with ApprovalPage() as page, asked(page, 0.3) as answer:
        assert send(page, values) == 400
        assert answer.result(5) is False


def test_silence_is_a_no_and_a_late_answer_none() -> None:
    with ApprovalPage() as page:
        with asked(page, 0.2) as answer:
            assert answer.result(5) is False
        assert send(page, {"number": 1, "allow": True}) == 400
        assert state(page)["past"][0]["said"] == "no answer: refused"


def test_an_approver_that_was_not_opened_or_is_closed_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    approver = APPROVERS.make(PartSpec("page"))
    assert isinstance(approver, PageApprover) and approver.own_process
    assert ask_approver(approver, SEND, 1.0) == (False, "it was not approved")
    approver.open()
    assert "http://127.0.0.1:" in capsys.readouterr().err
    approver.close()
    assert ask_approver(approver, SEND, 1.0)[0] is False


@pytest.mark.slow
@pytest.mark.web
def test_a_person_allows_one_move_and_refuses_the_next(launched_browser: Any) -> None:
    with ApprovalPage() as page:
        context = launched_browser.new_context(viewport={"width": 900, "height": 700})
        shown = context.new_page()
        problems: list[str] = []
        shown.on("pageerror", lambda error: problems.append(str(error)))
        shown.goto(page.url)
        shown.wait_for_selector("#idle:visible")
        for button, expected in (("#allow", True), ("#refuse", False)):
            answers: list[bool] = []
            thread = threading.Thread(target=lambda: answers.append(page.ask(SEND, 20.0)))
            thread.start()
            shown.wait_for_selector("#question:visible")
            assert shown.locator("#move").inner_text() == SEND.move
            assert "<b>Send</b>" in shown.locator("#facts").inner_text()
            shown.click(f"{button}:enabled")
            thread.join(20)
            assert answers == [expected]
            shown.wait_for_selector("#question", state="hidden")
        assert shown.locator("#past li").count() == 2
        context.close()
        assert problems == []
