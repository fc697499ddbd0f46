"""The tabs of a browser, and running our script in them."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from omnipilot.envs.types.errors import EnvLost, OmnipilotError, require
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.web.chromium import Chromium
from omnipilot.envs.web.dom import script

LEFT = (
    "Cannot find context",
    "context was destroyed",
    "navigated or closed",
    "Promise was collected",
    "uniqueContextId not found",
    "No frame for given id",
)


class PageLeft(Exception):
    """The page navigated away during a call."""


class PageSilent(OmnipilotError):
    """A page does not answer a judge: a dialog is open above it, or what it was asked failed."""


class DialogOpened(OmnipilotError):
    """A page opened a dialog during a call; the page stands still until the dialog is answered."""


class FrameWorld:
    """Our script in an isolated world of one frame, so that neither it nor the page can break the other.

    Args:
        session: a DevTools session with the process that the frame lives in.
        frame: its id.

    Attributes:
        offset: where the frame's document begins in the top page's viewport, in CSS pixels, as last seen.
    """

    def __init__(self, session: Any, frame: str, error: type[Exception]) -> None:
        self.session = session
        self.frame = frame
        self.error = error
        self.offset = (0.0, 0.0)
        self._context: int | None = None

    def evaluate(self, expression: str) -> Any:
        """Evaluate an expression of our script, awaiting promises.

        Raises:
            Left: the page navigated away in the meantime.
        """
        try:
            return self._run(expression, self.context())
        except self.error as error:
            if any(sign in str(error) for sign in LEFT):
                self._context = None
                raise PageLeft from error
            raise

    def context(self) -> int:
        """DevTools id of the isolated world, which is made when it is first needed."""
        if self._context is None:
            made = self.session.send("Page.createIsolatedWorld", {"frameId": self.frame, "worldName": "omnipilot"})
            self._run(script(), made["executionContextId"])
            self._context = made["executionContextId"]
        return self._context

    def _run(self, expression: str, context: int) -> Any:
        answer = self.session.send(
            "Runtime.evaluate",
            {"expression": expression, "contextId": context, "returnByValue": True, "awaitPromise": True},
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            said = details.get("exception", {}).get("description", details["text"])
            if said.startswith("ReferenceError: omnipilot is not defined"):
                # Another process counts its contexts from 1 again: this one is of the page that came meanwhile.
                self._context = None
                raise PageLeft
            raise RuntimeError(f"the page script failed: {said}")
        return answer["result"].get("value")

    def call(self, function: str, argument: Any = None) -> Any:
        """Call a function of our script, again in the new page if the old one navigates away."""
        given = "" if argument is None else json.dumps(argument)
        for _ in range(20):
            try:
                return self.evaluate(f"omnipilot.{function}({given})")
            except PageLeft:
                continue
        raise EnvLost("the page keeps navigating to other pages")


class Tab(FrameWorld):
    """One page: its main frame, and the frames of other origins in it.

    Attributes:
        crashed: whether the page has ended; calls to it fail.
    """

    def __init__(self, page: Any, error: type[Exception]) -> None:
        self.page = page
        session = page.context.new_cdp_session(page)
        self.target: str = session.send("Target.getTargetInfo")["targetInfo"]["targetId"]
        super().__init__(session, self.target, error)
        self.cursor = (0, 0)
        self.choosers: list[Any] = []
        self._awaited = 0
        self.unreleased: list[Callable[[], None]] = []
        self.crashed = False
        self._frames: dict[str, FrameWorld] = {}
        self._marks: dict[str, str] = {}

    def send_within(self, seconds: float, method: str, parameters: dict[str, Any]) -> Any:
        """Send a DevTools command that Chromium now and then never answers.

        Raises:
            TimeoutError: there was no answer within `seconds`.
        """
        # A call waits in its greenlet until the loop, which runs in another one of the same thread, switches to it.
        asker = require("greenlet", "web").getcurrent()
        timer = asyncio.get_running_loop().call_later(seconds, asker.throw, TimeoutError(f"no answer to {method}"))
        try:
            return self.session.send(method, parameters)
        finally:
            timer.cancel()

    def hold_choosers(self) -> None:
        """From now on keep the file choosers that the page opens, in `choosers`."""
        self.page.on("filechooser", self._chooser_arrived)
        # Playwright announces a chooser only after it has asked the page about its field. The browser tells this
        # session at once, before it answers anything that is asked later.
        self.session.on("Page.fileChooserOpened", self._chooser_opened)
        self.session.send("Page.enable")
        self.session.send("Page.setInterceptFileChooserDialog", {"enabled": True})

    def _chooser_opened(self, _: Any) -> None:
        self._awaited += 1

    def _chooser_arrived(self, chooser: Any) -> None:
        self._awaited = max(0, self._awaited - 1)
        self.choosers.append(chooser)

    def await_choosers(self, seconds: float) -> None:
        """Wait until the file choosers that the page has opened are in `choosers`."""
        until = time.monotonic() + seconds
        while self._awaited > 0 and time.monotonic() < until:
            self.session.send("Target.getTargetInfo")  # events are taken in while an answer is waited for
        self._awaited = 0

    def check(self) -> None:
        """Raise EnvLost if the page has crashed."""
        if self.crashed:
            raise EnvLost("the page has crashed")

    def evaluate(self, expression: str) -> Any:
        """Evaluate an expression of our script in the main frame; see `FrameWorld.evaluate`."""
        self.check()
        return super().evaluate(expression)

    def frame_world(self, frame: str) -> FrameWorld | None:
        """Our script in a frame of another origin; None if it is gone."""
        known = self._frames.get(frame)
        if known is not None:
            return known
        session = self._session_of(frame)
        if session is None:
            return None
        self._marks.setdefault(frame, f"f{len(self._marks) + 1}.")
        return self._frames.setdefault(frame, FrameWorld(session, frame, self.error))

    def worlds(self) -> list[FrameWorld]:
        """Our script in the main frame and in each frame of another origin that was read."""
        return [self, *self._frames.values()]

    def forget_frame(self, frame: str) -> None:
        """Look for the frame anew when it is next asked for: it may have moved to another process."""
        self._frames.pop(frame, None)

    def frame_mark(self, frame: str) -> str:
        """What the ids of a frame's elements begin with."""
        return self._marks.get(frame, "")

    def _session_of(self, frame: str) -> Any:
        """The session of the process that a frame lives in; None if there is no such frame."""
        for session in (self.session, *{id(world.session): world.session for world in self._frames.values()}.values()):
            with suppress(self.error):
                if frame in _frame_ids(session.send("Page.getFrameTree")["frameTree"]):
                    return session
        for other in self.page.frames[1:]:
            try:
                # Only frames with a process of their own have a session; the others share their parent's.
                session = self.page.context.new_cdp_session(other)
                inside = _frame_ids(session.send("Page.getFrameTree")["frameTree"])
            except self.error:
                continue
            if frame in inside:
                return session
            session.detach()
        return None

    def release(self) -> None:
        """Let go of keys and buttons that were held when a dialog opened."""
        while self.unreleased:
            self.unreleased.pop()()

    def settle(self, still: float, load: float, soon: bool = False) -> None:
        """Wait up to `load` seconds until the page has loaded, then up to `still` seconds until it is still.

        With `soon`, a page that is idle now counts as still without waiting for its next frame.
        """
        start = time.monotonic()
        limit = start + still
        while (left := limit - time.monotonic()) > 0:
            try:
                if self.evaluate(f"omnipilot.quiet({left * 1000:.0f}, {json.dumps(soon)})") != "leaving":
                    return self._settle_frames(limit)
                limit = start + load
            except PageLeft:
                left = start + load - time.monotonic()
                if left <= 0 or not self._loaded(left):
                    return None
                limit = time.monotonic() + still
        return None

    def _settle_frames(self, limit: float) -> None:
        for world in list(self._frames.values()):
            left = limit - time.monotonic()
            if left <= 0:
                return
            try:
                world.evaluate(f"omnipilot.quiet({left * 1000:.0f}, false)")
            except (PageLeft, self.error):
                self.forget_frame(world.frame)

    def _loaded(self, seconds: float) -> bool:
        try:
            self.page.wait_for_load_state("load", timeout=seconds * 1000)
        except self.error as error:
            if type(error).__name__ != "TimeoutError":
                raise
            return False
        return True


