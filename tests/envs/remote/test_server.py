"""What a hostile or unlucky client can do to the server: be refused. The world stays alive, and nothing is run."""

from __future__ import annotations

import contextlib
import gzip
import http.client
import http.server
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from live_world import LiveWorld

from omnipilot.envs import Click, ConfigError, EnvLost, Modality, OmnipilotError
from omnipilot.envs.remote import EnvServer, RemoteWorld
from omnipilot.envs.remote import protocol as wire
from omnipilot.envs.remote.host import HANDLERS
from omnipilot.envs.remote.server import LOOPBACK, MOST_CONNECTIONS, MOST_STRANGERS, is_loopback

TOKEN, JUDGES = "t" * 43, "j" * 43
BOUNDED = 20.0
"""Seconds after which a busy machine too has given up what would last for ever."""
BEARER = {"Authorization": f"Bearer {TOKEN}", "Content-Type": wire.CONTENT_TYPE}


class Served:
    """A server with judges allowed, its worlds, and what its world did wrong."""

    def __init__(self, **options: Any) -> None:
        self.worlds: list[LiveWorld] = []
        self.bugs: list[BaseException] = []
        asked = {"token": TOKEN, "judges_token": JUDGES, "allow_judges": True, "log": self.bugs.append} | options
        self.server = EnvServer(self._make, **asked)

    def _make(self) -> LiveWorld:
        self.worlds.append(LiveWorld())
        return self.worlds[-1]

    def ask(self, method: str, path: str, body: Any = b"", headers: dict[str, str] | None = None) -> tuple[int, Any]:
        """The status and the message of an answer to a request of one's own making."""
        connection = http.client.HTTPConnection(LOOPBACK, self.server.port, timeout=10)
        with contextlib.closing(connection):
            connection.request(method, path, body, BEARER if headers is None else headers)
            response = connection.getresponse()
            return response.status, wire.unpack(response.read())

    def alive(self) -> bool:
        """Whether it still answers, with the one world it began with, in which nothing was done."""
        with contextlib.closing(RemoteWorld(self.server.url, TOKEN)) as world:
            look = world.envs["left"].observe({Modality.CONTEXT}, 0.0)
        assert not self.bugs and not any(made.commands for made in self.worlds)
        return len(self.worlds) == 1 and look.context.title == "0 clicks"  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    made = Served(body_seconds=2)
    yield made
    made.server.close()


def act(id: str = "a" * 32) -> bytes:
    """The body of a click."""
    return wire.pack({"env": "left", "action": {"kind": "click"}, "id": id})


@pytest.mark.parametrize(
    ("path", "token", "status"),
    [
        ("/v1/act", "", 401),
        ("/v1/act", f"Bearer {TOKEN[:-1]}", 401),
        ("/v1/act", f"Bearer {TOKEN}x", 401),
        ("/v1/act", f"Basic {TOKEN}", 401),
        ("/v1/act", f"Bearer {JUDGES}", 401),
        ("/v1/judges/shell", f"Bearer {TOKEN}", 401),
        ("/v1/judges/file", "", 401),
        ("/v1/nothing", "", 401),
        ("/v1/nothing", f"Bearer {TOKEN}", 404),
        ("/v1/judges/nothing", f"Bearer {JUDGES}", 404),
        ("/", f"Bearer {TOKEN}", 404),
        ("/v2/act", f"Bearer {TOKEN}", 404),
        ("/v1/../v1/act/", f"Bearer {TOKEN}", 404),
        ("/v1/media/../../etc/passwd", f"Bearer {TOKEN}", 404),
        ("/v1/media/%2e%2e%2fetc%2fpasswd", f"Bearer {TOKEN}", 404),
        ("/v1/hello", f"Bearer {TOKEN}", 405),
    ],
)
def test_nobody_comes_in_without_the_right_token(served: Served, path: str, token: str, status: int) -> None:
    headers = {"Content-Type": wire.CONTENT_TYPE} | ({"Authorization": token} if token else {})
    assert served.ask("POST", path, act(), headers)[0] == status
    assert served.alive()


def raw(served: Served, head: str, body: bytes = b"", more: str = "", seconds: float = 5.0) -> bytes:
    """Everything that the server sends before it closes the connection, or until it has been silent too long."""
    with socket.create_connection((LOOPBACK, served.server.port), seconds) as sock:
        sock.sendall(f"{head} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n".encode() + body)
        return drain(sock)


