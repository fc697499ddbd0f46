"""Our script in a page that another one takes the place of."""

from __future__ import annotations

from typing import Any

from omnipilot.envs.web.tabs import FrameWorld


class BrowserError(Exception):
    """What a browser says went wrong."""


class Session:
    """Answers as DevTools does: the first context that was made belongs to another page by the time it is asked."""

    def __init__(self) -> None:
        self.made = 0

    def send(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        if method == "Page.createIsolatedWorld":
            self.made += 1
            return {"executionContextId": 3}
        if parameters["expression"] == "omnipilot.read()" and self.made == 1:
            said = "ReferenceError: omnipilot is not defined\n    at <anonymous>:1:1"
            return {"exceptionDetails": {"text": "Uncaught", "exception": {"description": said}}}
        return {"result": {"value": "the page"}}


def test_a_context_that_became_another_pages_is_made_anew() -> None:
    session = Session()
    world = FrameWorld(session, "frame", BrowserError)
    assert world.call("read") == "the page"
    assert session.made == 2
