"""Compares our pool of connections with httpx, as a transport of model calls: `python tests/perf/transports.py`.

Both ask the same small server on this machine: one call after the other, 64 at a time, and a server that sends a byte
every 50 ms while the deadline is half a second. httpx is measured in both ways in which it can be given a deadline for
a whole exchange: in the caller's thread, with the clock read between pieces, and in an event loop of another thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.server
import multiprocessing
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

ANSWER = b'{"choices": [{"message": {"role": "assistant", "content": "%s"}}]}' % (b"word " * 200)
BODY = [b"x" * 200_000]
CALLS, PARALLEL, DEADLINE = 300, 64, 0.5


class _Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(ANSWER)
        if self.path.endswith("/slow-head"):
            self._drip(head)
        elif self.path.endswith("/slow-body"):
            self.wfile.write(head)
            self._drip(ANSWER)
        else:
            self.wfile.write(head + ANSWER)

    def _drip(self, data: bytes) -> None:
        try:
            for byte in data[:100]:
                self.wfile.write(bytes((byte,)))
                time.sleep(0.05)
        except OSError:
            pass
        self.close_connection = True

    def log_message(self, *_: Any) -> None:
        pass


def _serve(pipe: Any) -> None:
    class Server(http.server.ThreadingHTTPServer):
        request_queue_size = 256

    server = Server(("127.0.0.1", 0), _Server)
    pipe.send(server.server_address[1])
    server.serve_forever()


Exchange = Callable[[str, float], bytes]


def ours(url: str) -> Exchange:
    """The pool of `openai_chat`."""
    from omnipilot.memory.models.openai_chat.connections import ConnectionPool

    pool = ConnectionPool(url, PARALLEL)
    return lambda path, seconds: pool.exchange("POST", path, BODY, {}, seconds).body


def httpx_in_thread(url: str) -> Exchange:
    """httpx in the caller's thread; the clock is read between pieces of the body."""
    import httpx

    limits = httpx.Limits(max_connections=None, max_keepalive_connections=PARALLEL)
    client = httpx.Client(base_url=url, limits=limits, trust_env=False)

    def exchange(path: str, seconds: float) -> bytes:
        until = time.monotonic() + seconds
        with client.stream("POST", path, content=b"".join(BODY), timeout=seconds) as answer:
            whole = bytearray()
            for piece in answer.iter_raw():
                whole += piece
                if time.monotonic() > until:
                    raise TimeoutError
            return bytes(whole)

    return exchange


def httpx_in_loop(url: str) -> Exchange:
    """httpx in an event loop of another thread, which cancels at the deadline."""
    import httpx

    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=PARALLEL)
    client = httpx.AsyncClient(base_url=url, limits=limits, trust_env=False)

    async def ask(path: str, seconds: float) -> bytes:
        async with asyncio.timeout(seconds):
            return (await client.post(path, content=b"".join(BODY), timeout=seconds)).content

    return lambda path, seconds: asyncio.run_coroutine_threadsafe(ask(path, seconds), loop).result()


def _per_call(exchange: Exchange) -> float:
    times = []
    for _ in range(CALLS):
        start = time.perf_counter()
        exchange("/chat", 30.0)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def _parallel(exchange: Exchange) -> float:
    with ThreadPoolExecutor(PARALLEL) as threads:
        start = time.perf_counter()
        list(threads.map(lambda _: exchange("/chat", 60.0), range(10 * PARALLEL)))
        return (time.perf_counter() - start) / (10 * PARALLEL)


def _hostile(exchange: Exchange, path: str) -> float:
    start = time.perf_counter()
    with contextlib.suppress(Exception):  # each library raises its own
        exchange(path, DEADLINE)
    return time.perf_counter() - start


def _import_time(module: str) -> float:
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    took = [float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(5)]
    return min(took)


def main() -> None:
    """Measure and print."""
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(there,), daemon=True)
    server.start()
    url = f"http://127.0.0.1:{here.recv()}/v1"
    print("import   urllib3", f"{1e3 * _import_time('urllib3'):.0f} ms,", f"httpx {1e3 * _import_time('httpx'):.0f} ms")
    makers = (ours, httpx_in_thread, httpx_in_loop)
    exchanges = [(make.__name__, make(url)) for make in makers]
    rounds: dict[str, list[tuple[float, float]]] = {name: [] for name, _ in exchanges}
    for _ in range(3):
        for name, exchange in exchanges:
            rounds[name].append((_per_call(exchange), _parallel(exchange)))
    for name, exchange in exchanges:
        call, many = (min(values) for values in zip(*rounds[name], strict=True))
        slow = [_hostile(exchange, path) for path in ("/slow-head", "/slow-body")]
        print(
            f"{name:16} {1e3 * call:.2f} ms a call, {1e3 * many:.2f} ms with {PARALLEL} at a time; a deadline of "
            f"{DEADLINE} s ends slow headers after {slow[0]:.2f} s, a slow body after {slow[1]:.2f} s"
        )
    server.terminate()


if __name__ == "__main__":
    main()
