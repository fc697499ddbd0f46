"""Who may call a server of a door: whoever has its token, or, where it has none, programs of this machine."""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from omnipilot.envs.remote import is_loopback

Scope = MutableMapping[str, Any]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


class TokenGuard:
    """An ASGI application that lets through what carries `Authorization: Bearer TOKEN`, over HTTP and WebSockets.

    Without a token, it lets through what comes from this machine, but no page of another one in a browser here.

    Args:
        app: the application behind it.
    """

    def __init__(self, app: Any, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode() if token else b""

    async def __call__(self, scope: Scope, receive: Any, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and (refusal := self._refusal(scope)):
            await _refuse(scope, send, *refusal)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = dict(scope["headers"])
        if self._wanted:
            if hmac.compare_digest(headers.get(b"authorization", b""), self._wanted):
                return None
            return 401, "send the header Authorization: Bearer TOKEN, with the token of this server"
        client = scope.get("client")
        origin = headers.get(b"origin")
        # Browsers name the page that connects; programs name none.
        pages = origin is None or is_loopback(urlsplit(origin.decode("latin-1")).hostname or "")
        if client is not None and is_loopback(client[0]) and pages:
            return None
        return 403, "only programs of this machine are answered; reach it by a tunnel, such as ssh -L"


async def _refuse(scope: Scope, send: Send, status: int, words: str) -> None:
    kind = "http.response"
    if scope["type"] == "websocket":
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008, "reason": words})
            return
        kind = "websocket.http.response"
    headers = [(b"content-type", b"application/json"), *([(b"www-authenticate", b"Bearer")] if status == 401 else ())]
    await send({"type": f"{kind}.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.body", "body": json.dumps({"error": words}).encode()})
