"""No call of a model is led to another address.

litellm's HTTP clients follow redirects. httpx takes only the header `Authorization` off what goes to another host, so
the conversation would go there, and so would the keys of Anthropic, Azure, Gemini and others, which are in headers of
their own. Whichever of litellm's clients is in between, a provider is asked through httpx; so the door is there.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from http import HTTPStatus
from typing import Any, TypeVar

T = TypeVar("T")
FOLLOWING = frozenset({"aiohttp_openai"})
"""Providers that litellm asks without httpx, by clients that follow redirects: they are refused."""


class Redirected(Exception):
    """A provider sent a call elsewhere, and it was not followed; the message is what HTTP calls the status.

    Attributes:
        status: 301, 302, 303, 307 or 308.
        asked: the address that was asked.
        location: the address that it gave instead, which may be relative.
    """

    def __init__(self, status: int, asked: str, location: str) -> None:
        super().__init__(HTTPStatus(status).phrase)
        self.status, self.asked, self.location = status, asked, location


_MET: ContextVar[list[Redirected] | None] = ContextVar("redirects that this call has met", default=None)


def guard(httpx: Any) -> None:
    """Make the clients of the module httpx follow no redirect within `refuse_redirects`; others are as they were."""
    for client in (httpx.AsyncClient, httpx.Client):
        send = client.send
        if not hasattr(send, "__wrapped__"):
            client.send = _guarded_async(send) if client is httpx.AsyncClient else _guarded(send)


async def refuse_redirects(call: Awaitable[T]) -> T:
    """The result of a call, within which no redirect is followed.

    Raises:
        Redirected: there was one, whatever the provider's client made of it.
        Exception: what the call raises.
    """
    with _noting() as met:
        try:
            answer = await call
        except Exception:
            if met:
                raise met[0] from None
            raise
    if met:
        raise met[0]
    return answer


@contextmanager
def _noting() -> Iterator[list[Redirected]]:
    met: list[Redirected] = []
    before = _MET.set(met)
    try:
        yield met
    finally:
        _MET.reset(before)


def _guarded_async(send: Any) -> Any:
    @functools.wraps(send)
    async def guarded(client: Any, request: Any, **options: Any) -> Any:
        met = _MET.get()
        if met is None:
            return await send(client, request, **options)
        return _note(await send(client, request, **{**options, "follow_redirects": False}), met)

    return guarded


def _guarded(send: Any) -> Any:
    @functools.wraps(send)
    def guarded(client: Any, request: Any, **options: Any) -> Any:
        met = _MET.get()
        if met is None:
            return send(client, request, **options)
        return _note(send(client, request, **{**options, "follow_redirects": False}), met)

    return guarded


def _note(response: Any, met: list[Redirected]) -> Any:
    if response.has_redirect_location:
        met.append(Redirected(response.status_code, str(response.request.url), response.headers["location"]))
    return response
