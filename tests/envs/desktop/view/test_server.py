"""The page shows the desktop and sounds as it does, to whoever has its whole address and to nobody else."""

import http.client
import io
import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
from desktop_hands import wait_for
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from omnipilot.envs.desktop.private import PrivateDesktop
from omnipilot.envs.desktop.private.keeper import descendants
from omnipilot.envs.desktop.view import serve_view, server
from omnipilot.envs.desktop.view.server import LARGEST, RATE
from omnipilot.envs.desktop.view.visitors import Visitors

pytestmark = pytest.mark.desktop

WAIT = 60.0


class Page:
    """The address of a page that is served by a thread."""

    def __init__(self, desktop: PrivateDesktop, control: bool) -> None:
        told: list[str] = []
        ready = threading.Event()

        def tell(text: str) -> None:
            told.append(text)
            ready.set()

        self.over = threading.Event()
        self.thread = threading.Thread(
            target=lambda: serve_view(desktop.address, "<mine>", 0, control, tell, self.over), daemon=True
        )
        self.thread.start()
        assert ready.wait(WAIT)
        split = urlsplit(told[0])
        self.told = told
        self.port = int(split.port or 0)
        self.query = split.query

    def ask(
        self, path: str, host: str = "", body: bytes | None = None, query: str | None = None
    ) -> tuple[int, bytes, dict[str, str]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        headers = {"Host": host or f"127.0.0.1:{self.port}"}
        whole = f"{path}?{self.query if query is None else query}"
        connection.request("GET" if body is None else "POST", whole, body, headers)
        reply = connection.getresponse()
        try:
            return reply.status, reply.read(), dict(reply.getheaders())
        finally:
            connection.close()

    def close(self) -> None:
        self.over.set()
        self.thread.join(WAIT)
        assert not self.thread.is_alive()


@pytest.fixture(scope="module")
def page(shared_desktop: PrivateDesktop) -> Iterator[Page]:
    served = Page(shared_desktop, control=True)
    yield served
    served.close()


def test_the_page_names_the_desktop_and_loads_nothing_from_elsewhere(page: Page):
    status, body, headers = page.ask("/")
    assert status == 200 and b"<h1>&lt;mine&gt;</h1>" in body and b"{{" not in body
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["referrer-policy"] == "no-referrer" and headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("path", ["/", "/screen", "/sound", "/act"])
def test_nobody_gets_in_without_the_token_or_by_another_name(page: Page, path: str):
    body = b"{}" if path == "/act" else None
    for query in ("", "token=", "token=wrong", "token=%C3%A9"):
        assert page.ask(path, query=query, body=body)[0] == 401
    for host in ("evil.example", f"evil.example:{page.port}", "127.0.0.1", f"127.0.0.1:{page.port + 1}"):
        assert page.ask(path, host=host, body=body)[0] == 403


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from(["at", "text", "keys", "app", "name", "x", "seconds", "path", "arguments", "start"])


@settings(max_examples=60)
@given(
    st.binary(max_size=100)
    | st.builds(
        lambda kind, more: json.dumps({**more, "kind": kind}).encode(),
        st.sampled_from(["click", "type", "open_app", "custom", "drag", "shell", "wait", "__class__"]) | JSON,
        st.dictionaries(FIELDS, JSON, max_size=3),
    )
    | st.integers(500, 2000).map(lambda depth: b"[" * depth + b"]" * depth)
    | st.integers(300, 600).map(lambda depth: b'{"x":' * depth + b"1" + b"}" * depth)
)
def test_actions_of_any_shape_are_refused_or_carried_out(page: Page, body: bytes):
    assert page.ask("/act", body=body)[0] in (204, 400)


def test_a_token_that_comes_after_a_wrong_one_or_before_is_the_last_that_counts(page: Page):
    assert page.ask("/", query=f"{page.query}&token=wrong")[0] == 401
    assert page.ask("/", query="token=" + "x" * 20_000)[0] in (401, 414, 431, 400)
    assert page.ask("/", body=b"x")[0] == 405
    assert page.ask("/%2e%2e/%2e%2e/etc/passwd")[0] == 404


def test_the_screen_comes_again_only_when_it_has_changed(page: Page, desktop: PrivateDesktop):
    status, body, headers = page.ask("/screen")
    assert status == 200 and headers["content-type"] == "image/jpeg"
    assert Image.open(io.BytesIO(body)).size == (desktop.size.width, desktop.size.height)
    number = int(headers["x-number"])
    desktop.open("galculator", wait=WAIT)
    status, after, headers = page.ask("/screen", query=f"{page.query}&after={number}")
    assert status == 200 and after != body and int(headers["x-number"]) > number


def test_what_sounds_is_heard(page: Page, desktop: PrivateDesktop):
    samples = (8000 * np.sin(2 * np.pi * 880 * np.arange(20 * RATE) / RATE)).astype("<i2")
    desktop.home.write_file("tone.raw", samples.tobytes())
    play = [
        "pacat",
        "--raw",
        f"--rate={RATE}",
        "--channels=1",
        "--format=s16le",
        str(desktop.home.seen_as / "tone.raw"),
    ]
    desktop.start(play)
    connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=WAIT)
    connection.request("GET", f"/sound?{page.query}")
    reply = connection.getresponse()
    assert reply.status == 200
    # It begins to sound when the program has come to it.
    wait_for(lambda: np.abs(np.frombuffer(reply.read(4 * RATE), "<i2").astype(float)).max() > 1000, WAIT, "the tone")
    heard = np.frombuffer(reply.read(4 * RATE), "<i2").reshape(-1, 2).astype(float)
    connection.close()
    spectrum = np.abs(np.fft.rfft(heard[:, 0] * np.hanning(len(heard))))
    assert abs(spectrum.argmax() * RATE / len(heard) - 880) < 3
    assert np.array_equal(heard[:, 0], heard[:, 1])


