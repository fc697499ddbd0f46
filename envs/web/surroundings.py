"""The display that a browser shows its windows on, and the sound server that it plays to."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

from omnipilot.envs.clock import WallClock
from omnipilot.envs.desktop.address import DesktopAddress
from omnipilot.envs.desktop.capture.film import FilmRecorder
from omnipilot.envs.desktop.capture.screenshot import Screenshots
from omnipilot.envs.desktop.capture.sound import SoundRecorder
from omnipilot.envs.desktop.private.desktop import start_desktop
from omnipilot.envs.desktop.private.reservations import hold_display
from omnipilot.envs.desktop.x11.authority import key_file, write_key
from omnipilot.envs.desktop.x11.connection import XConnection
from omnipilot.envs.temporary_folders import make_folder, remove_folder
from omnipilot.envs.types.errors import ConfigError
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.media import VideoClip
from omnipilot.envs.types.observation import Absent
from omnipilot.envs.web.chromium import Chromium, launch
from omnipilot.envs.web.options import VideoKind
from omnipilot.envs.web.recording import BrowserSound, Screencast, Video

MARGIN = Size(40, 140)
"""Pixels of the display beside the page, for the frame and the bars of the window."""
READY = 10.0
"""Seconds to wait for the first samples of a sound server."""
MARK = (255, 0, 254)
"""A colour that no browser's window has."""


