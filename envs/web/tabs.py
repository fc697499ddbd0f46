"""The tabs of a browser, and running our script in them."""

from __future__ import annotations

import json
import time
from typing import Any

from omnipilot.envs.types.errors import EnvLost
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


class Left(Exception):
    """The page navigated away during a call."""


class Tab:
    """One page with an isolated world for our script, so that neither can break the other."""

    def __init__(self, page: Any, error: type[Exception]) -> None:
        self.page = page
        self.session = page.context.new_cdp_session(page)
        self.target: str = self.session.send("Target.getTargetInfo")["targetInfo"]["targetId"]
        self.cursor = (0, 0)
        self.error = error
        self._world: int | None = None
        self._crashed = False
        page.on("crash", self._crash)
        page.on("dialog", _answer)

    def _crash(self, _: Any) -> None:
        self._crashed = True

    def check(self) -> None:
        """Raise EnvLost if the page has crashed."""
        if self._crashed:
            raise EnvLost("the page has crashed")

    def evaluate(self, expression: str) -> Any:
        """Evaluate an expression of our script, awaiting promises.

        Raises:
            Left: the page navigated away in the meantime.
        """
        self.check()
        try:
            if self._world is None:
                made = self.session.send("Page.createIsolatedWorld", {"frameId": self.target, "worldName": "omnipilot"})
                self._run(script(), made["executionContextId"])
                self._world = made["executionContextId"]
            return self._run(expression, self._world)
        except self.error as error:
            if any(sign in str(error) for sign in LEFT):
                self._world = None
                raise Left from error
            raise

    def _run(self, expression: str, world: int) -> Any:
        answer = self.session.send(
            "Runtime.evaluate",
            {"expression": expression, "contextId": world, "returnByValue": True, "awaitPromise": True},
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            said = details.get("exception", {}).get("description", details["text"])
            raise RuntimeError(f"the page script failed: {said}")
        return answer["result"].get("value")

    def call(self, function: str, argument: Any = None) -> Any:
        """Call a function of our script, again in the new page if the old one navigates away."""
        given = "" if argument is None else json.dumps(argument)
        for _ in range(20):
            try:
                return self.evaluate(f"omnipilot.{function}({given})")
            except Left:
                continue
        raise EnvLost("the page keeps navigating to other pages")

    def settle(self, still: float, load: float, soon: bool = False) -> None:
        """Wait up to `load` seconds until the page has loaded, then up to `still` seconds until it is still.

        With `soon`, a page that is idle now counts as still without waiting for its next frame.
        """
        start = time.monotonic()
        limit = start + still
        while (left := limit - time.monotonic()) > 0:
            try:
                if self.evaluate(f"omnipilot.quiet({left * 1000:.0f}, {json.dumps(soon)})") != "leaving":
                    return
                limit = start + load
            except Left:
                left = start + load - time.monotonic()
                if left <= 0 or not self._loaded(left):
                    return
                limit = time.monotonic() + still

    def _loaded(self, seconds: float) -> bool:
        try:
            self.page.wait_for_load_state("load", timeout=seconds * 1000)
        except self.error as error:
            if type(error).__name__ != "TimeoutError":
                raise
            return False
        return True


def _answer(dialog: Any) -> None:
    """Answer a dialog, which blocks its page: accept alerts and leaving the page, dismiss questions."""
    if dialog.type in ("alert", "beforeunload"):
        dialog.accept()
    else:
        dialog.dismiss()


class Tabs:
    """The tabs of one browser context, including those opened by sites; never empty.

    Attributes:
        current: index of the current tab, from 0.
    """

    def __init__(self, chromium: Chromium, context: Any) -> None:
        self._chromium = chromium
        self._context = context
        self._tabs: list[Tab] = []
        self._arrived: list[Any] = []
        self._targets: set[str] = set()
        self.current = 0
        context.on("page", lambda page: self._arrived.append(page))
        chromium.session.on("Target.targetCreated", self._seen)
        chromium.session.on("Target.targetDestroyed", self._gone)
        self._of: str | None = None
        self.open()
        info = self.front.session.send("Target.getTargetInfo")["targetInfo"]
        self._of = info["browserContextId"]
        chromium.session.send("Target.setDiscoverTargets", {"discover": False})
        chromium.session.send("Target.setDiscoverTargets", {"discover": True})

    def _seen(self, event: dict[str, Any]) -> None:
        info = event["targetInfo"]
        if info["type"] == "page" and info.get("browserContextId") == self._of:
            self._targets.add(info["targetId"])

    def _gone(self, event: dict[str, Any]) -> None:
        self._targets.discard(event["targetId"])

    def __len__(self) -> int:
        return len(self._tabs)

    @property
    def front(self) -> Tab:
        """The current tab."""
        return self._tabs[self.current]

    def titles(self, front: str) -> tuple[str, ...]:
        """Titles of all tabs; `front` is the known title of the current one."""
        if len(self) == 1:
            return (front,)
        # The browser knows all titles; background pages need not be asked, and might not answer.
        infos = self._chromium.session.send("Target.getTargets")["targetInfos"]
        titles = {info["targetId"]: info["title"] for info in infos}
        return tuple(front if tab is self.front else titles.get(tab.target, "") for tab in self._tabs)

    def open(self) -> None:
        """Open an empty tab and make it current."""
        self._context.new_page()
        self.refresh()

    def close(self, number: int) -> None:
        """Close a tab; the last one is replaced by an empty one."""
        self._tabs[number].page.close()
        self.refresh()

    def focus(self, number: int) -> None:
        """Bring a tab to the front."""
        self.current = number
        self.front.page.bring_to_front()

    def refresh(self) -> bool:
        """Process tabs that sites opened (the newest becomes current) and closed; returns whether there were any."""
        before = self.front if self._tabs else None
        arrived = [page for page in self._arrived if not page.is_closed()]
        self._arrived.clear()
        self._tabs += [Tab(page, self._chromium.error) for page in arrived]
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
