"""A world with one browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from omnipilot.envs.base import Thinking, World
from omnipilot.envs.clock import WallClock
from omnipilot.envs.requirements import failed_checks
from omnipilot.envs.types.errors import ConfigError, check_installed
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.web.chromium import Chromium, find_chromium, launch
from omnipilot.envs.web.env import DESKTOP, Asking, BrowserEnv
from omnipilot.envs.web.navigation import address_mistake
from omnipilot.envs.web.options import ColorScheme, PageOptions, VideoKind

FROZEN = Thinking()


class BrowserWorld(World):
    """One browser that starts on one page. Pages run all the time, so the clock is wall time.

    Args:
        thinking: only recorded; a browser cannot be frozen.
        url: the page that each reset opens.
        size: of the viewport in CSS pixels.
        chromium: the browser to use; by default it starts and closes its own.
        clock: of the world that this one is part of, which restarts it; by default it has a clock of its own.
        name: of the browser among the environments.
        scale: device pixels per CSS pixel; screenshots are always in CSS pixels.
        profile: folder of a browser profile; each reset is on a new copy, and the folder itself is never changed.
        dialogs: `show` lets the agent answer dialogs and file choosers; `dismiss` answers them at once.
        downloads: whether pages may download. files: folder of files that the agent may upload.
        sound: `true` records what the browser plays, through a sound server of its own; the address of a running
            PulseAudio or PipeWire server, such as "unix:/run/user/1000/pulse/native", records that one's output.
        video: `none`; `screencast`, pictures of a headless browser as it draws them; `display`, 30 frames a second of
            a browser on a private display.
        user_agent, locale, timezone, permissions, geolocation, color_scheme, ignore_https_errors, http_credentials,
            storage_state: as in `PageOptions.parse`; `http_credentials` are for the site of `url` alone, if it is one.

    Raises:
        MissingExtra, ConfigError: Playwright, Chromium or what `sound` and `video` need is missing, or an option is
            invalid.
    """

    def __init__(
        self,
        thinking: Thinking = FROZEN,
        url: str = "about:blank",
        size: Size = DESKTOP,
        chromium: Chromium | None = None,
        clock: WallClock | None = None,
        *,
        name: str = "browser",
        scale: float = 1.0,
        profile: str | Path = "",
        dialogs: Asking = "show",
        downloads: bool = True,
        files: str | Path = "",
        sound: bool | str = False,
        video: VideoKind = "none",
        user_agent: str = "",
        locale: str = "",
        timezone: str = "",
        permissions: str | Sequence[str] = "",
        geolocation: str | Sequence[float] = "",
        color_scheme: ColorScheme = "light",
        ignore_https_errors: bool = False,
        http_credentials: str = "",
        storage_state: str | Path = "",
    ) -> None:
        options = PageOptions.parse(
            user_agent=user_agent,
            locale=locale,
            timezone=timezone,
            permissions=permissions,
            geolocation=geolocation,
            color_scheme=color_scheme,
            ignore_https_errors=ignore_https_errors,
            http_credentials=http_credentials,
            credentials_origin=_origin(url),
            storage_state=storage_state,
        )
        sound = {"true": True, "false": False, "": False}.get(sound, sound) if isinstance(sound, str) else sound
        recorded = bool(sound) or video != "none"
        if chromium is not None and (profile or recorded):
            raise ConfigError(
                "a profile, sound and video need a browser that the world starts itself; give no chromium"
            )
        if video == "display" and scale != 1:
            raise ConfigError("video 'display' films the pixels of a display: leave scale at 1")
        self.thinking = thinking
        self._url = url
        self._own_clock = clock is None
        self._clock = clock or WallClock()
        self._own: Chromium | None = None
        self._surroundings: Any = None
        start: Any = launch
        try:
            if recorded:
                # Loaded only where asked for: sound and displays are those of desktops.
                from omnipilot.envs.web.surroundings import Surroundings

                self._surroundings = Surroundings(name, size, sound, video)
                start = self._surroundings.launch
            if chromium is None and not profile:
                chromium = self._own = start()
            self.browser = BrowserEnv(
                chromium,
                name,
                size,
                scale=scale,
                clock=lambda: self.now,
                dialogs=dialogs,
                downloads=downloads,
                files=Path(files) if files else None,
                options=options,
                profile=Path(profile) if profile else None,
                start=start,
                recorders=self._surroundings,
                wall=self._clock,
            )
        except BaseException:
            self._close()
            raise

    @classmethod
    def option_mistakes(cls, options: Mapping[str, Any]) -> Iterator[str]:
        """Options that no page could have, and folders that are not there; see `World.option_mistakes`."""
        if isinstance(options.get("url"), str) and (told := address_mistake(options["url"])):
            yield f"url: {told}"
        for name in sorted({field.name for field in fields(PageOptions)} & set(options)):
            try:
                PageOptions.parse(**{name: options[name]})
            except ConfigError as error:
                yield f"{name}: {error}"
        for name in ("profile", "files"):
            if options.get(name) and not Path(options[name]).is_dir():
                yield f"{name}: there is no folder {options[name]}"
        if options.get("scale", 1.0) == 0:
            yield "scale must be more than 0"

    @staticmethod
    def lacking(options: Mapping[str, Any]) -> list[str]:
        """What a browser with these options needs and does not find on this machine; nothing is started."""
        sound, video = options.get("sound", False), options.get("video", "none")
        checks: list[Callable[[], object]] = [find_chromium]
        if sound not in (False, "false", "") or video == "display":
            from omnipilot.envs.desktop.private.desktop import check_system

            checks.append(partial(check_system, "", sound=sound in (True, "true")))
        if video != "none":
            checks.append(partial(check_installed, "desktop", "av"))
        return failed_checks(*checks)

    @property
    def envs(self) -> Mapping[str, BrowserEnv]:
        """The browser, by its name."""
        return {self.browser.name: self.browser}

    @property
    def now(self) -> float:
        """Wall seconds since the last reset."""
        return self._clock.now

    def reset(self, instance: int) -> None:  # noqa: ARG002
        """A new context on the start page. What the web serves does not depend on `instance`."""
        self.browser.restart(self._url)
        if self._own_clock:
            self._clock.restart()

    def wait(self, seconds: float) -> None:
        """Wait in real time."""
        self.browser.pause(seconds)

    def think(self, measured: float) -> None:
        """Do nothing: the pages kept running."""

    def close(self) -> None:
        """Close the window, the browser if it is our own, and what it was heard and filmed with."""
        try:
            self.browser.close()
        finally:
            self._close()

    def _close(self) -> None:
        if self._own is not None:
            self._own.close()
        if self._surroundings is not None:
            self._surroundings.close()


def _origin(url: str) -> str:
    """The origin of a web address; "" for any other, such as about:blank."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if parts.scheme in ("http", "https") else ""
