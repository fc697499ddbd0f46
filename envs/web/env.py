"""The browser environment: real pages in a headless Chromium."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal

from omnipilot.envs.types.actions import Action, Browser, OpenUrl, Select, Verb
from omnipilot.envs.types.custom import CustomVerb
from omnipilot.envs.types.errors import ActionRejected, EnvLost
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.observation import Absent, Context, Elements, Modality, Observation
from omnipilot.envs.web.chromium import Chromium
from omnipilot.envs.web.dom import elements
from omnipilot.envs.web.input import Input
from omnipilot.envs.web.navigation import browse, goto, open_url
from omnipilot.envs.web.screenshot import shoot
from omnipilot.envs.web.tabs import Tab, Tabs

POINTING = frozenset({"click", "long_press", "move", "mouse_down", "mouse_up", "drag", "scroll", "select"})
TYPING = frozenset({"type", "press", "key_down", "key_up"})
BROWSING = frozenset({"open_url", "browser"})
DESKTOP = Size(1280, 800)


class BrowserEnv:
    """One browser window with its tabs, in its own context: cookies and cache are not shared.

    Args:
        chromium: the browser to use.
        size: of the viewport and the screenshot, in CSS pixels.
        scale: device pixels per CSS pixel; screenshots are always in CSS pixels.
        verbs: verbs the agent may use, from `POINTING | TYPING | BROWSING`.
        clock: returns seconds on the world's clock.
        cap, deadline: maximum number of elements, and maximum seconds to collect them; truncation is reported.
        still: maximum seconds to wait until a page is still after an action; load: until it has loaded.
        timeout: seconds after which an unresponsive browser is given up.
    """

    def __init__(
        self,
        chromium: Chromium,
        name: str = "browser",
        size: Size = DESKTOP,
        *,
        scale: float = 1.0,
        verbs: frozenset[str] = POINTING | TYPING | BROWSING,
        clock: Callable[[], float] = time.monotonic,
        cap: int = 1000,
        deadline: float = 0.25,
        still: float = 0.5,
        load: float = 10.0,
        timeout: float = 30.0,
    ) -> None:
        self.name = name
        self.size = size
        self.verbs = verbs
        self._chromium = chromium
        self._scale = scale
        self._clock = clock
        self._cap = cap
        self._deadline = deadline
        self._still = still
        self._load = load
        self._timeout = timeout
        self._acted = False
        self._context: Any = None
        self._tabs: Tabs
        self.restart()

    @property
    def platform(self) -> Literal["browser"]:
        """The kind of device."""
        return "browser"

    @property
    def custom(self) -> Mapping[str, CustomVerb]:
        """No custom verbs."""
        return {}

    @property
    def tab(self) -> Tab:
        """The current tab, for worlds that prepare pages."""
        return self._tabs.front

    def restart(self, url: str | None = None) -> None:
        """Start over with one new tab at `url`, without cookies or history.

        Raises:
            EnvLost: the browser is gone, or the page cannot be opened.
        """
        with self._chromium.talking(self._timeout):
            self._leave()
            side = {"width": self.size.width, "height": self.size.height}
            self._context = self._chromium.browser.new_context(
                viewport=side, screen=side, device_scale_factor=self._scale, accept_downloads=False
            )
            self._context.set_default_timeout(self._load * 1000)
            self._tabs = Tabs(self._chromium, self._context)
        if url is not None:
            self.load(url)

    def load(self, url: str) -> None:
        """Open the start page of a task.

        Raises:
            EnvLost: it cannot be opened.
        """
        try:
            self.open(url)
        except ActionRejected as error:
            raise EnvLost(str(error)) from error

    def open(self, url: str) -> None:
        """Open any URL in the current tab, including those that agents may not open.

        Raises:
            ActionRejected: it cannot be opened; the browser shows why.
        """
        with self._chromium.talking(self._timeout):
            goto(self.tab, url, self._load)
            self._settle()

    def ask_page(self, function: str, argument: Any = None, wait: bool = False) -> Any:
        """Call a JavaScript function in the page's own context, for worlds that prepare and judge pages.

        Args:
            function: its source, such as "([a, b]) => total + a + b".
            argument: a JSON value.
            wait: call it until it returns true.

        Raises:
            EnvLost: with `wait`, it did not return true in time.
        """
        with self._chromium.talking(self._timeout):
            self._calm()
            page = self.tab.page
            answer = page.evaluate(function, argument)
            if answer or not wait:
                return answer
            try:
                page.wait_for_function(function, arg=argument, timeout=self._load * 1000)
            except self._chromium.error as error:
                if type(error).__name__ == "TimeoutError":
                    raise EnvLost(f"the page {page.url} was not ready after {self._load:g} s") from error
                raise
            return True

    def resize(self, size: Size) -> None:
        """Resize the viewport; the page is laid out again."""
        if size != self.size:
            self.size = size
            with self._chromium.talking(self._timeout):
                self.tab.page.set_viewport_size({"width": size.width, "height": size.height})

    def settle(self) -> None:
        """Return when the current page is still, or after the time limit for that."""
        with self._chromium.talking(self._timeout):
            self._settle()

    def pause(self, seconds: float) -> None:
        """Let the page run for a while, processing its events."""
        with self._chromium.talking(self._timeout + seconds):
            self.tab.page.wait_for_timeout(seconds * 1000)

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:  # noqa: ARG002
        """The current page as it is now. Audio and video are not supported yet."""
        now = self._clock()
        seen: dict[str, Any] = {
            modality.value: Absent("unsupported" if modality in modalities else "unasked") for modality in Modality
        }
        with self._chromium.talking(self._timeout):
            self._tabs.refresh()
            raw = self._look(seen, modalities, now)
            if self._acted and raw["moved"]:
                # The action took effect in the frame that the screenshot waited for.
                self._calm()
                self._look(seen, modalities, now)
            self._acted = False
        return Observation(self.name, now, self.size, **seen)

    def _look(self, seen: dict[str, Any], modalities: Collection[Modality], now: float) -> dict[str, Any]:
        """Capture the requested modalities into `seen`; returns the page's result."""
        if Modality.SCREENSHOT in modalities:
            seen["screenshot"] = shoot(self.tab, self.size, self.name, now)
        else:
            self._calm()
        wanted = Modality.ELEMENTS in modalities
        limits = {"cap": self._cap, "ms": round(self._deadline * 1000), "all": False}
        raw: dict[str, Any] = self.tab.call("read", limits if wanted else None)
        if wanted:
            seen["elements"] = elements(raw, self.size)
        if Modality.CONTEXT in modalities:
            titles = self._tabs.titles(raw["title"])
            seen["context"] = Context("Chromium", raw["title"], raw["url"], titles, self._tabs.current)
        return raw

    def ui_tree(self) -> Elements:
        """Every element of the current page; those out of view are `offscreen`, with a flat box at the nearest edge."""
        with self._chromium.talking(self._timeout):
            self._calm()
            return elements(self.tab.call("read", {"cap": 0, "ms": 0, "all": True}), self.size)

    def act(self, action: Action) -> None:
        """Execute one action; return when nothing moves, no page is loading and no tab is opening."""
        kind = action.kind
        if kind not in self.verbs:
            raise ActionRejected(f"{self.name} cannot do {kind!r}; it can: {', '.join(sorted(self.verbs))}")
        with self._chromium.talking(self._timeout + _lasts(action)):
            self._tabs.refresh()
            self.tab.check()
            if isinstance(action, OpenUrl):
                open_url(self.tab, action, self._load)
            elif isinstance(action, Browser):
                browse(self._tabs, action)
            elif isinstance(action, Select):
                self._select(action)
            else:
                getattr(Input(self.tab, self.size), kind)(action)
            # No need to wait for the page's next frame: the next screenshot waits for one anyway.
            self._tabs.settle(self._still, self._load, soon=True)
            self._acted = True

    def close(self) -> None:
        """Close the window, but not the browser, which belongs to its creator. May be called twice."""
        if self._context is None:
            return
        try:
            with self._chromium.talking(self._timeout):
                self._leave()
        except EnvLost:
            self._context = None  # there is nothing left to close

    def _leave(self) -> None:
        if self._context is not None:
            self._tabs.release()
            context, self._context = self._context, None
            context.close()

    def _settle(self) -> None:
        self._tabs.settle(self._still, self._load)
        self._acted = False

    def _calm(self) -> None:
        if self._acted:
            self._settle()

    def _select(self, action: Select[Any]) -> None:
        x, y = action.at.to_pixel(self.size)
        answer = self.tab.call("choose", {"x": x, "y": y, "value": action.value})
        if answer.get("done"):
            return
        if answer["options"] is None:
            raise ActionRejected(f"there is no drop-down list at this place: {answer['problem']}; try click")
        raise ActionRejected(f"{answer['problem']}: {action.value!r}; the list has {_listed(answer['options'])}")


def _listed(options: list[str]) -> str:
    return ", ".join(map(repr, options[:30])) + (f" and {len(options) - 30} more" if len(options) > 30 else "")


def _lasts(action: Verb) -> float:
    """Seconds that an action itself takes."""
    seconds = getattr(action, "seconds", None) or 0.0
    return float(seconds * getattr(action, "repeat", 1) + len(getattr(action, "text", "")) * 0.02)
