"""A world on another machine, or in another process, used like one in this process."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, cast, get_args

from omnipilot.envs.base import ENV_CAPABILITIES, Capability, Env, Heard, Passage, Platform, Thinking, World
from omnipilot.envs.clock import WallClock
from omnipilot.envs.remote import protocol as wire
from omnipilot.envs.remote.client import ClockOffset, RemoteClient
from omnipilot.envs.remote.connection import option_mistakes
from omnipilot.envs.remote.protocol import BadMessage, Message, field, number
from omnipilot.envs.remote.reset_command import run_reset_command
from omnipilot.envs.remote.states import PLAIN, codec_of, state_forms
from omnipilot.envs.remote.tokens import JUDGES_VARIABLE, TOKEN_VARIABLE, find_token
from omnipilot.envs.remote.verbs import remote_verb
from omnipilot.envs.requirements import failed_checks, listens
from omnipilot.envs.schema import codec
from omnipilot.envs.types.actions import CONTROL_VERBS, VERBS, Action, Answer, AskUser, Done
from omnipilot.envs.types.custom import CustomVerb
from omnipilot.envs.types.errors import ActionRejected, ConfigError, EnvLost, MalformedAction, check_installed
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.observation import Elements, Modality, Observation

FROZEN = Thinking()
REMEASURED = 60.0
"""Seconds after which the clocks are compared again."""
RESET_SECONDS = 120.0
"""Seconds that a reset may last by itself: programs are started."""
RESTORE_SECONDS = 600.0
"""Seconds for a machine to be restored, and then to answer again."""


class RemoteWorld(World):
    """A world that an `EnvServer` serves.

    It has the capabilities `SNAPSHOTS`, `ENDS`, `RECORDED` and `TOGETHER` if the served world has them. With the
    judges' token, and a server that allows judges, it also has `STATE` (where the state can be sent) and its
    environments `UI_TREE`, `TRANSCRIPT`, `WRITTEN_TEXTS`, `FILES` and `SHELL`.

    Args:
        url: such as "http://127.0.0.1:8700".
        token, judges_token: what the server asks for. Rather than here, put them into a file of mode 0600 or into
            the environment variables OMNIPILOT_REMOTE_TOKEN and OMNIPILOT_JUDGES_TOKEN, which are looked at next.
        thinking: whether time passes while models think. The served world decides what it makes of it: one whose clock
            runs by itself, nothing.
        clock: of the world that this one is part of, which restarts it; times are then converted to it. By default
            they are those of the served world.
        timeout: seconds for an answer, beyond what an action lasts by itself; then the world counts as lost.
        wait: seconds to wait until the server listens.
        token_file, judges_token_file: the files with the tokens, if they are in files.
        authority_file: PEM file with the certificate of an https server; "" for those the system trusts.
        reset_command: run on this machine at the start of each reset, to restore the other one; the reset fails if
            that machine's server turns out to be the same as before.
        reset_seconds: how long the command, and then the restored machine's start, may take.

    Raises:
        ConfigError: the URL or a token is wrong, or the clock cannot be converted.
        EnvLost: no server answers.
        MissingExtra: msgpack is not installed.
    """

    @staticmethod
    def lacking(options: Mapping[str, Any]) -> list[str]:
        """What it needs and does not find: msgpack, the files of tokens, and a server, unless a command restores its
        machine first."""
        url, wait = options.get("url", ""), options.get("wait", 10.0)
        files = ("token_file", TOKEN_VARIABLE), ("judges_token_file", JUDGES_VARIABLE)
        return failed_checks(
            partial(check_installed, "remote", "msgpack"),
            *(partial(find_token, str(options.get(name, "")), variable) for name, variable in files),
            *([] if options.get("reset_command") else [partial(listens, url, wait)]),
        )

    def __init__(
        self,
        url: str,
        token: str = "",
        judges_token: str = "",
        thinking: Thinking = FROZEN,
        clock: WallClock | None = None,
        *,
        timeout: float = 30.0,
        wait: float = 10.0,
        token_file: str = "",
        judges_token_file: str = "",
        authority_file: str = "",
        reset_command: Sequence[str] = (),
        reset_seconds: float = RESTORE_SECONDS,
    ) -> None:
        self.thinking = thinking
        self._clock = clock
        token = token or find_token(token_file, TOKEN_VARIABLE)
        judges_token = judges_token or find_token(judges_token_file, JUDGES_VARIABLE)
        self._judged = bool(judges_token)
        self._reset_command = reset_command
        self._reset_seconds = reset_seconds
        self.client = RemoteClient(url, token, judges_token, timeout, authority_file)
        self._offset: ClockOffset | None = None
        self._seen = 0.0
        self._envs: dict[str, RemoteEnv] = {}
        self._states: tuple[int, Any] = (-1, None)
        try:
            self._meet(wait)
        except BaseException:
            self.client.close()
            raise
        self.capabilities = frozenset(one for one in wire.WORLD_OFFERS if one.value in self._hello["offers"])
        if self._form:
            self.capabilities |= {Capability.STATE}

    @classmethod
    def option_mistakes(cls, options: Mapping[str, Any]) -> Iterator[str]:
        """An address that is none, and files that are not there; see `World.option_mistakes`."""
        return option_mistakes(options)

    def _meet(self, seconds: float) -> None:
        """Learn what is served, and compare the clocks."""
        said = self._hello = self.client.hello(seconds)
        with self.client.reading("hello"):
            self._running = field(said, "running", bool)
            field(said, "version", str)
            number(said, "uptime")
            self._form = field(said, "state", str) if self._judged else ""
            if self._form not in ("", *state_forms()) or not isinstance(said.get("offers"), list):
                raise BadMessage(f"unknown kind of state {self._form!r:.40}")
            self._describe(field(said, "envs", list))
            self._note(said)
        if self._clock is not None and not self._running:
            raise ConfigError(
                f"the world at {self.client.url} has a simulated clock, which stands still between actions; it cannot "
                "share a clock with other worlds"
            )
        if self._running:
            self._offset = self.client.measure_clock()

    def _describe(self, envs: Sequence[Any]) -> None:
        if not envs:
            raise BadMessage("it serves no environments")
        found = {}
        for said in envs:
            if not isinstance(said, dict):
                raise BadMessage("an environment is described by a map")
            env = self._envs.get(field(said, "name", str)) or _env_of(self, said, self._judged)
            env.describe(said)
            found[env.name] = env
        self._envs = found

    def ask(self, name: str, message: Mapping[str, Any] | None = None, lasts: float = 0.0) -> Message:
        """Have a request answered, and note what the answer says of clock and screens; see `RemoteClient.ask`."""
        answer = self.client.ask(name, message, lasts)
        with self.client.reading(name):
            self._note(answer)
        return answer

    def value(self, name: str, message: Mapping[str, Any] | None, wanted: str, kind: type, lasts: float = 0.0) -> Any:
        """One field of an answer, of some type; see `ask`."""
        answer = self.ask(name, message, lasts)
        with self.client.reading(name):
            return field(answer, wanted, kind)

    def _note(self, answer: Message) -> None:
        self._seen = number(answer, "now", -1e12)
        for name, size in field(answer, "sizes", dict).items():
            if name in self._envs:
                self._envs[name].size = wire.size_from_message(size)

    @property
    def url(self) -> str:
        """Where it is served."""
        return self.client.url

    @property
    def server(self) -> Mapping[str, Any]:
        """What the server said of itself: `version`, `instance`, `uptime` in seconds, `envs` and what they offer."""
        return self._hello

    @property
    def offset(self) -> ClockOffset | None:
        """How the served world's clock relates to this machine's; None for a simulated clock."""
        return self._offset

    @property
    def envs(self) -> Mapping[str, RemoteEnv]:
        """The environments by name."""
        return dict(self._envs)

    @property
    def now(self) -> float:
        """Seconds since the last reset, as its clock or the shared one shows."""
        if self._clock is not None:
            return self._clock.now
        if self._offset is None:
            return self._seen
        return self._remeasured().seconds + time.monotonic()

    def _remeasured(self) -> ClockOffset:
        assert self._offset is not None
        if time.monotonic() - self._offset.measured > REMEASURED:
            self._offset = self.client.measure_clock()
        return self._offset

    @property
    def shift(self) -> float:
        """Seconds to add to the served world's times, to have them on this world's clock."""
        if self._clock is None:
            return 0.0
        return self._clock.at(0.0) - self._remeasured().seconds

    def reset(self, instance: int) -> None:
        """Restore the machine, if there is a command for it, and start the served world over.

        Raises:
            EnvLost: the machine was not restored, or does not answer.
        """
        if self._reset_command:
            self._restore_machine()
        answer = self.ask("reset", {"instance": instance}, RESET_SECONDS)
        with self.client.reading("reset"):
            self._describe(field(answer, "envs", list))
        if self._running:
            self._offset = self.client.measure_clock()

    def _restore_machine(self) -> None:
        before, at = self._hello, time.monotonic()
        with self.client.reading("hello"):
            before_uptime = number(self.client.hello(), "uptime")
        run_reset_command(self._reset_command, self._reset_seconds)
        # The connections lead to a machine that is no more.
        self.client.close()
        self._meet(self._reset_seconds)
        with self.client.reading("hello"):
            after = number(self._hello, "uptime")
        if self._hello["instance"] == before["instance"] and after >= before_uptime:
            raise EnvLost(
                f"the reset command succeeded, but {self.url} was not restored: the same server still runs, "
                f"{after:.0f} s old ({time.monotonic() - at:.0f} s ago it was {before_uptime:.0f} s)"
            )

    def wait(self, seconds: float) -> None:
        """Let time pass in the served world."""
        self.ask("wait", {"seconds": float(seconds)}, seconds)

    def think(self, measured: float) -> None:
        """Account for a decision: in a simulated world its time passes, according to `thinking`."""
        seconds = self.thinking.elapsed(measured)
        if seconds > 0 and not self._running:
            self.ask("wait", {"seconds": seconds}, seconds)

    def observe_together(
        self, modalities: Collection[Modality], since: Mapping[str, float]
    ) -> Mapping[str, Observation]:
        """One observation of each environment; at one moment and in one answer if the served world can."""
        if Capability.TOGETHER not in self.capabilities:
            return super().observe_together(modalities, since)
        shift = self.shift
        asked = {name: float(start) - shift for name, start in since.items()}
        answer = self.ask("observe_together", {"since": asked, **observation_request(self.client, modalities)})
        with self.client.reading("observe_together"):
            keep_media(self.client, answer)
            seen = field(answer, "observations", dict)
            return {name: self._envs[name].read(seen.get(name), shift) for name in since}

    def ended(self) -> str:
        """Why the episode has ended, or ""."""
        if Capability.ENDS not in self.capabilities:
            return ""
        return str(self.value("ended", None, "ended", str))

    def hear(self, said: Answer | AskUser | Done) -> None:
        """Hand on what the agent says, if the served world hears."""
        if Capability.HEARS in self.capabilities:
            self.ask("hear", {"said": codec.to_json(said)})

    @property
    def most(self) -> int | None:
        """Maximum number of moves taken from a decision."""
        return cast("int | None", self._hello.get("most"))

    def take(self, actions: Sequence[Action], problem: str) -> Passage:
        """Record what the agent would have done, and advance."""
        said = self.ask("take", {"actions": [codec.to_json(one) for one in actions], "problem": problem})
        with self.client.reading("take"):
            moves = field(said, "actions", list)
            try:
                done = tuple(codec.action_from_json(one) for one in moves)
            except MalformedAction as error:
                raise BadMessage(str(error)) from None
            return Passage(field(said, "env", str), done, field(said, "words", str))

    def state(self) -> Any:
        """A copy of the served world's state."""
        version = self.client.version
        if self._running or self._states[0] != version:
            self._states = version, _read(self._form, self.ask("judges/state").get("state"))
        return self._states[1]

    def prepare(self, change: Callable[[Any], Any]) -> None:
        """Set up content before an episode, where the served world can: its state is changed here and sent back."""
        self.ask("judges/prepare", {"state": codec_of(self._form).write(change(self.state()))})

    def snapshot(self) -> Any:
        """Keep the state, on the server, for `restore`; the last 16 since the reset are kept.

        That of the embedded world, which judges may read, is the whole state: others can be made of it, and other
        worlds of its kind can be restored to it.
        """
        if self._form not in ("", PLAIN):
            return _read(self._form, self.ask("judges/whole").get("snapshot"))
        return str(self.value("snapshot", None, "snapshot", str))

    def restore(self, snapshot: Any) -> None:
        """Restore a snapshot."""
        if self._form not in ("", PLAIN):
            self.ask("judges/put_back", {"snapshot": codec_of(self._form).write(snapshot)})
        else:
            self.ask("restore", {"snapshot": snapshot})

    def close(self) -> None:
        """Take leave; the server goes on. May be called twice."""
        self.client.close()


