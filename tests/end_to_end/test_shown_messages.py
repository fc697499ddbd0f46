"""What arrives at a real vLLM server is what `omnipilot show` prints, part for part."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import tiny_qwen
from made_settings import spec_of
from speed_vllm import NAME, tiny_server
from typer.testing import CliRunner

from omnipilot.bench.cli.app import app
from omnipilot.bench.run import run
from omnipilot.envs import Image

pytestmark = [pytest.mark.vllm, pytest.mark.slow, pytest.mark.timeout(1200)]
TASK = "mail-code-to-message"


class Relay:
    """Passes requests on to a server, and keeps both bodies as they travel."""

    def __init__(self, url: str) -> None:
        self.seen: list[tuple[bytes, bytes]] = []
        relay = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                asked = urllib.request.Request(f"{url}{self.path.removeprefix('/v1')}", body)
                asked.add_header("Content-Type", "application/json")
                with urllib.request.urlopen(asked, timeout=900) as answer:
                    back = answer.read()
                relay.seen.append((body, back))
                self.send_response(200)
                self.send_header("Content-Length", str(len(back)))
                self.end_headers()
                self.wfile.write(back)

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()


@pytest.fixture(scope="module")
def relay(vllm_program: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Relay]:
    folder = tiny_qwen.write(tmp_path_factory.mktemp("tiny") / NAME)
    server = tiny_server(str(vllm_program), folder, ("--max-model-len", "32768"))
    found = Relay(server.url)
    yield found
    found.http.shutdown()
    server.stop()


def in_place(value: Any) -> Any:
    """A body as it arrived, each picture as the hash of its pixels, or of its file for JPEG."""
    if isinstance(value, dict):
        return {key: in_place(item) for key, item in value.items()}
    if isinstance(value, list):
        return [in_place(item) for item in value]
    if isinstance(value, str) and value.startswith("data:image/"):
        file = base64.b64decode(value.partition(",")[2])
        return hashlib.sha256(file).hexdigest() if "jpeg" in value[:16] else Image.encoded(file).digest
    return value


def named(value: Any) -> Any:
    """A body as it is shown, each picture as its hash."""
    if isinstance(value, dict):
        return value["digest"] if "digest" in value else {key: named(item) for key, item in value.items()}
    return [named(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("planner", ["json", "function-calling"])
@pytest.mark.parametrize("jpeg", [0, 60])
def test_what_arrives_is_what_is_shown(relay: Relay, tmp_path: Path, planner: str, jpeg: int) -> None:
    relay.seen.clear()
    options = (
        "images=1",
        "scale=256",
        f"jpeg={jpeg}",
        "max_tokens=60",
        "temperature=1.0",
        "timeout=900",
        "attempt=600",
    )
    if planner == "function-calling":
        # What a model of random weights writes is no call: each reply is malformed, and has to be shown.
        options += ("tool_choice=none",)
    flags = {
        **{"suite": "duet", "tasks": TASK, "retries": 9, "limits": {"turns": 2}, "planner_modalities": "screenshot"},
        **{"planner": {"name": planner, "model": f"hosted_vllm/{NAME}"}, "planner_url": relay.url},
    }
    run(spec_of({}, flags, [f"planner.{option}" for option in options]), tmp_path / "run")
    printed = CliRunner().invoke(app, ["show", str(tmp_path / "run"), TASK, "--json"]).output
    attempts = [(call["request"], one["raw"]) for call in json.loads(printed) for one in call["attempts"]]
    assert attempts and len(attempts) == len(relay.seen)
    for (request, raw), (body, back) in zip(attempts, relay.seen, strict=True):
        assert named(request) == in_place(json.loads(body))
        assert raw == back.decode()
    assert any(call["unread"] for call in json.loads(printed))
