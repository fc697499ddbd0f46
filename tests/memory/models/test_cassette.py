"""Cassettes: what was asked once is had for nothing, and a replay never makes a live call."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from chat_server import Answer, ChatServer, Request

from omnipilot.envs import ConfigError, Image, Size
from omnipilot.memory import Message, Reply, Usage
from omnipilot.memory.models import Cassette, ChatModel, LlmEndpoint, Tool
from omnipilot.memory.models.cassette import digest

RED, BLUE = (Image.raw(Size(2, 2), bytes(color) * 4) for color in ((200, 0, 0), (0, 0, 200)))
TALK = (Message("system", ("Be brief.",)), Message("user", ("What is this?", RED)))


def counted(request: Request) -> Answer:
    return Answer(f"answer {request.connection}", (("click", '{"target": "OK"}'),), usage=(100, 10))


def endpoint(server: ChatServer, **options: object) -> LlmEndpoint:
    return LlmEndpoint("hosted_vllm/tiny", server.url, **options)  # type: ignore[arg-type]


def test_the_same_request_is_paid_once(tmp_path: Path) -> None:
    with ChatServer([Answer("first", usage=(100, 10)), Answer("second")]) as server:
        model = ChatModel(endpoint(server, price_in=1.0, price_out=2.0), Cassette(tmp_path))
        live, kept = model.complete(TALK), model.complete(TALK)
        other = ChatModel(endpoint(server, price_in=1.0, price_out=2.0), Cassette(tmp_path)).complete(TALK)
    assert len(server.requests) == 1
    assert not live.replayed and kept.replayed and kept == replace(live, replayed=True) == other
    assert live.usage.cost == pytest.approx(120e-6)


def test_whatever_changes_the_answer_changes_the_hash_and_nothing_else_does(tmp_path: Path) -> None:
    with ChatServer() as server, ChatServer() as elsewhere:
        told = endpoint(server)
        cassette = Cassette(tmp_path)

        def asked(end: LlmEndpoint = told, talk: tuple[Message, ...] = TALK, **options: object) -> bool:
            before = len(server.requests) + len(elsewhere.requests)
            ChatModel(end, cassette).complete(talk, **options)  # type: ignore[arg-type]
            return len(server.requests) + len(elsewhere.requests) > before

        assert asked() and not asked()
        assert asked(talk=(TALK[0], Message("user", ("What is this?", BLUE))))
        assert asked(talk=(TALK[0], Message("user", ("What is that?", RED))))
        assert asked(talk=(TALK[0], Message("user", (RED, "What is this?"))))
        assert asked(replace(told, model="hosted_vllm/large"))
        assert asked(replace(told, parameters={"temperature": 0.5}))
        assert asked(schema={"type": "object"})
        assert asked(salt=1) and not asked(salt=1)
        same = Message("user", ("What is this?", RED.at("phone", 99.0)))
        assert not asked(replace(told, url=elsewhere.url, timeout=9, retries=0, price_in=1, price_out=1))
        assert not asked(talk=(TALK[0], same))
        assert not asked(timeout=3.0)


def test_a_replay_makes_no_call_needs_no_key_and_no_server_and_names_the_nearest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANNER_KEY", "sk-secret-key")
    with ChatServer() as server:
        told = endpoint(server, key_env="PLANNER_KEY", parameters={"temperature": 0.0})
        live = ChatModel(told, Cassette(tmp_path)).complete(TALK)
    monkeypatch.delenv("PLANNER_KEY")
    model = ChatModel(told, Cassette(tmp_path, "replay"))
    assert model.complete(TALK) == replace(live, replayed=True)
    warm = ChatModel(replace(told, parameters={"temperature": 0.7}), Cassette(tmp_path, "replay"))
    with pytest.raises(ConfigError, match=r"nearest has parameters.temperature = 0.0, which is 0.7 here"):
        warm.complete(TALK)
    with pytest.raises(ConfigError, match=r"messages\[1\].parts\[0\] = 'What is this\?', which is 'What is that\?'"):
        model.complete((TALK[0], Message("user", ("What is that?", RED))))
    with pytest.raises(ConfigError, match=r"messages\[1\].parts\[1\].image = '"):
        model.complete((TALK[0], Message("user", ("What is this?", BLUE))))
    with pytest.raises(ConfigError, match="replayed: nothing is kept"):
        Cassette(tmp_path, "replay").keep({}, Reply("x"))


def test_the_nearest_is_the_one_with_the_longest_like_beginning(tmp_path: Path) -> None:
    cassette = Cassette(tmp_path)
    for words in (("a", "b", "c", "late"), ("x", "b", "c", "d")):
        cassette.keep({"model": "m", "messages": [{"role": "user", "parts": [w]} for w in words]}, Reply("y"))
    asked = {"model": "m", "messages": [{"role": "user", "parts": [w]} for w in ("a", "b", "c", "d")]}
    with pytest.raises(ConfigError, match=r"messages\[3\].parts\[0\] = 'late', which is 'd' here"):
        Cassette(tmp_path, "replay").find(asked)


def test_an_empty_or_missing_cassette_says_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="it is empty"):
        Cassette(tmp_path, "replay").find({"model": "m"})
    with pytest.raises(ConfigError, match="record one first"):
        Cassette(tmp_path / "none", "replay")
    with pytest.raises(ConfigError, match="'record' or 'replay'"):
        Cassette(tmp_path, "loop")  # type: ignore[arg-type]


def test_a_replay_does_not_even_import_litellm(tmp_path: Path) -> None:
    with ChatServer() as server:
        told = endpoint(server)
        ChatModel(told, Cassette(tmp_path)).complete(TALK[:1])
    script = (
        "import sys; sys.modules['litellm'] = None\n"
        "from omnipilot.memory.messages import Message\n"
        "from omnipilot.memory.models.cassette import Cassette\n"
        "from omnipilot.memory.models.endpoint import LlmEndpoint\n"
        "from omnipilot.memory.models.model import ChatModel\n"
        f"model = ChatModel(LlmEndpoint('hosted_vllm/tiny', 'http://x/v1'), Cassette({str(tmp_path)!r}, 'replay'))\n"
        "print(model.complete([Message('system', ('Be brief.',))]).text)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "(500, 500)\n"), done.stderr


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"format": 2}', "changed"])
def test_a_damaged_file_is_named_and_never_an_answer(tmp_path: Path, damage: str) -> None:
    cassette = Cassette(tmp_path)
    cassette.keep({"model": "m"}, Reply("x"))
    (file,) = tmp_path.iterdir()
    file.write_text(damage if damage != "changed" else file.read_text().replace('"m"', '"n"'))
    with pytest.raises(ConfigError, match=file.name):
        cassette.find({"model": "m"})


def test_two_writers_leave_one_whole_answer_and_both_get_it(tmp_path: Path) -> None:
    request = {"model": "m", "messages": [{"role": "user", "parts": ["\ud83d half a surrogate"]}]}
    got: list[str] = []

    def write(number: int) -> None:
        usage = Usage(1, 2, 3, None, 0.5)
        got.append(Cassette(tmp_path).keep(request, Reply(f"answer {number}", (("a", "{}"),), usage)).text)

    threads = [threading.Thread(target=write, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    (file,) = tmp_path.iterdir()
    assert file.stem == digest(request) and json.loads(file.read_text())["request"] == request
    kept = Cassette(tmp_path).find(request)
    assert kept is not None and got == [kept.text] * 8 and kept.usage == Usage(1, 2, 3, None, 0.5)


def test_a_price_given_later_counts_for_what_was_kept(tmp_path: Path) -> None:
    with ChatServer([Answer("x", usage=(1000, 100))]) as server:
        assert ChatModel(endpoint(server), Cassette(tmp_path)).complete(TALK).usage.cost is None
        priced = endpoint(server, price_in=1.0, price_out=10.0)
        assert ChatModel(priced, Cassette(tmp_path)).complete(TALK).usage.cost == pytest.approx(2e-3)
    assert len(server.requests) == 1


def test_the_hash_of_a_request_is_what_it_was_when_older_cassettes_were_recorded(tmp_path: Path) -> None:
    look = Tool("look", "looks", {"type": "object", "properties": {"at": {"type": "string"}}, "required": ["at"]})
    start = (Message("system", ("Be brief.",)), Message("user", ("what is this?", Image.raw(Size(2, 2), bytes(12)))))
    talk = (
        *start,
        Message("assistant", ("I look.",), (("look", '{"at": "OK"}'),)),
        Message("tool", ("seen",)),
        Message("user", ("and now?",)),
    )
    with ChatServer() as server:
        told = endpoint(server, parameters={"temperature": 0.5, "extra_body": {"k": 1}})
        model = ChatModel(told, Cassette(tmp_path))
        model.complete(talk, tools=[look], tool_choice="auto", salt=3)
        model.complete(start, schema={"type": "object"})
    assert {path.stem for path in tmp_path.iterdir()} == {
        "217b50b7b77c6b6f3f9976e67d918052332b034bb25b1c6fb1c5158f486887e4",
        "219035baa8861ac4b532f7010b99a4f200e2ac07842ff1c433289c18f1cc5e0a",
    }