def drain(sock: socket.socket) -> bytes:
    """What comes until the connection ends."""
    found = b""
    with contextlib.suppress(OSError):
        while part := sock.recv(65536):
            found += part
    return found


def test_a_request_without_token_is_refused_before_its_body_is_there(served: Served) -> None:
    began = time.monotonic()
    answer = raw(served, "POST /v1/act", more="Content-Length: 1000000\r\nContent-Type: application/msgpack\r\n")
    assert b" 401 " in answer.splitlines()[0] and time.monotonic() - began < 1.5  # less than what a body may take


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "", "127.0.0.1.evil.example", "[::2]:9"])
def test_another_host_name_is_refused(served: Served, host: str) -> None:
    assert served.ask("POST", "/v1/act", act(), BEARER | {"Host": host})[0] == 421
    assert served.alive()


def test_its_own_names_are_taken(served: Served) -> None:
    for host in ("localhost", "LOCALHOST:1", f"127.0.0.1:{served.server.port}", "[::1]:80"):
        assert served.ask("GET", "/v1/hello", b"", BEARER | {"Host": host})[0] == 200


def test_no_page_may_read_the_answers(served: Served) -> None:
    answer = raw(
        served,
        "GET /v1/hello",
        more=f"Authorization: Bearer {TOKEN}\r\nOrigin: http://evil.example\r\nConnection: close\r\n",
    )
    assert b" 200 " in answer.splitlines()[0] and b"access-control" not in answer.lower()
    assert served.ask("OPTIONS", "/v1/act", b"", BEARER | {"Origin": "http://evil.example"})[0] == 405


def test_a_body_that_says_it_is_too_large_is_not_read(served: Served) -> None:
    more = f"Authorization: Bearer {TOKEN}\r\nContent-Type: {wire.CONTENT_TYPE}\r\nContent-Length: 50000000\r\n"
    assert b" 413 " in raw(served, "POST /v1/act", more=more).splitlines()[0]
    assert served.alive()


def test_a_body_that_turns_out_too_large_is_cut(served: Served) -> None:
    chunks = (bytes(1 << 20) for _ in range(50))
    try:
        status = served.ask("POST", "/v1/act", chunks, BEARER)[0]
    except OSError:
        status = 413  # it stopped listening before all was sent
    assert status == 413 and served.alive()


def test_a_compressed_body_is_refused(served: Served) -> None:
    bomb = gzip.compress(bytes(20_000_000))
    assert served.ask("POST", "/v1/act", bomb, BEARER | {"Content-Encoding": "gzip"})[0] == 415
    assert served.alive()


@pytest.mark.parametrize("sent", ["", "POST /v1/act HTTP/1.1\r\nHost: localhost\r\n", "body"])
def test_a_slow_client_is_dropped(served: Served, sent: str) -> None:
    if sent == "body":
        sent = (
            f"POST /v1/act HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n"
            f"Content-Type: {wire.CONTENT_TYPE}\r\nContent-Length: 100\r\n\r\nx"
        )
    began = time.monotonic()
    with socket.create_connection((LOOPBACK, served.server.port), 5) as sock:
        sock.sendall(sent.encode())
        answer = drain(sock)
    assert time.monotonic() - began < BOUNDED and (b" 408 " in answer if "Content" in sent else answer == b"")
    assert served.alive()


def test_many_connections_keep_nobody_out_for_long(served: Served) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(150):
            with contextlib.suppress(OSError):
                stack.enter_context(socket.create_connection((LOOPBACK, served.server.port), 1))
        assert served.alive()


@pytest.mark.parametrize("sent", ["", "GET /v1/hello HTTP/1.1\r\nHost: localh"], ids=["silent", "half a request"])
def test_strangers_keep_no_client_out_however_many_there_are(sent: str) -> None:
    served = Served()  # whose patience is ten seconds
    with served.server, contextlib.ExitStack() as stack:
        for _ in range(MOST_STRANGERS + 50):
            stranger = stack.enter_context(socket.create_connection((LOOPBACK, served.server.port), 5))
            with contextlib.suppress(OSError):
                stranger.sendall(sent.encode())
        ended = threading.Event()

        def flood() -> None:
            while not ended.is_set():
                with contextlib.suppress(OSError):
                    stack.enter_context(socket.create_connection((LOOPBACK, served.server.port), 5))
                ended.wait(0.002)

        flooding = threading.Thread(target=flood)
        flooding.start()
        try:
            began = time.monotonic()
            assert served.alive()
            assert time.monotonic() - began < 3
        finally:
            ended.set()
            flooding.join()