def test_mouse_and_keyboard_arrive(page: Page, desktop: PrivateDesktop):
    desktop.open("mousepad", wait=WAIT)
    for action in ({"kind": "click", "at": {"x": 0.3, "y": 0.4}}, {"kind": "type", "text": "Été 1"}):
        assert page.ask("/act", body=json.dumps(action).encode())[0] == 204
    assert page.ask("/act", body=json.dumps({"kind": "press", "keys": ["ctrl", "a"]}).encode())[0] == 204
    for wrong, status in ((b"{", 400), (b'{"kind": "jump"}', 400), (b"[" * LARGEST * 2, 413), (b"\xff", 400)):
        assert page.ask("/act", body=wrong)[0] == status
    titles = "xprop -root _NET_CLIENT_LIST | grep -o '0x[0-9a-f]*' | xargs -n1 -I% xprop -id % WM_NAME"
    wait_for(lambda: "*Untitled" in desktop.shell(titles, WAIT), WAIT, "what was typed")


class Caller:
    """A connection to a page, byte by byte."""

    def __init__(self, page: Page, said: str = "") -> None:
        self.line = socket.create_connection(("127.0.0.1", page.port), WAIT)
        self.line.settimeout(WAIT)
        self.say(said)

    def say(self, text: str) -> None:
        self.line.sendall(text.encode())

    def over(self, seconds: float) -> bool:
        """Whether the server ends it in time; what it says is thrown away."""
        self.line.settimeout(seconds)
        try:
            while self.line.recv(65536):
                pass
        except TimeoutError:
            return False
        except ConnectionError:
            pass
        return True


