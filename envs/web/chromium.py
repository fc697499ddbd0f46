"""Finding and starting Chromium, and calling it with a deadline."""

from __future__ import annotations

import functools
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from omnipilot.envs.logs import log_time, logger_of
from omnipilot.envs.types.errors import ConfigError, EnvLost, require

_LOG = logger_of("chromium")

VARIABLE = "OMNIPILOT_CHROMIUM"
ON_PATH = ("chromium", "chromium-browser", "google-chrome")
CURE = f"run `playwright install chromium` or, on Debian as root, `apt install chromium`; or name one in ${VARIABLE}"
LIBRARIES = "install the libraries that it needs (on Debian, as root: apt install libatomic1)"
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A wheel notch scrolls the page at once, so that the screen settles as soon as it is drawn.
    "--disable-smooth-scrolling",
    # A screenshot then needs one frame instead of two.
    "--run-all-compositor-stages-before-draw",
)

VERSION_SECONDS = 20.0
"""Seconds that it may take to say its version."""
_drivers = threading.local()


def find_chromium() -> Path:
    """The Chromium executable: $OMNIPILOT_CHROMIUM, else the first on PATH, else Playwright's own.

    Raises:
        MissingExtra: Playwright is not installed.
        ConfigError: none was found, or Playwright cannot run here; the message says how to install what is missing.
    """
    api = require("playwright.sync_api", "web")
    found = _on_path()
    if found is None:
        driver = _acquire(api)
        try:
            found = Path(driver.chromium.executable_path)
        finally:
            _release()
        if not found.exists():
            raise ConfigError(f"no Chromium found; {CURE}")
    return found


