"""uiautomator2's server: requests over HTTP, without a socket."""

from __future__ import annotations

import base64
import io
import json
import time
from typing import Any

import pytest
from adb_shell import MOST, Bench
from hypothesis import given, settings
from hypothesis import strategies as st
from own_loop import run_apart

from omnipilot.envs.sim.adb.shell import Captured
from omnipilot.envs.sim.adb.streams import Pipe
from omnipilot.envs.sim.adb.uiautomator2 import answer_requests


def exchange(bench: Bench, sent: bytes) -> bytes:
    out = Captured(MOST)

    async def run() -> None:
        pipe = Pipe(MOST)
        pipe.put(sent)
        pipe.end()
        await answer_requests(pipe, out, bench.phone)

    run_apart(run())
    return bytes(out.data)


def call(bench: Bench, method: str, *params: Any) -> Any:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    head = f"POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    reply = json.loads(exchange(bench, head + body).partition(b"\r\n\r\n")[2])
    return reply.get("result", reply.get("error"))


def selector(**conditions: Any) -> dict[str, Any]:
    return {"mask": 0, "childOrSibling": [], "childOrSiblingSelector": [], **conditions}


def test_ping_and_what_is_not_there() -> None:
    bench = Bench()
    assert exchange(bench, b"GET /ping HTTP/1.1\r\n\r\n").endswith(b"\r\n\r\npong")
    assert exchange(bench, b"GET /etc/passwd HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 404")
    assert exchange(bench, b"POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n").startswith(b"HTTP/1.1 413")
    assert call(bench, "runThis")["code"] == -32601
    assert call(bench, "click")["code"] == -32602


def test_objects_are_found_tapped_and_filled() -> None:
    bench = Bench()
    assert call(bench, "exist", selector(text="Notes"))
    info = call(bench, "objInfo", selector(textContains="ote", className="android.widget.Button"))
    bounds = info["bounds"]
    call(bench, "click", (bounds["left"] + bounds["right"]) // 2, (bounds["top"] + bounds["bottom"]) // 2)
    assert call(bench, "deviceInfo")["currentPackageName"] == "com.omnipilot.notes"
    field = selector(className="android.widget.EditText")
    assert call(bench, "setText", field, "größer")
    assert call(bench, "getText", field) == "größer"
    assert call(bench, "clearTextField", field)
    assert call(bench, "getText", field) == ""
    assert "UiObjectNotFoundException" in call(bench, "objInfo", selector(text="none"))["message"]
    rows = selector(resourceIdMatches=".*notes_notes_document_.*")
    assert call(bench, "count", rows) > 3
    second = {**rows, "mask": 0x01000000, "instance": 1}
    assert call(bench, "count", second) == 1
    chained = {**selector(scrollable=True), "childOrSibling": ["child"], "childOrSiblingSelector": [rows]}
    assert call(bench, "count", chained) >= call(bench, "count", rows) - 1
    assert call(bench, "objInfo", selector(textMatches="(a+)+b"))["code"] == -32001
    assert call(bench, "objInfo", selector(textMatches="(a"))["code"] == -32602


def test_it_scrolls_to_what_is_out_of_sight() -> None:
    bench = Bench()
    bench.run("monkey -p com.omnipilot.contacts 1")
    rows = call(bench, "objInfoOfAllInstances", selector(className="android.widget.LinearLayout"))
    names = [node["text"] for node in rows]
    last = sorted(person.name for person in bench.state.account.contacts)[-1]
    assert last not in names
    assert call(bench, "scrollTo", selector(scrollable=True), selector(text=last), True)
    assert call(bench, "exist", selector(text=last))
    call(bench, "scrollToBeginning", selector(scrollable=True), True, 50)
    assert not call(bench, "exist", selector(text=last))


def test_the_picture_and_the_clipboard() -> None:
    from PIL import Image

    bench = Bench()
    picture = Image.open(io.BytesIO(base64.b64decode(call(bench, "takeScreenshot", 0.5, 80))))
    assert (picture.format, picture.size) == ("JPEG", (206, 458))
    call(bench, "setClipboard", None, "größer")
    assert call(bench, "getClipboard") == "größer"
    bench.run("monkey -p com.omnipilot.notes 1")
    field = selector(className="android.widget.EditText")
    call(bench, "objClick", field)
    call(bench, "pasteClipboard")
    assert call(bench, "getText", field) == "größer"


def test_waiting_ends_in_time() -> None:
    bench = Bench(clock=time.monotonic)
    assert call(bench, "waitForExists", selector(text="none"), 1000) is False
    assert call(bench, "waitUntilGone", selector(text="none"), 1000) is True


METHODS = st.sampled_from(
    "click swipe swipePoints objInfo setText dragTo pressKey takeScreenshot scrollTo exist dumpWindowHierarchy".split()
)
NAMES = st.sampled_from("text mask instance childOrSibling childOrSiblingSelector".split())
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 900) | st.text(max_size=5) | st.just(float("inf")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
REQUEST = b"POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: 30\r\n\r\n"


@pytest.fixture(scope="module")
def shared() -> Bench:
    return Bench()


@settings(deadline=None)
@given(METHODS, st.lists(VALUES, max_size=5))
def test_whatever_is_called_it_answers(shared: Bench, method: str, params: list[Any]) -> None:
    call(shared, method, *params)


@settings(deadline=None)
@given(st.binary(max_size=80) | st.binary(max_size=30).map(lambda data: REQUEST + data))
def test_whatever_is_sent_it_answers_or_closes(shared: Bench, data: bytes) -> None:
    exchange(shared, data)
