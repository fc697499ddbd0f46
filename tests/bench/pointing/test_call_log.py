"""What `omnipilot ground` keeps of its models' calls, and how `omnipilot show` prints it."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from chat_server import Answer, ChatServer, Request, Status
from click.testing import Result
from typer.testing import CliRunner

from omnipilot.bench.cli.app import app
from omnipilot.envs import ConfigError, Image

KEY = "sk-pointing-never-written"
MODEL = "osunlp/UGround-V1-7B"


def omnipilot(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def ground(server: ChatServer, out: Path, *more: str) -> Result:
    """Three targets, each in its styles, about two at a time."""
    model = ("-o", f"grounder.model={MODEL}", "-o", f"grounder.url={server.url}", "-o", "grounder.key_env=POINT_KEY")
    asked = ("-o", "suite.web=false", "--limit", "3", "--concurrency", "2", "--out", str(out))
    return omnipilot("ground", "--grounder", "vllm", *model, *asked, *more)


def shown(out: Path, *more: str) -> list[Any]:
    done = omnipilot("show", str(out), *more, "--json")
    assert done.exit_code == 0, done.output
    found: list[Any] = json.loads(done.stdout)
    return found


def answer(request: Request) -> Any:
    """Points at the middle."""
    return Answer("(500, 500)")


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POINT_KEY", KEY)


@pytest.mark.exhibit("pointing")
def test_what_is_shown_of_a_pointing_run_is_what_arrived(tmp_path: Path) -> None:
    with ChatServer(answer, key=KEY, models=(MODEL,)) as server:
        done = ground(server, tmp_path / "g")
        assert done.exit_code == 0, done.output
        sent = [request.json for request in server.requests]
    calls = shown(tmp_path / "g")
    lines = [json.loads(line) for line in (tmp_path / "g" / "answers.jsonl").read_text().splitlines()]
    assert sorted((call["target"], call["style"]) for call in calls) == sorted(
        (line["target"], line["style"]) for line in lines
    )
    assert {call["role"] for call in calls} == {"grounder"}

    def words(body: Any) -> list[str]:
        return [part["text"] for message in body["messages"] for part in message["content"] if part["type"] == "text"]

    def pictures(body: Any, file: bool) -> list[str]:
        parts = [part for message in body["messages"] for part in message["content"]]
        urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
        return [Image.encoded(base64.b64decode(u.partition(",")[2])).digest if file else u["digest"] for u in urls]

    assert sorted((words(call["request"]), pictures(call["request"], False)) for call in calls) == sorted(
        (words(body), pictures(body, True)) for body in sent
    )
    assert all(json.loads(call["attempts"][0]["raw"])["choices"] for call in calls)
    text = omnipilot("show", str(tmp_path / "g"), lines[0]["target"]).stdout
    assert f"=== {lines[0]['target']}, basic, call 1: grounder asks " in text and "image/png" in text
    assert lines[0]["text"] in text and "--- read as ---\nthe point " in text and "raw: {" in text
    table = omnipilot("show", str(tmp_path / "g")).stdout
    assert all(line["target"][:20] in table for line in lines)
    assert not any(KEY.encode() in file.read_bytes() for file in (tmp_path / "g").rglob("*") if file.is_file())
    again = ground(server, tmp_path / "g")
    assert again.exit_code == 0 and shown(tmp_path / "g") == calls


@pytest.mark.exhibit("pointing")
def test_what_could_not_be_read_and_what_was_asked_again_is_told(tmp_path: Path) -> None:
    says: list[Any] = [Status(400, f"gone, {KEY}")]
    with ChatServer(lambda _: says[-1], key=KEY, models=(MODEL,)) as server:
        assert ground(server, tmp_path / "g").exit_code != 0
        (failed, *_) = shown(tmp_path / "g")
        assert "gone, (POINT_KEY)" in failed["attempts"][0]["raw"] and failed["attempts"][0]["problem"]
        says.append(Answer("nowhere at all"))
        done = ground(server, tmp_path / "g")
        assert done.exit_code == 0, done.output
    calls = shown(tmp_path / "g", failed["target"])
    assert [call["unread"] != "" for call in calls] == [True] * len(calls)
    text = omnipilot("show", str(tmp_path / "g"), failed["target"]).stdout
    assert "--- could not be read ---" in text and "nowhere at all" in text and "gone" not in text


@pytest.mark.exhibit("pointing")
def test_without_messages_only_what_calls_cost_is_kept(tmp_path: Path) -> None:
    with ChatServer(answer, key=KEY, models=(MODEL,)) as server:
        assert ground(server, tmp_path / "g", "--messages", "none").exit_code == 0
    assert not (tmp_path / "g" / "media").exists()
    assert all(call["request"] is None and call["attempts"][0]["usage"]["tokens_in"] for call in shown(tmp_path / "g"))
    with pytest.raises(ConfigError, match="messages must be all or none"):
        raise omnipilot("ground", "--messages", "some", "--out", str(tmp_path / "h")).exception or AssertionError()


@pytest.mark.exhibit("pointing")
def test_what_cannot_be_shown_says_why(tmp_path: Path) -> None:
    def refused(*arguments: str) -> str:
        done = omnipilot("show", str(tmp_path / "g"), *arguments)
        assert isinstance(done.exception, ConfigError)
        return str(done.exception)

    assert omnipilot("ground", "--grounder", "centre", "--limit", "1", "--out", str(tmp_path / "g")).exit_code == 0
    assert "the grounder asked no model" in refused()
    assert not (tmp_path / "g" / "calls.jsonl").exists()
    assert "no turns" in refused("--turn", "1")