def _frame_ids(tree: dict[str, Any]) -> set[str]:
    found = {tree["frame"]["id"]}
    for child in tree.get("childFrames", ()):
        found |= _frame_ids(child)
    return found


def _answer(dialog: Any) -> None:
    """Answer a dialog, which blocks its page: accept alerts and leaving the page, dismiss questions."""
    if dialog.type in ("alert", "beforeunload"):
        dialog.accept()
    else:
        dialog.dismiss()


class Tabs:
    """The tabs of one browser context, including those opened by sites; never empty.

    Args:
        show: whether dialogs and file choosers wait for an answer; otherwise they are answered at once: alerts and
            leaving the page accepted, questions dismissed.

    Attributes:
        size: of what is shown, in CSS pixels; whoever changes it calls `fit`.
        current: index of the current tab, from 0.
        dialogs: Playwright's objects of the dialogs that wait, the oldest first.
        context_id: DevTools id of the browser context.
    """

    def __init__(self, chromium: Chromium, context: Any, size: Size, show: bool = True) -> None:
        self.size = size
        self._chromium = chromium
        self._context = context
        self._show = show
        self._waiter: Any = None
        self.dialogs: list[Any] = []
        # Of the context, not of its pages: a page may open a dialog before we know of the page.
        context.on("dialog", self._dialog if show else _answer)
        self._tabs: list[Tab] = []
        self._arrived: list[Any] = []
        self._targets: set[str] = set()
        self.current = 0
        context.on("page", lambda page: self._arrived.append(page))
        chromium.session.on("Target.targetCreated", self._seen)
        chromium.session.on("Target.targetDestroyed", self._gone)
        self.context_id: str | None = None
        # A profile comes with a page already open.
        self._arrived += context.pages
        self.refresh()
        info = self.front.session.send("Target.getTargetInfo")["targetInfo"]
        self.context_id = info.get("browserContextId")
        chromium.session.send("Target.setDiscoverTargets", {"discover": False})
        chromium.session.send("Target.setDiscoverTargets", {"discover": True})

    def _dialog(self, dialog: Any) -> None:
        self.dialogs.append(dialog)
        self._interrupt(DialogOpened(f"the page opened a dialog: {dialog.message!r}"))

    def _interrupt(self, error: Exception) -> None:
        waiter, self._waiter = self._waiter, None
        if waiter is not None:
            waiter.throw(error)

    @contextmanager
    def interrupted_by_dialogs(self, answering: bool = False) -> Iterator[None]:
        """Guard calls to pages: they would wait for as long as a dialog is open, and for ever once a page has crashed.

        Args:
            answering: the dialog that is open is being answered.

        Raises:
            DialogOpened: a dialog opened meanwhile, or was open before; what was asked of the page goes on when it
                has been answered.
        """
        if self.dialogs and not answering:
            raise DialogOpened("a dialog is open on the page; it must be answered first")
        if self._waiter is not None:
            yield
            return
        # Playwright runs each listener in a greenlet of its own while this one waits in a call.
        self._waiter = require("greenlet", "web").getcurrent()
        try:
            yield
        finally:
            self._waiter = None

    def _seen(self, event: dict[str, Any]) -> None:
        info = event["targetInfo"]
        if info["type"] == "page" and info.get("browserContextId") == self.context_id:
            self._targets.add(info["targetId"])

    def _gone(self, event: dict[str, Any]) -> None:
        self._targets.discard(event["targetId"])

    def __len__(self) -> int:
        return len(self._tabs)

    def __getitem__(self, number: int) -> Tab:
        return self._tabs[number]

    @property
    def front(self) -> Tab:
        """The current tab."""
        return self._tabs[self.current]

    def titles(self, front: str | None = None) -> tuple[str, ...]:
        """Titles of all tabs; `front` is that of the current one, where it is known."""
        if len(self) == 1 and front is not None:
            return (front,)
        # The browser knows all titles; background pages need not be asked, and might not answer.
        infos = self._chromium.session.send("Target.getTargets")["targetInfos"]
        titles = {info["targetId"]: info["title"] for info in infos}
        if front is not None:
            titles[self.front.target] = front
        return tuple(titles.get(tab.target, "") for tab in self._tabs)

    def open(self) -> None:
        """Open an empty tab and make it current."""
        self._context.new_page()
        self.refresh()

    def close(self, number: int) -> None:
        """Close a tab; the last one is replaced by an empty one."""
        self._tabs[number].page.close()
        self.refresh()

    def focus(self, number: int) -> None:
        """Bring a tab to the front, at the size of all: a site may have asked for a window of another size."""
        self.current = number
        self.front.page.bring_to_front()
        self.fit()

    def fit(self) -> None:
        """Lay the current tab out at `size`, if it has another one."""
        wanted = {"width": self.size.width, "height": self.size.height}
        if self.front.page.viewport_size != wanted:
            self.front.page.set_viewport_size(wanted)

    def stay(self) -> None:
        """Wait no longer for the current page to be left: it was a download."""
        with suppress(PageLeft, self._chromium.error):
            self.front.evaluate("omnipilot.stay()")

    def show_page(self, page: Any) -> None:
        """Make the tab of a page current."""
        self.refresh()
        for number, tab in enumerate(self._tabs):
            if tab.page is page and number != self.current:
                self.focus(number)

    def refresh(self) -> bool:
        """Process tabs that sites opened (the newest becomes current) and closed; returns whether there were any."""
        before = self.front if self._tabs else None
        arrived = [page for page in self._arrived if not page.is_closed()]
        self._arrived.clear()
        self._tabs += [self._adopt(page) for page in arrived]
        alive = [tab for tab in self._tabs if not tab.page.is_closed()]
        if not alive:
            self._context.new_page()
            return self.refresh()
        if alive == self._tabs and not arrived:
            return False
        self._tabs = alive
        if arrived:
            self.focus(len(alive) - 1)
        elif before in alive:
            self.current = alive.index(before)
        else:
            self.focus(min(self.current, len(alive) - 1))
        return True

    def _adopt(self, page: Any) -> Tab:
        tab = Tab(page, self._chromium.error)
        page.on("crash", lambda _: self._crashed(tab))
        if self._show:
            tab.hold_choosers()
        return tab

    def _crashed(self, tab: Tab) -> None:
        tab.crashed = True
        if self._tabs and tab is self.front:
            self._interrupt(EnvLost("the page has crashed"))

    def settle(self, still: float, load: float, soon: bool = False) -> None:
        """Wait until the current tab is still, and for a tab that the site is opening."""
        self.refresh()
        for _ in range(10):
            self.front.settle(still, load, soon)
            if self._targets - {tab.target for tab in self._tabs} and not self._arrived:
                self._await_page(load)
            if not self.refresh():
                return

    def _await_page(self, seconds: float) -> None:
        try:
            self._context.wait_for_event("page", timeout=seconds * 1000)
        except self._chromium.error as error:
            if type(error).__name__ != "TimeoutError":
                raise

    def release(self) -> None:
        """Stop listening."""
        self._chromium.session.remove_listener("Target.targetCreated", self._seen)
        self._chromium.session.remove_listener("Target.targetDestroyed", self._gone)
