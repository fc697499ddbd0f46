"""Canary keys: servers repeat them in every form, and nothing that is written or printed shows one."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from chat_server import Answer, Body, ChatServer
from hostile_server import failing, hostile
from secret_forms import FORMS, shows
from served_roles import TASK, omnipilot

from omnipilot.bench import write_report
from omnipilot.bench.journal.events import RunStarted, TurnTaken
from omnipilot.bench.journal.journal import encode, to_line
from omnipilot.envs import ConfigError
from omnipilot.memory import Message, ModelUnavailable
from omnipilot.memory.models import Cassette, ChatModel, LlmEndpoint
from omnipilot.memory.secrets.scrub import register

KEYS = {
    "HEAD_KEY": "sk-ca/Nary0+Head7xQ=Zp3LmT9vB2wKd",
    "HAND_KEY": "hf_h4Nd5/Rt8y\\Uc1Ge6Jb0Xs=Mo2Vq%41",
    "POINT_KEY": 'tok-P0int"3r&9/Fz6Wk1Hu8Dj5Sa4Ln7E',
}
FIRST, *OTHERS = KEYS
HELLO = (Message("user", ("hello",)),)
MODEL = "osunlp/UGround-V1-7B"
TURNS = len(FORMS)


def searched(folder: Path) -> Iterator[tuple[str, str]]:
    """Every file below a folder that is no picture or sound, as text."""
    for file in sorted(folder.rglob("*")):
        data = file.read_bytes() if file.is_file() else b"\x89PNG"
        if not data.startswith((b"\x89PNG", b"RIFF", b"fLaC")):
            yield str(file), data.decode("utf-8", "replace")


def hidden(done: subprocess.CompletedProcess[str], *folders: Path, keys: Mapping[str, str] = KEYS) -> None:
    """Neither what a command printed nor a file shows a key."""
    told = [("stdout", done.stdout), ("stderr", done.stderr)]
    for name, text in (*told, *(found for folder in folders for found in searched(folder))):
        for variable, key in keys.items():
            assert not (form := shows(text, key)), f"{name} shows {variable}, as {form}"


def points(url: str, part: str = "grounder.") -> tuple[str, ...]:
    """Options of a served grounder."""
    options = {"model": MODEL, "url": url, "key_env": "POINT_KEY", "retries": "0"}
    return tuple(word for name, value in options.items() for word in ("-o", f"{part}{name}={value}"))


@pytest.mark.slow
def test_no_command_writes_or_prints_a_key(tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    click = (("click_in_phone", '{"target": "the button KEY"}'),)
    with (
        ChatServer(hostile([("Click the button. KEY", ())])) as head,
        ChatServer(hostile([("KEY", click)])) as hand,
        ChatServer(hostile([("(500, 500)", ()), ("KEY", ())] * 99)) as point,
    ):
        asked = (
            *("run", "--suite", "duet", "--tasks", TASK, "--turns", str(TURNS), "--cassette", str(calls)),
            *("--agent", "by-function", "--planner", "openai/scripted", "--planner-url", head.url),
            *("-o", "planner.key_env=HEAD_KEY", "-o", f"tool_agent.url={hand.url}", "-o", "tool_agent.retries=0"),
            *("-o", "tool_agent.key_env=HAND_KEY", "-o", "tool_agent.model=openai/other"),
            *("--grounder", "vllm", *points(point.url), "--planner-modalities", "none"),
        )
        runs = [tmp_path / name for name in ("a", "b")]
        for folder in runs:
            done = omnipilot(*asked, "--out", str(folder), **KEYS)
            assert done.returncode == 0, done.stderr
            hidden(done, folder, calls)
        assert len(head.requests) >= TURNS and len(hand.requests) >= TURNS and len(point.requests) > TURNS
        again = omnipilot(*asked, "--out", str(runs[0]), **KEYS)
        assert again.returncode == 0, again.stderr
        hidden(again, runs[0])
        journal = (runs[0] / "journal.jsonl").read_text()
        assert all(f"({name})" in journal for name in KEYS), "nothing was repeated, so nothing was tried"
        for more in (("report", *map(str, runs)), ("compare", *map(str, runs), "--out", str(tmp_path / "c"))):
            done = omnipilot(*more, **KEYS)
            assert done.returncode == 0, done.stderr
            hidden(done, *runs, tmp_path)
        ground = ("ground", "--grounder", "vllm", *points(point.url), "--limit", "12", "--out", str(tmp_path / "g"))
        done = omnipilot(*ground, **KEYS)
        assert done.returncode == 0, done.stderr
        hidden(done, tmp_path / "g")
        assert "(POINT_KEY)" in (tmp_path / "g" / "answers.jsonl").read_text() + done.stdout
        hidden(omnipilot("calibrate", "vllm", *points(point.url, ""), **KEYS))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "form"), [(400, "JSON"), (401, "base64 of user:"), (500, "every percent"), (302, "plain")]
)
def test_no_error_of_a_run_shows_a_key(code: int, form: str, tmp_path: Path) -> None:
    with ChatServer(failing(code, form)) as server:
        done = omnipilot(
            *("run", "--suite", "duet", "--tasks", TASK, "--planner", "openai/x", "--planner-url", server.url),
            *("-o", "planner.key_env=HEAD_KEY", "-o", "planner.retries=0", "--out", str(tmp_path / "run")),
            **KEYS,
        )
        hidden(done, tmp_path)
        done = omnipilot("calibrate", "vllm", *points(server.url, ""), **KEYS)
        assert done.returncode == 2, done.stdout
        hidden(done)
        assert server.requests


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", [FIRST, *(pytest.param(key, marks=pytest.mark.slow) for key in OTHERS)])
def test_no_error_and_no_reply_of_a_client_shows_a_key(
    name: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = KEYS[name]
    monkeypatch.setenv(name, key)
    told: list[str] = []
    long = "x" * 70 + FORMS[form](key) * 9
    scripts = [failing(400, form), failing(500, form), failing(302, form), [Body(long.encode())]]
    scripts.append([Body(json.dumps({"choices": [{"message": {"content": [long]}}]}).encode())])
    for script in (*scripts, [Answer(FORMS[form](key), model=long, finish=FORMS[form](key))]):
        with ChatServer(script) as server:
            lean = LlmEndpoint("hosted_vllm/x", server.url, name, retries=0)
            through_litellm = replace(lean, model="lm_studio/x")
            clients = [ChatModel(lean), ChatModel(through_litellm), ChatModel(lean, Cassette(tmp_path / "calls"))]
            for client in clients:
                try:
                    told.append(repr(client.complete(HELLO)))
                except (ConfigError, ModelUnavailable) as error:
                    told.append(str(error))
                    if error.__cause__ is not None:
                        told.append(repr(error.__cause__))
    told += [text for _, text in searched(tmp_path)]
    for text in told:
        assert not shows(text, key), text


@pytest.mark.parametrize("at", range(106, 120))
def test_what_a_server_says_is_scrubbed_before_it_is_cut(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    key = KEYS["POINT_KEY"]
    monkeypatch.setenv("POINT_KEY", key)
    with ChatServer([Body(b"!" * at + key.encode())]) as server, pytest.raises(ModelUnavailable) as lost:
        ChatModel(LlmEndpoint("hosted_vllm/x", server.url, key_env="POINT_KEY", retries=0)).complete(HELLO)
    assert "!(" in str(lost.value) and "!t" not in str(lost.value)


def test_what_is_asked_and_compared_in_a_cassette_holds_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = KEYS["HEAD_KEY"]
    monkeypatch.setenv("HEAD_KEY", key)
    with ChatServer([Answer("hi")]) as server:
        model = ChatModel(LlmEndpoint("hosted_vllm/x", server.url, "HEAD_KEY"), Cassette(tmp_path))
        asked = (Message("user", (f"the field holds {key}",)),)
        model.complete(asked)
        assert model.complete(asked).replayed
    assert len(server.requests) == 1
    replay = ChatModel(model.endpoint, Cassette(tmp_path, "replay"))
    with pytest.raises(ConfigError, match="the nearest has") as lost:
        replay.complete((Message("user", (f"the field holds {key}!",)),))
    for text in (str(lost.value), *(text for _, text in searched(tmp_path))):
        assert not shows(text, key)


def test_a_line_of_the_journal_is_scrubbed_and_its_numbers_stay() -> None:
    key = KEYS["HEAD_KEY"]
    turn = TurnTaken("t#0.0", 1, 0, {"phone": {"screenshot": "ab" * 32}}, "fine", [], [], {"calls": 1}, 0.1 + 0.2)
    plain = encode(turn)
    register(key, "HEAD_KEY")
    assert encode(turn) == plain
    noted = TurnTaken("t#0.0", 1, 0, {}, f"a {key}", [FORMS["base64"](key)], [{"a": {key: 1}}], {}, 0.1 + 0.2)
    line = json.loads(encode(noted))
    assert not shows(json.dumps(line), key)
    assert (
        line["seconds"] == 0.1 + 0.2
        and line["thought"] == "a (HEAD_KEY)"
        and line["moves"] == [{"a": {"(HEAD_KEY)": 1}}]
    )


def test_a_page_of_a_journal_with_a_key_shows_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = KEYS["HEAD_KEY"]
    spec = {"agent": {"planner": {"name": f"x {key}", "options": {}}}, "suite": {"name": "duet", "options": {}}}
    started = RunStarted("0" * 64, spec, {"server": key}, 0.0, [])
    (tmp_path / "journal.jsonl").write_bytes(to_line({"event": "run_started", **_fields(started)}))
    monkeypatch.setenv("HEAD_KEY", key)
    page = write_report([tmp_path], tmp_path / "page.html")
    assert not shows(page.read_text(), key) and "(HEAD_KEY)" in page.read_text()


def _fields(event: RunStarted) -> dict[str, object]:
    return {name: getattr(event, name) for name in ("identity", "spec", "provenance", "wall", "tasks")}
