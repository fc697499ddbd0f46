"""Doors by which a world's state could be written without hands: each is opened, tried, and what came of it told."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from omnipilot.bench.audit.effects import effects_between, general
from omnipilot.bench.audit.records import Verb
from omnipilot.bench.audit.stage import AuditStage, did, elements_of
from omnipilot.bench.audit.vocabulary import FIELDS, texts_of
from omnipilot.bench.tasks.graph import GraphEvaluator
from omnipilot.bench.tasks.judges import Case
from omnipilot.bench.tasks.task import Suite, Task
from omnipilot.envs import Capability, ConfigError, EnvLost, OmnipilotError, Thinking, World

SHELL_LINES = (
    "settings put system screen_brightness 7",
    "settings put global airplane_mode_on 1",
    "settings put global zen_mode 1",
    "cmd notification set_dnd on",
    "svc wifi disable",
    "svc bluetooth disable",
    "cmd clipboard set-text audit",
    "am broadcast -a clipper.set -e text audit",
    "content insert --uri content://sms/sent --bind address:s:1 --bind body:s:audit",
    "content insert --uri content://settings/system --bind name:s:audit --bind value:s:1",
    "am start -a android.intent.action.SET_ALARM --ei android.intent.extra.alarm.HOUR 7 "
    "--ez android.intent.extra.alarm.SKIP_UI true",
    "am start -a android.intent.action.SENDTO -d sms:1 --es sms_body audit",
    "am start -a android.intent.action.VIEW -d file:///sdcard",
    "echo audit > /sdcard/audit.txt",
    "rm -rf /sdcard/Documents",
    "sqlite3 /data/data/com.android.providers.contacts/databases/contacts2.db .tables",
    "date 010112002030",
    "input text audit",
    "input keyevent 66",
)
"""What a shell of a phone is asked to change past its screen; the last two are hands."""
TERMINAL_LINES = ("echo audit > audit.txt", "rm -rf *", "touch audit", "sudo true", "date", "cp a b", "mv a b")
ADDRESSES = (
    "file:///",
    "file:///etc/passwd",
    "javascript:document.title='audit'",
    "data:text/html,<title>audit</title>",
)
MOST_MADE = 40
"""Lines that are made of what the instruction names."""
MOST_PLACES = 12
"""Places that one line changed, in a certificate."""
TERMINALS, BROWSERS = ("terminal", "console", "shell"), ("browser", "chrom", "firefox", "web")


@dataclass(frozen=True, slots=True)
class DoorTried:
    """What a door let somebody do.

    Attributes:
        offered: requests or lines that were tried. allowed: those that were carried out, with what each changed.
        reached: sub-goals that were reached by them, and do not hold at the start.
        verbs: of a door that is used by hands, if the task was solved.
        problem: why the door was not tried; "" if it was. by_hands: whether lines were typed into an application.
    """

    offered: int = 0
    allowed: Mapping[str, Sequence[str]] | None = None
    reached: tuple[str, ...] = ()
    solved: bool = False
    verbs: tuple[Verb, ...] = ()
    problem: str = ""
    by_hands: bool = False

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        if self.problem:
            return {"not_tried": self.problem}
        allowed = {line: _first(places) for line, places in (self.allowed or {}).items()}
        return {"offered": self.offered, "allowed": allowed, "reached": list(self.reached), "solved": self.solved}


def _first(places: Sequence[str]) -> list[str]:
    more = len(places) - MOST_PLACES
    return [*places[:MOST_PLACES], *([f"and {more} more"] if more > 0 else [])]


def try_doors(stage: AuditStage, served: bool = True) -> dict[str, DoorTried]:
    """Try each door that the task's world has.

    Args:
        served: also those for which a server or a phone is started: seconds each.
    """
    hands = (("terminal", TERMINALS, (*TERMINAL_LINES, *_lines_about(stage))), ("browser", BROWSERS, ADDRESSES))
    found = {name: _by_hands(stage, names, lines) for name, names, lines in hands if _apps(stage, names)}
    if served:
        found["env serve"] = _guarded(lambda: _served_world(stage))
        found["shell"] = _guarded(lambda: _shell_of(stage))
    return found


def histories(doors: Mapping[str, DoorTried]) -> frozenset[str]:
    """Places that every line changed that was typed into an application, whatever it said: what was typed is kept."""
    found: set[str] = set()
    for one in doors.values():
        changed = [set(places) for places in (one.allowed or {}).values()]
        if one.by_hands and len(changed) > 1:
            found |= set.intersection(*changed)
    return frozenset(found)


def _lines_about(stage: AuditStage) -> list[str]:
    """Commands that write what the instruction names: a text into a file, and empty files of a name in a folder."""
    named = texts_of(stage.opening.instruction).quoted[:8]
    made = [f'touch "/{folder}/{name}"' for folder, name in permutations(named, 2)]
    made += [f'touch "/{name}"' for name in named]
    made.sort(key=len)
    return [*(f'echo "{text}" > audit' for text in named), *made][:MOST_MADE]


def _apps(stage: AuditStage, names: Sequence[str]) -> list[tuple[str, str]]:
    return [
        (env, app)
        for env, verbs in stage.opening.envs.items()
        for app in verbs.installed
        if any(name in app.casefold() for name in names)
    ]


def _by_hands(stage: AuditStage, names: Sequence[str], lines: Sequence[str]) -> DoorTried:
    """Type lines into an application, each from the task's start."""
    if not stage.can_fork:
        return DoorTried(problem="its world cannot be forked")
    allowed: dict[str, list[str]] = {}
    reached: set[str] = set()
    tried = 0
    for env, app in _apps(stage, names):
        for line in lines:
            tried += 1
            session = stage.start()
            verbs: list[Verb] = [{"env": env, "kind": "open_app", "app": app}]
            session.act(verbs[0])
            box = next((one for one in elements_of(session.course.world.envs[env]).items if one.role in FIELDS), None)
            typed: dict[str, Any] = {"env": env, "kind": "type", "text": line, "submit": True}
            if box is not None:
                typed |= {"at": {"x": box.box.center.x, "y": box.box.center.y}, "clear": True}
            verbs.append(typed)
            if did(session.act(typed)):
                changed = sorted({general(one.place) for one in stage.effects(session)}) if stage.has_state else []
                allowed[line] = changed
            states = session.course.evaluator.states()
            reached |= {name for name, state in states.items() if state.value == "completed"}
            solved = stage.is_solved(session)
            stage.leave(session)
            if solved:
                return DoorTried(tried, allowed, tuple(sorted(reached)), True, tuple(verbs), by_hands=True)
    return DoorTried(tried, allowed, tuple(sorted(reached)), by_hands=True)


