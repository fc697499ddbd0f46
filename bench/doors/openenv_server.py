"""Tasks as an environment of OpenEnv, for trainers of any kind: `omnipilot env serve --door openenv --suite duet`.

    app = make_app("duet")  # in a module of one's own, for `uvicorn MODULE:app`

Only the WebSocket of OpenEnv keeps a session; each connection has one of its own.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import random
import socket
import threading
from collections.abc import Mapping
from typing import Any, ClassVar

from omnipilot.bench.doors.choice import check_playable, senses_needed, shared_suite
from omnipilot.bench.doors.token_guard import TokenGuard
from omnipilot.bench.doors.words import introduce_task
from omnipilot.bench.session import Acted, GuardSpec, Offer, Session
from omnipilot.bench.tasks import listed_tasks
from omnipilot.bench.tasks.task import Suite, TaskInfo
from omnipilot.envs import Absent, AudioClip, ConfigError, Image, Modality
from omnipilot.envs.remote import is_loopback
from omnipilot.envs.schema import element_to_json
from omnipilot.envs.types import require
from omnipilot.memory import drop_plain_origin

EXTRA = "openenv"
require("openenv.core", EXTRA)

from openenv.core.env_server.http_server import create_fastapi_app  # noqa: E402
from openenv.core.env_server.interfaces import Environment  # noqa: E402
from openenv.core.env_server.types import Action, Observation, State  # noqa: E402

NAME = "omnipilot"
SESSIONS = 256
"""Connections at once; one more is told that there is no room."""
HEARD = ("sound", "speech")
"""What a task may hang on that is carried where `sounds` are asked for; film is not."""


class VerbAction(Action):
    """One verb.

    Attributes:
        verb: JSON such as `{"kind": "click", "at": "Save"}`; whatever is no verb is told in the observation.
        env: the environment, where the verb does not say it under `env`.
    """

    verb: Any
    env: str = ""


class TaskObservation(Observation):
    """What is shown after a reset or a verb; `reward` and `done` are OpenEnv's.

    Attributes:
        instruction: and what each environment can do, after a reset; then "".
        elements: of each environment's screen. screenshots: PNG in base64, where asked for. sounds: WAV in base64 since
            the last look, where asked for and where anything was to be heard.
        result: "done", "control", "rejected", "not_found", "malformed" or "denied"; "" after a reset.
        message: what to do instead, or what the user answered.
        changes: sub-goals that were reached or lost by the verb, by name. completion: share of the sub-goals, 0..1.
        ended: why the episode is over: "success", "done", "turns", …; "" while it goes on.
    """

    instruction: str = ""
    elements: dict[str, list[dict[str, Any]]] = {}  # noqa: RUF012  (pydantic copies defaults)
    screenshots: dict[str, str] = {}  # noqa: RUF012
    sounds: dict[str, str] = {}  # noqa: RUF012
    result: str = ""
    message: str = ""
    changes: list[str] = []  # noqa: RUF012
    completion: float = 0.0
    ended: str = ""


class TaskState(State):
    """Which task is open, and how far it is: `episode_id` and `step_count` are OpenEnv's."""

    task: str = ""
    instance: int = 0
    completion: float = 0.0
    ended: str = ""


class ServedSuite:
    """A suite, and what its sessions share.

    Attributes:
        in_memory: its worlds live in this process; they share what they draw and lay out, which is not for several
            threads. Taken for granted until the first task was opened.
    """

    def __init__(self, suite: Suite, guard: GuardSpec | None = None) -> None:
        self.suite = suite
        self.policy: str | GuardSpec = guard or "none"
        self.in_memory = True
        self._lock = threading.Lock()

    def at_work(self) -> contextlib.AbstractContextManager[Any]:
        """Hold this while a session works. A device that hangs keeps nobody else from theirs."""
        return self._lock if self.in_memory else contextlib.nullcontext()

    @property
    def split(self) -> str:
        """The name of the split that is served."""
        infos = listed_tasks(self.suite)
        return (self.suite.split_of(infos[0].id) if infos else "") or "all"


