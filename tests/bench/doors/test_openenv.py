"""The real OpenEnv, where it is installed (`make doors`): its own client, over the server that the command starts."""

from __future__ import annotations

import pytest

pytest.importorskip("openenv.core")

import asyncio
import contextlib
import io
import json
import re
import sys
import urllib.error
import urllib.request
import wave
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from demonstrations import demonstrate
from door_players import play_over_websocket, serving_openenv, started, within
from openenv import GenericEnvClient

from omnipilot.bench.doors.choice import playable_tasks
from omnipilot.bench.doors.openenv_server import ServedSuite, TaskEnvironment, VerbAction, serve_openenv
from omnipilot.bench.session import Offer
from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import ConfigError

pytestmark = pytest.mark.exhibit("duet")
SUITE = Duet()
TASKS = tuple(info.id for info in SUITE.tasks())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str]]]:
    """Address, and the header that clients send."""
    with serving_openenv(tmp_path_factory.mktemp("served")) as address:
        yield address


@pytest.fixture
def client(server: tuple[str, dict[str, str]]) -> Iterator[Any]:
    """One client, which blocks."""
    with GenericEnvClient(base_url=server[0], headers=server[1]).sync() as made:
        yield made


def test_64_sessions_at_once_beside_one_that_says_nothing(server: tuple[str, dict[str, str]], tmp_path: Path) -> None:
    played = demonstrate("duet", TASKS[:4], tmp_path)

    async def main() -> None:
        url, headers = server
        async with GenericEnvClient(base_url=url, headers=headers) as silent:
            await silent.reset(task=TASKS[0], instance=0, deaf=True)
            await asyncio.gather(
                *(play_over_websocket(url, headers, played[number % 4], images=False) for number in range(63))
            )

    within(main())


def test_63_sessions_go_on_beside_one_whose_device_hangs(tmp_path: Path) -> None:
    (tmp_path / "served_toys.py").write_text(
        "from toy_suite import ToySuite\nfrom omnipilot.bench.doors.openenv_server import make_app\n"
        "app = make_app(ToySuite())\n"
    )
    enter = {"verb": {"kind": "press", "keys": ["enter"]}}
    with started([sys.executable, "-m", "uvicorn", "served_toys:app", "--port", "0"], tmp_path) as says:
        address = next(found[0] for line in says if (found := re.search(r"http://[\d.:]+", line)))

        async def one() -> None:
            async with GenericEnvClient(base_url=address) as client:
                await client.reset(task="count", instance=0)
                steps = [await client.step(enter) for _ in range(3)]
                assert [step.done for step in steps] == [False, False, True]
                assert steps[-1].observation["ended"] == "success"

        async def main() -> None:
            async with GenericEnvClient(base_url=address, message_timeout_s=600) as hangs:
                await hangs.reset(task="stuck", instance=0)
                waits = asyncio.ensure_future(hangs.step(enter))
                await asyncio.gather(*(one() for _ in range(63)))
                assert not waits.done(), "nothing hung"
                waits.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await waits

        # The device answers after a minute: nobody else waits for that.
        within(main(), 50)


@pytest.mark.parametrize(
    "wrong",
    [
        None, 3, "", "{", [], [1], True, "null", {"kind": "clik"}, {"env": 3}, {"kind": {}}, {"kind": "click"},
        {"env": "toaster", "kind": "click", "at": "x"}, {"kind": "click", "at": {"x": 9, "y": "a"}},
        {"kind": "type", "text": {"deep": [[[]]]}}, {"kind": "done", "more": 1},
    ],
    ids=repr,
)  # fmt: skip
def test_wrong_verbs_are_told_and_change_nothing(client: Any, wrong: Any) -> None:
    before = client.reset(task="send-message", instance=1)
    step = client.step({"verb": wrong})
    assert step.observation["result"] in ("malformed", "rejected", "not_found") and step.observation["message"]
    assert step.observation["elements"] == before.observation["elements"]
    assert (step.reward, step.done) == (0.0, False)