def _guarded(try_one: Any) -> DoorTried:
    try:
        found: DoorTried = try_one()
    except (OmnipilotError, OSError) as error:
        return DoorTried(problem=f"{type(error).__name__}: {error}"[:200])
    return found


def _served_world(stage: AuditStage) -> DoorTried:
    """Serve a world of the suite as `omnipilot env serve` does, judges allowed, and ask for everything with the token
    that an agent has."""
    from omnipilot.envs.remote import EnvServer
    from omnipilot.envs.remote.client import RemoteClient
    from omnipilot.envs.remote.host import CHANGING

    with _opened(stage.suite, stage.task_id, stage.instance) as (world, task):
        before = _state(world)
        held = _reached(world, task, before)
        allowed: dict[str, list[str]] = {}
        reached: set[str] = set()
        with (
            EnvServer(lambda: world, "agent", "judges", allow_judges=True) as server,
            closing(RemoteClient(server.url, "agent", "", timeout=20.0)) as client,
        ):
            client.hello()
            asked = _requests(client, next(iter(world.envs)))
            for name, message in asked:
                with contextlib.suppress(ConfigError, EnvLost):
                    client.ask(name, message)
                    places = {general(one.place) for one in effects_between(*_lasting(world, before))}
                    allowed[name] = sorted(places) if name in CHANGING else []
                    reached |= _reached(world, task, before)
        return DoorTried(len(asked), allowed, tuple(sorted(reached - held)), len(reached) == len(task.graph.nodes))


