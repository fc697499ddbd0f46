"""The embedded world as one that can be explored: its scenes say what can be done, its states what was done."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from math import fsum
from typing import Any, cast

from omnipilot.bench.suites.duet.suite import quiet
from omnipilot.bench.suites.pool.explore.commands import CommandUsage, command_lines, parse_usages
from omnipilot.bench.suites.pool.explore.differences import changes
from omnipilot.bench.suites.pool.explore.general_ids import Holes, general_id, split_id
from omnipilot.bench.suites.pool.explore.typed_values import WORD, other_values, texts_of, values_for
from omnipilot.bench.suites.pool.records import Operation, SituationRecord
from omnipilot.bench.suites.pool.worlds import ExplorableWorld, StateChange
from omnipilot.envs import (
    Action,
    ActionRejected,
    Click,
    ConfigError,
    Drag,
    LongPress,
    NotFound,
    OpenApp,
    Point,
    Press,
    Ref,
    Scroll,
    Swipe,
    System,
    TypeText,
    Wait,
    resolve,
)
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.apps.registry import APPS
from omnipilot.envs.sim.inventory import collections_of, item_id, kinds_by_name
from omnipilot.envs.sim.shell.screen import context_of
from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.events import due
from omnipilot.envs.sim.state.files import file_of
from omnipilot.envs.sim.state.world_state import DeviceName, DeviceState, WorldState
from omnipilot.envs.sim.ui.scene import Control, Scene
from omnipilot.envs.sim.world import Snapshot
from omnipilot.envs.types import Described
from omnipilot.memory import Move

LONGEST_WAIT = 600.0
"""Seconds up to the next scheduled event that are worth waiting."""
PLAYING_SECONDS = 5.0
LOADING_SECONDS, MOST_WAITS = 1.0, 8
"""How long is waited at a time while a page loads, and the most moves of one operation."""
REPRESENTATIVES = 3
"""Controls of one generalised id that are offered at most: items differ in what can be done with them."""
LEAVING = ("taskbar/", "home/", "system/", "launcher/", "window/")
"""Ids of controls that lead to other applications, or only move windows."""
NEW_NAME = "lantern"
"""Of what a command makes."""
COMMAND = "Command"
"""Name of a field that takes commands; what they are is read from what "help" prints."""
PLACES = ("25%", "80%")
"""Where a slider is pressed, of its width."""


class SimExplorable(ExplorableWorld):
    """A phone and a desktop, explored by their scenes; alarms that the content brings are off.

    Args:
        world: to be explored; a new one if none is given.
    """

    def __init__(self, world: SimWorld | None = None) -> None:
        self._world = SimWorld() if world is None else world
        self.world = self._world
        self._env: DeviceName = "phone"
        self._account: Any = None
        self._indexed: Account | None = None
        self._index: Mapping[str, Sequence[Any]] = {}
        self._kinds: dict[str, str] = {}
        self._first_kinds: Mapping[str, str] = {}
        self._shown: set[str] = set()
        self._lines: list[str] | None = None
        self._usages: Sequence[CommandUsage] = ()

    def apps(self) -> Sequence[str]:
        """Names of its applications: "phone/messages", "desktop/mail", …"""
        return [f"{app.device}/{app.name}" for app in APPS.values()]

    def views(self, app: str) -> Sequence[str]:
        """The names of an application's screens."""
        return list(self._app(app).views)

    def start(self, app: str, instance: int = 0) -> None:
        """Begin anew with the content of an instance, with this application in front.

        Raises:
            ConfigError: no such application.
        """
        known = self._app(app)
        self._env = known.device
        self._account, self._kinds, self._lines, self._shown = None, {}, None, set()
        self._world.reset(instance)
        self._world.prepare(quiet)
        self._world.envs[self._env].act(OpenApp(known.title))
        self._first_kinds = dict(self.kinds())

    def operations(self) -> Sequence[Operation]:
        """What can be done on the screen now; see `ExplorableWorld.operations`."""
        state, scene = self._world.state(), self._scene()
        device = state.device(self._env)
        shown = [control for control in scene.controls[scene.modal :] if self._can_be_hit(scene, control)]
        found = [
            operation
            for control in self._representatives(state, scene, shown)
            for operation in self._on_control(control)
        ]
        found += list(self._drags(shown))
        found += [Operation("key", self._env, text=keys) for keys in scene.shortcuts]
        for scroller in scene.scrollers:
            if scroller.most > 0 and scroller.window in ("", self._front(device)):
                found += [Operation("scroll", self._env, scroller.id, "down")] * (scroller.offset < scroller.most)
                found += [Operation("scroll", self._env, scroller.id, "up")] * (scroller.offset > 0)
        if self._env == "phone":
            found.append(Operation("back", self._env))
        seconds = self._next_event(state)
        if seconds:
            found.append(Operation("wait", self._env, seconds=seconds))
        return found

    def values(self, operation: Operation) -> Sequence[tuple[str, str]]:
        """What is worth typing into the field of an operation; see `ExplorableWorld.values`."""
        control = self._scene().control(operation.control)
        if control is None or control.area is None:
            return ()
        state = self._world.state()
        device = state.device(self._env)
        about = [device.front.view.arg] if device.front is not None else []
        about += [str(value) for value in device.values.values() if str(value) in self.kinds()]
        others = [pair for id in about for pair in other_values(control, state, id, self._shown)]
        return list(dict.fromkeys((values_for(control), *others)))

    def label(self, operation: Operation) -> str:
        """The name of the control of an operation."""
        control = self._scene().control(operation.control)
        return "" if control is None else control.name

    def situation(self) -> SituationRecord:
        """What the screen is now, in the abstract."""
        state, scene, kinds = self._world.state(), self._scene(), self.kinds()
        device = state.device(self._env)
        window = device.front
        roles = {raw[4]: (raw[0], raw[3]) for raw in scene.raw if raw[4]}
        controls, enabled = set(), set()
        for control in scene.controls[scene.modal :]:
            if not control.id or control.id.startswith(LEAVING):
                continue
            if control.window and window is not None and control.window != window.app:
                continue
            id = general_id(control.id, kinds)
            self._shown.update(kind for _, kind in split_id(control.id, kinds) if kind)
            controls.add(f"{roles.get(control.id, ('control', ()))[0]} {id}")
            if control.enabled:
                enabled.add(id)
        app, view = ("", "") if window is None else (window.app, window.view.name)
        about = general_id(f"{view}/{window.view.arg}", kinds) if window is not None and window.view.arg else ""
        page = [self._env, app, view, about, *sorted(controls)]
        drafts, chosen, playing = self._drafts(device, kinds), self._chosen(device, kinds), self._playing(state)
        return SituationRecord(
            id=_digest([*page, "enabled", *sorted(enabled), "drafts", *drafts, "chosen", *chosen, "plays", *playing]),
            page=_digest(page),
            env=self._env,
            app=app,
            view=view,
            title=context_of(state, self._env, APPS)[1],
            controls=tuple(sorted(controls)),
            enabled=tuple(sorted(enabled)),
            drafts=drafts,
            chosen=chosen,
            playing=playing,
        )

    def subject(self) -> str:
        """The id of the item that the screen is about, or ""."""
        window = self._world.state().device(self._env).front
        return "" if window is None else window.view.arg

    def perform(self, operation: Operation) -> Sequence[Move] | None:
        """Carry out an operation without holes, and wait while something loads; see `ExplorableWorld.perform`."""
        before = self._world.snapshot()
        played: list[Move] = []
        try:
            for move in self.moves(operation):
                self._play(move)
                played.append(move)
        except (NotFound, ActionRejected):
            self._world.restore(before)
            return None
        while self._loads() and len(played) < MOST_WAITS:
            played.append(Move(operation.env, Wait(LOADING_SECONDS)))
            self._play(played[-1])
        return played

    def _loads(self) -> bool:
        return any(raw[0] == "progressbar" for raw in self._scene().raw)

    def moves(self, operation: Operation) -> Sequence[Move]:
        """The moves of an agent that carry out an operation without holes; controls are named by their ids.

        Raises:
            NotFound: it needs the place of a control that is not on the screen.
        """
        env, at = operation.env, Ref(operation.control or "screen")
        match operation.verb:
            case "open_app":
                intents: list[Any] = [OpenApp(operation.control)]
            case "click" if operation.text:
                intents = [Click(self._part_of(operation))]
            case "click":
                intents = [Click(at)]
            case "double_click":
                intents = [Click(at, count=2)]
            case "menu":
                opening = LongPress(at) if env == "phone" else Click(at, button="right")
                intents = [opening, Click(Ref(_entry_id(operation)))]
            case "option":
                intents = [Click(at), Click(Ref(_entry_id(operation)))]
            case "type":
                intents = [TypeText(operation.text, at, clear=True, submit=operation.submit)]
            case "drag":
                intents = [Drag(end=Ref(operation.to), start=at)]
            case "key":
                pressed = Press(tuple(operation.text.split("+")))
                intents = [Click(at), pressed] if operation.control else [pressed]
            case "scroll":
                place = self._middle_of(operation.control)
                if env == "phone":
                    intents = [Swipe("up" if operation.text == "down" else "down", start=place)]
                else:
                    intents = [Scroll(cast(Any, operation.text), at=place, amount=1, unit="page")]
            case "wait":
                intents = [Wait(operation.seconds)]
            case "back":
                intents = [System("back") if env == "phone" else Press(("esc",))]
        return [Move(env, intent) for intent in intents]

    def mark(self) -> Snapshot:
        """The place where it stands, to come back to."""
        return self._world.snapshot()

    def back(self, mark: Snapshot) -> None:
        """Return to a mark."""
        self._world.restore(mark)

    def changes(self, before: Snapshot, after: Snapshot) -> Sequence[StateChange]:
        """All differences of two marks, exactly; see `differences.changes`."""
        return changes(before.state, after.state)

    def generalise(self, operations: Sequence[Operation]) -> tuple[tuple[Operation, ...], Mapping[str, str]]:
        """Operations with holes for items and typed texts, and what stood in the holes."""
        holes = Holes(self.kinds(), {usage.name: self._first_kinds for usage in self._usages})
        return tuple(holes.open(operation) for operation in operations), holes.bindings

    def kinds(self) -> Mapping[str, str]:
        """The kind of each item since the start, by its id or path; see `kinds_by_name`. Items that are gone stay."""
        account = self._world.state().account
        if self._account is not account:
            self._account = account
            self._kinds.update(kinds_by_name(account))
        return self._kinds

    def seconds(self) -> float:
        """Of the world's clock."""
        return self._world.now

    def _app(self, name: str) -> Any:
        device, _, app = name.partition("/")
        known = APPS.get(app)
        if known is None or known.device != device:
            raise ConfigError(f"there is no application {name!r}; there is {', '.join(self.apps())}")
        return known

    def _scene(self) -> Scene:
        return self._world.envs[self._env].scene()

    @staticmethod
    def _front(device: DeviceState) -> str:
        return device.front.app if device.front is not None else ""

    def _can_be_hit(self, scene: Scene, control: Control) -> bool:
        if not control.id or not control.enabled or control.id.startswith(LEAVING):
            return False
        front = self._front(self._world.state().device(self._env))
        if control.window and control.window != front:
            return False
        left, top, right, bottom = control.rect
        return scene.hit((left + right) // 2, (top + bottom) // 2) is control

    def _representatives(self, state: WorldState, scene: Scene, shown: Sequence[Control]) -> list[Control]:
        """One control of each generalised id, and more where items differ in what they are or what can be done."""
        kinds = self.kinds()
        states = {raw[4]: raw[3] - {"focused"} for raw in scene.raw if raw[4]}
        alike: dict[str, list[tuple[Control, frozenset[Any]]]] = {}
        for control in shown:
            look = (
                tuple(entry for entry, _ in control.menu),
                tuple(entry for entry, _ in control.options),
                states.get(control.id, frozenset()),
                *self._item_traits(state, control.id),
            )
            alike.setdefault(general_id(control.id, kinds), []).append((control, frozenset(enumerate(look))))
        return [control for some in alike.values() for control in _most_different(some)]

    def _item_traits(self, state: WorldState, id: str) -> tuple[Any, ...]:
        """What is set of what a control stands for: which switches are on, which texts and times it has.

        What shares the item's id counts, too: a person's conversation, in which something may be unread.
        """
        for name, kind in split_id(id, self.kinds()):
            items = self._by_id(state.account).get(name, ()) if kind else ()
            if items:
                return tuple(bool(getattr(item, field.name)) for item in items for field in fields(item))
        return ()

    def _by_id(self, account: Account) -> Mapping[str, Sequence[Any]]:
        """All items, by their ids."""
        if self._indexed is not account:
            found: dict[str, list[Any]] = {}
            for items in collections_of(account).values():
                for item in items:
                    found.setdefault(item_id(item), []).append(item)
            self._indexed, self._index = account, found
        return self._index

    def _on_control(self, control: Control) -> Iterator[Operation]:
        env, id = self._env, control.id
        if control.area is not None:
            if control.name == COMMAND:
                yield from (Operation("type", env, id, line, submit=True) for line in self._commands())
                return
            for text in values_for(control):
                yield Operation("type", env, id, text)
                if control.area.submit is not None:
                    yield Operation("type", env, id, text, submit=True)
            return
        for entry, _ in control.options:
            yield Operation("option", env, id, entry)
        for entry, _ in control.menu:
            yield Operation("menu", env, id, entry)
        if control.tap_at is not None:
            for place in PLACES:
                yield Operation("click", env, id, place)
        elif control.tap is not None and not control.options:
            yield Operation("click", env, id)
        if control.double is not None:
            yield Operation("double_click", env, id)
        for keys in control.keys:
            yield Operation("key", env, id, keys)

    def _commands(self) -> Sequence[str]:
        """Lines to try in the terminal, made from its help, which is read on a copy of the world."""
        if self._lines is None:
            world = self._world.fork()
            env = world.envs[self._env]
            env.act(TypeText("help", self._place_of(COMMAND), clear=True, submit=True))
            text = [element.name for element in env.written_texts()]
            self._usages = parse_usages(text)
            names = {name: kind for name, kind in self.kinds().items() if re.fullmatch(r"[\w/-]+", name)}
            file = next((name for name, kind in names.items() if kind == "documents" and "/" in name), "")
            folder = next((name for name, kind in names.items() if kind == "dirs" and "/" not in name), "")
            redirects = any(">" in line for line in text)
            held = _first_word(texts_of(self._world.state(), self._id_of(file)))
            self._lines = list(command_lines(self._usages, file, folder, NEW_NAME, redirects, held))
        return self._lines

    def _id_of(self, path: str) -> str:
        file = file_of(self._world.state().account, path)
        return file.id if file is not None else ""

    def _place_of(self, name: str) -> Point:
        scene = self._scene()
        left, top, right, bottom = next(control.rect for control in scene.controls if control.name == name)
        return Point.from_pixels((left + right) // 2, (top + bottom) // 2, scene.size)

    def _drags(self, shown: Sequence[Control]) -> Iterator[Operation]:
        """Each kind of thing that can be carried, to each kind of place that takes things."""
        kinds = self.kinds()
        carried = {general_id(control.id, kinds): control for control in reversed(shown) if control.payload}
        targets = {general_id(control.id, kinds): control for control in shown if control.drop is not None}
        for control in carried.values():
            for target in targets.values():
                if target.id != control.id:
                    yield Operation("drag", self._env, control.id, to=target.id)

    def _next_event(self, state: WorldState) -> float:
        """Seconds worth waiting for, 0 for none."""
        ahead = [event.at - state.time for event in due(state) if event.at > state.time]
        if ahead and min(ahead) <= LONGEST_WAIT:
            return min(round(min(ahead) + 0.1, 1), LONGEST_WAIT)
        return PLAYING_SECONDS if self._playing(state) else 0.0

    def _drafts(self, device: DeviceState, kinds: Mapping[str, str]) -> tuple[str, ...]:
        """Fields with other text than what is saved, and values that were set on the way to a commit."""
        front = f"{self._front(device)}/"
        found = {
            general_id(id, kinds)
            for id, field in device.fields.items()
            if id.startswith(front) and field.text != device.values.get(f"{id}/base", "")
        }
        found |= {
            general_id(key, kinds)
            for key, value in device.values.items()
            if key.startswith(front)
            and not key.endswith("/base")
            and not kinds.get(str(value))
            and value
            and not key.endswith("/loading")
        }
        return tuple(sorted(found))

    def _chosen(self, device: DeviceState, kinds: Mapping[str, str]) -> tuple[str, ...]:
        """Kinds of items that the app has noted as chosen or carried, and whether something is on the clipboard."""
        front = f"{self._front(device)}/"
        found = {
            f"{general_id(key, kinds)}=<{kinds[str(value)]}>"
            for key, value in device.values.items()
            if key.startswith(front) and not key.endswith("/base") and str(value) in kinds
        }
        return tuple(sorted(found | ({"clipboard"} if device.clipboard else set())))

    def _playing(self, state: WorldState) -> tuple[str, ...]:
        account = state.account
        found = [
            *(["music"] if account.player.since is not None else ()),
            *(["timer"] if account.timer.since is not None else ()),
            *(["film"] if any(playback.since is not None for playback in account.playbacks) else ()),
            *(["call"] if any(call.live for call in account.calls) else ()),
            *([state.phone.ringing.kind] if state.phone.ringing is not None else ()),
        ]
        sounds = state.device(self._env).sounds
        found += ["sound"] if any(sound.start + sound.seconds > state.time for sound in sounds) else []
        return tuple(found)

    def _play(self, move: Move) -> None:
        if isinstance(move.intent, Wait):
            self._world.wait(move.intent.seconds)
        else:
            self._world.envs[move.env].act(self._ground(move))

    def _ground(self, move: Move) -> Action:
        scene = self._world.envs[move.env].scene()

        def locate(place: Described) -> Point:
            control = scene.control(place.id) if isinstance(place, Ref) else None
            if control is None:
                raise NotFound(f"no {place} on the {move.env}")
            left, top, right, bottom = control.rect
            return Point.from_pixels((left + right) // 2, (top + bottom) // 2, scene.size)

        return resolve(move.intent, locate)

    def _part_of(self, operation: Operation) -> Point:
        scene = self._world.envs[operation.env].scene()
        control = scene.control(operation.control)
        if control is None:
            raise NotFound(f"no {operation.control} on the {operation.env}")
        left, top, right, bottom = control.rect
        across = float(operation.text.removesuffix("%")) / 100
        return Point.from_pixels(round(left + (right - left) * across), (top + bottom) // 2, scene.size)

    def _middle_of(self, scroller: str) -> Point:
        scene = self._scene()
        for found in scene.scrollers:
            if found.id == scroller:
                left, top, right, bottom = found.rect
                return Point.from_pixels((left + right) // 2, (top + bottom) // 2, scene.size)
        raise NotFound(f"nothing that scrolls is called {scroller}")


def _most_different(controls: Sequence[tuple[Control, frozenset[Any]]]) -> Iterator[Control]:
    """The first of some controls with their traits, then those with the most and rarest traits that none before has."""
    counts = Counter(trait for _, traits in controls for trait in traits)
    left = {traits: control for control, traits in reversed(controls)}
    covered: set[Any] = set()
    for number in range(min(REPRESENTATIVES, len(left))):
        order = list(reversed(left))
        chosen = order[0] if number == 0 else max(order, key=lambda one: fsum(1 / counts[new] for new in one - covered))
        covered |= chosen
        yield left.pop(chosen)


def _first_word(texts: Sequence[str]) -> str:
    """The first long word of the longest text; "" for none."""
    found = WORD.search(max(texts, key=len, default=""))
    return found[0] if found else ""


def _entry_id(operation: Operation) -> str:
    return f"{operation.control}/{operation.text.lower().replace(' ', '-')}"


def _digest(parts: Sequence[str]) -> str:
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()