class TaskEnvironment(Environment):
    """A suite's tasks: OpenEnv makes one for each connection.

    The reward of a step is the increase of the share of sub-goals that are reached; all of them add up to 1 where the
    task is solved.
    """

    SUPPORTS_CONCURRENT_SESSIONS: ClassVar[bool] = True

    def __init__(self, served: ServedSuite) -> None:
        super().__init__()
        self._served = served
        self._session: Session | None = None
        self._modalities: frozenset[Modality] = frozenset()
        self._state = TaskState()

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        task: str = "",
        instance: int | None = None,
        split: str = "",
        index: int | None = None,
        images: bool = False,
        sounds: bool = False,
        deaf: bool = False,
        **unknown: Any,
    ) -> TaskObservation:
        """Open a task, from its start.

        Args:
            seed: fixes the instance, and the task where none is named. episode_id: kept in the state.
            task: its name; or `index` in `list_tasks`; or, without both, one that is drawn.
            instance: where it shall not be the seed. split: may be named; only one is served.
            images, sounds: carry screenshots and sound. deaf: play tasks that hang on what is not carried without it.

        Raises:
            ConfigError: no such task or argument, or the task hangs on what is not carried.
        """
        if unknown:
            raise ConfigError(
                f"reset does not know {sorted(unknown)[0]!r}; it knows seed, episode_id, task, instance, split, index, "
                "images, sounds, deaf"
            )
        drawn = random.Random(seed)
        with self._served.at_work():
            suite, carried = self._served.suite, HEARD if sounds else ()
            name = self._choose(task, split, index, carried, deaf, drawn)
            number = instance if instance is not None else seed if seed is not None else drawn.randrange(2**31)
            check_playable(suite, name, deaf, carried)
            if self._session is None:
                self._session = Session(suite, policy=self._served.policy)
            opening = self._session.open(name, number)
            self._served.in_memory = self._session.can_fork
        self._modalities = frozenset(
            {Modality.ELEMENTS, *([Modality.SCREENSHOT] if images else ()), *([Modality.AUDIO] if sounds else ())}
        )
        self._state = TaskState(episode_id=episode_id, step_count=0, task=name, instance=number)
        return TaskObservation(
            instruction=introduce_task(opening), metadata={"task": name, "instance": number}, **self._look()
        )

    def step(self, action: VerbAction, timeout_s: float | None = None, **_: Any) -> TaskObservation:  # noqa: ARG002
        """Carry out one verb, and judge. Whatever is no verb changes nothing, and the observation says why.

        Raises:
            ConfigError: no task is open in this connection.
        """
        session = self._session
        if session is None:
            raise ConfigError("no task is open in this connection; reset it first, over the WebSocket")
        with self._served.at_work():
            acted = session.act(action.verb, action.env)
        gained = acted.completion - self._state.completion
        self._state.completion, self._state.ended = acted.completion, acted.ended
        self._state.step_count += 1
        return TaskObservation(reward=gained, done=bool(acted.ended), **_told(acted), **self._look())

    @property
    def state(self) -> TaskState:
        """Which task is open, and how far it is."""
        return self._state

    def close(self) -> None:
        """Release the world."""
        session, self._session = self._session, None
        if session is not None:
            with self._served.at_work():
                session.close()

    def list_splits(self) -> list[str]:
        """The one split that is served: "dev", unless the suite's options say otherwise; "all" of a suite without."""
        return [self._served.split]

    def num_tasks(self, split: str) -> int:
        """How many tasks there are."""
        return len(self._tasks(split))

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """The tasks, in the suite's order; `hangs_on` is what has to be heard or seen moving."""
        return [_task_to_json(index, info) for index, info in enumerate(self._tasks(split))]

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """One task by its place.

        Raises:
            IndexError: there is none.
        """
        tasks = self.list_tasks(split)
        if not 0 <= index < len(tasks):
            raise IndexError(f"index is 0 to {len(tasks) - 1}, not {index}")
        return tasks[index]

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> list[dict[str, Any]]:
        """Tasks by their places, as a slice."""
        return self.list_tasks(split)[start:stop]

    def _tasks(self, split: str) -> list[TaskInfo]:
        if split not in ("", self._served.split):
            raise ConfigError(f"the split {split!r} is not served here; {self._served.split!r} is")
        return list(listed_tasks(self._served.suite))

    def _choose(
        self, task: Any, split: str, index: Any, carried: tuple[str, ...], deaf: bool, drawn: random.Random
    ) -> str:
        if not isinstance(task, str):
            raise ConfigError(f"task is the name of one, not {task!r}")
        if task:
            return task
        tasks = self._tasks(split)
        if index is not None:
            if not isinstance(index, int) or not 0 <= index < len(tasks):
                raise ConfigError(f"index is a number from 0 to {len(tasks) - 1}, not {index!r}")
            return tasks[index].id
        playable = [info.id for info in tasks if deaf or not set(senses_needed(info)) - set(carried)]
        if not playable:
            raise ConfigError("every task hangs on sound or film; reset with deaf=True to have them played without")
        return drawn.choice(playable)

    def _look(self) -> dict[str, Any]:
        assert self._session is not None
        with self._served.at_work():
            looks = self._session.observe(self._modalities)
            return {
                "elements": {
                    name: []
                    if isinstance(seen.elements, Absent)
                    else [element_to_json(drop_plain_origin(one)) for one in seen.elements.items]
                    for name, seen in looks.items()
                },
                "screenshots": {
                    name: _in_base64(seen.screenshot.png())
                    for name, seen in looks.items()
                    if isinstance(seen.screenshot, Image)
                },
                "sounds": {
                    name: _in_base64(seen.audio.wav())
                    for name, seen in looks.items()
                    if isinstance(seen.audio, AudioClip) and seen.audio.pcm
                },
            }


