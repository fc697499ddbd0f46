"""A command of the phone's shell while it runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from omnipilot.envs.sim.adb.phone import ServedPhone
from omnipilot.envs.sim.adb.streams import Lines, Writable

if TYPE_CHECKING:
    from omnipilot.envs.sim.adb.shell import Shell

INTERRUPT, KILLED, TERMINATE = 2, 9, 15
MOST_PROCESSES = 256
"""Processes of one phone at a time."""
MOST_NESTED = 192
"""Of these, those that shells below the first ones may start: what multiplies leaves room for a new line."""


@dataclass(slots=True)
class Process:
    """One process: its number and name, and the signal that it got."""

    pid: int
    name: str
    signal: int = 0
    signalled: asyncio.Event = field(default_factory=asyncio.Event)

    def send(self, signal: int) -> None:
        """Send it a signal."""
        self.signal = signal
        self.signalled.set()


class Processes:
    """The processes that run, by number."""

    def __init__(self) -> None:
        self._last = 4000
        self.running: dict[int, Process] = {}

    def full(self, nested: bool) -> bool:
        """Whether no further one may be started, by a shell that is `nested` in another."""
        return len(self.running) >= (MOST_NESTED if nested else MOST_PROCESSES)

    def start(self, name: str) -> Process:
        """A new process."""
        self._last = self._last % 32_000 + 1
        process = self.running[self._last] = Process(self._last, name)
        return process

    def end(self, process: Process) -> None:
        """The process has ended."""
        self.running.pop(process.pid, None)


@dataclass(slots=True)
class RunningCommand:
    """A command that is carried out.

    Attributes:
        name, args: how it was called. folder: the working directory.
    """

    phone: ServedPhone
    processes: Processes
    process: Process
    name: str
    args: list[str]
    stdin: Lines
    out: Writable
    err: Writable
    shell: Shell

    @property
    def folder(self) -> str:
        """The working directory."""
        return self.shell.folder

    def read_file(self, path: str) -> bytes:
        """A file's content, or that of one of the few that the system makes up.

        Raises:
            FileError: there is none, or it is a folder.
        """
        whole, up = self.shell.path(path), self.phone.uptime()
        made_up = {
            "/dev/null": "",
            "/proc/uptime": f"{up:.2f} {up * 0.9:.2f}\n",
            "/proc/version": "Linux version 6.1.23-android14-4 (omnipilot) #1 SMP PREEMPT\n",
            "/proc/net/tcp": "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n",
            "/proc/meminfo": "MemTotal:        4028416 kB\nMemFree:         1204412 kB\nMemAvailable:    2410032 kB\n",
        }
        return made_up[whole].encode() if whole in made_up else self.phone.files.read(whole)

    async def say(self, text: str) -> None:
        """Write text to standard output, with a line break at its end unless it is empty."""
        if text:
            await self.out.write((text if text.endswith("\n") else text + "\n").encode("utf-8", "surrogateescape"))

    async def complain(self, text: str) -> None:
        """Write a line to standard error."""
        await self.err.write((text.rstrip("\n") + "\n").encode("utf-8", "surrogateescape"))

    async def fail(self, text: str, status: int = 1) -> int:
        """Complain under the command's name, and return the status."""
        await self.complain(f"{self.name}: {text}")
        return status

    async def work(self, steps: int) -> None:
        """Account for a part of what the command does, and let others have their turn before it.

        Args:
            steps: about 100 ns each.

        Raises:
            TooManySteps: the shell has done too much.
        """
        self.shell.steps.spend(steps)
        await asyncio.sleep(0)

    async def pause(self, seconds: float) -> bool:
        """Let seconds of the phone's clock pass; True if a signal came before."""
        try:
            await asyncio.wait_for(self.process.signalled.wait(), seconds / self.phone.rate)
        except TimeoutError:
            return False
        return True


Command = Callable[[RunningCommand], Awaitable[int]]


def flags(args: Sequence[str], valued: str = "", known: str = "") -> tuple[dict[str, str], list[str]]:
    """Split short options from operands, which may stand between them.

    Args:
        valued: letters of options that take a value. known: letters of the others.

    Returns:
        The options by letter (without a value ""), and the operands.

    Raises:
        ValueError: an unknown option, or a missing value.
    """
    found: dict[str, str] = {}
    rest, operands = list(args), list[str]()
    while rest:
        arg = rest.pop(0)
        if arg == "--":
            break
        if not arg.startswith("-") or len(arg) < 2:
            operands.append(arg)
            continue
        letters = arg[1:]
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter in valued:
                if not letters and not rest:
                    raise ValueError(f"option requires an argument -- '{letter}'")
                found[letter] = letters or rest.pop(0)
                letters = ""
            elif letter in known:
                found[letter] = ""
            else:
                raise ValueError(f"Unknown option '{letter}'")
    return found, [*operands, *rest]
