"""A program that behaves like `vllm serve` as far as its launcher can see: it takes its time, has a child, and answers.

The variable FAKE makes it misbehave: "dies", "silent" (never answers), "stubborn" (will not end). Whatever it is asked,
it points at the middle of a grid of thousandths.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from omnipilot.grounders.serve import Server

FAKE = """#!{python}
import http.server, json, os, signal, subprocess, sys
mode = os.environ.get("FAKE", "")
port = int(sys.argv[sys.argv.index("--port") + 1])
print("loading", *sys.argv[1:3], flush=True)
if mode == "dies":
    print("not enough memory for", sys.argv[2])
    sys.exit(3)
if mode == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
print("child", child.pid, flush=True)
if mode == "silent":
    signal.pause()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        wanted = os.environ.get("VLLM_API_KEY")
        told = self.headers.get("Authorization") == f"Bearer {{wanted}}"
        body = json.dumps({{"data": [{{"id": sys.argv[2]}}]}}).encode()
        self.send_response(200 if told or not wanted else 401)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        choice = {{"index": 0, "message": {{"role": "assistant", "content": "(500, 500)"}}, "finish_reason": "stop"}}
        usage = {{"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}}
        body = json.dumps({{"id": "1", "model": sys.argv[2], "choices": [choice], "usage": usage}}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


http.server.HTTPServer(("127.0.0.1", port), Handler).serve_forever()
"""
LONG = 120.0


def write(folder: Path) -> str:
    """Put the program into a folder; its path."""
    path = folder / "vllm"
    path.write_text(FAKE.format(python=sys.executable))
    path.chmod(0o755)
    return str(path)


def alive(pid: int) -> bool:
    """Whether a process runs; one that is only waiting to be buried does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def child_of(server: Server) -> int:
    until(lambda: "child" in server.log)
    return int(server.log.split("child ")[1].split()[0])