def observation_request(client: RemoteClient, modalities: Collection[Modality]) -> Message:
    """What is asked of an observation: modalities, and the media that need not be sent."""
    return {"modalities": sorted(modality.value for modality in modalities), "held": client.media.names()}


def keep_media(client: RemoteClient, answer: Message) -> None:
    """Keep the media that came with an answer.

    Raises:
        BadMessage: there are none.
    """
    for file in field(answer, "media", dict).values():
        if isinstance(file, bytes):
            client.media.put(file)


def _read(form: str, document: Any) -> Any:
    try:
        return codec_of(form).read(document)
    except ValueError as error:
        raise EnvLost(f"the state of the remote world cannot be read: {error}") from None


class RemoteEnv(Env):
    """One environment of a served world; see `RemoteWorld` for its capabilities.

    Attributes:
        name, platform, size, verbs, custom: as declared by the environment that is served.
        offered: the modalities that it supports, as far as it told.
        description, applications, installed: how it introduces itself, if it does.
    """

    name: str
    platform: Platform
    verbs: frozenset[str]
    size: Size
    custom: Mapping[str, CustomVerb]
    description: str = ""
    applications: tuple[str, ...] = ()
    installed: tuple[str, ...] = ()

    def __init__(self, world: RemoteWorld, name: str, capabilities: frozenset[Capability]) -> None:
        self._world = world
        self.name = name
        self.capabilities = capabilities
        self._custom_said: Any = None
        self.custom = {}

    def describe(self, said: Message) -> None:
        """Take over what the server said of it.

        Raises:
            BadMessage: it is no environment.
        """
        platform = field(said, "platform", str)
        if platform not in get_args(Platform):
            raise BadMessage(f"unknown platform {platform!r:.40}")
        self.platform = cast(Platform, platform)
        self.size = wire.size_from_message(said.get("size"))
        self.verbs = frozenset(str(verb) for verb in field(said, "verbs", list)) & (set(VERBS) - CONTROL_VERBS)
        self.offered = frozenset(m for m in Modality if m.value in field(said, "modalities", list))
        self.description = field(said, "description", str, "")[:500]
        self.applications = tuple(str(app)[:100] for app in field(said, "applications", list, []))[:100]
        self.installed = tuple(str(app)[:100] for app in field(said, "installed", list, []))[:100]
        custom = field(said, "custom", list)
        if custom != self._custom_said:
            self._custom_said = custom
            self.custom = {verb.name: verb for verb in (self._verb(one) for one in custom)}

    def _verb(self, said: Any) -> CustomVerb:
        try:
            name = said["name"]
            return remote_verb(
                name, said["description"], said["parameters"], lambda given: self._send("custom", name, given)
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadMessage(f"a custom verb cannot be read: {error}") from None

    def _send(self, kind: str, name: str, arguments: Mapping[str, Any]) -> None:
        self._world.ask("act", {"env": self.name, "action": {"kind": kind, "name": name, "arguments": dict(arguments)}})

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        """See `Env.observe`; media that were received before are not sent again.

        Raises:
            EnvLost: the device is gone, or the server does not answer.
        """
        world, shift = self._world, self._world.shift
        message = {"env": self.name, "since": float(since) - shift, **observation_request(world.client, modalities)}
        answer = world.ask("observe", message)
        with world.client.reading("observe"):
            keep_media(world.client, answer)
            return self.read(answer.get("observation"), shift)

    def read(self, seen: Any, shift: float) -> Observation:
        """The observation in an answer.

        Raises:
            BadMessage: there is none. EnvLost: a medium cannot be had.
        """
        client = self._world.client
        files = {name: client.medium(name) for name in wire.media_of(seen)}
        look = wire.observation_from_message(seen, files, shift, self.name)
        self.size = look.size
        return look

    def act(self, action: Action) -> None:
        """Have one action carried out; if the answer is lost, it is asked for again, and nothing is done twice.

        Raises:
            ActionRejected: the environment cannot do that.
            EnvLost: the device is gone, or the server does not answer.
        """
        if action.kind not in self.verbs:
            raise ActionRejected(f"{self.name} cannot {action.kind}; it can: {', '.join(sorted(self.verbs))}")
        self._world.ask("act", {"env": self.name, "action": codec.to_json(action)}, lasts(action))

    def ui_tree(self) -> Elements:
        """All elements, without a cap."""
        return _elements(self._world, "judges/ui_tree", self.name)

    def written_texts(self) -> Elements:
        """The texts that are drawn and visible."""
        return _elements(self._world, "judges/written_texts", self.name)

    def transcript(self, start: float, end: float) -> tuple[Heard, ...]:
        """What is audible from `start` to `end`."""
        shift = self._world.shift
        asked = {"env": self.name, "start": float(start) - shift, "end": float(end) - shift}
        answer = self._world.ask("judges/transcript", asked)
        with self._world.client.reading("judges/transcript"):
            return wire.heard_from_message(answer.get("heard"), shift)

    def read_file(self, path: str) -> bytes:
        """Content of a file; raises FileNotFoundError if there is none."""
        try:
            answer = self._world.value("judges/file", {"env": self.name, "path": path}, "data", bytes)
        except FileNotFoundError:
            raise FileNotFoundError(path) from None
        return bytes(answer)

    def shell(self, command: str, timeout: float) -> str:
        """Standard output of a command on the other machine."""
        asked = {"env": self.name, "command": command, "timeout": float(timeout)}
        return str(self._world.value("judges/shell", asked, "output", str, timeout))

    def close(self) -> None:
        """Do nothing: the device belongs to the served world. May be called twice."""


def lasts(action: Action) -> float:
    """Seconds that an action lasts by itself: what it holds, and its typing."""
    seconds = getattr(action, "seconds", None) or 0.0
    return float(seconds * getattr(action, "repeat", 1) + len(getattr(action, "text", "")) * 0.05)


def _elements(world: RemoteWorld, request: str, env: str) -> Elements:
    answer = world.ask(request, {"env": env})
    with world.client.reading(request):
        return wire.elements_from_message(answer.get("elements"))


def _env_of(world: RemoteWorld, said: Message, judged: bool) -> RemoteEnv:
    offered = field(said, "judges", list, []) if judged else []
    found = frozenset(one for one in ENV_CAPABILITIES if one.value in offered)
    return RemoteEnv(world, field(said, "name", str), found)
