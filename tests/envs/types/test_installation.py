"""The command that brings an extra, by where omnipilot was installed from and by what made its environment."""

from __future__ import annotations

import ast
import json
import re
import shlex
from collections.abc import Iterator, Mapping
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from shared_folders import ROOT

from omnipilot.envs import MissingExtra
from omnipilot.envs.types.installation import (
    _documentation,
    _line,
    _origin,
    documentation_page,
    install_line,
    requirement,
)


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    _origin.cache_clear()
    _documentation.cache_clear()
    yield
    _origin.cache_clear()
    _documentation.cache_clear()


def installed_from(monkeypatch: pytest.MonkeyPatch, origin: Mapping[str, Any] | None) -> None:
    class Distribution:
        def read_text(self, name: str) -> str | None:
            return json.dumps(origin) if origin is not None and name == "direct_url.json" else None

    monkeypatch.setattr("omnipilot.envs.types.installation.metadata.distribution", lambda _: Distribution())


def test_a_wheel_is_named_by_its_path_as_long_as_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = tmp_path / "my wheels" / "omnipilot-1.0-py3-none-any.whl"
    installed_from(monkeypatch, {"url": wheel.as_uri(), "archive_info": {}})
    assert shlex.split(requirement("web")) == ["omnipilot[web]"]
    wheel.parent.mkdir()
    wheel.touch()
    assert shlex.split(install_line("web", "ocr"))[-1] == f"{wheel}[web,ocr]"
    assert requirement("web") in str(MissingExtra("web", "playwright"))


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        (None, "omnipilot[web]"),
        ({"url": "file:///", "dir_info": {"editable": True}}, "omnipilot[web]"),
        ({"url": "https://a.b/o.whl", "archive_info": {}}, "omnipilot[web] @ https://a.b/o.whl"),
        (
            {"url": "https://a.b/o", "vcs_info": {"vcs": "git", "commit_id": "c0ffee"}},
            "omnipilot[web] @ git+https://a.b/o@c0ffee",
        ),
    ],
)
def test_an_index_a_checkout_and_an_address(
    origin: Mapping[str, Any] | None, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed_from(monkeypatch, origin)
    assert shlex.split(requirement("web")) == [expected]


@pytest.mark.parametrize(
    ("prefix", "begins"),
    [
        ("/home/a/venv", "pip install X"),
        ("/home/a/.cache/uv/archive-v0/Hash", "uvx --from X omnipilot"),
        ("/home/a/.local/share/uv/tools/omnipilot", "uv tool install --force X"),
        ("/home/a/.local/share/pipx/venvs/omnipilot", "pipx install --force X"),
        ("/home/a/.cache/pipx/3f2a", "pipx run --spec X omnipilot"),
    ],
)
def test_an_environment_of_its_own_is_made_again(prefix: str, begins: str) -> None:
    assert _line("X", Path(prefix)).startswith(begins)


@pytest.mark.parametrize(
    ("left", "below", "begins"),
    [
        ("pipx_metadata.json", "h/.cache/5b6f0835", "pipx run --spec X omnipilot"),
        ("pipx_metadata.json", "h/venvs/omnipilot", "pipx install --force X"),
        ("lib/python3.11/site-packages/pipx_shared.pth", "h/.cache/5b6f0835", "pipx run --spec X omnipilot"),
        ("Lib/site-packages/pipx_shared.pth", "h/venvs/omnipilot", "pipx install --force X"),
        ("uv-receipt.toml", "mine/omnipilot", "uv tool install --force X"),
        ("pyvenv.cfg", "h/.cache/5b6f0835", "pip install X"),
    ],
)
def test_homes_of_any_name_are_known_by_what_is_left_in_them(
    left: str, below: str, begins: str, tmp_path: Path
) -> None:
    """PIPX_HOME and UV_TOOL_DIR may be anywhere: `pipx` and `uv` need not be in the path."""
    (tmp_path / below / left).parent.mkdir(parents=True)
    (tmp_path / below / left).touch()
    assert _line("X", tmp_path / below).startswith(begins)


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ((), "docs/devices/worlds.md of the repository"),
        (("Changes, https://a.b/c", "Documentation, https://a.b/docs/"), "https://a.b/docs/devices/worlds/"),
    ],
)
def test_a_page_is_named_by_its_address_where_the_package_has_one(
    links: tuple[str, ...], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Message()
    for link in links:
        found["Project-URL"] = link
    monkeypatch.setattr("omnipilot.envs.types.installation.metadata.metadata", lambda _: found)
    assert documentation_page("devices/worlds") == expected


def test_no_text_of_the_program_names_a_page_but_by_its_place() -> None:
    """A reader of a wheel has no folder docs; docstrings and comments are for those who have a checkout."""
    for room in ("envs", "memory", "planners", "grounders", "agents", "bench"):
        for path in sorted((ROOT / room).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            plain = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}
            for one in ast.walk(tree):
                if isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in plain:
                    named = re.findall(r"\bdocs/[\w/-]+\.md", one.value)
                    assert not named, f"{path}:{one.lineno}: {named}; write documentation_page(…)"
