"""Addresses as users write them: what a browser can begin on, told before one is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from omnipilot.bench.cli.commands.run import run_command
from omnipilot.bench.settings import RunSettings
from omnipilot.envs import ConfigError
from omnipilot.envs.composite import check_world
from omnipilot.envs.web.navigation import address_mistake, status_words


@pytest.mark.parametrize(
    "url",
    ["http://a.b/c", "https://[::1]:80/", "file:///tmp/a.html", "about:blank", "data:text/html,x", "chrome://gpu"],
)
def test_an_address_is_one(url: str) -> None:
    assert not address_mistake(url)


def test_a_file_is_told_as_its_address_and_all_else_as_that_of_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop").mkdir()
    for name in ("order.html", "shop"):
        assert f"{(tmp_path / name).as_uri()}," in address_mistake(name)
    for name in ("localhost:8000/order.html", "example.org"):
        assert f"write http://{name}" in address_mistake(name)
    assert address_mistake("")


def test_no_browser_is_started_for_an_address_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    flags = RunSettings(url="order.html", task="x", planner="noop", jobs=0, out=tmp_path / "r")
    address = (tmp_path / "order.html").as_uri()
    for dry in (True, False):
        with pytest.raises(ConfigError, match=f"--url 'order.html' is no address.*{address}"):
            run_command(None, flags, dry=dry)
    assert not (tmp_path / "r").exists()
    with pytest.raises(ConfigError, match="page.url: 'order.html' is no address"):
        check_world({"devices": {"page": {"kind": "browser", "url": "order.html"}}})


def test_a_status_is_told_with_its_name() -> None:
    assert (status_words(404), status_words(599)) == ("404 Not Found", "599")