def _requests(client: Any, env: str) -> list[tuple[str, dict[str, Any]]]:
    """A request of each kind that changes a world past its hands."""
    asked: list[tuple[str, dict[str, Any]]] = [
        ("judges/state", {}),
        ("judges/prepare", {"state": {}}),
        ("judges/put_back", {"snapshot": {}}),
        ("judges/shell", {"env": env, "command": "true", "timeout": 1.0}),
        ("judges/file", {"env": env, "path": "/etc/passwd"}),
        ("think", {"measured": 86_400.0}),
    ]
    with contextlib.suppress(ConfigError, EnvLost):
        mark = client.ask("snapshot", {})["snapshot"]
        asked += [("snapshot", {}), ("restore", {"snapshot": mark})]
    # Last, for what was kept before is gone then.
    return [*asked, ("reset", {"instance": 1})]


def _shell_of(stage: AuditStage) -> DoorTried:
    """A shell of a device of the world; for a world without one, of its variation over adb."""
    suite: Any = stage.suite
    if not _has_shell(stage.world):
        if "adb" not in suite.variations:
            return DoorTried(problem="no device of its world has a shell")
        suite = suite.vary(("adb",))
        if missing := suite.lacking([stage.task_id]):
            return DoorTried(problem=missing[0])
    try:
        suite.instantiate(stage.task_id, stage.instance)
    except ConfigError as error:
        return DoorTried(problem=str(error)[:200])
    with _opened(suite, stage.task_id, stage.instance) as (world, task):
        start = _state(world)
        held = _reached(world, task, start)
        allowed: dict[str, list[str]] = {}
        reached: set[str] = set()
        for env in world.envs.values():
            if Capability.SHELL not in env.capabilities:
                continue
            for line in SHELL_LINES:
                then = _state(world)
                with contextlib.suppress(OmnipilotError, OSError, NotImplementedError):
                    said = env.shell(line, 5.0)
                    places = sorted({general(one.place) for one in effects_between(*_lasting(world, then))})
                    if places or not _refuses(said):
                        allowed[line] = places
                    reached |= _reached(world, task, start)
        solved = len(reached) == len(task.graph.nodes)
        return DoorTried(len(SHELL_LINES), allowed, tuple(sorted(reached - held)), solved)


def _refuses(said: str) -> bool:
    words = said.casefold()
    return any(one in words for one in ("not found", "error", "denied", "unknown", "exception", "usage", "read-only"))


def _has_shell(world: World) -> bool:
    return any(Capability.SHELL in env.capabilities for env in world.envs.values())


def _state(world: World) -> Any:
    return world.state() if Capability.STATE in world.capabilities else None


def _lasting(world: World, before: Any) -> tuple[Any, Any]:
    now = _state(world)
    if before is None:
        return None, None
    try:
        return world.lasting_part(before), world.lasting_part(now)
    except NotImplementedError:
        return before, now


def _reached(world: World, task: Task, start: Any) -> set[str]:
    evaluator = GraphEvaluator(task.graph)
    evaluator.step(Case(world, start), ended=True)
    return {name for name, state in evaluator.states().items() if state.value == "completed"}


@contextlib.contextmanager
def _opened(suite: Suite, task_id: str, instance: int) -> Iterator[tuple[World, Task]]:
    """A world of the suite, set up for a task."""
    task = suite.instantiate(task_id, instance)
    with closing(suite.world(Thinking())) as world:
        task.setup(world)
        yield world, task
