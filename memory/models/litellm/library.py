"""The only module that imports litellm: late, silently, without network access, retries of its own or redirects.

Calls run on an event loop of their own, because a call that is cancelled there closes its connection: a server that
sends a byte a second is cut off at the deadline, which the time-outs of HTTP libraries do not do.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import functools
import importlib
import logging
import os
import socket
import threading
from collections.abc import Coroutine, Mapping
from typing import Any, TypeVar

from omnipilot.envs.types import check_installed, require
from omnipilot.memory.models.litellm.redirects import guard, refuse_redirects

T = TypeVar("T")
EXTRA = "llm"
_GRACE = 30.0
"""Seconds past the deadline after which the event loop is considered stuck."""


def present() -> None:
    """Check that litellm is installed, without importing it, which takes seconds.

    Raises:
        MissingExtra: it is not installed.
    """
    check_installed(EXTRA, "litellm")


@functools.cache
def library() -> Any:
    """litellm, with its price list from the disk, no telemetry, no .env file, no printing.

    Raises:
        MissingExtra: it is not installed.
    """
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    litellm: Any = require("litellm", EXTRA)
    guard(importlib.import_module("httpx"))
    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.drop_params = False
    litellm.num_retries = None
    # Whatever it would log is in the errors that are raised, and there the keys are taken out.
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return litellm


def ask(request: Mapping[str, Any], seconds: float) -> Any:
    """Make one call, without retries, within `seconds`; returns litellm's response.

    Raises:
        TimeoutError: no answer in time; the connection is closed.
        Redirected: the provider sent the call elsewhere.
        Exception: whatever litellm raises.
    """
    return _loop(os.getpid()).run(_completion(request, seconds), seconds)


def _completion(request: Mapping[str, Any], seconds: float) -> Coroutine[Any, Any, Any]:
    fixed = {
        **_once(seconds),
        "drop_params": False,
        # Looking whether a tool belongs to an MCP server needs a package that litellm does not bring.
        "_skip_mcp_handler": True,
    }
    call: Coroutine[Any, Any, Any] = library().acompletion(**request, **fixed)
    return call


def transcribe(request: Mapping[str, Any], seconds: float) -> Any:
    """Ask for one transcription, without retries, within `seconds`; returns litellm's response.

    Raises:
        TimeoutError: no answer in time; the connection is closed.
        Redirected: the provider sent the call elsewhere.
        Exception: whatever litellm raises.
    """
    return _loop(os.getpid()).run(library().atranscription(**request, **_once(seconds)), seconds)


def embed(request: Mapping[str, Any], seconds: float) -> bytes:
    """Ask for the vectors of texts, without retries, within `seconds`; returns the answer as JSON of OpenAI's API.

    Raises:
        TimeoutError: no answer in time; the connection is closed.
        Redirected: the provider sent the call elsewhere.
        Exception: whatever litellm raises.
    """
    answer = _loop(os.getpid()).run(library().aembedding(**request, **_once(seconds)), seconds)
    text: str = answer.model_dump_json()
    return text.encode()


def _once(seconds: float) -> dict[str, Any]:
    """What every call is given: litellm makes no retries of its own, and keeps to our deadline."""
    return {"num_retries": 0, "max_retries": 0, "timeout": seconds}


def rehearse(model: str, seconds: float = 20.0, threadless: bool = False) -> None:
    """Make a call that this machine refuses, so that litellm loads everything it needs for a real one.

    litellm imports what a provider needs, and makes its HTTP client, during the first call, which takes seconds that
    are not the model's. No model is asked: the address is a loopback port that refuses connections, and the key is a
    word.

    Args:
        model: with its provider, as litellm names it; no provider that ignores the address it is given.
        seconds: at most.
        threadless: leave no thread behind, so that the process may be forked; the loop ends with the call.

    Raises:
        MissingExtra: litellm is not installed.
    """
    library()
    with socket.socket() as refusing:
        # Bound, and never listening: nobody else can have the port meanwhile.
        refusing.bind(("127.0.0.1", 0))
        request = {
            "model": model,
            "api_base": f"http://127.0.0.1:{refusing.getsockname()[1]}/v1",
            "api_key": "rehearsal",
            "messages": [{"role": "user", "content": "."}],
        }
        # What litellm makes of the refusal is its own, and of no interest: a real call will say what is wrong.
        with contextlib.suppress(Exception):
            if threadless:
                asyncio.run(_guarded(_completion(request, seconds), seconds))
            else:
                ask(request, seconds)


async def _guarded(work: Coroutine[Any, Any, T], seconds: float) -> T:
    return await refuse_redirects(asyncio.wait_for(work, seconds))


class _Loop:
    """An event loop in its own thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="calls of models", daemon=True).start()

    def run(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        """The result of a coroutine, cancelled after `seconds` or when the caller is interrupted."""
        future = asyncio.run_coroutine_threadsafe(_guarded(work, seconds), self._loop)
        try:
            return future.result(seconds + _GRACE)
        except concurrent.futures.TimeoutError:
            raise TimeoutError(f"no answer in {seconds:.3g} s") from None
        finally:
            future.cancel()


@functools.cache
def _loop(process: int) -> _Loop:  # noqa: ARG001
    """The loop of this process: a forked child inherits none of its parent's threads."""
    return _Loop()
