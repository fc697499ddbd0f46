"""The browser environment: real pages in a real Chromium."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any, Literal, TypeAlias

from omnipilot.envs.base import Capability, Env
from omnipilot.envs.clock import WallClock
from omnipilot.envs.temporary_folders import remove_folder
from omnipilot.envs.types.actions import Action, Browser, Click, OpenUrl, Select, Verb
from omnipilot.envs.types.custom import CustomVerb
from omnipilot.envs.types.errors import ActionRejected, ConfigError, EnvLost
from omnipilot.envs.types.geometry import Box, Size
from omnipilot.envs.types.media import Image
from omnipilot.envs.types.observation import Absent, Context, Element, Elements, Modality, Observation
from omnipilot.envs.web.chromium import Chromium, launch
from omnipilot.envs.web.dom import elements
from omnipilot.envs.web.downloads import MOST_BYTES, Downloads, check_folder, file_in, list_files
from omnipilot.envs.web.frames import choose_option, options_words, read_page
from omnipilot.envs.web.input import TabInput
from omnipilot.envs.web.navigation import browse, goto, may_show, open_url, status_words
from omnipilot.envs.web.options import PageOptions
from omnipilot.envs.web.popups import BrowserPopup, Popups
from omnipilot.envs.web.profile import check_profile, copy_profile, save_profile
from omnipilot.envs.web.recording import Recorders
from omnipilot.envs.web.screenshot import shoot
from omnipilot.envs.web.tabs import DialogOpened, PageSilent, Tab, Tabs

POINTING_VERBS = frozenset({"click", "long_press", "move", "mouse_down", "mouse_up", "drag", "scroll", "select"})
TYPING_VERBS = frozenset({"type", "press", "key_down", "key_up"})
BROWSING_VERBS = frozenset({"open_url", "browser"})
"""Verbs of a browser, by what one does with them; `BrowserEnv` takes any union of these three."""
DESKTOP = Size(1280, 800)
DOWNLOADED = "downloads/"
"""What the names of downloaded files begin with, in file choosers and for judges."""

OPENING = frozenset({"click", "long_press", "mouse_down", "mouse_up", "press", "key_down", "key_up", "type"})
"""Verbs that can open a drop-down list."""
CORNER = Box(1.0, 0.0, 1.0, 0.0)

Asking: TypeAlias = Literal["show", "dismiss"]


class BrowserEnv(Env):
    """One browser window with its tabs, in its own context: cookies and cache are not shared.

    Args:
        chromium: the browser to use; None with a profile, with which it starts a browser of its own.
        size: of the viewport and the screenshot, in CSS pixels.
        scale: device pixels per CSS pixel; screenshots are always in CSS pixels.
        verbs: verbs the agent may use, from `POINTING_VERBS | TYPING_VERBS | BROWSING_VERBS`.
        clock: returns seconds on the world's clock.
        cap, deadline: maximum number of elements, and maximum seconds to collect them; truncation is reported.
        still: maximum seconds to wait until a page is still after an action; load: until it has loaded.
        timeout: seconds after which an unresponsive browser is given up.
        dialogs: `show` holds dialogs and file choosers open until the agent answers them, and shows the open lists of
            drop-down fields; `dismiss` answers at once: alerts and leaving the page accepted, questions dismissed.
        downloads: whether pages may download; judges read the files. most_bytes: size at which one is given up.
        files: folder of the files that the agent may choose for uploads, besides those it has downloaded.
        pierce: whether closed shadow roots are read.
        options: what pages learn about the browser, and what they may do.
        profile: folder of a browser profile; each start is on a new copy, and the folder itself is never changed.
        start: starts browsers for a profile.
        recorders: of what the browser plays and shows, as far as there are any; `wall`: the clock of their clips.
    """

    name: str
    size: Size
    verbs: frozenset[str]
    capabilities = frozenset({Capability.UI_TREE, Capability.FILES})

    def __init__(
        self,
        chromium: Chromium | None,
        name: str = "browser",
        size: Size = DESKTOP,
        *,
        scale: float = 1.0,
        verbs: frozenset[str] = POINTING_VERBS | TYPING_VERBS | BROWSING_VERBS,
        clock: Callable[[], float] = time.monotonic,
        cap: int = 1000,
        deadline: float = 0.25,
        still: float = 0.5,
        load: float = 10.0,
        timeout: float = 30.0,
        dialogs: Asking = "show",
        downloads: bool = True,
        most_bytes: int = MOST_BYTES,
        files: Path | None = None,
        pierce: bool = True,
        options: PageOptions | None = None,
        profile: Path | None = None,
        start: Callable[..., Chromium] = launch,
        recorders: Recorders | None = None,
        wall: WallClock | None = None,
    ) -> None:
        if dialogs not in ("show", "dismiss"):
            raise ConfigError(f"dialogs must be show or dismiss, not {dialogs!r}")
        if (chromium is None) == (profile is None):
            raise ConfigError("a browser environment needs either a browser or a profile, with which it starts its own")
        if profile is not None:
            check_profile(profile)
        self.name = name
        self.size = size
        self.verbs = verbs
        self._show = dialogs == "show"
        self._pierce = pierce
        self._options = options or PageOptions()
        self._profile = profile
        self._copy: Path | None = None
        self._start = start
        self._wall = wall or WallClock()
        self._recorders = recorders
        self._files = check_folder(files) if files is not None else None
        self._downloading = downloads
        self._most_bytes = most_bytes
        self._downloads: Downloads | None = None
        self._told = 0
        self._noticed = 0
        self._last: Image | None = None
        if chromium is not None:
            self._chromium = chromium
        self._scale = scale
        self._clock = clock
        self._cap = cap
        self._deadline = deadline
        self._still = still
        self._load = load
        self._timeout = timeout
        self._acted = False
        self._started_on = ""
        self._context: Any = None
        self._tabs: Tabs
        self._popups: Popups
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
        self._end()
        side = {"width": self.size.width, "height": self.size.height}
        given = {
            **self._options.of_context(),
            "viewport": side,
            "screen": side,
            "device_scale_factor": self._scale,
            "accept_downloads": self._downloading,
        }
        if self._profile is not None:
            self._copy = copy_profile(self._profile)
            # A profile has cookies of its own.
            given.pop("storage_state", None)
            self._chromium = self._start(profile=self._copy, options=given)
        with self._chromium.talking(self._timeout):
            self._context = self._chromium.context or self._chromium.browser.new_context(**given)
            self._context.set_default_timeout(self._load * 1000)
            self._tabs = Tabs(self._chromium, self._context, self.size, self._show)
            if self._downloading:
                self._downloads = Downloads(self._chromium, self._tabs.stay, self._most_bytes)
                self._downloads.start(self._tabs.context_id)
            self._popups = Popups(self._chromium, self._tabs, self._scale, self._choosable, self._file)
            self._told = self._noticed = 0
            self._last = None
            self._started_on = ""
            self._follow()
        if url is not None:
            self.load(url)

    def load(self, url: str) -> None:
        """Open the start page of a task.

        Raises:
            EnvLost: it cannot be opened, or its server answers that there is none (HTTP 400 and above, but 401).
        """
        try:
            status = self._open(url)
        except ActionRejected as error:
            raise EnvLost(str(error)) from error
        if status is not None and status >= 400 and status != HTTPStatus.UNAUTHORIZED:
            raise EnvLost(f"{url} does not open: its server answers {status_words(status)}; check the address")

    def open(self, url: str) -> None:
        """Open any URL in the current tab, including those that agents may not open.

        Raises:
            ActionRejected: it cannot be opened; the browser shows why.
        """
        self._open(url)

    def _open(self, url: str) -> int | None:
        status = None
        with self._chromium.talking(self._timeout), self._until_dialog():
            status = goto(self.tab, url, self._load)
            self._started_on = self.tab.page.url
            self._settle()
        return status

    def ask_page(self, function: str, argument: Any = None, wait: bool = False) -> Any:
        """Call a JavaScript function in the page's own context, for worlds that prepare and judge pages.

        Args:
            function: its source, such as "([a, b]) => total + a + b".
            argument: a JSON value.
            wait: call it until it returns true.

        Raises:
            EnvLost: with `wait`, it did not return true in time.
            DialogOpened: a dialog is open, and the page answers nothing until it is closed.
        """
        with self._chromium.talking(self._timeout), self._tabs.interrupted_by_dialogs():
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

    def query_page(self, function: str, argument: Any = None) -> Any:
        """As `ask_page`, for judges of pages that may be in any state.

        Raises:
            PageSilent: a dialog is open, or the function failed; the message says how.
        """
        try:
            return self.ask_page(function, argument)
        except DialogOpened as error:
            raise PageSilent(str(error)) from error
        except self._chromium.error as error:
            said = str(error).removeprefix("Page.evaluate: ").split("\n", 1)[0]
            raise PageSilent(f"the page failed to answer: {said}") from error

    def cookies(self) -> dict[str, str]:
        """The cookies that the current page's address is sent, by name, those that scripts cannot read too."""
        with self._chromium.talking(self._timeout):
            address = self.tab.page.url
            found = self._context.cookies(address) if address.startswith(("http://", "https://")) else []
        return {one["name"]: one["value"] for one in found}

    def resize(self, size: Size) -> None:
        """Resize the viewport; the page is laid out again."""
        if size != self.size:
            self.size = size
            self._tabs.size = size
            with self._chromium.talking(self._timeout):
                self._tabs.fit()

    def settle(self) -> None:
        """Return when the current page is still, or after the time limit for that."""
        with self._chromium.talking(self._timeout), self._until_dialog():
            self._settle()

    def pause(self, seconds: float) -> None:
        """Let the page run for a while, processing its events."""
        with self._chromium.talking(self._timeout + seconds):
            self.tab.page.wait_for_timeout(seconds * 1000)

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        """The current page as it is now, and below a dialog as it was when that opened.

        Sound and video are what the recorders given to this environment have recorded since `since`.
        """
        now = self._clock()
        seen: dict[str, Any] = {
            modality.value: Absent("unsupported" if modality in modalities else "unasked") for modality in Modality
        }
        with self._chromium.talking(self._timeout):
            self._tabs.refresh()
            if self._popup() is None:
                with self._until_dialog():
                    front = self.tab
                    try:
                        self._look_at_page(seen, modalities, now)
                    except self._chromium.error:
                        if not self._has_closed(front):
                            raise
                        self._tabs.refresh()
                        self._look_at_page(seen, modalities, now)
            if self._popup() is not None:
                self._look_at_popup(seen, modalities, now)
            self._follow()
        sound, video = (self._recorders.sound, self._recorders.video) if self._recorders else (None, None)
        if sound is not None and Modality.AUDIO in modalities:
            seen["audio"] = sound.clip(since, now, self._wall)
        if video is not None and Modality.VIDEO in modalities:
            seen["video"] = video.clip(since, now, self._wall)
        return Observation(self.name, now, self.size, **seen)

    def _look_at_page(self, seen: dict[str, Any], modalities: Collection[Modality], now: float) -> None:
        self._leave_forbidden()
        raw = self._look(seen, modalities, now)
        # The action took effect in the frame that the screenshot waited for, or led where it may not.
        if (self._acted and raw["moved"]) or self._leave_forbidden():
            self._calm()
            self._look(seen, modalities, now)
            if self._leave_forbidden():
                raise EnvLost("the page keeps leading to pages that this browser does not show")
        self._acted = False

    def _leave_forbidden(self) -> str:
        """Leave pages that an agent may not see, such as other files of this machine, to which a local page may link;
        returns the address of one, "" if there was none."""
        left = ""
        for number in reversed(range(len(self._tabs))):
            page = self._tabs[number].page
            if may_show(page.url, self._started_on):
                continue
            left = page.url
            page.go_back(wait_until="commit")
            if not may_show(page.url, self._started_on) or page.url == "about:blank":
                self._tabs.close(number)
        return left

    def _look(self, seen: dict[str, Any], modalities: Collection[Modality], now: float) -> dict[str, Any]:
        """Capture the requested modalities into `seen`; returns the page's result."""
        if Modality.SCREENSHOT in modalities:
            seen["screenshot"] = shoot(self.tab, self.size, self.name, now)
            if self._show and isinstance(seen["screenshot"], Image):
                self._last = seen["screenshot"]
        else:
            self._calm()
        raw: dict[str, Any]
        if Modality.ELEMENTS in modalities:
            raw = read_page(self.tab, self._limits())
            seen["elements"] = self._with_downloads(elements(raw, self.size))
        else:
            raw = self.tab.call("read")
        if Modality.CONTEXT in modalities:
            titles = self._tabs.titles(raw["title"])
            seen["context"] = Context("Chromium", raw["title"], raw["url"], titles, self._tabs.current)
        return raw

    def _limits(self, all: bool = False) -> dict[str, Any]:
        return {
            "cap": 0 if all else self._cap,
            "ms": 0 if all else round(self._deadline * 1000),
            "all": all,
            "pierce": self._pierce,
        }

    def _look_at_popup(self, seen: dict[str, Any], modalities: Collection[Modality], now: float) -> None:
        popup, tab = self._popups.open, self._popups.tab
        assert popup is not None
        if Modality.SCREENSHOT in modalities:
            seen["screenshot"] = shoot(tab, self.size, self.name, now)
        if Modality.ELEMENTS in modalities:
            seen["elements"] = elements(read_page(tab, self._limits()), self.size)
        if Modality.CONTEXT in modalities:
            # The page itself may be unable to answer.
            titles = self._tabs.titles()
            title = f"{titles[self._tabs.current]} – {popup.told()}".removeprefix(" – ")
            seen["context"] = Context("Chromium", title, self.tab.page.url, titles, self._tabs.current)

    def _with_downloads(self, found: Elements) -> Elements:
        """With what was downloaded since the last action, as elements that cannot be clicked."""
        if self._downloads is None or len(self._downloads.finished) == self._told:
            return found
        self._noticed = len(self._downloads.finished)
        told = [
            Element("status", str(download), CORNER, frozenset({"offscreen"}), f"download{number}", origin="file")
            for number, download in enumerate(self._downloads.finished)
            if number >= self._told
        ]
        return Elements((*found.items, *told), found.truncated, found.detail)

    def ui_tree(self) -> Elements:
        """Every element of the current page; those out of view are `offscreen`, with a flat box at the nearest edge."""
        with self._chromium.talking(self._timeout):
            if self._popup() is None:
                with self._until_dialog():
                    self._calm()
                    return elements(read_page(self.tab, self._limits(all=True)), self.size)
            self._popup()
            return elements(read_page(self._popups.tab, self._limits(all=True)), self.size)

    def read_file(self, path: str) -> bytes:
        """Content of a downloaded file, for judges: "downloads/NAME".

        Raises:
            FileNotFoundError: there is none.
        """
        file = self._file(path) if path.startswith(DOWNLOADED) else None
        if file is None:
            raise FileNotFoundError(f"this browser has not downloaded {path}; it has: {', '.join(self.downloaded())}")
        return file.read_bytes()

    def downloaded(self) -> tuple[str, ...]:
        """The names of the downloaded files, for `read_file`."""
        return tuple(DOWNLOADED + name for name in list_files(self._downloads.folder)) if self._downloads else ()

    def save_profile(self, folder: Path) -> None:
        """Close the pages, and keep the profile that they used in a new folder; begin anew with `restart`.

        Raises:
            ConfigError: this browser has no profile, or the folder exists already.
        """
        if self._profile is None or self._copy is None:
            raise ConfigError("only a browser that was given a profile can save it")
        copy, self._copy = self._copy, None
        try:
            self._end()
            save_profile(copy, folder)
        finally:
            remove_folder(copy)

    def act(self, action: Action) -> None:
        """Execute one action; return when nothing moves, no page is loading, no tab is opening, or a dialog opened."""
        kind = action.kind
        if kind not in self.verbs:
            raise ActionRejected(f"{self.name} cannot do {kind!r}; it can: {', '.join(sorted(self.verbs))}")
        with self._chromium.talking(self._timeout + _lasts(action)):
            self._tabs.refresh()
            known = self._show and self._popups.open
            popup = self._popup()
            # Only dialogs open by themselves; anything else the agent's own last action has opened.
            if popup is not None and known is not popup and popup.kind == "dialog":
                raise ActionRejected(f"something opened before this action: {popup.told()}; answer that first")
            self._told = self._noticed
            if popup is not None and not (popup.kind == "list" and isinstance(action, Select)):
                self._answer(popup, action)
            else:
                self._act(action)
            self._acted = True
            if action.kind in OPENING:
                self._popup()

    def _act(self, action: Action) -> None:
        with self._until_dialog():
            self.tab.check()
            if isinstance(action, OpenUrl):
                open_url(self.tab, action, self._load)
            elif isinstance(action, Browser):
                browse(self._tabs, action)
            elif isinstance(action, Click) and (action.button == "back" or action.button == "forward"):
                # A page's own input does not reach what the browser does with these buttons.
                browse(self._tabs, Browser(action.button))
            elif isinstance(action, Select):
                if self._show and self._popups.open is not None:
                    self._popups.close_list()
                self._select(action)
            else:
                with self._until_closed():
                    getattr(TabInput(self.tab, self.size), action.kind)(action)
            with self._until_closed():
                self._after_action()
            if url := self._leave_forbidden():
                self._acted = True
                raise ActionRejected(f"this led to {url}, which this browser does not show; it has left that page")
            if self._show and action.kind in OPENING:
                self._popups.find_list()
                self.tab.await_choosers(self._load)

    def _after_action(self) -> None:
        # No need to wait for the page's next frame: the next screenshot waits for one anyway.
        self._tabs.settle(self._still, self._load, soon=True)
        if self._downloads is not None and self._downloads.running:
            until = time.monotonic() + self._still
            while self._downloads.running and time.monotonic() < until:
                self.tab.session.send("Target.getTargetInfo")  # events are taken in while an answer is waited for

    def _answer(self, popup: BrowserPopup, action: Action) -> None:
        """Do an action on what is open above the page."""
        if action.kind in BROWSING_VERBS or action.kind == "select":
            raise ActionRejected(f"{popup.told()}: answer that first, by its buttons or keys")
        tab = self._popups.tab
        getattr(TabInput(tab, self.size), action.kind)(action)
        tab.settle(self._still, self._load, soon=True)
        with self._until_dialog(answering=True):
            if self._popups.finish(self.size):
                self.tab.release()
                self._after_action()

    def _popup(self) -> BrowserPopup | None:
        """What is open above the page now."""
        if not self._show:
            return None
        if not self._tabs.dialogs and self._popups.open is None:
            # A dialog that opened while nobody listened is told with the next answer of the browser.
            self.tab.session.send("Target.getTargetInfo")
        return self._popups.look(lambda: self._last, self.size)

    @contextmanager
    def _until_dialog(self, answering: bool = False) -> Iterator[None]:
        """Leave off where a dialog opens: what follows would wait until it is answered."""
        try:
            with self._tabs.interrupted_by_dialogs(answering):
                yield
        except DialogOpened:
            pass

    @contextmanager
    def _until_closed(self) -> Iterator[None]:
        """Go on with the page behind where a page closes its own window, as those do that ask for a password."""
        front = self.tab
        try:
            yield
        except self._chromium.error:
            if not self._has_closed(front):
                raise
            self._tabs.refresh()
            self._after_action()

    def _has_closed(self, tab: Tab) -> bool:
        """Whether the window of a tab has closed, and another one is left."""
        return len(self._tabs) > 1 and tab.page.is_closed()

    def _follow(self) -> None:
        if self._recorders is not None and self._recorders.video is not None:
            self._recorders.video.follow(self.tab.target, self.size)

    def close(self) -> None:
        """Close the window, but not the browser, which belongs to its creator. May be called twice."""
        self._end()

    def _end(self) -> None:
        """Close the pages, and the browser if it is of our own making; nothing of them is left behind."""
        if self._context is None:
            return
        context, self._context = self._context, None
        try:
            with self._chromium.talking(self._timeout):
                self._tabs.release()
                self._popups.close()
                if self._chromium.context is None:
                    context.close()
        except EnvLost:
            pass  # there is nothing left to close
        finally:
            if self._downloads is not None:
                self._downloads.stop()
            self._downloads = None
            if self._profile is not None:
                self._chromium.close()
            if self._copy is not None:
                remove_folder(self._copy)
                self._copy = None

    def _settle(self) -> None:
        self._tabs.settle(self._still, self._load)
        self._acted = False

    def _calm(self) -> None:
        if self._acted:
            self._settle()

    def _select(self, action: Select[Any]) -> None:
        x, y = action.at.to_pixel(self.size)
        answer = choose_option(self.tab, x, y, action.value)
        if answer.get("done"):
            return
        if answer["options"] is None:
            raise ActionRejected(f"there is no drop-down list at this place: {answer['problem']}; try click")
        raise ActionRejected(f"{answer['problem']}: {action.value!r}; the list has {options_words(answer['options'])}")

    def _choosable(self) -> list[str]:
        """Names of the files that the agent may choose for uploads."""
        return [*(list_files(self._files) if self._files else ()), *self.downloaded()]

    def _file(self, name: str) -> Path | None:
        if name.startswith(DOWNLOADED) and self._downloads is not None:
            return file_in(self._downloads.folder, name.removeprefix(DOWNLOADED))
        return file_in(self._files, name) if self._files else None


def _lasts(action: Verb) -> float:
    """Seconds that an action itself takes."""
    seconds = getattr(action, "seconds", None) or 0.0
    return float(seconds * getattr(action, "repeat", 1) + len(getattr(action, "text", "")) * 0.02)
