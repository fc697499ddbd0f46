"""A worker process: creates an agent and a world once, and plays the episodes assigned to it.

Orders arrive as JSON lines on one pipe, events leave as journal lines on another; standard input and output are not
used. `start` describes the run; then follow `play`, `quit` (close the world and exit) and `stop` (immediately), and at
any time `raise` (a limit of the episode that is being played) and `permit` (a call of a model may be made). It never
outlives its parent: the kernel kills it (Linux), and the end of the order pipe stops it everywhere.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import itertools
import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omnipilot.bench.logs import start_logging
from omnipilot.envs.schema import parse_json
from omnipilot.memory.models.broker.permits import EndpointId, Permits, RequestOutcome, share_permits
from omnipilot.memory.store.background_writer import BackgroundWriter

if TYPE_CHECKING:
    from omnipilot.bench.episode.runner import EpisodeRunner
    from omnipilot.bench.spec import RunSpec

PR_SET_PDEATHSIG = 1
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
KEPT_WHEN_FREED = 128 << 10
"""Bytes: of the free end of the heap, and of a block that is asked of the system by itself. malloc begins with them,
and raises both as larger blocks are freed."""
ORPHANED = 3
"""Exit code of a worker whose parent is gone."""
_ABORT = getattr(signal, "SIGUSR1", signal.SIGTERM)
"""Interrupts the thread that plays. Not SIGTERM, which whoever ends the run may send to all of its processes."""
GRACE = 1.0
"""Seconds in which a worker that was told to stop comes to its next event by itself."""


class _Stop(BaseException):
    """The parent requests an immediate end."""


class _Stopping:
    """How a worker stops: at its next event, or anywhere if it hangs.

    Not immediately in any place: a library interrupted while talking to its device may hang.
    """

    def __init__(self) -> None:
        self.wanted = threading.Event()
        self.heard = threading.Event()
        signal.signal(_ABORT, lambda *_: self._raise())

    def check(self) -> None:
        """Raise if a stop was requested."""
        if self.wanted.is_set() and not self.heard.is_set():
            self._raise()

    def ask(self) -> None:
        """Request a stop, from another thread."""
        self.wanted.set()
        if not self.heard.wait(GRACE):
            signal.pthread_kill(threading.main_thread().ident or 0, _ABORT)

    def done(self) -> None:
        """Ignore further stops: a second one must not interrupt the release of the devices."""
        self.heard.set()
        signal.signal(_ABORT, signal.SIG_IGN)

    def _raise(self) -> None:
        self.done()
        raise _Stop


class _Raising:
    """Hands commands to raise a limit to whoever plays."""

    def __init__(self) -> None:
        self.player: EpisodeRunner | None = None

    def ask(self, command: dict[str, Any]) -> None:
        """Pass a command on; an episode is being played, for the parent knows which."""
        from omnipilot.bench.journal.control import RunCommand

        if self.player is not None:
            self.player.raise_limit(RunCommand.from_json(command))


def main(arguments: list[str]) -> None:
    """Process orders until told to quit.

    Args:
        arguments: file descriptors of orders and events, and the parent's process id.
    """
    orders, events, parent = map(int, arguments)
    die_with(parent)
    faulthandler.enable()
    start_logging()
    # A Ctrl-C in a terminal, and the SIGTERM with which a cluster ends all processes of a job, are the parent's to
    # handle. Not ignored, for what this process starts would inherit that.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    inbox: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    stopping, raising, outbox = _Stopping(), _Raising(), _Outbox(events)
    permits = _Permits(outbox, stopping.wanted)
    share_permits(permits)
    threading.Thread(target=_listen, args=(orders, inbox, stopping, raising, permits), daemon=True).start()
    code = 0
    played: list[RunSpec] = []
    writer = BackgroundWriter()
    try:
        _work(inbox, outbox, stopping, raising, writer, played)
    except _Stop:
        # What was played is told, unless nobody listens any more.
        with contextlib.suppress(BaseException):
            writer.wait(seconds=GRACE)
    except BaseException as error:
        # Reported, not swallowed: the parent raises it. SystemExit from foreign code is as much a bug as any other.
        code = 1
        from omnipilot.memory.secrets.scrub import scrub_error

        # What was done before it failed comes first. The parent may read nothing more once it wants an end.
        most = GRACE if stopping.wanted.is_set() else None
        with contextlib.suppress(BaseException):
            writer.wait(seconds=most)
        told = _told(error, *played)
        failure = {"worker": "failed", **told, **{name: scrub_error(told[name]) for name in ("message", "traceback")}}
        telling = threading.Thread(target=outbox.message, args=(failure,), daemon=True)
        telling.start()
        telling.join(most)
    os.close(events)
    sys.stderr.flush()
    # Threads that libraries left behind must not keep the process.
    os._exit(code)


def _work(
    inbox: queue.SimpleQueue[dict[str, Any]],
    outbox: _Outbox,
    stopping: _Stopping,
    raising: _Raising,
    writer: BackgroundWriter,
    played: list[RunSpec],
) -> None:
    """Play what is ordered; `played` is given the specification of the run."""
    from omnipilot.agents import build
    from omnipilot.bench.episode.runner import EpisodeRunner
    from omnipilot.bench.episode.truth import EpisodeTruth
    from omnipilot.bench.journal.events import Event
    from omnipilot.bench.journal.journal import encode
    from omnipilot.bench.journal.results import Slot
    from omnipilot.bench.journal.run_directory import CHECKED
    from omnipilot.bench.registry import load_suite
    from omnipilot.bench.run.code import refuse_changed_code
    from omnipilot.bench.settings import ALL_MEDIA, MESSAGES
    from omnipilot.bench.spec import RunSpec
    from omnipilot.memory.models.made_models import noting_models
    from omnipilot.memory.store.episode_store import EpisodeStore
    from omnipilot.memory.warm_up import warm_up

    last = 0

    def emit(event: Event) -> None:
        nonlocal last
        stopping.check()
        line = encode(event)
        # No further than one line ahead of what is told: a worker that is killed takes hardly anything with it.
        writer.wait(last)
        # After the captures that it names, which were given before.
        last = writer.do(partial(outbox.line, line))

    start = inbox.get()
    spec = RunSpec.from_json(start["spec"])
    played.append(spec)
    truth = EpisodeTruth()
    media = Path(start["media"])
    store = EpisodeStore(media, media.parent / CHECKED, start.get("keep", ALL_MEDIA), writer)
    with noting_models() as models:
        agent = build(spec.agent, truth, store)
    suite = load_suite(spec.suite)
    refuse_changed_code(spec)
    # Before any episode begins: what a worker does once is no episode's time.
    warm_up(agent)
    if models:
        return_memory_when_freed()
    player = EpisodeRunner(
        spec,
        suite,
        agent,
        store,
        emit,
        truth,
        start.get("messages", MESSAGES) == MESSAGES,
    )
    raising.player = player
    outbox.message({"worker": "ready"})
    with _closing(player, stopping):
        while (order := inbox.get())["do"] == "play":
            player.play(Slot(order["task"], order["instance"], order["trial"]), order["attempt"])
            writer.wait()
            outbox.message({"worker": "free"})
            return_freed_memory()


@contextlib.contextmanager
def _closing(player: EpisodeRunner, stopping: _Stopping) -> Iterator[None]:
    try:
        yield
    finally:
        stopping.done()
        player.close()


def _listen(
    orders: int,
    inbox: queue.SimpleQueue[dict[str, Any]],
    stopping: _Stopping,
    raising: _Raising,
    permits: _Permits,
) -> None:
    with os.fdopen(orders, "rb") as pipe:
        for line in pipe:
            order = parse_json(line)
            if order["do"] == "permit":
                permits.granted(order["permit"])
                continue
            if order["do"] == "raise":
                raising.ask(order["command"])
                continue
            inbox.put(order)
            if order["do"] == "stop":
                stopping.ask()
    if not stopping.wanted.is_set():
        os._exit(ORPHANED)


def die_with(parent: int) -> None:
    """Let this process die when its parent does, however that dies; at once if it is dead already."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        # It died before the kernel was asked to tell.
        os._exit(ORPHANED)


