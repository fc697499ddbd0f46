"""A page for one person answers to its own address, to itself, and to nobody else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from http.client import HTTPConnection
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

import pytest

from omnipilot.bench import PageContent, PersonalPage
from omnipilot.bench.local_page import COLOURS
from omnipilot.envs import ConfigError

JSON = {"Content-Type": "application/json"}


class Notebook(PersonalPage):
    """Keeps what is entered."""

    most = 100

    def __init__(self) -> None:
        self.entries: list[Any] = []
        super().__init__()

    def content(self, path: str) -> PageContent | None:
        path, _, query = path.partition("?")
        if path == "wrong":
            raise ConfigError("ask for something else")
        return {"": PageContent(b"<p>notes"), "entries": PageContent.json([*self.entries, query])}.get(path)

    def take(self, path: str, values: Any) -> object:
        if values == "bad":
            raise ConfigError("that is bad")
        self.entries.append((path, values))
        return len(self.entries)


@pytest.fixture
def page() -> Iterator[Notebook]:
    with Notebook() as page:
        yield page


def ask(page: Notebook, path: str, values: object = None, **headers: str) -> tuple[int, str]:
    """Status and body of a request; `path` is relative to the page unless it begins with a slash."""
    address = urlsplit(page.url)
    connection = HTTPConnection(address.netloc, timeout=10)
    target = path if path.startswith("/") else address.path + path
    body = None if values is None else json.dumps(values)
    connection.request("GET" if body is None else "POST", target, body, headers)
    reply = connection.getresponse()
    try:
        return reply.status, reply.read().decode()
    finally:
        connection.close()


def test_it_shows_and_takes_what_the_page_sends(page: Notebook) -> None:
    assert ask(page, "") == (200, "<p>notes")
    assert ask(page, "notes/one", {"a": 1}, **JSON) == (200, "1")
    origin = page.url.rpartition("/")[0].rpartition("/")[0]
    assert ask(page, "two", [2], **JSON, Origin=origin) == (200, "2")
    assert json.loads(ask(page, "entries?since=1")[1]) == [["notes/one", {"a": 1}], ["two", [2]], "since=1"]
    assert ask(page, "nothing")[0] == 404


@pytest.mark.exhibit("annotation")
def test_every_page_has_the_colours_of_the_report_and_none_of_its_own(page: Notebook) -> None:
    status, sheet = ask(page, COLOURS)
    assert status == 200 and "--ground:" in sheet and sheet.rstrip().endswith("}") and "box-sizing" not in sheet
    named = set(re.findall(r"(--[a-z-]+):", sheet))
    for name in ("annotation", "live", "play"):
        folder = files(f"omnipilot.bench.{name}").joinpath("static")
        for file in (one for one in folder.iterdir() if one.name.endswith(".css") and one.name != "live.css"):
            text = file.read_text(encoding="utf-8")
            assert not named & set(re.findall(r"(--[a-z-]+):", text)), file
            assert set(re.findall(r"var\((--[a-z-]+)", text)) <= named | {"--ratio", "--wide"}, (
                file
            )  # set by its script


def test_what_is_wrong_is_told_and_not_kept(page: Notebook) -> None:
    assert ask(page, "wrong") == (400, "ask for something else")
    assert ask(page, "x", "bad", **JSON) == (400, "that is bad")
    assert ask(page, "x", "long" * 100, **JSON)[0] == 413
    assert ask(page, "x", {"a": 1}, **{"Content-Type": "application/x-www-form-urlencoded"})[0] == 400
    assert not page.entries


@pytest.mark.parametrize("path", ["/", "/entries", "/guessed-key/", "/guessed-key/entries", "//", "/%2e%2e/"])
def test_nothing_is_answered_without_the_key(page: Notebook, path: str) -> None:
    assert ask(page, path)[0] == 403
    assert ask(page, path, {"a": 1}, **JSON)[0] == 403
    assert not page.entries


@pytest.mark.parametrize(
    "headers",
    [{"Host": "evil.example"}, {"Host": "127.0.0.1"}, {"Origin": "http://evil.example"}, {"Origin": "null"}],
    ids=lambda headers: "{}={}".format(*next(iter(headers.items()))),
)
def test_other_hosts_and_pages_are_refused_even_with_the_key(page: Notebook, headers: dict[str, str]) -> None:
    assert ask(page, "", **headers)[0] == 421
    assert ask(page, "x", {"a": 1}, **JSON, **headers)[0] == 421
    assert not page.entries


def test_each_page_has_a_key_of_its_own(page: Notebook) -> None:
    with Notebook() as other:
        assert urlsplit(other.url).path != urlsplit(page.url).path
        assert ask(other, urlsplit(page.url).path)[0] == 403
