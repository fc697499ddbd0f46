"""Fixtures that need something of the system: absent on a laptop they skip, in CI they fail."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from omnipilot.envs.chromium import Chromium, find_chromium, launch
from omnipilot.envs.errors import ConfigError
from omnipilot.memory.secrets import forget

if TYPE_CHECKING:
    from vllm_server import TinyVllm


def missing(reason: str) -> None:
    """Skip for a reason, or fail for it where CI=true: there everything has to be present."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Path of the Chromium that tests use."""
    try:
        return str(find_chromium())
    except ConfigError as error:
        missing(str(error))
        raise


@pytest.fixture(scope="session")
def miniwob_pages() -> None:
    """The package `miniwob` is there."""
    if importlib.util.find_spec("miniwob") is None:
        missing("'miniwob' is not installed; run: pip install 'omnipilot[web]'")


@pytest.fixture(scope="session")
def vllm_program() -> Path:
    """The command `vllm` of the environment that `make models` makes."""
    from vllm_server import MISSING, PROGRAM, available

    if not available():
        missing(MISSING)
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


@pytest.fixture(autouse=True)
def _no_secrets_of_other_tests() -> Iterator[None]:
    """A key that one test registers is taken out of the texts of that test alone."""
    yield
    forget()