def return_freed_memory() -> None:
    """Give the system what glibc's malloc keeps of memory that was freed: films of one episode leave hundreds of
    megabytes in each worker. Takes no time worth telling where there is nothing, up to a quarter of a second where
    there is; does nothing with another libc."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def return_memory_when_freed() -> None:
    """Let glibc's malloc keep little of what is freed from now on. It costs a fifth of an episode's processor time, so
    it is for episodes that mostly wait for models, of which there are many at once."""
    change = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if change is not None:
        change(M_TRIM_THRESHOLD, KEPT_WHEN_FREED)
        change(M_MMAP_THRESHOLD, KEPT_WHEN_FREED)


def _told(error: BaseException, spec: RunSpec | None = None) -> dict[str, Any]:
    from omnipilot.bench.run.executors.failures import failure_of
    from omnipilot.envs import ConfigError

    if isinstance(error, ConfigError):
        return {"kind": "config", "message": str(error), "traceback": ""}
    failure = failure_of(error, spec)
    return {"kind": "bug", "message": failure.words, "traceback": failure.trace, "named": failure.named}


class _Outbox:
    """Writes whole lines to the parent, whichever thread has one."""

    def __init__(self, events: int) -> None:
        self._events = events
        self._one = threading.Lock()
        self._torn = False

    def message(self, message: Mapping[str, Any]) -> None:
        """Write a message that is no event."""
        self.line(json.dumps(message).encode() + b"\n")

    def line(self, line: bytes) -> None:
        """Write a line. Nothing follows one that was cut off by a stop."""
        with self._one:
            if self._torn:
                return
            self._torn = True
            while line:
                line = line[os.write(self._events, line) :]
            self._torn = False


class _Permits(Permits):
    """Asks the parent, which knows what all workers ask of an endpoint.

    Args:
        stop: set once the parent wants an end. From then on no permit is given back: it may read nothing more, so that
            to write would wait for ever, and takes all of them back once the worker has ended.
    """

    def __init__(self, outbox: _Outbox, stop: threading.Event) -> None:
        self._outbox, self._stop = outbox, stop
        self._numbers = itertools.count(1)
        self._waiting: dict[int, threading.Event] = {}

    def take(self, endpoint: EndpointId, tokens: int) -> int:
        """See `Permits`."""
        number, granted = next(self._numbers), threading.Event()
        self._waiting[number] = granted
        try:
            self._outbox.message({"worker": "asks", "permit": number, "endpoint": asdict(endpoint), "tokens": tokens})
            granted.wait()
        except BaseException:
            self.give_back(number, RequestOutcome())
            raise
        finally:
            del self._waiting[number]
        return number

    def give_back(self, number: int, outcome: RequestOutcome) -> None:
        """See `Permits`."""
        if self._stop.is_set():
            return
        self._outbox.message({"worker": "returns", "permit": number, "outcome": asdict(outcome)})

    def granted(self, number: int) -> None:
        """The parent gave a permit."""
        if (waiting := self._waiting.get(number)) is not None:
            waiting.set()
