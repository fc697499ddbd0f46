"""A machine with OSWorld's server, on which tasks are set up and judged by the code of a checkout."""

from __future__ import annotations

import json
import os
import shlex
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from omnipilot.bench.foreign import ForeignProcess, finite_score
from omnipilot.bench.suites.osworld.task_files import Layout, TaskFile
from omnipilot.bench.tasks.judges import Verdict
from omnipilot.envs import Answer, AskUser, Capability, ConfigError, CustomVerb, Done, EnvLost, Thinking, lock_file
from omnipilot.envs.remote.osworld import OSWorldEnv, OSWorldWorld, WindowsAgentArenaWorld

SCRIPT = Path(__file__).parent / "judge" / "judge_script.py"
PORTS = (5000, 9222, 8006, 8080)
"""Of the server, Chromium, VNC and VLC."""
OPEN_SECONDS = 300.0
"""For the checkout's packages to be imported."""
SETUP_SECONDS = 1800.0
JUDGE_SECONDS = 900.0
FAIL = "FAIL"
DONE = "DONE"


@dataclass(frozen=True, slots=True)
class MachinePlace:
    """Where a machine is reached.

    Attributes:
        host: its name or address. ports: of the server, Chromium, VNC and VLC.
    """

    host: str
    ports: tuple[int, int, int, int] = PORTS

    @classmethod
    def parse(cls, text: str) -> MachinePlace:
        """Read HOST[:5000[:9222[:8006[:8080]]]].

        Raises:
            ConfigError: it has another form.
        """
        host, *given = text.split(":")
        try:
            numbers = [int(one) for one in given]
        except ValueError:
            numbers = [0]
        if not host or len(numbers) > len(PORTS) or not all(0 < one < 65536 for one in numbers):
            raise ConfigError(f"server must be HOST[:SERVER[:CHROMIUM[:VNC[:VLC]]]] with ports, not {text!r}")
        server, chromium, vnc, vlc = (*numbers, *PORTS[len(numbers) :])
        return cls(host, (server, chromium, vnc, vlc))

    @property
    def url(self) -> str:
        """Of the server."""
        return f"http://{self.host}:{self.ports[0]}"


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """How tasks are set up and judged.

    Attributes:
        checkout: the folder. python: the interpreter that has its packages.
        password: of the machine's user. files: folder with files of the web, "" to fetch them.
        seconds: for the import, a setup, and a judgement.
        script: another one than ours, for tests.
    """

    checkout: Path
    layout: Layout = "osworld"
    python: str = sys.executable
    password: str = "password"
    files: str = ""
    seconds: tuple[float, float, float] = (OPEN_SECONDS, SETUP_SECONDS, JUDGE_SECONDS)
    script: Path = SCRIPT


@dataclass
class _Told:
    """What the agent said of its ending, and how many tasks were on the machine."""

    last: list[str] = field(default_factory=list)
    tasks: int = 0


class TaskMachine:
    """What a machine needs beside its screen: a process that sets up and judges, and a lock against a second user.

    Args:
        dirty: whether a second task may be set up on a machine that nothing restores.
    """

    def __init__(self, place: MachinePlace, judge: JudgeSettings, restored: bool, dirty: bool) -> None:
        self.place = place
        self.judge = judge
        self._restored, self._dirty = restored, dirty
        self._process: ForeignProcess | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._lock = _hold(place)
        self._told = _Told()

    def prepare(self) -> None:
        """Before a task is set up: whether the machine may be used for it.

        Raises:
            ConfigError: it holds what an earlier task has left.
        """
        if self._told.tasks and not (self._restored or self._dirty):
            raise ConfigError(
                f"nothing restores the machine at {self.place.url} after a task: say how with -o suite.reset=COMMAND, "
                "or play on what is left with -o suite.dirty=true"
            )
        self._told = _Told(tasks=self._told.tasks + 1)

    def set_up(self, task: TaskFile, screen: Sequence[int], system: str) -> None:
        """Bring the machine to the start of a task.

        Raises:
            EnvLost: the checkout's code failed, hung or ended; the message has its error.
        """
        self._started().ask(
            "setup",
            self.judge.seconds[1],
            task=dict(task.content),
            host=self.place.host,
            ports=list(self.place.ports),
            password=self.judge.password,
            screen=list(screen),
            files=str(Path(self.judge.files).expanduser().resolve()) if self.judge.files else "",
            system=system,
        )

    def hear(self, said: Answer | AskUser | Done) -> None:
        """Take in an ending: only one as infeasible is OSWorld's FAIL."""
        if isinstance(said, Done):
            self._told.last = [FAIL if said.status == "infeasible" else DONE]

    def evaluate(self) -> Verdict:
        """What the checkout's code says of the task.

        Raises:
            EnvLost: it failed, hung, ended, or answered no score in 0..1. The attempt is void.
        """
        found = self._started().ask("evaluate", self.judge.seconds[2], actions=self._told.last)
        if not isinstance(found, dict):
            raise EnvLost(f"OSWorld's evaluate answered {found!r:.200}, which is no score")
        score = finite_score(found.get("score"), "OSWorld's evaluate")
        told = [f"{one['metric']}: {one['value']}" for one in found.get("metrics", ())]
        told += [f"ended with {self._told.last[0]}"] if self._told.last else ["the agent did not say that it is done"]
        return Verdict(score, "; ".join((*told, *found.get("complaints", ()))))

    def close(self) -> None:
        """End the process, remove its files, and let others use the machine. May be called twice."""
        if self._process is not None:
            self._process.close()
            self._process = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _started(self) -> ForeignProcess:
        if self._process is None or not self._process.alive:
            if self._process is not None:
                self._process.close()
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="omnipilot-osworld-")
            checkout = str(self.judge.checkout)
            given = {"checkout": checkout, "cache": self._folder.name, "layout": self.judge.layout}
            self._process = ForeignProcess(
                self.judge.python, self.judge.script, [json.dumps(given)], name="OSWorld's judge"
            )
            self._process.ask("open", self.judge.seconds[0])
        return self._process


