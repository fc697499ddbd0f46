"""What a server does with its world: one request after the other, each that changes something at most once."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from omnipilot.envs.base import ENV_CAPABILITIES, Capability, Env, World
from omnipilot.envs.composite.world import CompositeWorld
from omnipilot.envs.remote import protocol as wire
from omnipilot.envs.remote.protocol import BadMessage, Message, field, number
from omnipilot.envs.remote.states import codec_of, form_of
from omnipilot.envs.schema import codec
from omnipilot.envs.types.actions import Action, Answer, AskUser, Done
from omnipilot.envs.types.errors import ActionRejected, ConfigError, EnvLost, MalformedAction, MissingExtra
from omnipilot.envs.types.fields import LONGEST_WAIT
from omnipilot.envs.types.observation import Modality

REMEMBERED = 512
"""Answers that are kept for a retry, the latest."""
MOST_SNAPSHOTS = 16
"""Snapshots that are kept, the latest."""
MOST_WAITING = 16
"""Requests that may wait for the world."""
LONGEST_SHELL = 300.0
"""Maximum seconds of a judge's command."""
RUNS_AFTER = 0.005
"""Seconds in which a running clock is seen to move."""


class Busy(Exception):
    """Too many requests are waiting; the world is busy with something else."""


class Restarted(Exception):
    """The request is for an earlier world than the one that is served now."""


ActFunction: TypeAlias = Callable[[World, Env, Action], None]
"""Carries out an action in an environment of a world, or raises `ActionRejected`."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An error that a client is to raise: `kind` is rejected, config, missing, lost, bad or bug."""

    kind: str
    text: str


def failure_of(error: BaseException) -> Failure:
    """How an error of the world is told to the client. Of a bug only the class is: its text may name anything."""
    if isinstance(error, ActionRejected):
        return Failure("rejected", str(error))
    if isinstance(error, EnvLost):
        return Failure("lost", str(error))
    if isinstance(error, MissingExtra | ConfigError):
        return Failure("config", str(error))
    if isinstance(error, FileNotFoundError):
        return Failure("missing", "there is no such file")
    if isinstance(error, BadMessage | MalformedAction):
        return Failure("bad", str(error))
    return Failure("bug", type(error).__name__)


