"""stub"""

from __future__ import annotations

from typing import Any

PORT = 9008


async def serve_http(stream: Any, phone: Any) -> None:
    await stream.read()