class Surroundings:
    """What a browser needs to be heard and filmed, and the recorders.

    Args:
        name: of the environment. size: of the viewport in CSS pixels.
        sound: True for a sound server of its own; the address of a running one, such as "unix:/run/…/native", to
            record that one's default output; False for a mute browser.
        video: `none`; `screencast`, pictures of a headless browser; `display`, 30 frames a second of a window on a
            private display.

    Attributes:
        sound, video: the recorders, None where there is none.

    Raises:
        ConfigError, MissingExtra: a program or package for this is missing; the message says how to install it.
    """

    def __init__(self, name: str, size: Size, sound: bool | str = False, video: VideoKind = "none") -> None:
        if video not in get_args(VideoKind):
            raise ConfigError(f"video must be {', '.join(get_args(VideoKind))}, not {video!r}")
        self._name, self._size = name, size
        self._kind = video
        self.sound: BrowserSound | None = None
        self.video: Video | None = None
        self._closing: list[Any] = []
        self._chromium: Chromium | None = None
        self._whole = Size(size.width + MARGIN.width, size.height + MARGIN.height)
        self._screen: PrivateScreen | None = None
        self._pulse = ""
        try:
            if video == "display":
                self._screen = self._recorder(PrivateScreen(self._whole))
            if sound:
                self._listen(sound)
        except BaseException:
            self.close()
            raise

    def _recorder(self, recorder: Any) -> Any:
        self._closing.append(recorder)
        return recorder

    def _listen(self, sound: bool | str) -> None:
        if isinstance(sound, str):
            address = address_of(pulse=sound)
        else:
            address = self._recorder(start_desktop(Size(64, 64), window_manager="")).address
        self._pulse = address.pulse
        recorder = self._recorder(SoundRecorder(address, self._name))
        if not recorder.ready(READY):
            raise ConfigError(f"no sound arrives from the sound server {address.pulse}; check that it runs")
        self.sound = recorder

    def launch(
        self,
        *,
        extra: Sequence[str] = (),
        profile: Path | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Chromium:
        """Start a browser in these surroundings; see `omnipilot.envs.web.launch`."""
        where = self._screen.address if self._screen else address_of()
        chromium = launch(
            extra,
            profile=profile,
            options=options,
            display=where.display,
            xauthority=where.xauthority,
            pulse=self._pulse,
        )
        self._chromium = chromium
        try:
            with chromium.talking(3 * READY):
                if self._kind == "screencast":
                    self.video = Screencast(chromium, self._name)
                elif self._kind == "display" and self.video is None:
                    self._film(chromium)
        except BaseException:
            chromium.close()
            raise
        return chromium

    def place_window(self, target: str) -> None:
        """Move the window of a page into the corner of the display."""
        assert self._chromium is not None
        session = self._chromium.session
        # Larger than the page needs: the bars of a window differ in height, and what does not fit is cut off.
        bounds = {"left": 0, "top": 0, "width": self._whole.width, "height": self._whole.height}
        # A window that is closing cannot be moved.
        with suppress(self._chromium.error):
            window = session.send("Browser.getWindowForTarget", {"targetId": target})["windowId"]
            session.send("Browser.setWindowBounds", {"windowId": window, "bounds": bounds})

    def _film(self, chromium: Chromium) -> None:
        """Find out where on the display pages are drawn, and film that place."""
        assert self._screen is not None
        side = {"width": self._size.width, "height": self._size.height}
        context = chromium.browser.new_context(viewport=side)
        try:
            page = context.new_page()
            self.place_window(context.new_cdp_session(page).send("Target.getTargetInfo")["targetInfo"]["targetId"])
            colour = ",".join(map(str, MARK))
            page.set_content(f"<style>html {{ background: rgb({colour}) }}</style>")
            at = None
            until = time.monotonic() + 2 * READY
            while at is None and time.monotonic() < until:
                page.screenshot()  # waits until it is drawn
                at = self._marked()
        finally:
            context.close()
        if at is None:
            raise ConfigError(
                f"the browser's window does not show its page on the display {self._screen.address.display}"
            )
        film = self._recorder(FilmRecorder(self._screen.address, self._name, self._size, at=at))
        self.video = _WindowFilm(film, self.place_window)

    def _marked(self) -> tuple[int, int] | None:
        """Left and top of the marked page on the display; None if it is not all there."""
        assert self._screen is not None
        screenshots = Screenshots(self._screen.address, self._name)
        try:
            pixels = screenshots.take(self._whole, 0.0).array()
        finally:
            screenshots.close()
        rows, columns = (pixels == MARK).all(axis=2).nonzero()
        if not len(rows):
            return None
        left, top = int(columns.min()), int(rows.min())
        across, down = int(columns.max()) - left + 1, int(rows.max()) - top + 1
        return (left, top) if (across, down) == (self._size.width, self._size.height) else None

    def close(self) -> None:
        """Stop the recorders, and end the display and the sound server. May be called twice."""
        while self._closing:
            self._closing.pop().close()


class PrivateScreen:
    """An X server of our own without a window manager; it ends with its last window.

    It takes nobody in without its key, which only this user can read.

    Raises:
        ConfigError: Xvfb is not installed or does not start.
    """

    def __init__(self, size: Size) -> None:
        program = shutil.which("Xvfb")
        if program is None:
            raise ConfigError("video 'display' needs the program Xvfb; run as root: apt install xvfb")
        self._process: subprocess.Popen[bytes] | None = None
        self._client: XConnection | None = None
        self._folder = make_folder("screen")
        number, holder, self._socket = hold_display(None)
        told, telling = os.pipe()
        with holder, open(told) as answer:
            try:
                hosts = [os.uname().nodename]
                key = write_key(self._folder / "xauthority", key_file(number, hosts), os.geteuid())
                # No abstract socket: every program with this machine's network could connect to it, sandboxed or not.
                closed = ["-nolisten", "tcp", "-nolisten", "local", "-auth", str(key)]
                line = [program, f":{number}", "-displayfd", str(telling), "-screen", "0", f"{size}x24", *closed]
                self._process = subprocess.Popen(
                    [*line, "-terminate"],
                    pass_fds=[telling, holder.fileno()],  # the server holds its number then
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
                os.close(telling)
                if not select.select([told], [], [], READY)[0] or not answer.readline().strip():
                    raise ConfigError(f"{program} does not start")
                self.address = address_of(display=f":{number}", xauthority=str(key))
                # Of a process that is killed the connection ends, and with the last one the server.
                self._client = XConnection(self.address)
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """End it, with its socket, lock and key. May be called twice."""
        if self._client is not None:
            self._client.close()
        if self._process is not None:
            if self._process.poll() is None:
                self._process.terminate()
                try:
                    self._process.wait(READY)
                except subprocess.TimeoutExpired:
                    self._process.kill()
                    self._process.wait()
            self._process = None
            for left in (self._socket, Path(f"/tmp/.{self._socket.name}-lock")):
                left.unlink(missing_ok=True)
        remove_folder(self._folder)


def address_of(display: str = "", pulse: str = "", xauthority: str = "") -> DesktopAddress:
    """The address of a display or a sound server that is no whole desktop."""
    nowhere = Path(os.devnull)
    return DesktopAddress(display, "", pulse, "", nowhere, nowhere, os.geteuid(), xauthority)


class _WindowFilm:
    """A film of the place on a display where pages are drawn."""

    def __init__(self, film: FilmRecorder, place: Callable[[str], None]) -> None:
        self._film = film
        self._place = place
        self._target = ""

    def follow(self, target: str, size: Size) -> None:  # noqa: ARG002
        """Put the window of the front tab in its place."""
        if target != self._target:
            self._target = target
            self._place(target)

    def clip(self, start: float, end: float, clock: WallClock) -> VideoClip | Absent:
        return self._film.clip(start, end, clock)
