"""What models were sent and what they answered, as a run keeps it: against what a real server received."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import wave
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from chat_server import Answer, Body, ChatServer, Request, Status
from embeddings_server import embeddings_server
from made_settings import spec_of
from report_visit import Visit, launched
from served_roles import TASK, brain
from transcription_server import TranscriptionServer, said
from typer.testing import CliRunner

from omnipilot.bench.cli.app import app
from omnipilot.bench.run import run
from omnipilot.bench.run.execution import RunExecution
from omnipilot.envs import Image
from omnipilot.memory.store.index import media_path

KEY = "sk-never-to-be-written-4711"
NAMED = ("planner.tools=per-device", "planner.thought=text")
"""How the scripted model names its tools."""
BROKEN = '{"at": '
PAGE = "<html>no completion, said to sk-never-to-be-written-4711</html>"


def invoke(*arguments: str) -> str:
    """What a command prints."""
    done = CliRunner().invoke(app, list(arguments))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.output


def troubled() -> Callable[[Request], Any]:
    """A model that solves the task, with a failed, an unreadable and a malformed answer on the way."""
    good, count = brain(), iter(range(1, 99))

    def answer(request: Request) -> Any:
        match next(count):
            case 2:
                return Status(503, f"busy, {KEY}")
            case 4:
                return Answer("I think", (("click_in_phone", BROKEN),))
            case 6:
                return Body(PAGE.encode())
        return good(request)

    return answer


def in_place(value: Any) -> Any:
    """A body as it arrived, each capture as the hash of its pixels."""
    if isinstance(value, Mapping):
        return {key: in_place(item) for key, item in value.items()}
    if isinstance(value, list):
        return [in_place(item) for item in value]
    if isinstance(value, str) and value.startswith("data:image/png;base64,"):
        return Image.encoded(base64.b64decode(value.partition(",")[2])).digest
    return value


def named(value: Any) -> Any:
    """A body as it is shown, each capture as its hash."""
    if isinstance(value, Mapping):
        return value["digest"] if "digest" in value else {key: named(item) for key, item in value.items()}
    return [named(item) for item in value] if isinstance(value, list) else value


@dataclass(frozen=True)
class Played:
    """A run that was played against a server, and what the server received."""

    folder: Path
    bodies: list[Any]


def play(folder: Path, messages: str = "all") -> Played:
    """The task, with a key in use."""
    with ChatServer(troubled(), key=KEY) as server:
        planner = {"name": "function-calling", "model": "openai/scripted", "key_env": "SHOWN_KEY"}
        flags = {"suite": "duet", "tasks": TASK, "planner": planner, "planner_url": server.url}
        options = ["planner.price_in=2", "planner.price_out=8", *NAMED]
        result = run(spec_of({}, flags, options), folder, RunExecution(messages=messages))
        assert [episode.success for episode in result.episodes] == [True]
        return Played(folder, [request.json for request in server.requests])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SHOWN_KEY", KEY)
        yield play(tmp_path_factory.mktemp("shown") / "run")


def shown(played: Played, *more: str) -> list[Any]:
    found: list[Any] = json.loads(invoke("show", str(played.folder), TASK, "--json", *more))
    return found


def test_what_is_shown_is_what_arrived_part_for_part(played: Played) -> None:
    calls = shown(played)
    sent = [call["request"] for call in calls for _ in call["attempts"]]
    assert [named(body) for body in sent] == [in_place(body) for body in played.bodies]
    pictures = [
        part
        for body in sent
        for message in body["messages"]
        if isinstance(message["content"], list)
        for part in message["content"]
        if part["type"] == "image_url"
    ]
    assert pictures and all(part["image_url"]["url"]["type"] == "image/png" for part in pictures)


def test_failed_unreadable_and_malformed_answers_are_shown_as_they_came(played: Played) -> None:
    by_turn = {turn: [call for call in shown(played) if call["turn"] == turn] for turn in (2, 3, 4)}
    ((failed, answered),) = [call["attempts"] for call in by_turn[2]]
    assert "busy" in failed["raw"] and "503" in failed["problem"] and failed["usage"]["tokens_in"] == 0
    assert answered["problem"] == "" and json.loads(answered["raw"])["choices"]
    malformed, repaired = by_turn[3]
    assert malformed["attempts"][0]["reply"]["calls"] == [["click_in_phone", BROKEN]]
    assert "no JSON" in malformed["unread"] and repaired["unread"] == ""
    assert malformed["attempts"][0]["usage"]["cost"] == pytest.approx((11 * 2 + 3 * 8) / 1e6)
    text = invoke("show", str(played.folder), TASK, "--turn", "3", "--role", "planner")
    assert f"calls click_in_phone({BROKEN})" in text and "could not be read" in text and "--- read as ---" in text
    ((no_completion, _),) = [call["attempts"] for call in by_turn[4]]
    assert no_completion["raw"].startswith("<html>no completion") and no_completion["reply"] == {}


def test_a_key_is_in_no_file_of_the_run(played: Played) -> None:
    assert "said to (SHOWN_KEY)" in shown(played, "--turn", "4")[0]["attempts"][0]["raw"]
    for file in played.folder.rglob("*"):
        assert file.is_dir() or KEY.encode() not in file.read_bytes(), file


def test_each_message_is_stored_once_and_tool_schemas_too(played: Played) -> None:
    lines = [json.loads(line) for line in (played.folder / "journal.jsonl").read_text().splitlines()]
    requests = [line["request"] for line in lines if line["event"] == "model_called" and line["request"]]
    assert len({request["tools"] for request in requests}) == 1
    assert all(request["kept"] >= 1 for request in requests[1:])
    for digest in {digest for request in requests for digest in request["messages"]}:
        content = (played.folder / "media" / digest[:2] / f"{digest}.json").read_bytes()
        assert hashlib.sha256(content).hexdigest() == digest
    turns = [line for line in lines if line["event"] == "turn"]
    assert [number for turn in turns for number in turn["calls"]] == list(range(len(requests)))


def test_new_messages_alone_and_the_table_of_calls(played: Played) -> None:
    whole, new = (invoke("show", str(played.folder), TASK, "--turn", "2", *more) for more in ((), ("--new",)))
    assert "--- system ---" in whole and "--- system ---" not in new and "as in call 1)" in new
    table = invoke("show", str(played.folder), TASK)
    assert "HTTP 503" in table and "could not be read" in table and table.count("openai/scripted") == len(played.bodies)


def test_a_run_that_keeps_no_messages_keeps_what_they_cost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOWN_KEY", KEY)
    bare = play(tmp_path / "bare", "none")
    (call, *_) = shown(bare, "--turn", "1")
    assert call["request"] is None and call["attempts"][0]["raw"] == "" and call["attempts"][0]["reply"] == {}
    assert call["attempts"][0]["usage"]["tokens_in"] == 100
    assert "--messages none" in invoke("show", str(bare.folder), TASK, "--turn", "1")
    assert "click_in_phone" not in "".join(
        line for line in (bare.folder / "journal.jsonl").read_text().splitlines() if "model_called" in line
    )


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--turn", "99"), "has no turn 99"),
        (("--role", "plannr"), "did you mean planner"),
        (("--trial", "3"), "no episode"),
    ],
)
def test_what_is_not_there_is_said(played: Played, more: tuple[str, ...], said: str) -> None:
    with pytest.raises(Exception, match=said):
        invoke("show", str(played.folder), TASK, *more)


def test_roles_are_told_apart_and_the_critic_has_its_own(tmp_path: Path) -> None:
    verdict = Answer('{"approve": true, "reason": "fine"}')

    def answer(request: Request) -> Any:
        return good(request) if request.json.get("tools") else verdict

    good = brain()
    with ChatServer(answer) as server:
        model = {"model": "openai/scripted", "url": server.url}
        parts = {"planner": {"name": "function-calling", **model}, "critic": {"name": "model", **model}}
        run(spec_of({}, {"suite": "duet", "tasks": TASK, **parts}, NAMED), tmp_path / "run")
    calls = json.loads(invoke("show", str(tmp_path / "run"), TASK, "--json"))
    assert {call["role"] for call in calls} == {"planner", "critic"}
    asked = json.loads(invoke("show", str(tmp_path / "run"), TASK, "--turn", "1", "--role", "critic", "--json"))
    assert asked and all(call["request"]["response_format"]["type"] == "json_schema" for call in asked)


def test_a_picture_that_was_sent_as_jpeg_is_kept_as_it_was_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOWN_KEY", KEY)
    out = tmp_path / "run"
    with ChatServer(brain()) as server:
        planner = {"name": "function-calling", "model": "openai/scripted", "scale": 600, "jpeg": 70, "detail": "high"}
        run(spec_of({}, {"suite": "duet", "tasks": TASK, "planner": planner, "planner_url": server.url}, NAMED), out)
        arrived = server.requests[0].json["messages"][1]["content"]
    (first, *_) = json.loads(invoke("show", str(out), TASK, "--turn", "1", "--json"))
    kept = first["request"]["messages"][1]["content"]
    pictures = [
        (a["image_url"], k["image_url"]) for a, k in zip(arrived, kept, strict=True) if a["type"] == "image_url"
    ]
    assert pictures
    for there, here in pictures:
        reference = here["url"]
        file = out / "media" / reference["digest"][:2] / f"{reference['digest']}.jpg"
        assert base64.b64decode(there["url"].partition(",")[2]) == file.read_bytes()
        assert max(reference["size"]) == 600 and here["detail"] == there["detail"] == "high"


def test_of_a_run_without_a_model_there_is_no_call_to_show() -> None:
    recorded = Path(__file__).parents[2] / "fixtures" / "recorded" / "rules"
    assert invoke("show", str(recorded), "tones-to-message").startswith("turn 1:")
    with pytest.raises(Exception, match="no model call of tones-to-message is recorded"):
        invoke("show", str(recorded), "tones-to-message", "--json")


@pytest.mark.slow
@pytest.mark.web
def test_the_page_shows_requests_and_answers_of_a_turn(played: Played, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    invoke("report", str(played.folder), "--out", str(page))
    where = f"#0/{TASK}%230.0"
    with launched() as browser:
        visit = Visit(browser)
        visit.open(page, f"{where}/2/messages")
        visit.page.wait_for_selector(".call")
        malformed, repaired = visit.page.query_selector_all(".call")
        assert "could not be read" in malformed.inner_text() and BROKEN.strip() in malformed.inner_text()
        assert "Read as" in repaired.inner_text() and "Read as" not in malformed.inner_text()
        assert "temperature: 0" in malformed.inner_text() and "max_tokens: 4096" in malformed.inner_text()
        shown = visit.page.eval_on_selector_all("#stage img.given", "all => all.map(i => i.src)")
        assert shown and all(src.startswith("file:") for src in shown)
        malformed.query_selector("summary:has-text('raw answer')").click()
        # Details are filled by an event after the click.
        malformed.wait_for_selector("pre:has-text('\"finish_reason\"')")
        malformed.query_selector("summary:has-text('tools')").click()
        malformed.wait_for_selector("details.tool:has-text('click_in_phone')")
        visit.page.keyboard.press("ArrowLeft")
        visit.page.wait_for_selector("text=HTTP 503")
        visit.page.keyboard.press("c")
        visit.page.wait_for_selector(".screens")
        assert visit.complaints == []


@pytest.mark.slow
@pytest.mark.web
def test_the_page_says_that_a_planner_in_this_process_was_sent_nothing(tmp_path: Path) -> None:
    out = tmp_path / "run"
    run(spec_of({}, {"suite": "duet", "planner": "oracle", "tasks": "send-message"}), out)
    invoke("report", str(out))
    with launched() as browser:
        visit = Visit(browser)
        visit.open(out / "report.html", "#0/send-message%230.0/0/messages")
        visit.page.wait_for_selector("text=No model was called")
        assert visit.complaints == []


SPOKEN = "spoken-code-to-log"


@pytest.fixture(scope="module")
def remembered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose memory asks two servers: for vectors of texts, and for what was said."""
    folder = tmp_path_factory.mktemp("remembered") / "run"
    with embeddings_server() as vectors, TranscriptionServer(lambda _: said("the code is 7394")) as speech:
        hears = f"openai-compatible/whisper-tiny,url={speech.url}"
        means = f"openai-compatible/tiny,url={vectors.url}"
        memory = {"name": "episodic", "transcriber": hears, "embeddings": means}
        run(spec_of({}, {"suite": "duet", "tasks": SPOKEN, "planner": "rules", "memory": memory}, []), folder)
        calls = json.loads(invoke("show", str(folder), SPOKEN, "--json", "--role", "memory"))
        texts = [call for call in calls if "input" in call["request"]]
        assert [call["request"] for call in texts] == [
            {name: value for name, value in asked.items() if name != "path"} for asked in vectors.asked
        ]
        assert [call["attempts"][0]["usage"]["tokens_in"] for call in texts] == [
            5 * len(asked["input"]) for asked in vectors.asked
        ]
        (spoken,) = [call for call in calls if "file" in call["request"]]
        (form,) = speech.forms
        file = folder / "media" / media_path(spoken["request"]["file"]["digest"], "audio")
        with wave.open(str(file)) as kept, wave.open(io.BytesIO(form["file"])) as sent:
            assert kept.readframes(10**9) == sent.readframes(10**9)
        assert {name: value for name, value in spoken["request"].items() if name != "file"} == {
            name: value.decode() for name, value in form.items() if name != "file"
        }
        assert spoken["attempts"][0]["reply"]["text"] == "the code is 7394"
        assert json.loads(spoken["attempts"][0]["raw"]) == {"text": "the code is 7394"}
    return folder