def test_strangers_do_not_end_the_connections_of_clients() -> None:
    served = Served()
    with served.server, contextlib.ExitStack() as stack:
        client = http.client.HTTPConnection(LOOPBACK, served.server.port, timeout=10)
        stack.enter_context(contextlib.closing(client))
        client.request("GET", "/v1/hello", headers=BEARER)
        client.getresponse().read()
        for _ in range(MOST_STRANGERS + 50):
            stack.enter_context(socket.create_connection((LOOPBACK, served.server.port), 5))
        held = client.sock
        client.request("GET", "/v1/hello", headers=BEARER)
        assert client.getresponse().status == 200 and client.sock is held


def test_clients_have_a_number_of_connections() -> None:
    served = Served()
    with served.server, contextlib.ExitStack() as stack:
        status = []
        for _ in range(MOST_CONNECTIONS + 1):
            one = http.client.HTTPConnection(LOOPBACK, served.server.port, timeout=10)
            stack.enter_context(contextlib.closing(one))
            one.request("GET", "/v1/hello", headers=BEARER)
            status.append(one.getresponse().status)
        assert status == [200] * MOST_CONNECTIONS + [503]


def test_a_silent_connection_ends_before_its_handshake_is_done(tmp_path: Path) -> None:
    key, certificate = self_signed(tmp_path)
    served = Served(certificate=str(certificate), key=str(key), body_seconds=3)
    with served.server:
        with socket.create_connection((LOOPBACK, served.server.port), 5) as silent:
            began = time.monotonic()
            assert drain(silent) == b"" and time.monotonic() - began < BOUNDED
        with contextlib.closing(RemoteWorld(served.server.url, TOKEN, authority_file=str(certificate))) as world:
            assert list(world.envs) == ["left", "right"]


