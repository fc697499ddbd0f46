"""Names of the loggers of the package, which are silent unless `$OMNIPILOT_LOG` asks for them.

A module at an edge (a device, a program, a server) takes its logger here, and writes what it asks of the other side and
how long the answer took. `omnipilot.bench.logs` sends the records to standard error, without secrets.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

ROOT = "omnipilot"
_LONGEST = 300
logging.getLogger(ROOT).addHandler(logging.NullHandler())


def logger_of(name: str) -> logging.Logger:
    """The logger of an edge, such as "adb" or "model"."""
    return logging.getLogger(f"{ROOT}.{name}")


@contextmanager
def log_time(logger: logging.Logger, what: str, *values: object) -> Iterator[None]:
    """Log what is asked before it is sent, and how it ended after what time; at level debug.

    Where the other side hangs, the first line is the last one: it says on what.

    Args:
        values: for the `%s` in `what`; they are put into words only if it is logged.
    """
    if not logger.isEnabledFor(logging.DEBUG):
        yield
        return
    what = what % values if values else what
    said = what if len(what) <= _LONGEST else f"{what[:_LONGEST]}…"
    logger.debug("%s …", said)
    began = time.monotonic()
    try:
        yield
    except BaseException as error:
        logger.debug("%s failed after %.3f s: %s: %s", said, time.monotonic() - began, type(error).__name__, error)
        raise
    logger.debug("%s took %.3f s", said, time.monotonic() - began)
