"""Browser navigation: URLs, history, tabs."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

from omnipilot.envs.types.actions import Browser, OpenUrl
from omnipilot.envs.types.errors import ActionRejected
from omnipilot.envs.web.net_errors import net_error_words
from omnipilot.envs.web.tabs import Tab, Tabs

SCHEMES = ("http://", "https://", "about:blank", "data:")
"""Beginnings of addresses that agents may open; local files and pages of the browser itself are not among them."""
DOWNLOAD = "Download is starting"
REFUSED = "Cannot navigate"


SHOWN = ("http:", "https:", "data:", "blob:", "about:", "chrome-error:")
"""Beginnings of the addresses of pages that an agent may see, wherever it started."""


def reach(start: str) -> str:
    """What the addresses begin with that a start page's own links may lead to, beside those of `SHOWN`: of a local file
    its folder, of a page of the browser or an extension its host; "" for any other."""
    parts = urlsplit(start)
    if start.startswith(SHOWN) or not parts.scheme:
        return ""
    return start[: start.rindex("/") + 1] if parts.scheme == "file" else f"{parts.scheme}://{parts.netloc}/"


def may_show(url: str, start: str) -> bool:
    """Whether an agent may see the page of an address, in a browser that started on the page `start`."""
    own = reach(start)
    return not url or url.startswith(SHOWN) or (bool(own) and f"{url}/".startswith(own))


def address_mistake(url: str) -> str:
    """Why a browser cannot begin on an address, with what to write instead; "" if it can.

    Args:
        url: as a user writes it; nothing is asked of the network.
    """
    if "://" in url or url.startswith(("about:", "data:", "blob:", "file:")):
        return ""
    path = Path(url)
    # A name with a port, such as localhost:8000, is no file, though it could be one.
    if url and (path.exists() or (path.suffix.lower() in (".html", ".htm", ".xhtml", ".svg") and ":" not in url)):
        return f"{url!r} is no address: a file is written as {path.absolute().as_uri()}, a page of a server as http://…"
    return f"{url!r} is no address: write http://{url}, https://{url}, or file:///… for a file"


def goto(tab: Tab, url: str, seconds: float) -> int | None:
    """Open a URL in a tab; returns when the new page has replaced the old one, or it turns out to be a download.

    Returns:
        The HTTP status of the answer; None where there is none, as of a file or a download.

    Raises:
        ActionRejected: it cannot be opened within `seconds`.
        EnvLost: the page crashed.
    """
    try:
        answer = tab.page.goto(url, wait_until="commit", timeout=seconds * 1000)
    except tab.error as error:
        tab.check()
        if DOWNLOAD in str(error):
            return None
        if "ERR_INVALID_AUTH_CREDENTIALS" in str(error):
            raise ActionRejected(
                f"{url} does not open: its server asks for a name and password, and it is given none (http_credentials)"
            ) from None
        if "ERR_HTTP_RESPONSE_CODE_FAILURE" in str(error):
            raise ActionRejected(f"{url} does not open: its server answers with an error and no page") from None
        if words := net_error_words(str(error), url):
            raise ActionRejected(f"{url} does not open: {words}") from None
        if REFUSED in str(error):
            raise ActionRejected(f"{url} does not open: {str(error).splitlines()[0]}") from None
        if type(error).__name__ == "TimeoutError":
            raise ActionRejected(f"{url} did not answer within {seconds:g} s") from None
        raise
    return None if answer is None or url.startswith("file:") else int(answer.status)


def status_words(status: int) -> str:
    """Such as "404 Not Found"; the number alone where it has no name."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def open_url(tab: Tab, action: OpenUrl, seconds: float) -> None:
    """The verb `open_url`; a URL without a scheme gets https, as in an address bar.

    Raises:
        ActionRejected: it is not a URL, agents may not open it, or it cannot be opened.
    """
    url = action.url.strip()
    if "://" not in url and not url.startswith(("about:", "data:")):
        host, _, port = url.split("/")[0].partition(":")
        if not host or " " in url or (port and not port.isdigit()):
            raise ActionRejected(f"{url!r} is no address; give one like https://example.org/page")
        url = f"https://{url}"
    if not url.lower().startswith(SCHEMES):
        raise ActionRejected(f"this browser opens http, https and data addresses and about:blank, not {url!r}")
    goto(tab, url, seconds)


def browse(tabs: Tabs, action: Browser) -> None:
    """The verb `browser`.

    Raises:
        ActionRejected: the tab does not exist, there is no page to go to, or the only tab would be closed.
    """
    page = tabs.front.page
    number = tabs.current if action.tab is None else action.tab
    if action.op in ("focus_tab", "close_tab") and number >= len(tabs):
        raise ActionRejected(f"there is no tab {number}; there are {len(tabs)}, counted from 0")
    if action.op in ("back", "forward"):
        history = tabs.front.session.send("Page.getNavigationHistory")
        entry = history["currentIndex"] + (1 if action.op == "forward" else -1)
        # Entry 0 is the empty page that every tab starts with.
        if not 1 <= entry < len(history["entries"]):
            raise ActionRejected(f"this tab has no page to go {action.op} to")
        page.go_back(wait_until="commit") if action.op == "back" else page.go_forward(wait_until="commit")
    elif action.op == "reload":
        page.reload(wait_until="commit")
    elif action.op == "new_tab":
        tabs.open()
    elif action.op == "close_tab":
        if len(tabs) == 1:
            raise ActionRejected("this is the only tab; it stays open")
        tabs.close(number)
    else:
        tabs.focus(number)