class OSWorldTaskWorld(OSWorldWorld):
    """A machine with OSWorld's server, with tasks; see `TaskMachine`.

    Args:
        reset: the command that restores the machine, "" for none. tools: verbs that the machine offers beside.
    """

    capabilities = frozenset({Capability.HEARS})

    def __init__(
        self,
        place: MachinePlace,
        judge: JudgeSettings,
        thinking: Thinking,
        reset: str = "",
        dirty: bool = False,
        tools: Callable[[], Mapping[str, CustomVerb]] | None = None,
        settle: float = 2.0,
    ) -> None:
        self.machine = TaskMachine(place, judge, bool(reset), dirty)
        try:
            super().__init__(place.url, thinking, reset_command=shlex.split(reset), settle=settle)
            if tools is not None:
                self.desktop.offer(tools())
        except BaseException:
            self.machine.close()
            raise

    def start(self, task: TaskFile, instance: int) -> str:
        """Restore the machine, if there is a way, and bring it to the start of a task; returns the instruction.

        Raises:
            ConfigError: the machine holds what an earlier task left. EnvLost: it is lost, or the setup failed.
        """
        self.machine.prepare()
        self.reset(instance)
        system = "Windows" if self.desktop.system == "windows" else "Ubuntu"
        self.machine.set_up(task, (self.desktop.size.width, self.desktop.size.height), system)
        self.desktop.settle()
        self._clock.restart()
        return str(task.content["instruction"])

    def hear(self, said: Answer | AskUser | Done) -> None:
        """Take in an ending; see `TaskMachine.hear`."""
        self.machine.hear(said)

    def evaluate(self) -> Verdict:
        """What the checkout says of the task. A machine that does not answer afterwards was judged by nobody.

        Raises:
            EnvLost: there is no verdict; the attempt is void.
        """
        verdict = self.machine.evaluate()
        if not verdict.reached:
            # What the checkout cannot read of a machine counts as missing there, and would be a 0.
            self.desktop.meet()
        return verdict

    def close(self) -> None:
        """End the judge's process, and close the connections; the machine goes on. May be called twice."""
        self.machine.close()
        super().close()


class WindowsTaskWorld(OSWorldTaskWorld, WindowsAgentArenaWorld):
    """A machine of WindowsAgentArena, with tasks."""

    env_class: type[OSWorldEnv] = WindowsAgentArenaWorld.env_class


def _hold(place: MachinePlace) -> int | None:
    """A lock on a machine, held by this process until it is closed.

    Raises:
        ConfigError: another process plays on it.
    """
    name = "".join(one if one.isalnum() else "-" for one in f"{place.host}-{place.ports[0]}")
    user = getattr(os, "getuid", lambda: 0)()
    path = Path(tempfile.gettempdir()) / f"omnipilot-osworld-{user}-{name}.lock"
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    if not lock_file(handle):
        os.close(handle)
        raise ConfigError(
            f"another process plays on the machine at {place.url}; one machine plays one task: use --jobs 1"
        )
    return handle
