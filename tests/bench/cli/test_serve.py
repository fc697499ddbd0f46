"""`omnipilot serve` as a user meets it, with a program in the place of vLLM."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import fake_vllm
import pytest
from adb_server import free_port
from fake_vllm import LONG, alive, until

CLI = "from omnipilot.bench.cli.app import main; main()"


@pytest.fixture
def serve(tmp_path: Path) -> list[str]:
    """The command line of a server on a free port."""
    options = ("--vllm", fake_vllm.write(tmp_path), "--port", str(free_port()), "--wait", str(LONG))
    return [sys.executable, "-c", CLI, "serve", "gta1-7b", *options]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_until_it_is_told_to_end(serve: list[str], number: int) -> None:
    words = [*serve, "--no-probe", "--", "--seed", "1"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    # Whoever runs the tests in the background may have them ignore Ctrl-C, and their children with them.
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(words, **pipes) as command:  # type: ignore[call-overload]
        signal.signal(signal.SIGINT, heard)
        printed = ""
        while "answers at" not in printed:
            line = command.stdout.readline()
            assert line, command.stderr.read()
            printed += line
        assert "--seed 1" in printed
        assert "Salesforce/GTA1-7B answers at http://127.0.0.1:" in printed
        command.send_signal(number)
        _, log = command.communicate(timeout=LONG)
    assert command.returncode == 0, log
    child = int(re.search(r"child (\d+)", log)[1])  # type: ignore[index]
    until(lambda: not alive(child))


@pytest.mark.slow
def test_a_server_that_points_nowhere_is_not_served(serve: list[str]) -> None:
    done = subprocess.run(serve, capture_output=True, text=True, timeout=LONG, check=False)
    assert done.returncode == 1, done.stderr
    assert "UNFIT" in done.stderr or "MISMATCH" in done.stderr
    assert "answers at" not in done.stdout
    child = int(re.search(r"child (\d+)", done.stderr)[1])  # type: ignore[index]
    until(lambda: not alive(child))


def test_a_server_that_dies_is_an_error_with_its_last_words(serve: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE", "dies")
    done = subprocess.run(serve, capture_output=True, text=True, timeout=LONG, check=False)
    assert done.returncode == 2
    assert "not enough memory for Salesforce/GTA1-7B" in done.stderr.split("omnipilot: ")[-1]
