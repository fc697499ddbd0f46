"""Nothing that a model or its server answers stops a run or a report: it costs an episode at most."""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from chat_server import Body, ChatServer, Status
from command_line import omnipilot

DEEP = "[" * 3_000 + "]" * 3_000


def body(message: Mapping[str, Any], **others: Any) -> bytes:
    """A chat completion, not checked in any way."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}
    whole = {"id": "x", "object": "chat.completion", "model": "m", "choices": [choice], **others}
    return json.dumps(whole).encode()


def calling(arguments: str, name: str = "press") -> bytes:
    """A completion with one tool call."""
    function = {"name": name, "arguments": arguments}
    return body({"content": None, "tool_calls": [{"id": "1", "type": "function", "function": function}]})


ANSWERS: dict[str, bytes] = {
    "brackets without end": body({"content": DEEP}),
    "brackets in arguments": calling('{"key": ' + DEEP + "}"),
    "brackets around it all": b'{"choices": ' + DEEP.encode() + b"}",
    "more tokens than atoms": body({"content": "hello"}, usage={"prompt_tokens": 10**400, "completion_tokens": 1}),
    "tokens below zero": body({"content": "hello"}, usage={"prompt_tokens": -5, "completion_tokens": 1}),
    "tokens that are a list": body({"content": "hello"}, usage={"prompt_tokens": [1], "completion_tokens": {}}),
    "half a character": body({"content": "\ud800"}).replace(b'"m"', rb'"evil \ud800\u001b]0;owned\u0007"'),
    "a call of half a character": calling('{"key": "\ud800"}', name="pre\udc00ss"),
    "not finite": calling('{"seconds": NaN}', name="wait"),
    "a number of digits": calling('{"seconds": ' + "9" * 5_000 + "}", name="wait"),
    "no choices": b'{"choices": []}',
    "choices of nothing": b'{"choices": [null]}',
    "a number": b"7",
    "nothing": b"",
    "binary": bytes(range(256)) * 20,
    "content of parts": body({"content": [{"type": "image_url"}, 3, None]}),
    "calls of nothing": body({"content": "", "tool_calls": [None, {}, {"function": None}, {"function": {"name": 3}}]}),
}


def run(out: Path, server: ChatServer, *more: str) -> str:
    """A run of one toy task against a server; what the table says of it."""
    done = omnipilot(
        *("run", "--suite", "toy_suite:ToySuite", "--tasks", "count", "--turns", "2", "--out", str(out)),
        *("--planner", "hosted_vllm/m", "--planner-url", server.url, "-o", "planner.retries=1", *more),
    )
    # A run of void episodes alone says so by its status.
    assert done.returncode == (4 if "1 void" in done.stderr else 0), done.stderr[-2_000:]
    assert "Traceback" not in done.stderr
    told = omnipilot("report", str(out))
    assert told.returncode == 0, told.stderr[-2_000:]
    shown = told.stdout + done.stdout + done.stderr
    shown.encode()
    assert "\x1b]" not in shown and "\x07" not in shown
    assert (out / "report.html").read_text(encoding="utf-8")
    return told.stdout


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS.keys())
def test_an_odd_answer_stops_neither_a_run_nor_its_report(answer: bytes, tmp_path: Path):
    with ChatServer([Body(answer)]) as server:
        assert "0/1" in run(tmp_path / "run", server)
        assert server.requests


@pytest.mark.parametrize("part", ["critic", "progress"])
@pytest.mark.parametrize("answer", ["brackets without end", "half a character", "binary"])
def test_nor_does_it_from_who_looks_on(part: str, answer: str, tmp_path: Path):
    with ChatServer([Body(ANSWERS[answer])]) as odd:
        asked = ("-o", f"{part}.url={odd.url}", "-o", f"{part}.model=hosted_vllm/m", "-o", f"{part}.retries=0")
        done = omnipilot(
            *("run", "--suite", "toy_suite:ToySuite", "--tasks", "count", "--planner", "oracle"),
            *("--out", str(tmp_path / "run"), f"--{part}", "model", *asked),
        )
        assert done.returncode == (4 if "1 void" in done.stderr else 0), done.stderr[-2_000:]
        assert "Traceback" not in done.stderr
        assert omnipilot("report", str(tmp_path / "run")).returncode == 0
        assert odd.requests


def test_a_filter_refuses_an_episode_and_not_a_run(tmp_path: Path):
    refused = Status(400, json.dumps({"error": {"code": "content_filter", "message": "refused by our policy"}}))
    with ChatServer([refused]) as server:
        assert "refuses the content" in run(tmp_path / "run", server)


@pytest.mark.slow
def test_an_answer_that_unpacks_to_gigabytes_is_cut_while_it_is_read(tmp_path: Path):
    packed = gzip.compress(b" " * 200_000_000, 9)
    with ChatServer([Body(packed, headers={"Content-Encoding": "gzip"})]) as server:
        assert "longer than 32 MiB" in run(tmp_path / "run", server)


def test_another_host_is_not_asked_because_a_server_says_so(tmp_path: Path):
    with ChatServer() as other:
        moved = Status(307, "over there", headers={"Location": f"{other.url}/chat/completions"})
        with ChatServer([moved]) as server:
            done = omnipilot(
                *("run", "--suite", "toy_suite:ToySuite", "--tasks", "count", "--out", str(tmp_path / "run")),
                *("--planner", "hosted_vllm/m", "--planner-url", server.url),
            )
        assert done.returncode == 2 and "has moved" in done.stderr and not other.requests
