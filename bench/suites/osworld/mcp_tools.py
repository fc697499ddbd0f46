"""Tools of an MCP server in the machine as verbs, as OSWorld-MCP has them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from omnipilot.envs import ActionRejected, CustomVerb, EnvLost
from omnipilot.envs.remote import remote_verb
from omnipilot.envs.types import require

T = TypeVar("T")
EXTRA = "mcp"
SECONDS = 120.0
"""For a call of a tool, and for the list of them."""


def offer_tools(url: str) -> dict[str, CustomVerb]:
    """The tools of a server that speaks streamable HTTP, such as http://HOST:9292/mcp, as verbs.

    A name's signs that no verb may have become underscores: `os.open` is `os_open`. A tool whose parameters are none of
    a verb's is left out.

    Raises:
        MissingExtra: the package mcp is not installed. EnvLost: the server does not answer.
    """
    found: dict[str, CustomVerb] = {}
    for tool in _ask(url, lambda session: session.list_tools()).tools:
        name = re.sub(r"\W", "_", tool.name)
        about = tool.description or f"Call the tool {tool.name}."
        schema = getattr(tool, "inputSchema", None) or getattr(tool, "input_schema", None) or {}
        try:
            found[name] = remote_verb(name, about, schema, partial(call_tool, url, tool.name))
        except ValueError:
            continue
    return found


def call_tool(url: str, name: str, arguments: Mapping[str, Any]) -> str:
    """What a tool answers, its texts one after the other.

    Raises:
        ActionRejected: the tool failed. EnvLost: the server does not answer.
    """
    answer = _ask(url, lambda session: session.call_tool(name, dict(arguments)))
    text = "\n".join(part.text for part in answer.content if getattr(part, "text", None))
    if getattr(answer, "isError", False) or getattr(answer, "is_error", False):
        raise ActionRejected(f"the tool {name} failed: {text[:2000] or 'it says no reason'}")
    return text


def _ask(url: str, what: Callable[[Any], Awaitable[T]]) -> T:
    client: Any = require("mcp.client.streamable_http", EXTRA)
    mcp: Any = require("mcp", EXTRA)
    connect = getattr(client, "streamable_http_client", None) or client.streamablehttp_client

    async def ask() -> T:
        async with connect(url) as streams, mcp.ClientSession(*streams[:2]) as session:
            await session.initialize()
            return await what(session)

    async def in_time() -> T:
        return await asyncio.wait_for(ask(), SECONDS)

    try:
        return asyncio.run(in_time())
    except (ActionRejected, EnvLost):
        raise
    except Exception as error:  # groups of errors, and those of whatever HTTP client it uses
        while isinstance(error, BaseExceptionGroup) and error.exceptions:
            error = error.exceptions[0]  # type: ignore[assignment]
        raise EnvLost(f"the MCP server at {url} does not answer: {type(error).__name__}: {error}") from None
