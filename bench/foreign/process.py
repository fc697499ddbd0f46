"""A process with a foreign interpreter, which is asked for one thing after the other."""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import json
import math
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from omnipilot.envs import ConfigError, EnvLost
from omnipilot.envs.logs import logger_of

_LOG = logger_of("device")
LONGEST_ANSWER = 256 << 20
"""Characters of an answer; a longer one is cut, and so no answer."""
LAST_WORDS = 40
"""Lines of standard error that are told when the process is lost."""
ENDING = 5.0
"""Seconds that a process has to end by itself once its input is closed."""
_VERSIONS = """
import json, sys
from importlib.metadata import PackageNotFoundError, version
found = {"Python": sys.version.split()[0]}
for name in sys.argv[1:]:
    try:
        found[name] = version(name)
    except PackageNotFoundError:
        pass
print(json.dumps(found))
"""


class ForeignLost(EnvLost):
    """The process ended, did not answer in time, or answered what is no answer. The attempt is void."""


class ForeignFailure(EnvLost):
    """The foreign code raised an error. The attempt is void; it is never a score of 0.

    Attributes:
        trace: its traceback.
    """

    def __init__(self, message: str, trace: str = "") -> None:
        super().__init__(message)
        self.trace = trace


class ForeignProcess:
    """A script that runs with the user's interpreter and answers by `omnipilot.bench.foreign.serve_lines`.

    It has a process group of its own, which is killed when it does not answer in time and when it is closed, with
    whatever it has started. Not for several threads at once.

    Args:
        python: the interpreter, in whose environment the foreign packages are.
        script: a file of ours that imports them; it may import `serve_lines` by that name.
        arguments: of the script.
        variables: of its environment, beside those of this process; None takes one away.
        folder: its working folder.
        name: what messages call it; by default the script's name.

    Raises:
        ConfigError: there is no such interpreter, or it cannot be started.
    """

    def __init__(
        self,
        python: str | Path,
        script: Path,
        arguments: Sequence[str] = (),
        *,
        variables: Mapping[str, str | None] | None = None,
        folder: Path | None = None,
        name: str = "",
    ) -> None:
        self.name = name or script.stem
        given = {**os.environ, "VIRTUAL_ENV": None, "PYTHONHOME": None, **(variables or {})}
        here = str(Path(__file__).parent)
        given["PYTHONPATH"] = os.pathsep.join(filter(None, (here, given.get("PYTHONPATH"))))
        try:
            self._process = subprocess.Popen(
                [str(python), str(script), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                env={key: value for key, value in given.items() if value is not None},
                cwd=folder,
                process_group=0,
            )
        except OSError as error:
            raise ConfigError(f"{self.name}: {python} cannot be started ({error}); name another interpreter") from None
        self._numbers = itertools.count(1)
        self._answers: queue.Queue[str | None] = queue.Queue()
        self._words: deque[str] = deque(maxlen=LAST_WORDS)
        self._lost = ""
        self._readers = [
            threading.Thread(target=read, name=f"{self.name}: {what}", daemon=True)
            for read, what in ((self._read_answers, "answers"), (self._read_words, "words"))
        ]
        for reader in self._readers:
            reader.start()

    @property
    def pid(self) -> int:
        """Its process id, which is that of its process group, too."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it can still be asked."""
        return not self._lost and self._process.poll() is None

    def ask(self, do: str, seconds: float, **arguments: Any) -> Any:
        """What a handler of the script answers.

        Args:
            do: name of the handler. seconds: until when it must have answered. arguments: of the handler, as JSON.

        Raises:
            ForeignFailure: the handler raised.
            ForeignLost: the process is gone, too slow, or says something else. It is killed, and stays lost.
        """
        if self._lost:
            raise ForeignLost(self._lost)
        number = next(self._numbers)
        assert self._process.stdin is not None
        try:
            line = json.dumps({"id": number, "do": do, "with": arguments}, allow_nan=False)
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError:
            raise self._lose("it has ended") from None
        try:
            text = self._answers.get(timeout=seconds)
        except queue.Empty:
            raise self._lose(f"no answer to {do!r} within {seconds:g} s") from None
        if text is None:
            raise self._lose(f"it ended while it was asked {do!r}")
        try:
            answer = json.loads(text)
            if not isinstance(answer, dict) or answer["id"] != number or ("value" in answer) == ("error" in answer):
                raise ValueError(text)
        except (ValueError, KeyError, RecursionError):
            raise self._lose(f"its answer to {do!r} is none: {text.strip()[:200]!r}") from None
        if "error" in answer:
            trace = str(answer.get("trace", ""))
            _LOG.info("%s: %s", self.name, trace)
            raise ForeignFailure(f"{self.name} failed at {do!r}: {str(answer['error'])[:2000]}", trace)
        return answer["value"]

    def close(self) -> None:
        """End it, and whatever it has started. May be called twice."""
        self._lost = self._lost or f"{self.name} was closed"
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(ENDING)
        self._kill()

    def _lose(self, why: str) -> ForeignLost:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.2)  # one that has just ended has a code of its own
        self._kill()
        for reader in self._readers:
            reader.join(1.0)
        code = self._process.returncode
        ended = "" if code in (None, -signal.SIGKILL) else f" (it ended with {code})"
        words = "\n".join(self._words)
        self._lost = f"{self.name} is lost: {why}{ended}" + (f"; its last words:\n{words}" if words else "")
        return ForeignLost(self._lost)

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(ENDING)

    def _read_answers(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError, OSError):
            while line := self._process.stdout.readline(LONGEST_ANSWER):
                self._answers.put(line)
        self._answers.put(None)

    def _read_words(self) -> None:
        assert self._process.stderr is not None
        with contextlib.suppress(ValueError, OSError):
            while line := self._process.stderr.readline(4096):
                self._words.append(line.rstrip("\n"))
                _LOG.debug("%s: %s", self.name, line.rstrip("\n"))


def choose_python(python: str, package: str, cure: str) -> str:
    """The interpreter that has a package: the one that is named, else this one.

    Args:
        python: the one that is named, "" for none. package: as it is imported.
        cure: what the message says: who needs which package, and how to get it.

    Raises:
        ConfigError: none is named, and this one has no such package.
    """
    if not python and importlib.util.find_spec(package) is None:
        raise ConfigError(cure)
    return python or sys.executable


def installed_versions(python: str, packages: Sequence[str]) -> dict[str, str]:
    """The versions of Python and of those packages that an interpreter has; nothing where it does not start."""
    try:
        said = subprocess.run([python, "-c", _VERSIONS, *packages], capture_output=True, text=True, timeout=60)
        found: dict[str, str] = json.loads(said.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return {}
    return found


def finite_score(value: object, who: str, least: float = 0.0, most: float = 1.0) -> float:
    """A score that a foreign judge gave.

    Args:
        who: the judge, for the message.

    Raises:
        ForeignFailure: it is no number, not finite, or out of range.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ForeignFailure(f"{who} answered {value!r}, which is no score")
    if not least <= value <= most:
        raise ForeignFailure(f"{who} answered {value:g}; a score lies in {least:g}..{most:g}")
    return float(value)