def make_app(
    suite: str | Suite,
    *,
    options: Mapping[str, Any] | None = None,
    token: str = "",
    sessions: int = SESSIONS,
    guard: GuardSpec | None = None,
) -> TokenGuard:
    """The server, as an ASGI application for uvicorn; clients of this machine alone are answered.

    Args:
        suite: by its name with `options`, or the suite itself.
        token: that clients send as `Authorization: Bearer TOKEN`; "" for none.
        sessions: connections at once. guard: what clients may do; None for everything.

    Raises:
        ConfigError: there is no such suite.
    """
    served = ServedSuite(shared_suite(suite, options or {}) if isinstance(suite, str) else suite, guard)
    app = create_fastapi_app(
        functools.partial(TaskEnvironment, served),
        VerbAction,
        TaskObservation,
        max_concurrent_envs=sessions,
        env_name=NAME,
        state_cls=TaskState,
    )
    return TokenGuard(app, token)


def serve_openenv(offer: Offer) -> None:
    """Serve the tasks of a suite until told to end.

    Raises:
        ConfigError: no suite is offered, or the address is that of other machines. MissingExtra: OpenEnv is not
            installed.
    """
    if offer.suite is None:
        raise ConfigError("OpenEnv serves tasks; name their suite with --suite, such as --suite duet")
    if not is_loopback(offer.host):
        raise ConfigError(f"{offer.host}: tasks are served on this machine alone; reach it by a tunnel, such as ssh -L")
    uvicorn: Any = require("uvicorn", EXTRA)
    app = make_app(offer.suite, token=offer.token, guard=offer.guard)
    listener = socket.create_server((offer.host, offer.port))
    offer.say(f"http://{offer.host}:{listener.getsockname()[1]}")
    offer.say(f"header: Authorization: Bearer {offer.token}")
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])


def _told(acted: Acted) -> dict[str, Any]:
    return {
        "result": acted.result,
        "message": acted.message,
        "changes": [change.node for change in acted.changes],
        "completion": acted.completion,
        "ended": acted.ended,
    }


def _task_to_json(index: int, info: TaskInfo) -> dict[str, Any]:
    return {"id": info.id, "index": index, "description": info.description, "hangs_on": list(senses_needed(info))}


def _in_base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