class WorldHost:
    """A world, the one thread that touches it, and the answers already given.

    Some worlds may only be used by the thread that made them, and none expects two requests at a time: so there is one
    thread, in which the world is made, used and closed.

    Args:
        make: makes the world; called again after it was lost.
        allow_judges: whether judges may read files, elements and state, and run commands.
        log: told each bug in the world, with its traceback.
        act: carries out an action, and may reject it.
    """

    def __init__(
        self,
        make: Callable[[], World],
        allow_judges: bool = False,
        log: Callable[[BaseException], None] = lambda _: None,
        act: ActFunction = lambda _world, env, action: env.act(action),
    ) -> None:
        self._carry_out = act
        self.allow_judges = allow_judges
        self._make = make
        self._log = log
        self._thread = ThreadPoolExecutor(1, "omnipilot-world")
        self._lock = threading.RLock()
        self._waiting = 0
        self._answers: OrderedDict[str, tuple[bytes, Future[Message]]] = OrderedDict()
        self._snapshots: OrderedDict[str, Any] = OrderedDict()
        self._media = wire.MediaCache()
        self._world: World | None = None
        self._begun = 0.0
        self._running = False
        self._state_form = ""
        self.instance = ""

    def open(self) -> None:
        """Make the world.

        Raises:
            OmnipilotError: it cannot be made.
        """
        self._thread.submit(self._open).result()

    def close(self) -> None:
        """Close the world and end its thread, once what it is doing is done. May be called twice."""
        with self._lock:
            open_ = not self._thread._shutdown
        if open_:
            self._thread.submit(self._close)
            self._thread.shutdown()

    def submit(self, name: str, message: Message, instance: str = "") -> Future[Message]:
        """Have a request answered.

        A request with an id that was answered before, or is being answered, gets that answer: nothing is done twice.

        Args:
            instance: the world that the request is for; "" for whichever is served.

        Raises:
            Busy: too many requests are waiting.
            Restarted: the world is another one.
            BadMessage: the id is none, or was used for something else.
        """
        changes = name in CHANGING
        with self._lock:
            if instance and instance != self.instance:
                raise Restarted
            if changes:
                id = field(message, "id", str)
                if not wire.ID.fullmatch(id):
                    raise BadMessage("'id' must be 8 to 64 hexadecimal digits")
                content = hashlib.sha256(wire.pack({"name": name, **message})).digest()
                if id in self._answers:
                    before, answer = self._answers[id]
                    if before != content:
                        raise BadMessage("this 'id' was used for another request")
                    return answer
            if self._waiting >= MOST_WAITING:
                raise Busy(f"{self._waiting} requests are waiting")
            self._waiting += 1
            # A client that gave up must not cancel it: its retry is owed the answer.
            answer = self._thread.submit(self._answer, name, message, self.instance)
            answer.add_done_callback(self._done)
            if changes:
                self._answers[id] = content, answer
                for old in [key for key, (_, one) in self._answers.items() if one.done()][:-REMEMBERED]:
                    del self._answers[old]
            return answer

    def medium(self, name: str) -> bytes | None:
        """A medium that was sent lately, by its hash in hexadecimal; None if it is not kept any more."""
        return self._media.get(bytes.fromhex(name))

    def _done(self, _answer: Future[Message]) -> None:
        with self._lock:
            self._waiting -= 1

    def _open(self) -> None:
        world = self._make()
        before = world.now
        threading.Event().wait(RUNS_AFTER)
        self._running = world.now > before
        self._state_form = form_of(world.state()) if Capability.STATE in world.capabilities else ""
        with self._lock:
            self._world = world
            self._begun = time.monotonic()
            self._snapshots.clear()
            self._answers.clear()
            self.instance = secrets.token_hex(16)

    def _close(self) -> None:
        with self._lock:
            world, self._world = self._world, None
            self.instance = ""
        if world is not None:
            world.close()

    def _answer(self, name: str, message: Message, instance: str) -> Message:
        if self._world is None and name == "hello":
            self._open()
        elif self._world is None or instance != self.instance:
            raise EnvLost("the world that this was for is gone")
        world = cast(World, self._world)
        try:
            answer = HANDLERS[name](self, world, message)
            sizes = {key: [env.size.width, env.size.height] for key, env in world.envs.items()}
            return {**answer, "now": world.now, "sizes": sizes}
        except EnvLost:
            # The next hello gets a new world, under another instance id.
            try:
                self._close()
            except Exception as error:
                self._log(error)
            raise
        except Exception as error:
            if failure_of(error).kind == "bug":
                self._log(error)
            raise

    def _hello(self, world: World, _message: Message) -> Message:
        from importlib.metadata import version

        offered = [one.value for one in wire.WORLD_OFFERS if one in world.capabilities]
        state = self._state_form if self.allow_judges else ""
        return {
            "protocol": wire.VERSION,
            "version": version("omnipilot"),
            "instance": self.instance,
            "uptime": time.monotonic() - self._begun,
            "running": self._running,
            "offers": offered,
            "state": state,
            "most": world.most,
            "envs": [self._describe(world, env) for env in world.envs.values()],
        }

    def _describe(self, world: World, env: Env) -> Message:
        from omnipilot.envs.schema.json_schema import tool_schema

        able = env.capabilities & ENV_CAPABILITIES
        if _shell_of(world, env) is not None:
            able |= {Capability.SHELL}
        judges = sorted(one.value for one in able) if self.allow_judges else []
        return {
            "name": env.name,
            "platform": env.platform,
            "size": [env.size.width, env.size.height],
            "verbs": sorted(env.verbs),
            "custom": [
                {"name": verb.name, "description": verb.description, "parameters": tool_schema(verb)["parameters"]}
                for verb in env.custom.values()
            ],
            "modalities": _modalities(world, env),
            "judges": judges,
            "description": env.description,
            "applications": [str(app) for app in env.applications],
            "installed": [str(app) for app in env.installed],
        }

    def _reset(self, world: World, message: Message) -> Message:
        self._snapshots.clear()
        world.reset(field(message, "instance", int))
        return {"envs": [self._describe(world, env) for env in world.envs.values()]}

    def _observe(self, world: World, message: Message) -> Message:
        modalities, media = self._wanted(message)
        since = number(message, "since", -1e9, 1e9)
        look = _env(world, message).observe(modalities, since)
        return {"observation": wire.observation_to_message(look, media), "media": media.files}

    def _observe_together(self, world: World, message: Message) -> Message:
        modalities, media = self._wanted(message)
        asked = field(message, "since", dict)
        if unknown := sorted(set(asked) - set(world.envs)):
            raise BadMessage(f"there is no environment {unknown[0]!r:.60}")
        found = world.observe_together(modalities, {name: number(asked, name, -1e9, 1e9) for name in asked})
        told = {name: wire.observation_to_message(look, media) for name, look in found.items()}
        return {"observations": told, "media": media.files}

    def _wanted(self, message: Message) -> tuple[frozenset[Modality], wire.MediaWriter]:
        held = field(message, "held", list, [])
        if len(held) > wire.MOST_HELD or not all(isinstance(name, bytes) and len(name) == 32 for name in held):
            raise BadMessage(f"'held' lists up to {wire.MOST_HELD} hashes of 32 bytes")
        try:
            modalities = frozenset(Modality(name) for name in field(message, "modalities", list))
        except ValueError as error:
            raise BadMessage(str(error)) from None
        return modalities, wire.MediaWriter(held, self._media)

    def _act(self, world: World, message: Message) -> Message:
        env = _env(world, message)
        # Arguments of a custom verb are the environment's to check, in its own words.
        self._carry_out(world, env, codec.action_from_json(field(message, "action", dict)))
        return {}

    def _wait(self, world: World, message: Message) -> Message:
        world.wait(number(message, "seconds", 0.0, LONGEST_WAIT))
        return {}

    def _think(self, world: World, message: Message) -> Message:
        world.think(number(message, "measured", 0.0, 1e6))
        return {}

    def _clock(self, _world: World, _message: Message) -> Message:
        return {}

    def _leave(self, _world: World, _message: Message) -> Message:
        self._snapshots.clear()
        return {}

    def _ended(self, world: World, _message: Message) -> Message:
        return {"ended": world.ended()}

    def _hear(self, world: World, message: Message) -> Message:
        said = codec.action_from_json(field(message, "said", dict))
        if not isinstance(said, Answer | AskUser | Done):
            raise ConfigError(f"a world hears answers, questions and endings, not {said.kind}")
        world.hear(said)
        return {}

    def _take(self, world: World, message: Message) -> Message:
        if Capability.RECORDED not in world.capabilities:
            raise ConfigError("this world is no recording")
        actions = [codec.action_from_json(action) for action in field(message, "actions", list)]
        passage = world.take(actions, field(message, "problem", str))
        return {"env": passage.env, "actions": [codec.to_json(one) for one in passage.actions], "words": passage.words}

    def _snapshot(self, world: World, _message: Message) -> Message:
        if Capability.SNAPSHOTS not in world.capabilities:
            raise ConfigError("this world has no snapshots")
        name = secrets.token_hex(8)
        self._snapshots[name] = world.snapshot()
        while len(self._snapshots) > MOST_SNAPSHOTS:
            self._snapshots.popitem(last=False)
        return {"snapshot": name}

    def _restore(self, world: World, message: Message) -> Message:
        name = field(message, "snapshot", str)
        if Capability.SNAPSHOTS not in world.capabilities or name not in self._snapshots:
            raise ConfigError(f"there is no snapshot {name!r:.40}; the last {MOST_SNAPSHOTS} since the reset are kept")
        world.restore(self._snapshots[name])
        return {}

    def _file(self, world: World, message: Message) -> Message:
        env, path = _env(world, message), field(message, "path", str)
        if Capability.FILES not in env.capabilities:
            raise ConfigError(f"{env.name} has no files that can be read")
        if not 0 < len(path) <= 4096 or "\0" in path:
            raise BadMessage("a path has 1 to 4096 characters, none of them NUL")
        data = env.read_file(path)
        if len(data) > wire.LARGEST_FILE:
            raise ConfigError(f"the file has {len(data) >> 20} MB; judges read up to {wire.LARGEST_FILE >> 20} MB")
        return {"data": data}

    def _shell(self, world: World, message: Message) -> Message:
        env = _env(world, message)
        shell = _shell_of(world, env)
        if shell is None:
            raise ConfigError(f"{env.name} has no shell")
        return {"output": shell(field(message, "command", str), number(message, "timeout", 0.01, LONGEST_SHELL))}

    def _ui_tree(self, world: World, message: Message) -> Message:
        env = _env(world, message)
        if Capability.UI_TREE not in env.capabilities:
            raise ConfigError(f"{env.name} has no element tree for judges")
        return {"elements": wire.elements_to_message(env.ui_tree())}

    def _written(self, world: World, message: Message) -> Message:
        env = _env(world, message)
        if Capability.WRITTEN_TEXTS not in env.capabilities:
            raise ConfigError(f"{env.name} does not tell what is written on it")
        return {"elements": wire.elements_to_message(env.written_texts())}

    def _transcript(self, world: World, message: Message) -> Message:
        env = _env(world, message)
        if Capability.TRANSCRIPT not in env.capabilities:
            raise ConfigError(f"{env.name} does not tell what it sounds")
        heard = env.transcript(number(message, "start", -1e9, 1e9), number(message, "end", -1e9, 1e9))
        return {"heard": wire.heard_to_message(heard)}

    def _state(self, world: World, _message: Message) -> Message:
        if Capability.STATE not in world.capabilities or not self._state_form:
            raise ConfigError("this world has no state that can be sent")
        return {"form": self._state_form, "state": self._write(world.state())}

    def _prepare(self, world: World, message: Message) -> Message:
        prepare = getattr(world, "prepare", None)
        if prepare is None or not self._state_form:
            raise ConfigError("this world cannot be prepared from elsewhere")
        try:
            state = codec_of(self._state_form).read(message.get("state"))
        except ValueError as error:
            raise BadMessage(str(error)) from None
        if type(state) is not type(world.state()):
            raise BadMessage(f"a {type(state).__name__} is no state of this world")
        prepare(lambda _: state)
        return {}

    def _whole(self, world: World, _message: Message) -> Message:
        if Capability.SNAPSHOTS not in world.capabilities or not self._state_form:
            raise ConfigError("this world has no snapshots that can be sent")
        return {"snapshot": self._write(world.snapshot())}

    def _put_back(self, world: World, message: Message) -> Message:
        if Capability.SNAPSHOTS not in world.capabilities or not self._state_form:
            raise ConfigError("this world has no snapshots that can be sent")
        try:
            snapshot = codec_of(self._state_form).read(message.get("snapshot"))
        except ValueError as error:
            raise BadMessage(str(error)) from None
        if type(snapshot) is not type(world.snapshot()):
            raise BadMessage(f"a {type(snapshot).__name__} is no snapshot of this world")
        world.restore(snapshot)
        return {}

    def _write(self, value: Any) -> Message:
        try:
            return codec_of(self._state_form).write(value)
        except TypeError as error:
            raise ConfigError(f"the world's state cannot be sent: {error}; judge it beside the world") from None