def self_signed(folder: Path) -> tuple[Path, Path]:
    """A key and a certificate for 127.0.0.1."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    made = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1 -addext"
    command = [*made.split(), "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    return key, certificate


def test_a_path_that_escapes_is_the_environments_to_refuse(served: Served) -> None:
    judge = BEARER | {"Authorization": f"Bearer {JUDGES}"}
    for path in ("../../etc/passwd", "/etc/passwd", "notes.txt\0.png", "x" * 5000, ""):
        status = served.ask("POST", "/v1/judges/file", wire.pack({"env": "left", "path": path}), judge)[0]
        assert status in (400, 404)
    assert served.ask("POST", "/v1/judges/file", wire.pack({"env": "left", "path": "notes.txt"}), judge)[0] == 200


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(max_size=20)
    | st.binary(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
words = st.sampled_from(
    ["env", "id", "action", "modalities", "since", "seconds", "instance", "snapshot", "state", "held"]
)


@given(name=st.sampled_from(sorted(set(HANDLERS) - {"hello", "judges/shell"})), body=st.binary(max_size=200))
def test_bytes_that_are_no_message_are_refused(served: Served, name: str, body: bytes) -> None:
    headers = BEARER | ({"Authorization": f"Bearer {JUDGES}"} if name.startswith("judges/") else {})
    status, answer = served.ask("POST", f"/v1/{name}", body, headers)
    assert status in (200, 400, 404, 422) and isinstance(answer, dict)


@given(
    name=st.sampled_from(sorted(set(HANDLERS) - {"hello", "judges/shell", "wait"})),
    message=st.dictionaries(words, plain | st.sampled_from(["left", "a" * 16, ["screenshot"]]), max_size=5),
)
def test_messages_of_other_shapes_are_refused(served: Served, name: str, message: dict[str, Any]) -> None:
    headers = BEARER | ({"Authorization": f"Bearer {JUDGES}"} if name.startswith("judges/") else {})
    status, _ = served.ask("POST", f"/v1/{name}", wire.pack(message), headers)
    assert status in (200, 400, 404, 422) and not served.bugs


@pytest.mark.parametrize(
    "body",
    [
        b"\x91" * 5000,
        b"\x81\xa1a" * 600 + b"\x01",
        b"\xdf\xff\xff\xff\xff",
        b"\xdd\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"\x81\xa1a\xc7\x01\x05x",
        b"\x81\xa1a\xd6\xff\x00\x00\x00\x00",
        b"\x81\x01\x02",
        b"\x81\xa1\xff\x02",
        b"\x80\x80",
    ],
    ids=[
        "deep list",
        "deep map",
        "huge map",
        "huge list",
        "huge bytes",
        "extension",
        "time",
        "number key",
        "bad text",
        "two",
    ],
)
def test_hostile_msgpack_is_refused(served: Served, body: bytes) -> None:
    assert served.ask("POST", "/v1/act", body)[0] == 400
    assert served.alive()


def test_an_id_does_one_thing_once() -> None:
    served = Served()
    with served.server:
        for _ in range(3):
            assert served.ask("POST", "/v1/act", act())[0] == 200
        assert served.worlds[0].envs["left"].clicks == 1
        other = wire.pack({"env": "right", "action": {"kind": "click"}, "id": "a" * 32})
        assert served.ask("POST", "/v1/act", other)[0] == 400
        for bad in ("", "short", "A" * 32, "g" * 32, "a" * 100):
            assert served.ask("POST", "/v1/act", act(bad))[0] == 400
        refused = wire.pack({"env": "left", "action": {"kind": "press", "keys": ["a"]}, "id": "b" * 32})
        assert [served.ask("POST", "/v1/act", refused)[0] for _ in range(2)] == [422, 422]
        assert [env.clicks for env in served.worlds[0].envs.values()] == [1, 0]


def test_a_retry_during_the_action_waits_for_its_answer() -> None:
    served = Served()
    with served.server:
        served.worlds[0].hold.clear()
        answers: list[int] = []
        tries = [
            threading.Thread(target=lambda: answers.append(served.ask("POST", "/v1/act", act())[0])) for _ in range(3)
        ]
        for one in tries:
            one.start()
        served.worlds[0].hold.set()
        for one in tries:
            one.join(10)
        assert answers == [200] * 3 and served.worlds[0].envs["left"].clicks == 1


class Cutter:
    """A proxy that cuts the connection instead of passing on the answers to some actions, or keeps them to itself."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.cut = 0
        self.silent = False
        self.acts = 0
        self._open: list[socket.socket] = []
        self._listener = socket.create_server((LOOPBACK, 0))
        self.url = f"http://{LOOPBACK}:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client = self._listener.accept()[0]
                server = socket.create_connection((LOOPBACK, self.target))
                self._open += [client, server]
                due: list[bytes] = []
                threading.Thread(target=self._ask, args=(client, server, due), daemon=True).start()
                threading.Thread(target=self._answer, args=(client, server, due), daemon=True).start()

    def _ask(self, client: socket.socket, server: socket.socket, due: list[bytes]) -> None:
        with contextlib.suppress(OSError):
            while data := client.recv(1 << 16):
                if data.startswith(b"POST /v1/act"):
                    self.acts += 1
                    due.append(data)
                server.sendall(data)
        self._end(client, server)

    def _answer(self, client: socket.socket, server: socket.socket, due: list[bytes]) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(1 << 16):
                if due and self.cut:
                    self.cut -= 1
                    break
                silent = self.silent and bool(due)
                due.clear()  # before the client has the answer: its next request may be due at once
                if not silent:
                    client.sendall(data)
        self._end(client, server)

    def _end(self, *both: socket.socket) -> None:
        for one in both:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End it."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        for one in (self._listener, *self._open):
            one.close()


def test_an_answer_lost_on_the_way_is_asked_for_again_and_acted_once() -> None:
    served = Served()
    with (
        served.server,
        contextlib.closing(Cutter(served.server.port)) as proxy,
        contextlib.closing(RemoteWorld(proxy.url, TOKEN)) as world,
    ):
        proxy.cut = 2
        world.envs["left"].act(Click())
        assert (proxy.acts, proxy.cut) == (3, 0) and served.worlds[0].envs["left"].clicks == 1
        world.envs["left"].act(Click())
        assert served.worlds[0].envs["left"].clicks == 2