def turn_of_speech(folder: Path) -> int:
    calls = json.loads(invoke("show", str(folder), SPOKEN, "--json"))
    return next(call["turn"] for call in calls if "file" in call["request"])


def test_texts_to_embed_and_sounds_to_transcribe_are_shown(remembered: Path) -> None:
    text = invoke("show", str(remembered), SPOKEN, "--turn", str(turn_of_speech(remembered)), "--role", "memory")
    assert "memory asks openai-compatible/whisper-tiny" in text and "--- file ---\n(audio/wav " in text
    assert "\nthe code is 7394\n" in text and 'raw: {"text": "the code is 7394"}' in text
    assert "--- input: " in text and "of 3 dimensions" in text and "\n1. " in text
    assert "schema of the reply" not in text


@pytest.mark.web
def test_the_page_plays_the_sound_that_was_transcribed_and_lists_the_texts(remembered: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    invoke("report", str(remembered), "--out", str(page))
    with launched() as browser:
        visit = Visit(browser)
        visit.open(page, f"#0/{SPOKEN}%230.0/{turn_of_speech(remembered) - 1}/messages")
        visit.page.wait_for_selector(".call")
        told = visit.page.inner_text(".calls")
        assert "the code is 7394" in told and "audio/wav" in told and "of 3 dimensions" in told
        assert visit.page.query_selector(".call .capture") and visit.page.query_selector(".call .texts li")
        assert visit.complaints == []
