"""The log: off by default, to standard error, without secrets, and with a trail of what hangs."""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from chat_server import ChatServer

from omnipilot.bench.logs import ScrubbedFormatter, start_logging
from omnipilot.envs import ConfigError
from omnipilot.envs.logs import ROOT, log_time, logger_of
from omnipilot.memory import Message
from omnipilot.memory.models import ChatModel, LlmEndpoint

KEY = "sk-l0g/Canary+Head7xQ=Zp3LmT9vB2wKd"


@pytest.fixture
def log(capsys: pytest.CaptureFixture[str]) -> Iterator[pytest.CaptureFixture[str]]:
    """The log at level debug, while a test runs."""
    root = logging.getLogger(ROOT)
    before, level, propagate = list(root.handlers), root.level, root.propagate
    start_logging({"OMNIPILOT_LOG": "debug"})
    yield capsys
    root.handlers, root.level, root.propagate = before, level, propagate
    root.setLevel(level)


def command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "omnipilot.bench.cli.app", *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


def test_nothing_is_logged_unless_asked_and_other_words_are_refused() -> None:
    before = list(logging.getLogger(ROOT).handlers)
    for word in ("", " ", "off"):
        start_logging({"OMNIPILOT_LOG": word})
    start_logging({})
    assert logging.getLogger(ROOT).handlers == before
    with pytest.raises(ConfigError, match="OMNIPILOT_LOG is debug or info, or empty for no log, not 'verbose'"):
        start_logging({"OMNIPILOT_LOG": "verbose"})


def test_the_command_line_says_that_a_word_is_wrong() -> None:
    told = command("list", "planners", OMNIPILOT_LOG="loud")
    assert told.returncode == 2 and told.stderr.startswith("omnipilot: OMNIPILOT_LOG is debug or info")


def test_a_model_call_leaves_a_trail_without_its_key(
    log: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOG_KEY", KEY)
    with ChatServer() as server:
        model = ChatModel(LlmEndpoint("openai-compatible/m", server.url, "LOG_KEY", retries=0))
        model.complete((Message("user", ("hello",)),))
        # Whoever logs a header, or the exception of a library that repeats one, shows no key either.
        logger_of("model").debug("Authorization: Bearer %s", KEY)
        try:
            raise ValueError(f"refused: Bearer {KEY}")
        except ValueError:
            logger_of("model").info("failed", exc_info=True)
    told = log.readouterr().err
    assert re.search(r"^\d\d:\d\d:\d\d\.\d{3} omnipilot\.model: .*attempt 1 …$", told, re.MULTILINE)
    assert re.search(r"attempt 1 took \d+\.\d+ s", told)
    assert KEY not in told and KEY[5:20] not in told and "(LOG_KEY)" in told and "ValueError: refused" in told


def test_what_hangs_is_the_last_line(log: pytest.CaptureFixture[str]) -> None:
    logger = logger_of("adb")
    with pytest.raises(TimeoutError), log_time(logger, "emulator-5554: screencap"):
        assert log.readouterr().err.rstrip().endswith("omnipilot.adb: emulator-5554: screencap …")
        raise TimeoutError("timed out")
    assert "emulator-5554: screencap failed after 0.0" in log.readouterr().err


def test_what_is_asked_is_put_into_words_only_for_the_log(log: pytest.CaptureFixture[str]) -> None:
    class Asked:
        worded = 0

        def __str__(self) -> str:
            self.worded += 1
            return "tap 50%"

    asked, silent = Asked(), logging.getLogger("omnipilot.silent-test")
    silent.setLevel(logging.WARNING)
    with log_time(silent, "%s: %s", "phone", asked):
        pass
    assert asked.worded == 0
    with log_time(logger_of("device"), "%s: %s", "phone", asked):
        assert "omnipilot.device: phone: tap 50% …" in log.readouterr().err
    assert asked.worded == 1


def test_a_phone_that_hangs_leaves_a_trail(log: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("adbutils", reason="adbutils is not installed: pip install 'omnipilot[android]'")
    import socket

    from omnipilot.envs.android.connection import AdbConnection, AdbServer, CommandTimeout

    with socket.create_server(("127.0.0.1", 0)) as silent:
        phone = AdbConnection("emulator-5554", AdbServer("127.0.0.1", silent.getsockname()[1]))
        with pytest.raises(CommandTimeout):
            phone.execute("screencap -p", 0.2)
    told = log.readouterr().err
    assert "omnipilot.adb: emulator-5554: screencap -p …" in told
    assert re.search(r"screencap -p failed after 0\.\d+ s: ", told)


@pytest.mark.slow
def test_a_run_logs_episodes_and_actions_of_its_workers(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("logged")
    flags = "run --suite toy --planner noop --jobs 1 --out".split()
    told = command(*flags, str(folder / "run"), OMNIPILOT_LOG="info")
    assert told.returncode == 0, told.stderr
    assert re.search(r"omnipilot\.episode: save-code\S*, attempt \d+: set up", told.stderr)
    assert "omnipilot.device" not in told.stderr
    assert "omnipilot.episode" not in told.stdout


def test_a_silent_logger_costs_next_to_nothing() -> None:
    logger = logging.getLogger("omnipilot.silent-test")
    logger.setLevel(logging.WARNING)
    began = time.perf_counter()
    for _ in range(10_000):
        with log_time(logger, "x"):
            pass
    assert time.perf_counter() - began < 1.0


def test_records_are_lines_with_time_and_name() -> None:
    record = logging.LogRecord("omnipilot.web", logging.INFO, "", 0, "start %s", ("chromium",), None)
    assert re.fullmatch(r"\d\d:\d\d:\d\d\.\d{3} omnipilot\.web: start chromium", ScrubbedFormatter().format(record))