def test_the_words_name_the_cure(client: Any) -> None:
    with pytest.raises(RuntimeError, match="no task is open in this connection; reset it first"):
        client.step({"verb": {"kind": "done"}})
    client.reset(task="send-message")
    assert "did you mean click?" in client.step({"verb": {"kind": "clik"}}).observation["message"]
    with pytest.raises(RuntimeError, match="Invalid message"):
        client.step({"vreb": {}})
    step = client.step({"verb": {"kind": "done"}})
    assert step.done and step.observation["ended"] == "done"
    assert "the episode is over" in client.step({"verb": {"kind": "done"}}).observation["message"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"task": "send-mesage"}, "did you mean 'send-message'"),
        ({"task": 3}, "task is the name of one"),
        ({"index": 400}, "index is a number from 0 to 39"),
        ({"split": "test"}, "the split 'test' is not served here; 'dev' is"),
        ({"imagse": True}, "reset does not know 'imagse'; it knows"),
        ({"task": "spoken-code-to-log"}, "hangs on speech, which cannot be passed on here; .* deaf=True"),
        ({"task": "pause-tram", "sounds": True}, "hangs on motion"),
        ({"task": "three-signals-in-a-sheet", "sounds": True}, "hangs on motion, which"),
    ],
)
def test_wrong_resets_are_refused(client: Any, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(RuntimeError, match=said):
        client.reset(**arguments)


def test_sounds_and_pictures_are_carried_where_asked_for(client: Any) -> None:
    shown = client.reset(task="send-message", instance=0).observation
    assert not shown["screenshots"] and not shown["sounds"] and shown["elements"]["phone"]
    shown = client.reset(task="spoken-code-to-log", instance=0, sounds=True, images=True).observation
    assert set(shown["screenshots"]) == {"phone", "desktop"}
    heard = client.step({"verb": {"kind": "wait", "seconds": 1}}).observation["sounds"]
    with wave.open(io.BytesIO(b64decode(heard["phone"]))) as sound:
        assert sound.getnframes() / sound.getframerate() == pytest.approx(1, abs=0.01)


def test_seeds_fix_tasks_and_no_drawn_one_needs_ears(client: Any) -> None:
    first = client.reset(seed=5)
    assert client.reset(seed=5).observation == first.observation
    assert first.observation["metadata"]["instance"] == 5
    drawn = {client.reset(seed=seed).observation["metadata"]["task"] for seed in range(12)}
    assert len(drawn) > 3 and drawn <= set(playable_tasks(SUITE, deaf=False))


def test_tasks_are_listed_over_http(server: tuple[str, dict[str, str]]) -> None:
    def ask(path: str, **body: Any) -> Any:
        url, headers = server
        data = json.dumps(body).encode() if body else None
        asked = urllib.request.Request(url + path, data, {**headers, "Content-Type": "application/json"})
        with urllib.request.urlopen(asked, timeout=30) as answer:
            return json.load(answer)

    assert ask("/list_environments") == ["omnipilot"]
    assert [split["name"] for split in ask("/omnipilot/splits")] == ["dev"]
    assert ask("/omnipilot/num_tasks", split="dev")["num_tasks"] == len(TASKS)
    assert [task["id"] for task in ask("/omnipilot/tasks", split="dev")["tasks"]] == list(TASKS)
    assert ask("/omnipilot/task", split="dev", index=3)["task"]["id"] == TASKS[3]
    assert [one["id"] for one in ask("/omnipilot/task_range", split="dev", start=1, stop=3)["tasks"]] == list(
        TASKS[1:3]
    )
    assert {"verb", "env"} <= set(ask("/schema")["action"]["properties"])


def test_nobody_gets_in_without_the_token(server: tuple[str, dict[str, str]]) -> None:
    url, _ = server
    for headers in ({}, {"Authorization": "Bearer nonsense"}):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(urllib.request.Request(f"{url}/health", headers=headers), timeout=30)
        assert refused.value.code == 401 and "Authorization: Bearer" in refused.value.read().decode()
        with pytest.raises(ConnectionError, match="401"), GenericEnvClient(base_url=url, headers=headers).sync():
            pass


def test_what_cannot_be_served_is_refused() -> None:
    def offer(host: str, suite: Any) -> Offer:
        return Offer(suite, None, host, 0, "token", False, False, None, print)

    with pytest.raises(ConfigError, match="on this machine alone"):
        serve_openenv(offer("0.0.0.0", SUITE))
    with pytest.raises(ConfigError, match="name their suite with --suite"):
        serve_openenv(offer("127.0.0.1", None))


def test_a_session_is_released_with_its_connection() -> None:
    environment = TaskEnvironment(ServedSuite(SUITE))
    environment.reset(task="send-message")
    environment.close()
    environment.close()
    with pytest.raises(ConfigError, match="reset it first"):
        environment.step(VerbAction(verb={"kind": "done"}))