def test_a_silent_remote_is_lost_in_bounded_time() -> None:
    served = Served()
    with (
        served.server,
        contextlib.closing(Cutter(served.server.port)) as proxy,
        contextlib.closing(RemoteWorld(proxy.url, TOKEN, timeout=2.0)) as world,
    ):
        proxy.silent = True
        began = time.monotonic()
        with pytest.raises(EnvLost, match="no answer within"):
            world.envs["left"].act(Click())
        assert time.monotonic() - began < BOUNDED
        with pytest.raises(EnvLost, match="no answer within"):
            world.envs["left"].observe({Modality.CONTEXT}, 0.0)


def test_a_world_that_hangs_is_lost_in_bounded_time() -> None:
    served = Served(seconds=0.3)
    with served.server:
        world = RemoteWorld(served.server.url, TOKEN)
        served.worlds[0].hold.clear()
        with pytest.raises(EnvLost, match=r"did not answer within 0\.3 s"):
            world.envs["left"].act(Click())
        served.worlds[0].hold.set()
        world.close()


def test_a_server_started_anew_is_lost() -> None:
    first = Served()
    port = first.server.port
    world = RemoteWorld(first.server.url, TOKEN)
    world.envs["left"].act(Click())
    first.server.close()
    with contextlib.ExitStack() as stack:
        second = Served(port=port)
        stack.enter_context(second.server)
        with pytest.raises(EnvLost, match="started over"):
            world.envs["left"].act(Click())
        assert second.worlds[0].envs["left"].clicks == 0
    world.close()


def test_no_server_is_lost_in_bounded_time() -> None:
    with socket.create_server((LOOPBACK, 0)) as silent:
        began = time.monotonic()
        for port in (silent.getsockname()[1], 1):
            with pytest.raises(EnvLost, match="is lost"):
                RemoteWorld(f"http://{LOOPBACK}:{port}", TOKEN, wait=0.3)
        assert time.monotonic() - began < BOUNDED