@pytest.fixture
def hurried(shared_desktop: PrivateDesktop, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    """A page whose bounds are small."""
    monkeypatch.setattr(server, "Visitors", lambda: Visitors(strangers=8, guests=3, patience=0.6))
    monkeypatch.setattr(server, "BODY", 0.4)
    served = Page(shared_desktop, control=True)
    yield served
    served.close()


def test_silent_slow_and_uninvited_connections_are_few_and_soon_gone(hurried: Page):
    get = f"GET /?{hurried.query} HTTP/1.1\r\nHost: 127.0.0.1:{hurried.port}\r\n"
    callers = [Caller(hurried) for _ in range(30)]
    # Whoever has the token gets in meanwhile, and the first that came are gone.
    began = time.monotonic()
    assert hurried.ask("/")[0] == 200
    assert all(one.over(0.1) for one in callers[:20]) and time.monotonic() - began < 2.0
    # Neither by a byte now and then, nor after an answer, nor by a request without a token does one stay.
    slow, again = Caller(hurried), Caller(hurried, f"{get}\r\n")
    uninvited = Caller(hurried, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    for letter in get[:40]:
        try:
            slow.say(letter)
            again.say(letter)
        except ConnectionError:
            break
        time.sleep(0.05)
    else:
        pytest.fail("after two seconds of slow words neither connection is closed")
    assert all(one.over(2.0) for one in (slow, again, uninvited, *callers))


def test_an_action_that_does_not_come_whole_and_headers_without_end_are_refused(hurried: Page):
    post = f"POST /act?{hurried.query} HTTP/1.1\r\nHost: 127.0.0.1:{hurried.port}\r\n"
    half = Caller(hurried, f"{post}Content-Length: 20\r\n\r\n{{")
    assert half.line.recv(100).startswith(b"HTTP/1.1 408") and half.over(2.0)
    long = Caller(hurried, f"{post}X: {'x' * 200_000}")
    assert long.line.recv(100).startswith(b"HTTP/1.1 4") and long.over(2.0)


def test_more_guests_than_there_is_room_for_are_told(hurried: Page):
    number = int(hurried.ask("/screen")[2]["x-number"])
    wait = f"GET /screen?{hurried.query}&after={number} HTTP/1.1\r\nHost: 127.0.0.1:{hurried.port}\r\n\r\n"
    guests = [Caller(hurried, wait) for _ in range(3)]
    full = 0
    for _ in range(50):  # until all three have been taken in
        full = hurried.ask("/")[0]
        if full == 503:
            break
        time.sleep(0.05)
    assert full == 503
    for one in guests:
        one.line.close()
    for _ in range(100):
        if hurried.ask("/")[0] == 200:
            return
        time.sleep(0.05)
    pytest.fail("those who have gone still count")


@pytest.mark.slow
def test_a_listener_who_takes_nothing_is_left(hurried: Page, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(server, "STALLED", 0.5)
    recorders = lambda: [row.pid for row in descendants(os.getpid()) if "parec" in name_of(row.pid)]  # noqa: E731
    before = recorders()
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect(("127.0.0.1", hurried.port))
    line.sendall(f"GET /sound?{hurried.query} HTTP/1.1\r\nHost: 127.0.0.1:{hurried.port}\r\n\r\n".encode())
    until = time.monotonic() + 5
    while recorders() == before and time.monotonic() < until:
        time.sleep(0.05)
    assert recorders() != before
    until = time.monotonic() + WAIT
    while recorders() != before and time.monotonic() < until:
        time.sleep(0.1)
    assert recorders() == before
    line.close()


def name_of(pid: int) -> str:
    """The name of a process, "" if it is gone."""
    try:
        return Path(f"/proc/{pid}/comm").read_text()
    except OSError:
        return ""


def test_a_page_that_only_shows_takes_no_action_and_ends_with_its_desktop():
    from omnipilot.envs.desktop.private import start_desktop

    own = start_desktop(sound=False)
    page = Page(own, control=False)
    try:
        assert page.ask("/act", body=b'{"kind": "click"}')[0] == 403
        assert page.ask("/sound")[0] == 404
        own.close()
        page.thread.join(WAIT)
        assert not page.thread.is_alive() and page.told[-1] == "<mine> is gone"
    finally:
        own.close()
        page.close()
