"""Tiers of tests, and fixtures that need something of the system: absent on a laptop they skip, in CI they fail.

Three tiers: `make test` leaves out what is marked `slow` or `vllm`; `make test-all` runs everything, with more examples
a property; `make test-sample` runs one part in so many of the slow tests, which CI does with another part each time.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from installed_plugin import install
from shared_folders import made_once, write_miniature

from omnipilot.envs.web import Chromium, find_chromium, launch
from omnipilot.memory.secrets.scrub import forget

if TYPE_CHECKING:
    from vllm_server import TinyVllm

    from omnipilot.envs.desktop import DesktopEnv
    from omnipilot.envs.desktop.private import PrivateDesktop

pytest_plugins = ("system_needs", "refuse_skips", "exhibits", "report_visit")

# A shared machine may be slow at any example; what is slow is seen in the durations of the whole run.
for _name, _examples in (("few", 3), ("quick", 25), ("thorough", 200)):
    settings.register_profile(
        _name, deadline=None, max_examples=_examples, suppress_health_check=[HealthCheck.too_slow]
    )
settings.load_profile("quick")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--sample K/N` and `--sample-web K/N`."""
    parser.addoption("--sample", metavar="K/N", help="run only part K (from 0) of N of the slow tests")
    parser.addoption("--sample-web", metavar="K/N", help="of the tests that need a browser, run only part K of N")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep one part of the slow tests where `--sample` asks for it, and of those that need a browser where
    `--sample-web` does; a function's parameters stay together."""

    def is_left(item: pytest.Item) -> bool:
        slow, vllm, web = (item.get_closest_marker(name) is not None for name in ("slow", "vllm", "web"))
        if sample is not None and not (slow and not vllm and is_in_part(item, sample)):
            return True
        return web_sample is not None and web and not is_in_part(item, web_sample)

    sample, web_sample = (read_part(config.getoption(name), name) for name in ("--sample", "--sample-web"))
    left = [item for item in items if is_left(item)]
    if left:
        config.hook.pytest_deselected(items=left)
        gone = set(left)
        items[:] = [item for item in items if item not in gone]


def read_part(wanted: str | None, option: str) -> tuple[int, int] | None:
    """The part of an option and the number of parts; None where the option is not given.

    Raises:
        UsageError: it is no part of so many.
    """
    if wanted is None:
        return None
    part, _, parts = wanted.partition("/")
    if not (part.isdigit() and parts.isdigit() and int(part) < int(parts)):
        raise pytest.UsageError(f"{option} {wanted}: parts are counted from 0, so the last of 8 is 7/8")
    return int(part), int(parts)


def is_in_part(item: pytest.Item, part: tuple[int, int]) -> bool:
    """Whether a test is in a part of so many, by the names of its file and its function."""
    name = item.nodeid.rpartition("/")[2].partition("[")[0]
    return zlib.crc32(name.encode()) % part[1] == part[0]


KEPT = {"PLAYWRIGHT_BROWSERS_PATH": "ms-playwright", "PIP_CACHE_DIR": "pip", "VLLM_CACHE_ROOT": "vllm"}
"""Caches that hold what is dear to get: the variable that names each, and its folder."""


@pytest.fixture(scope="session", autouse=True)
def caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What programs keep for later goes into a folder of this session, never into the user's own."""
    before = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        for variable, folder in KEPT.items():
            patch.setenv(variable, os.environ.get(variable) or str(before / folder))
        yield


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Path of the Chromium that tests use."""
    return str(find_chromium())


@pytest.fixture(scope="session")
def vllm_program() -> Path:
    """The command `vllm` of the environment that `make models` makes."""
    from vllm_server import PROGRAM

    return PROGRAM


@pytest.fixture(scope="session")
def vllm(vllm_program: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TinyVllm]:
    """A real vLLM server with a tiny model, shared by the session; it starts when its URL is first asked for."""
    from vllm_server import TinyVllm

    server = TinyVllm(vllm_program, tmp_path_factory.mktemp("vllm"))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def chromium(chromium_path: str) -> Iterator[Chromium]:
    """A running Chromium of the module's own."""
    browser = launch()
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def shared_desktop() -> Iterator[PrivateDesktop]:
    """One private desktop of 1280 x 800 with xfwm4 and sound, for all tests; use `desktop`, which clears it up."""
    from omnipilot.envs.desktop.private import start_desktop

    running = start_desktop()
    yield running
    running.close()


@pytest.fixture
def desktop(shared_desktop: PrivateDesktop) -> Iterator[PrivateDesktop]:
    """The private desktop that tests share, without the programs of earlier ones."""
    yield shared_desktop
    shared_desktop.end_programs()


@pytest.fixture(scope="session")
def shared_desktop_env(shared_desktop: PrivateDesktop) -> Iterator[DesktopEnv]:
    """The environment of the shared desktop, which records all the time; use `desktop_env`."""
    from omnipilot.envs.desktop import DesktopEnv

    env = DesktopEnv(shared_desktop.address, launch=shared_desktop.open)
    yield env
    env.close()


@pytest.fixture
def desktop_env(shared_desktop_env: DesktopEnv, desktop: PrivateDesktop) -> DesktopEnv:
    """The environment of the shared desktop, without the programs of earlier tests."""
    return shared_desktop_env


@pytest.fixture(scope="session")
def miniature(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a benchmark's miniature, with sample predictions; written once, and only to be read."""
    return lambda name: made_once(tmp_path_factory, name, lambda folder: write_miniature(name, folder))


@pytest.fixture(scope="session")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which the sample package of `tests/plugin` is installed; installed once."""
    return made_once(tmp_path_factory, "plugin", install) / "site"


@pytest.fixture(autouse=True)
def _no_secrets_of_other_tests() -> Iterator[None]:
    """A key that one test registers is taken out of the texts of that test alone."""
    yield
    forget()