def _modalities(world: World, env: Env) -> list[str]:
    """The modalities that are not unsupported, as far as a look without any tells."""
    look = env.observe((), world.now)
    return [m.value for m in Modality if getattr(getattr(look, m.value), "reason", "") != "unsupported"]


def _shell_of(world: World, env: Env) -> Callable[[str, float], str] | None:
    """What runs a judge's command on the device of an environment: its own shell, or that of its world, as with a
    private desktop; None where neither has one."""
    if Capability.SHELL in env.capabilities:
        return env.shell
    if isinstance(world, CompositeWorld):
        device = world.device_of(env.name)
        able: bool = world.ask(device, lambda one: Capability.SHELL in one.capabilities)
        return (lambda line, timeout: world.ask(device, lambda one: str(one.shell(line, timeout)))) if able else None
    return world.shell if Capability.SHELL in world.capabilities else None


def _env(world: World, message: Message) -> Env:
    name = field(message, "env", str)
    if name not in world.envs:
        raise BadMessage(f"there is no environment {name!r:.60}; there are {', '.join(world.envs)}")
    return world.envs[name]


HANDLERS: Mapping[str, Callable[[WorldHost, World, Message], Message]] = {
    "hello": WorldHost._hello,
    "reset": WorldHost._reset,
    "observe": WorldHost._observe,
    "observe_together": WorldHost._observe_together,
    "act": WorldHost._act,
    "wait": WorldHost._wait,
    "think": WorldHost._think,
    "clock": WorldHost._clock,
    "close": WorldHost._leave,
    "ended": WorldHost._ended,
    "hear": WorldHost._hear,
    "take": WorldHost._take,
    "snapshot": WorldHost._snapshot,
    "restore": WorldHost._restore,
    "judges/file": WorldHost._file,
    "judges/shell": WorldHost._shell,
    "judges/ui_tree": WorldHost._ui_tree,
    "judges/written_texts": WorldHost._written,
    "judges/transcript": WorldHost._transcript,
    "judges/state": WorldHost._state,
    "judges/prepare": WorldHost._prepare,
    "judges/whole": WorldHost._whole,
    "judges/put_back": WorldHost._put_back,
}
"""What is done for each path; those below `judges/` need the judges' token."""
CHANGING = frozenset(
    "reset act wait think hear take snapshot restore judges/shell judges/prepare judges/put_back".split()
)
"""Requests that change something, and so carry an id."""
