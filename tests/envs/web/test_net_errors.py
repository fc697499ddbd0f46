"""Errors of the network are told in a sentence with a cure, all of them, and from a real browser."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator

import pytest

from omnipilot.envs import ActionRejected
from omnipilot.envs.web import BrowserEnv, Chromium
from omnipilot.envs.web.net_errors import CODES, net_error_words


@pytest.mark.parametrize(
    "code", [*CODES, "CERT_DATE_INVALID", "SSL_PINNED_KEY", "SOCKS_CONNECTION_FAILED", "DNS_MALFORMED"]
)
def test_each_is_a_sentence_with_a_cure_and_its_code_last(code: str) -> None:
    said = net_error_words(f"Page.goto: net::ERR_{code} at http://a.b:81/c\nCall log:", "http://a.b:81/c")
    assert re.fullmatch(rf"[^{{}};]+; [^{{}};]+ \(net::ERR_{code}\)", said) and "Page.goto" not in said


def test_a_code_that_nobody_knows_is_told_and_what_is_none_is_not() -> None:
    assert net_error_words("net::ERR_NEW_ONE at x", "http://a.b").endswith("runs (net::ERR_NEW_ONE)")
    assert net_error_words("Cannot navigate to invalid URL", "http://a.b") == ""


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("http://a.b/c", "a.b:80"),
        ("https://a.b", "a.b:443"),
        ("http://[::1]:82/", "[::1]:82"),
        ("http://a.b:99999999/", "a.b:80"),
    ],
)
def test_the_server_is_named_with_its_port(url: str, place: str) -> None:
    assert f"at {place};" in net_error_words("net::ERR_CONNECTION_REFUSED", url)
    assert "no machine has the name" in net_error_words("net::ERR_NAME_NOT_RESOLVED", url)


@pytest.fixture
def silent() -> Iterator[int]:
    """A port at which nothing listens: bound, so that nobody else takes it."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@pytest.mark.web
@pytest.mark.slow
def test_a_browser_tells_what_it_cannot_reach(chromium: Chromium, silent: int) -> None:
    where = f"http://127.0.0.1:{silent}/"
    env = BrowserEnv(chromium)
    for url, words in (
        (where, f"{where} does not open: nothing answers at 127.0.0.1:{silent}; start its server"),
        ("http://127.0.0.1:1/", "browsers open no page at port 1;"),
        ("http://nowhere.invalid/", "no machine has the name nowhere.invalid;"),
    ):
        with pytest.raises(ActionRejected, match=re.escape(words)) as told:
            env.open(url)
        assert "Page.goto" not in str(told.value) and "(net::ERR_" in str(told.value)
    env.close()
