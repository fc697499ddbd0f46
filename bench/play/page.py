"""The page on which a person plays: shows each turn, and takes what they do with mouse, keys and fingers."""

from __future__ import annotations

import json
import queue
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from itertools import pairwise
from types import FrameType
from typing import Any
from urllib.parse import parse_qs, urlsplit

from omnipilot.bench import PageContent, PersonalPage
from omnipilot.bench.play.primitives import Thresholds, primitives_of
from omnipilot.bench.play.raw_events import read_raw_events
from omnipilot.envs import Absent, AudioClip, ConfigError, Image, Observation, VideoClip
from omnipilot.planners import Brief, PersonTurn, Request, Verbs

LONGEST_POLL = 20.0
"""Seconds after which a browser that waits for something new is answered that there is nothing."""
LOOK = 0.5
"""Seconds between two looks whether Ctrl-C was pressed."""
LONG = 1.0
"""Seconds from which on a film is offered in which the screen changed only once: when it did may matter."""
FAREWELL = 3.0
"""Seconds for which the page waits at the end, so that a browser that is open can say that it is over."""
STATIC = {"play.js": "text/javascript; charset=utf-8", "play.css": "text/css; charset=utf-8"}


class PlayPage(PersonalPage):
    """Serves the page. Use it as a context manager, or call `close`.

    One window plays at a time. Another one says so, and can take over; the same window may be loaded again at any
    moment, and goes on where it was. While nobody looks, the task waits.

    Args:
        port: 0 for a free one.

    Attributes:
        thresholds: what makes one gesture another.
    """

    most = 4_000_000

    def __init__(self, port: int = 0) -> None:
        self.thresholds = Thresholds()
        self._changed = threading.Condition()
        self._done: queue.SimpleQueue[PersonTurn | str | None] = queue.SimpleQueue()
        self._version = 0
        self._farewell = False
        self._tab = ""
        self._state: dict[str, Any] = {"phase": "waiting", "words": "The first task is being set up."}
        self._media: dict[str, Image | AudioClip] = {}
        self._screens: Mapping[str, Verbs] = {}
        self._brief: Brief | None = None
        self._player = ""
        self._tasks = 0
        super().__init__(port)

    # What the planner asks.

    def begin(self, brief: Brief, player: str) -> None:
        """A task begins."""
        self._brief, self._player, self._screens = brief, player, brief.envs
        self._tasks += 1

    def decide(self, request: Request) -> PersonTurn:
        """Show a turn, and wait until the person has done something.

        Raises:
            KeyboardInterrupt: they stopped, to go on later.
        """
        state = self.describe(request)
        while not isinstance(done := self._ask(state), PersonTurn):
            continue
        return done

    def ask_instruction(self) -> str:
        """Ask the person what they are about to do, and wait for the answer.

        Raises:
            KeyboardInterrupt: they stopped.
        """
        while not isinstance(told := self._ask({"phase": "instruction"}), str):
            continue
        self._show({"phase": "waiting", "words": "The devices are being set up."})
        return told

    def finish(self, words: str) -> None:
        """Say that it is over; waits a moment until an open browser has been told."""
        self._show({"phase": "over", "words": words})
        with self._changed:
            if self._tab:
                self._changed.wait_for(lambda: self._farewell, FAREWELL)

    def _ask(self, state: dict[str, Any]) -> PersonTurn | str:
        """Show something, and wait for what the browser sends next.

        Raises:
            KeyboardInterrupt: they stopped on the page, or pressed Ctrl-C in the terminal.
        """
        with _interrupting():
            self._show(state)
            if (done := self._wait_for_browser()) is not None:
                return done
            if threading.current_thread() is threading.main_thread():
                # As if they had pressed Ctrl-C: the run notes that it was interrupted, and can go on later.
                signal.raise_signal(signal.SIGINT)
            raise KeyboardInterrupt

    def _wait_for_browser(self) -> PersonTurn | str | None:
        while True:
            # Again and again: a wait does not hear of a Ctrl-C that came just before it began.
            with suppress(queue.Empty):
                return self._done.get(timeout=LOOK)

    # What the browser asks.

    def content(self, path: str) -> PageContent | None:
        """The page, its parts, and the state of things."""
        address = urlsplit(path)
        if path == "":
            return PageContent(_static("play.html"))
        if path in STATIC:
            return PageContent(_static(path), STATIC[path])
        if address.path == "state":
            asked = parse_qs(address.query)
            return PageContent.json(self._newer(asked.get("tab", [""])[0], asked.get("after", [""])[0]))
        media = self._media.get(address.path.removeprefix("media/"))
        if isinstance(media, Image):
            return PageContent(media.png(), "image/png")
        return None if media is None else PageContent(media.wav(), "audio/wav")

    def take(self, path: str, values: Any) -> object:
        """Take what the person did, typed, or wants.

        Raises:
            ConfigError: it cannot be taken now, or makes no sense; the person is told why.
        """
        if not isinstance(values, dict) or not isinstance(values.get("tab"), str) or not values["tab"]:
            raise ConfigError("a request names the window that it comes from, as tab")
        if path == "here":
            with self._changed:
                self._tab = values["tab"]
                self._grow()
            return {}
        with self._changed:
            if values["tab"] != self._tab:
                raise ConfigError("this task is open in another window; press “Play here” to go on in this one")
            if values.get("version") != self._version:
                raise ConfigError("this came too late: the screens are newer than what you saw; do it again")
            if path == "events" and self._state["phase"] == "turn":
                return self._take_events(values.get("events"))
            if path == "instruction" and self._state["phase"] == "instruction":
                if not isinstance(text := values.get("text"), str) or not text.strip():
                    raise ConfigError("say in a sentence what you are going to do")
                self._done.put(text.strip())
                return {}
            if path == "stop":
                self._state = {"phase": "over", "words": "Stopped. The same command goes on from the task's start."}
                self._grow()
                self._done.put(None)
                return {}
        raise ConfigError("nothing of that kind is asked for now")

    def _take_events(self, values: object) -> object:
        events = read_raw_events(values)
        try:
            primitives = primitives_of(events, self._screens, self.thresholds)
        except ValueError as error:
            raise ConfigError(f"this cannot be done: {error}") from None
        if primitives:
            self._state = {**self._state, "phase": "busy"}
            self._grow()
            raw = json.dumps([event.to_json() for event in events], ensure_ascii=False)
            self._done.put(PersonTurn([one.move for one in primitives], raw))
        return {"verbs": [one.move.intent.kind for one in primitives]}

    def _newer(self, tab: str, after: str) -> dict[str, Any]:
        """The state, as soon as it is another than `after`, or again after a while."""
        with self._changed:
            if tab and not self._tab:
                self._tab = tab
            self._changed.wait_for(lambda: str(self._version) != after, LONGEST_POLL)
            if self._state["phase"] == "over":
                self._farewell = True
                self._changed.notify_all()
            elif tab != self._tab:
                return {"phase": "elsewhere", "version": self._version}
            return {**self._state, "version": self._version}

    def _show(self, state: dict[str, Any]) -> None:
        with self._changed:
            self._state = {**state, "player": self._player}
            self._grow()

    def _grow(self) -> None:
        self._version += 1
        self._changed.notify_all()

    def describe(self, request: Request) -> dict[str, Any]:
        """What the page is told of a turn; its media are kept for it until the next."""
        brief, left = request.brief, request.left
        media: dict[str, Image | AudioClip] = {}
        shown = [
            self._screen(name, brief.envs[name], seen, media)
            for name, seen in request.observations.items()
            if name in brief.envs
        ]
        told = [one.outcome.message for one in request.feedback if one.outcome.refused and one.outcome.message]
        self._media = media
        limits = {name: value for name, value in asdict(left).items() if value is not None}
        return {
            "phase": "turn",
            "task": self._tasks,
            "turn": request.turn + 1,
            "left": limits,
            "instruction": brief.instruction,
            "intent": brief.intent,
            "told": told,
            "control": sorted(brief.control),
            "envs": shown,
            "thresholds": asdict(self.thresholds),
        }

    def _screen(
        self, name: str, verbs: Verbs, seen: Observation, media: dict[str, Image | AudioClip]
    ) -> dict[str, Any]:
        def keep(one: Image | AudioClip) -> str:
            media[one.digest] = one
            return f"media/{one.digest}"

        out: dict[str, Any] = {
            "name": name,
            "platform": verbs.platform,
            "size": [seen.size.width, seen.size.height],
            "kinds": sorted(verbs.kinds),
            "apps": list(verbs.installed or verbs.applications) if "open_app" in verbs.kinds else [],
            "picture": keep(seen.screenshot) if isinstance(seen.screenshot, Image) else None,
            "absent": "",
            "sound": None,
            "film": None,
        }
        if isinstance(seen.screenshot, Absent):
            out["absent"] = seen.screenshot.detail or seen.screenshot.reason
        if isinstance(seen.audio, AudioClip) and seen.audio.seconds and seen.audio.array().any():
            out["sound"] = {"url": keep(seen.audio), "seconds": seen.audio.seconds}
        if isinstance(seen.video, VideoClip) and _moves(seen.video):
            frames = [[frame.start - seen.video.start, keep(frame)] for frame in seen.video.frames]
            out["film"] = {"seconds": seen.video.seconds, "frames": frames}
        return out


def _moves(film: VideoClip) -> bool:
    """Whether a film shows more than the two pictures before and after an action: a lamp that blinks has two, too."""
    changes = sum(one.digest != after.digest for one, after in pairwise(film.frames))
    return changes > 1 or (changes == 1 and film.seconds >= LONG)


@contextmanager
def _interrupting() -> Iterator[None]:
    """Let Ctrl-C end a wait at once, after whoever counts it was told."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def stop(number: int, frame: FrameType | None) -> None:
        if callable(before):
            before(number, frame)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@cache
def _static(name: str) -> bytes:
    return (files(__package__) / "static" / name).read_bytes()
