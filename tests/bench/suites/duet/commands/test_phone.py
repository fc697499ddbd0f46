"""`omnipilot phone serve` as a user meets it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys

import pytest
from adb_host import AdbHost
from typer.testing import CliRunner

from omnipilot.bench.cli.app import app

CLI = "from omnipilot.bench.cli.app import main; main()"


def test_a_phone_with_a_task_is_served_judged_and_ended() -> None:
    words = [sys.executable, "-c", CLI, "phone", "serve", "--task", "duet/send-message"]
    # Whoever runs the tests in the background may have them ignore Ctrl-C, and their children with them.
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as command:
        signal.signal(signal.SIGINT, heard)
        assert command.stdout is not None
        line = command.stdout.readline()
        port = re.fullmatch(r"adb connect 127\.0\.0\.1:(\d+)\n", line)
        assert port is not None, line
        assert command.stdout.readline().startswith("task: On the phone, open Messages")
        assert command.stdout.readline() == "end with Ctrl-C\n"
        with AdbHost(int(port[1])) as host:
            assert host.shell("whoami") == "shell\n"
            command.send_signal(signal.SIGINT)
            out, err = command.communicate(timeout=30)
    assert command.returncode == 0, err
    assert "not solved: 0 of 2 sub-goals" in out
    assert err == ""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--task", "sendmessage"), "send-message"),
        (("--task", "move-file"), "no phone task"),
        (("--port", "5561"), "emulator"),
        (("--count", "0"), "1 to 32"),
        (("--count", "2", "--port", "6000"), "one phone"),
        (("--rotation", "7"), "quarter turns"),
    ],
)
def test_what_cannot_be_served_is_refused_with_its_cure(words: tuple[str, ...], told: str) -> None:
    found = CliRunner().invoke(app, ["phone", "serve", *words])
    assert found.exit_code
    assert told in str(found.exception)
