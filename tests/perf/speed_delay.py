"""A server that answers every chat request with the same words after the same delay, in a process of its own."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

START_SECONDS = 60.0
ANSWER = json.dumps(
    {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "delay",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "(500, 500)"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1200, "completion_tokens": 8, "total_tokens": 1208},
    }
).encode()


@contextmanager
def delaying_server(seconds: float, answer: bytes = ANSWER) -> Iterator[int]:
    """Run one, without any work of its own beyond reading requests; its port on the loopback."""
    # Spawned: a fork would take over whatever threads and locks this process has.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(seconds, answer, theirs), daemon=True)
    process.start()
    try:
        if not ours.poll(START_SECONDS):
            raise TimeoutError(f"the server did not start in {START_SECONDS:g} s")
        yield ours.recv()
    finally:
        process.terminate()
        process.join()


def _serve(seconds: float, answer: bytes, told: Connection) -> None:
    asyncio.run(_answer(seconds, answer, told))


async def _answer(seconds: float, answer: bytes, told: Connection) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(answer)

    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                request = await reader.readuntil(b"\r\n\r\n")
                lines = request.lower().split(b"\r\n")
                length = next((int(line[15:]) for line in lines if line.startswith(b"content-length:")), 0)
                await reader.readexactly(length)
                if seconds:
                    await asyncio.sleep(seconds)
                writer.write(head + answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(client, "127.0.0.1", 0, limit=1 << 22)
    told.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()