def chromium_version() -> str:
    """The version of the Chromium that would be started, such as "120.0.6099.224"; "" if it does not say.

    Raises:
        MissingExtra, ConfigError: as `find_chromium`.
    """
    try:
        told = subprocess.run(
            [find_chromium(), "--version"], capture_output=True, text=True, timeout=VERSION_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = re.search(r"\d+(?:\.\d+)+", told.stdout)
    return found[0] if found else ""


def _on_path() -> Path | None:
    named = os.environ.get(VARIABLE)
    if named:
        path = shutil.which(named)
        if path is None:
            raise ConfigError(f"${VARIABLE} is {named!r}, which is not an executable; {CURE}")
        return Path(path)
    return next((Path(path) for path in map(shutil.which, ON_PATH) if path), None)


def launch(
    extra: Sequence[str] = (),
    timeout: float = 30.0,
    *,
    profile: Path | None = None,
    options: Mapping[str, Any] | None = None,
    display: str = "",
    xauthority: str = "",
    pulse: str = "",
) -> Chromium:
    """Start a headless Chromium, which belongs to the calling thread and ends with this process.

    DevTools is spoken through a pipe to this process; no port is opened, on which others could speak it, too.

    Args:
        extra: additional command-line flags.
        timeout: seconds to wait for it to start.
        profile: folder of a profile that no other browser uses; what pages leave behind is kept in it.
        options: with a profile, arguments of Playwright's `launch_persistent_context` for its pages.
        display: an X server, such as ":7", on which its windows are shown; xauthority: the file with its key.
        pulse: a sound server for PULSE_SERVER, to which pages play; by default they are mute.

    Raises:
        MissingExtra: Playwright is not installed.
        ConfigError: Chromium was not found or does not start; the message says how to install it.
    """
    api = require("playwright.sync_api", "web")
    path = find_chromium()
    root = ("--no-sandbox",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()
    given: dict[str, Any] = {
        "executable_path": path,
        "headless": not display,
        "args": [*root, *FLAGS, *extra],
        "timeout": timeout * 1000,
    }
    surroundings = {"DISPLAY": display} if display else {}
    if xauthority:
        surroundings["XAUTHORITY"] = xauthority
    if pulse:
        surroundings["PULSE_SERVER"] = pulse
        given["ignore_default_args"] = ["--mute-audio"]
    if surroundings:
        given["env"] = {**os.environ, **surroundings}
    driver = _acquire(api)
    there = _driver_folders()
    try:
        with log_time(_LOG, f"start {path}{f' on display {display}' if display else ''}"):
            if profile is None:
                browser, context = driver.chromium.launch(**given), None
            else:
                context = driver.chromium.launch_persistent_context(profile, **given, **(options or {}))
                browser = context.browser
        return Chromium(api, browser, context, profile, _driver_folders() - there)
    except api.Error as error:
        _release()
        raise ConfigError(f"{path} does not start ({_first_line(error)}); {CURE}") from error
    except BaseException:
        _release()
        raise


def _acquire(api: Any) -> Any:
    """This thread's Playwright driver; there can be only one, so browsers share it."""
    if not getattr(_drivers, "users", 0):
        # A driver that ends at its start leaves an event loop behind, which nobody can end.
        if problem := _why_no_driver():
            raise ConfigError(f"Playwright's driver does not start ({problem}); {LIBRARIES}")
        _drivers.driver = api.sync_playwright().start()
        _drivers.users = 0
    _drivers.users += 1
    return _drivers.driver


@functools.cache
def _why_no_driver() -> str:
    """Why the program that Playwright brings cannot run on this machine; "" if it can."""
    from playwright._impl._driver import compute_driver_executable

    done = subprocess.run([compute_driver_executable()[0], "--version"], capture_output=True, text=True, check=False)
    return _first_line(done.stderr.strip() or f"status {done.returncode}") if done.returncode else ""


def _release() -> None:
    _drivers.users -= 1
    if not _drivers.users:
        _drivers.driver.stop()


def _first_line(error: BaseException | str) -> str:
    return str(error).split("\n", 1)[0]


class Chromium:
    """One running browser.

    Attributes:
        browser: Playwright's object.
        session: a DevTools session with the browser itself.
        context: Playwright's object of the profile; None if the browser has none.
    """

    def __init__(
        self,
        api: Any,
        browser: Any,
        context: Any = None,
        profile: Path | None = None,
        driver_folders: Collection[Path] = (),
    ) -> None:
        self.browser = browser
        self.context = context
        self.session = browser.new_browser_cdp_session()
        self.error: type[Exception] = api.Error
        self._closed = False
        self._waiter: Any = None
        browser.on("disconnected", self._disconnected)
        processes = self.session.send("SystemInfo.getProcessInfo")["processInfo"]
        self.pid: int = next(process["id"] for process in processes if process["type"] == "browser")
        self._socket_folder = _socket_folder(self.pid, profile)
        self._driver_folders = driver_folders
        self._watchdog = _Watchdog(self._kill)

    @contextmanager
    def talking(self, seconds: float) -> Iterator[None]:
        """Guard calls to the browser: it is killed if they take longer, and failing calls raise `EnvLost`.

        Playwright has no timeout for most of its calls; a page in an infinite loop would block them forever, and some
        are never answered if the browser dies meanwhile.

        Raises:
            EnvLost: the browser or page is gone, or did not answer within `seconds`.
        """
        if self._closed:
            raise EnvLost("the browser has been closed")
        if not self.browser.is_connected():
            raise EnvLost("the browser has died")
        outer, self._waiter = self._waiter, require("greenlet", "web").getcurrent()
        try:
            with self._watchdog.within(seconds):
                yield
        except self.error as error:
            if self._watchdog.fired:
                raise EnvLost(f"the browser did not answer within {seconds:g} s and was killed") from error
            if not self.browser.is_connected() or is_gone(error):
                raise EnvLost(f"the browser or page is gone: {_first_line(error)}") from error
            raise
        finally:
            self._waiter = outer

    def _disconnected(self, _: Any) -> None:
        # Playwright runs each listener in a greenlet of its own while the calling one waits.
        waiter, self._waiter = self._waiter, None
        if waiter is not None:
            waiter.throw(self.error("the browser has been closed"))

    def _kill(self) -> None:
        if self.browser.is_connected():  # otherwise the number may be another process's by now
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def _answers(self) -> bool:
        try:
            with self.talking(10.0):
                self.session.send("Browser.getVersion")
        except EnvLost:
            return False
        return True

    def close(self) -> None:
        """Close the browser. May be called twice; a browser that has already died is not an error."""
        if self._closed:
            return
        died = not self._answers()
        self._closed = True
        try:
            with self._watchdog.within(10.0):
                (self.browser if self.context is None else self.context).close()
        except self.error as error:
            if self.browser.is_connected() and not is_gone(error):
                raise
        finally:
            self._watchdog.stop()
            if died or self._watchdog.fired:
                _wait_until_removed(self._driver_folders)
            _release()
            if self._socket_folder is not None:
                shutil.rmtree(self._socket_folder, ignore_errors=True)


def _socket_folder(pid: int, profile: Path | None) -> Path | None:
    """The folder that holds the socket by which a second Chromium would find the one that uses its profile.

    Chromium makes it in the temporary directory ("org.chromium.Chromium.…") and removes it at its end, but not when it
    is killed; Playwright removes only the profile, where a link leads to it and another names host and process.

    Args:
        profile: the profile that Chromium was given; None for one that Playwright made.

    Returns:
        None if there is none, as on Windows.
    """
    made = Path(tempfile.gettempdir()).glob("playwright_chromiumdev_profile-*")
    for folder in made if profile is None else (profile,):
        with suppress(OSError):
            if (folder / "SingletonLock").readlink().name.endswith(f"-{pid}"):
                return (folder / "SingletonSocket").readlink().parent
    return None


def _driver_folders() -> set[Path]:
    """What Playwright's drivers have in the temporary directory: profiles, and folders for downloads."""
    return set(Path(tempfile.gettempdir()).glob("playwright[-_]*"))


def _wait_until_removed(folders: Collection[Path], seconds: float = 5.0) -> None:
    """Wait until the driver has removed a dead browser's folders: one that is stopped meanwhile leaves them.

    Args:
        folders: those that came while the browser started; some may be another process's.
        seconds: for how long.
    """
    end = time.monotonic() + seconds
    while any(folder.exists() for folder in folders) and time.monotonic() < end:
        time.sleep(0.02)


def is_gone(error: BaseException) -> bool:
    """Whether a Playwright error says that its page or browser is gone."""
    text = str(error)
    return any(sign in text for sign in ("has been closed", "crashed", "Connection closed", "Target closed"))


class _Watchdog:
    """A thread that calls `bite` when guarded work exceeds its time limit."""

    def __init__(self, bite: Callable[[], None]) -> None:
        self.fired = False
        self._bite = bite
        self._deadline: float | None = None
        self._stop = threading.Event()
        threading.Thread(target=self._watch, name="chromium-watchdog", daemon=True).start()

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        outer = self._deadline
        deadline = time.monotonic() + seconds
        self._deadline = deadline if outer is None else min(outer, deadline)
        try:
            yield
        finally:
            self._deadline = outer

    def _watch(self) -> None:
        while not self._stop.wait(0.1):
            deadline = self._deadline
            if deadline is not None and time.monotonic() > deadline and not self.fired:
                self.fired = True
                self._bite()

    def stop(self) -> None:
        self._stop.set()
