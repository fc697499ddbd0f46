"""Profiles and what pages learn about the browser."""

from __future__ import annotations

import base64
import http.server
import json
import os
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

import pytest
from web_pages import Site, serve

from omnipilot.envs import ActionRejected, ConfigError, Context, EnvLost, Modality, Size
from omnipilot.envs.desktop.private import keeper
from omnipilot.envs.web import BrowserWorld, Chromium
from omnipilot.envs.web.options import PageOptions
from omnipilot.envs.web.profile import copy_profile, remove_folder

SIZE = Size(400, 300)


@pytest.fixture
def site() -> Iterator[Site]:
    with serve() as site:
        yield site


def title(world: BrowserWorld) -> str:
    found = world.browser.observe({Modality.CONTEXT}, 0.0).context
    assert isinstance(found, Context)
    return found.title


def sockets() -> int:
    """Open sockets and pipes of this process."""
    found = 0
    for number in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            found += os.readlink(number).startswith(("socket:", "pipe:"))
    return found


def descendants() -> set[int]:
    """Processes that this one has started, and theirs, without those that have ended."""
    return {row.pid for row in keeper.descendants(os.getpid())}


def left(before: set[int], most: int = 0) -> set[int]:
    """Processes besides those of before, after a moment to end if they are more than `most`."""
    until = time.monotonic() + 10
    while len(more := descendants() - before) > most and time.monotonic() < until:
        time.sleep(0.05)
    return more


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
@pytest.mark.web
def test_each_episode_starts_with_the_login_of_the_profile_and_leaves_it_as_it_was(
    chromium_path: str, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert chromium_path
    before = descendants()
    site.pages["/"] = "<title>x</title><script>document.title=document.cookie||'nobody'</script>"
    empty, profile, temporary = tmp_path / "empty", tmp_path / "profile", tmp_path / "temporary"
    empty.mkdir()
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    world = BrowserWorld(url=site.url(), size=SIZE, profile=empty)
    world.reset(0)
    assert title(world) == "nobody"
    world.browser.ask_page("() => { document.cookie = 'user=ann; max-age=9999'; }")
    world.browser.save_profile(profile)
    world.close()
    assert list(empty.iterdir()) == []
    kept = content(profile)
    world = BrowserWorld(url=site.url(), size=SIZE, profile=str(profile))
    for instance in (0, 1):
        world.reset(instance)
        assert title(world) == "user=ann"
        world.browser.ask_page("() => { document.cookie = 'user=eve; max-age=9999'; }")
    world.close()
    world.close()
    assert content(profile) == kept and not list(temporary.iterdir()) and not left(before)
    with pytest.raises(EnvLost):
        world.browser.observe({Modality.SCREENSHOT}, 0.0)


@pytest.mark.web
@pytest.mark.slow
def test_twenty_openings_leave_nothing_behind(
    chromium: Chromium, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    attached = {"Content-Disposition": "attachment; filename=a.txt"}
    site.pages = {"/": "<title>x</title>", "/get": (attached, b"a")}
    before: set[int] = set()
    open_before = 0
    for number in range(21):
        if number == 1:
            before, open_before = descendants(), sockets()
        world = BrowserWorld(url=site.url(), size=SIZE, chromium=chromium)
        world.reset(0)
        world.browser.open(site.url("/get"))
        world.browser.settle()
        until = time.monotonic() + 5
        while not world.browser.downloaded() and time.monotonic() < until:
            world.browser.pause(0.05)
        assert world.browser.downloaded() == ("downloads/a.txt",)
        world.close()
    assert not list(tmp_path.iterdir()) and not chromium.browser.contexts
    assert sockets() <= open_before
    # Chromium keeps a process ready for the page that comes next.
    assert len(left(before, 1)) <= 1


class Guarded(http.server.BaseHTTPRequestHandler):
    """Asks for a name and password, and keeps what it was given."""

    given: ClassVar[list[str | None]] = []

    def do_GET(self) -> None:
        said = self.headers.get("Authorization")
        self.given.append(said)
        right = said == "Basic " + base64.b64encode(b"ann:one:two").decode()
        self.send_response(200 if right else 401)
        if not right:
            self.send_header("WWW-Authenticate", 'Basic realm="mine"')
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<title>welcome</title>" if right else b"<title>refused</title>")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def guarded() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Guarded)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    Guarded.given.clear()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.slow
@pytest.mark.web
def test_a_servers_question_for_a_password_is_answered_on_the_site_of_the_start_page_alone(
    chromium: Chromium, site: Site, guarded: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITE_PASSWORD", "ann:one:two")
    site.pages["/"] = "<title>start</title>"
    for credentials, shown in (("ann:one:two", "welcome"), ("$SITE_PASSWORD", "welcome"), ("ann:three", "refused")):
        world = BrowserWorld(url=guarded, size=SIZE, chromium=chromium, http_credentials=credentials)
        world.reset(0)
        assert title(world) == shown
        world.close()
    world = BrowserWorld(url=guarded, size=SIZE, chromium=chromium)
    with pytest.raises(EnvLost, match="asks for a name and password"):
        world.reset(0)
    world.close()
    Guarded.given.clear()
    world = BrowserWorld(url=site.url("/"), size=SIZE, chromium=chromium, http_credentials="ann:one:two")
    world.reset(0)
    with pytest.raises(ActionRejected, match="asks for a name and password"):
        world.browser.open(guarded)
    world.close()
    assert set(Guarded.given) == {None}, "another site was told the password"


@pytest.mark.web
def test_pages_learn_what_the_options_say(chromium: Chromium, site: Site, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    cookie = {"name": "user", "value": "ann", "domain": "127.0.0.1", "path": "/"}
    cookie |= {"expires": -1, "httpOnly": False, "secure": False, "sameSite": "Lax"}
    state.write_text(json.dumps({"cookies": [cookie], "origins": []}))
    site.pages["/"] = "<title>x</title>"
    world = BrowserWorld(
        url=site.url(),
        size=SIZE,
        chromium=chromium,
        user_agent="Probe/1",
        locale="de-DE",
        timezone="Asia/Tokyo",
        geolocation="52.5,13.4",
        color_scheme="dark",
        storage_state=state,
    )
    world.reset(0)
    told = world.browser.ask_page(
        "() => new Promise((done) => navigator.geolocation.getCurrentPosition((place) => done(["
        "navigator.userAgent, (1.5).toLocaleString(), new Date(0).getHours(), place.coords.latitude,"
        "matchMedia('(prefers-color-scheme: dark)').matches, document.cookie])))"
    )
    world.close()
    assert told == ["Probe/1", "1,5", 9, 52.5, True, "user=ann"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"geolocation": "north"}, "LATITUDE,LONGITUDE"),
        ({"geolocation": "91,0"}, "-90..90"),
        ({"http_credentials": "ann"}, "USER:PASSWORD"),
        ({"http_credentials": "$NO_SUCH_VARIABLE"}, "NO_SUCH_VARIABLE, which is not set"),
        ({"color_scheme": "pink"}, "light, dark"),
        ({"storage_state": "/no/such/file"}, "cannot be read"),
    ],
)
def test_an_option_that_is_invalid_says_how_to_write_it(options: dict[str, str], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        PageOptions.parse(**options)  # type: ignore[arg-type]


def test_a_copy_has_no_locks_and_caches(tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    for name in ("Default/Cookies", "Default/Cache/data", "SingletonCookie", "Local State"):
        (profile / name).parent.mkdir(parents=True, exist_ok=True)
        (profile / name).write_text(name)
    os.symlink(f"{socket.gethostname()}-999999999", profile / "SingletonLock")  # of a browser that died
    copy = copy_profile(profile)
    try:
        assert sorted(content(copy)) == ["Default/Cookies", "Local State"]
    finally:
        remove_folder(copy)
    assert not copy.exists()


def test_a_profile_that_is_open_or_missing_is_refused(tmp_path: Path) -> None:
    os.symlink(f"{socket.gethostname()}-{os.getpid()}", tmp_path / "SingletonLock")
    with pytest.raises(ConfigError, match=f"process {os.getpid()}"):
        copy_profile(tmp_path)
    with pytest.raises(ConfigError, match="no browser profile"):
        copy_profile(tmp_path / "none")


def test_what_needs_a_browser_of_its_own_takes_no_other() -> None:
    with pytest.raises(ConfigError, match="starts itself"):
        BrowserWorld(chromium=object(), video="screencast")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="leave scale at 1"):
        BrowserWorld(video="display", scale=2.0)
    with pytest.raises(ConfigError, match="video must be"):
        BrowserWorld(video="film")
