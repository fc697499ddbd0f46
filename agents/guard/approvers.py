"""Approvers: who is asked before a move that a policy wants approved. Whatever goes wrong, the answer is no."""

from __future__ import annotations

import json
import os
import select
import shlex
import subprocess
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """What an approver is asked.

    Attributes:
        env: the device. move: the action in words. rule, why: of the policy. facts: what is known of the move, by
            condition.
    """

    env: str
    move: str
    rule: str
    why: str
    facts: Mapping[str, Any] = field(default_factory=dict)


class Approver(ABC):
    """Says whether a move may be carried out.

    Attributes:
        own_process: whether it can be asked only in the process that the user started.
    """

    own_process: ClassVar[bool] = False

    def check(self) -> None:
        """Refuse where nobody could be asked; called before any episode. Nobody is asked.

        Raises:
            ConfigError: with the cure.
        """

    def open(self) -> None:
        """Get ready to be asked; called once before the first episode."""

    def close(self) -> None:
        """Release what `open` took; nothing is asked afterwards."""

    @abstractmethod
    def approve(self, request: ApprovalRequest, seconds: float) -> bool:
        """Whether the move may be carried out. Only True itself is a yes.

        It is called in a thread of its own, which is left alone after `seconds`: a later answer counts for nothing.
        """


class NobodyApproves(Approver):
    """Refuses every move that has to be approved."""

    def approve(self, request: ApprovalRequest, seconds: float) -> bool:  # noqa: ARG002
        """False."""
        return False


def at_terminal() -> bool:
    """Whether a person may sit at standard input and standard error."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


class TerminalApprover(Approver):
    """Asks the person at the terminal; only `y` or `yes` is a yes, silence is a no."""

    own_process: ClassVar[bool] = True

    def check(self) -> None:
        """Refuse where nobody could type.

        Raises:
            ConfigError: standard input or standard error is no terminal.
        """
        if not at_terminal():
            raise ConfigError(
                "--approver terminal asks a person, and this is no terminal; start it in one, or choose another"
            )

    def approve(self, request: ApprovalRequest, seconds: float) -> bool:
        """What the person types within the time."""
        fd = sys.stdin.fileno()
        while select.select([fd], [], [], 0)[0] and os.read(fd, 4_096):
            # What was typed before the question is no answer to it.
            pass
        why = f" ({request.why})" if request.why else ""
        sys.stderr.write(f"\nThe agent wants: {request.env}: {request.move}\nRule: {request.rule}{why}\n")
        for name, value in request.facts.items():
            sys.stderr.write(f"  {name}: {value}\n")
        sys.stderr.write(f"Allow it? [y/N, {seconds:g} s] ")
        sys.stderr.flush()
        end, line = time.monotonic() + seconds, b""
        while not line.endswith(b"\n"):
            if not select.select([fd], [], [], max(0.0, end - time.monotonic()))[0] or not (more := os.read(fd, 1)):
                sys.stderr.write("\nNo answer: refused.\n")
                return False
            line += more
        return line.decode(errors="replace").strip().casefold() in ("y", "yes")


class CommandApprover(Approver):
    """Asks a program: it gets the request as JSON on standard input; exit status 0 and the output `yes` are a yes.

    Args:
        line: the command line.
    """

    main_option: ClassVar[str] = "line"

    def __init__(self, *, line: str) -> None:
        self._words = shlex.split(line)
        if not self._words:
            raise ConfigError("--approver command needs a command line: command:LINE")

    def approve(self, request: ApprovalRequest, seconds: float) -> bool:
        """What the program says; a program that is killed or too slow says no."""
        given = json.dumps(asdict(request), ensure_ascii=False)
        done = subprocess.run(self._words, input=given, capture_output=True, text=True, timeout=seconds, check=False)
        return done.returncode == 0 and done.stdout.strip() == "yes"


def ask_approver(approver: Approver | None, request: ApprovalRequest, seconds: float) -> tuple[bool, str]:
    """Ask, and fail closed.

    Returns:
        Whether it may be carried out; if not, why in words.
    """
    if approver is None:
        return False, "nobody is there to approve it"
    found: list[object] = []

    def ask() -> None:
        try:
            found.append(approver.approve(request, seconds))
        except BaseException as error:
            # Whatever an approver raises, SystemExit too, is no yes.
            found.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(seconds)
    if not found:
        return False, f"nobody approved it within {seconds:g} s"
    if found[0] is True:
        return True, ""
    if isinstance(found[0], BaseException):
        return False, f"the approver failed ({type(found[0]).__name__})"
    return False, "it was not approved"