def test_a_server_that_trickles_is_lost_in_bounded_time() -> None:
    def trickle(listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            client = listener.accept()[0]
            with client:
                for byte in b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + bytes(5000):
                    client.sendall(bytes([byte]))
                    threading.Event().wait(0.02)

    with socket.create_server((LOOPBACK, 0)) as listener:
        thread = threading.Thread(target=trickle, args=(listener,), daemon=True)
        thread.start()
        began = time.monotonic()
        with pytest.raises(EnvLost):
            RemoteWorld(f"http://{LOOPBACK}:{listener.getsockname()[1]}", TOKEN, wait=0.4)
        assert time.monotonic() - began < 10  # at this pace the answer would take 100


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\x80",
        b"HTTP/1.1 302 Found\r\nLocation: http://evil.example/\r\nContent-Length: 0\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 5000 + b"\r\n",
    ],
    ids=["endless", "compressed", "no msgpack", "empty", "elsewhere", "ssh", "headers"],
)
def test_what_is_no_server_of_worlds_is_told(answer: bytes) -> None:
    def serve(listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                client = listener.accept()[0]
                with client:
                    client.recv(65536)
                    client.sendall(answer)

    with socket.create_server((LOOPBACK, 0)) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        with pytest.raises(OmnipilotError):
            RemoteWorld(f"http://{LOOPBACK}:{listener.getsockname()[1]}", TOKEN, wait=0.3)


def test_an_open_address_needs_a_token() -> None:
    for host in ("0.0.0.0", "::", "192.0.2.1"):
        with pytest.raises(ConfigError, match="needs a token"):
            EnvServer(LiveWorld, host=host)
    for judges in ("", TOKEN):
        with pytest.raises(ConfigError, match="token of their own"):
            EnvServer(LiveWorld, TOKEN, judges, allow_judges=True)
    assert is_loopback("127.0.0.9") and is_loopback("::1") and is_loopback("localhost") and not is_loopback("10.0.0.1")


def test_a_port_in_use_is_told() -> None:
    with socket.create_server((LOOPBACK, 0)) as taken, pytest.raises(ConfigError, match="cannot listen"):
        EnvServer(LiveWorld, port=taken.getsockname()[1])


def test_a_world_that_cannot_be_made_is_told_and_leaves_nothing() -> None:
    def fail() -> LiveWorld:
        raise ConfigError("there is no such browser")

    before = threading.active_count()
    with pytest.raises(ConfigError, match="no such browser"):
        EnvServer(fail)
    assert threading.active_count() == before


def sockets() -> int:
    """The number of open sockets of this process."""
    import os

    found = 0
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            found += os.readlink(f"/proc/self/fd/{name}").startswith("socket:")
    return found


@pytest.mark.parametrize("clients", [10, pytest.param(100, marks=pytest.mark.slow)])
def test_clients_leave_nothing_behind(clients: int) -> None:
    served = Served()
    threads, before = threading.active_count(), sockets()
    for _ in range(clients):
        with contextlib.closing(RemoteWorld(served.server.url, TOKEN)) as world:
            world.envs["left"].observe({Modality.SCREENSHOT}, 0.0)
    served.server.close()
    assert threading.active_count() <= threads - 1 and sockets() <= before
    assert len(served.worlds) == 1 and served.worlds[0].closed == 1


@pytest.mark.slow
def test_a_hundred_servers_leave_nothing_behind() -> None:
    for turn in range(101):
        served = Served()
        with contextlib.closing(RemoteWorld(served.server.url, TOKEN)) as world:
            world.envs["left"].act(Click())
        served.server.close()
        served.server.close()
        if turn == 0:
            threads, before = threading.active_count(), sockets()
    assert (threading.active_count(), sockets()) == (threads, before)


class Mirror:
    """A server that answers every request with a message of the test's."""

    def __init__(self) -> None:
        self.answer: Any = {}
        mirror = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

            def do_GET(self) -> None:
                body = wire.pack(mirror.answer)
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.do_GET()

        self._server = http.server.ThreadingHTTPServer((LOOPBACK, 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://{LOOPBACK}:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End it."""
        self._server.shutdown()
        self._thread.join(5)
        self._server.server_close()


@pytest.fixture(scope="module")
def mirror() -> Iterator[Mirror]:
    made = Mirror()
    yield made
    made.close()


HELLO: dict[str, Any] = {
    "protocol": 1, "version": "0", "instance": "i", "uptime": 1.0, "running": False, "offers": ["ends", "recorded"],
    "state": "plain", "most": None, "now": 0.0, "sizes": {"d": [4, 3]},
    "envs": [
        {"name": "d", "platform": "desktop", "size": [4, 3], "verbs": ["click", "custom"], "modalities": [],
         "custom": [], "judges": ["ui_tree", "transcript", "written_texts", "files", "shell"]}
    ],
}  # fmt: skip
SAID = """observation media env time size screenshot elements video audio context absent detail file frames items now
heard output data ended actions words state nodes sizes"""
said = st.sampled_from(SAID.split())


@given(st.dictionaries(st.sampled_from(sorted(HELLO)), plain, max_size=3), st.data())
def test_a_server_that_says_anything_at_hello_is_lost_or_refused(
    mirror: Mirror, changes: dict[str, Any], data: st.DataObject
) -> None:
    env = HELLO["envs"][0] | data.draw(st.dictionaries(st.sampled_from(sorted(HELLO["envs"][0])), plain, max_size=2))
    mirror.answer = {**HELLO, "envs": [env], **changes}
    with contextlib.suppress(OmnipilotError), contextlib.closing(RemoteWorld(mirror.url, TOKEN, JUDGES)) as world:
        assert list(world.envs)


@pytest.mark.slow
@given(st.dictionaries(said, plain | st.dictionaries(said, plain, max_size=4), max_size=6))
def test_a_server_that_answers_anything_is_lost_or_refused(mirror: Mirror, answer: dict[str, Any]) -> None:
    mirror.answer = HELLO
    with contextlib.closing(RemoteWorld(mirror.url, TOKEN, JUDGES)) as world:
        env: Any = world.envs["d"]
        made: Any = world
        mirror.answer = {"now": 0.0, "sizes": {}, **answer}
        for ask in (
            lambda: env.observe({Modality.SCREENSHOT}, 0.0),
            env.ui_tree,
            lambda: env.transcript(0.0, 1.0),
            lambda: env.read_file("a"),
            lambda: env.shell("a", 1.0),
            lambda: env.act(Click()),
            lambda: made.take([], ""),
            made.ended,
            made.state,
            lambda: made.reset(0),
        ):
            with contextlib.suppress(OmnipilotError, FileNotFoundError):
                ask()
            world.client._gone = ""
