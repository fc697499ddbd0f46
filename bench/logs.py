"""Sends log records to standard error, as `$OMNIPILOT_LOG` asks; each passes the scrubber of secrets."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping

from omnipilot.envs import ConfigError
from omnipilot.envs.logs import ROOT

VARIABLE = "OMNIPILOT_LOG"
LEVELS = {"debug": logging.DEBUG, "info": logging.INFO}


class ScrubbedFormatter(logging.Formatter):
    """Writes a record as "12:03:44.512 omnipilot.adb: …", with its traceback if it has one, without secrets."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s.%(msecs)03d %(name)s: %(message)s", "%H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        from omnipilot.memory.secrets.scrub import scrub_error

        return scrub_error(super().format(record))


class _ToStandardError(logging.Handler):
    """Writes to what is standard error at the time."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            sys.stderr.write(f"{self.format(record)}\n")
            sys.stderr.flush()
        except Exception:
            self.handleError(record)


def start_logging(environment: Mapping[str, str] = os.environ) -> None:
    """Log to standard error if `$OMNIPILOT_LOG` is "debug" or "info"; called again, it changes nothing.

    Raises:
        ConfigError: it has another value.
    """
    word = environment.get(VARIABLE, "").strip().lower()
    if word in ("", "off"):
        return
    if word not in LEVELS:
        raise ConfigError(f"{VARIABLE} is {' or '.join(LEVELS)}, or empty for no log, not {word!r}")
    root = logging.getLogger(ROOT)
    if any(isinstance(handler.formatter, ScrubbedFormatter) for handler in root.handlers):
        return
    handler = _ToStandardError()
    handler.setFormatter(ScrubbedFormatter())
    root.addHandler(handler)
    root.setLevel(LEVELS[word])
    # Only here: handlers of others do not scrub.
    root.propagate = False
