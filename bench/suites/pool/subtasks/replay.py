"""Plays a path of operations in the embedded world: fills its holes, finds its controls, notes the moves.

A rehearsal works on a world of its own and changes nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from omnipilot.bench.suites.duet.kit.play import seek, try_move
from omnipilot.bench.suites.pool.explore.sim import LOADING_SECONDS, MOST_WAITS
from omnipilot.bench.suites.pool.records import Operation
from omnipilot.bench.suites.pool.rehearsed_moves import REHEARSED
from omnipilot.envs import (
    Click,
    Drag,
    LongPress,
    OpenApp,
    Point,
    Press,
    Ref,
    Scroll,
    Select,
    Swipe,
    System,
    TypeText,
    Wait,
)
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.apps.loading import is_loading
from omnipilot.envs.sim.apps.registry import APPS, find_app
from omnipilot.envs.sim.state.files import file_of, path_of
from omnipilot.envs.sim.state.world_state import DeviceName, WorldState
from omnipilot.memory import Move

HOLE = re.compile(r"\{(\w+)\}")
MOST_TURNS = 6
Choose = Callable[[str, Sequence[str]], str | None]
"""From a hole and what could stand there (ids of items, or options) to one of them, or None."""


class PathStuck(Exception):
    """A path cannot be gone on; the message says at which operation."""


@dataclass(slots=True)
class PathRehearsal:
    """A path being played.

    Attributes:
        world: where it is played. start: the state before it. bindings: what stands in each hole, so far.
        moves: what was done, in order. labels: what the screen called the control whose id has a hole last.
    """

    world: SimWorld
    start: WorldState
    bindings: dict[str, str] = field(default_factory=dict)
    moves: list[Move] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)

    @classmethod
    def begin(cls, state: WorldState, bindings: Mapping[str, str] | None = None) -> PathRehearsal:
        """A rehearsal in a world of its own that is in this state."""
        world = SimWorld(memo=REHEARSED)
        world.prepare(lambda _: state)
        return cls(world, state, dict(bindings or {}))

    def begin_again(self, state: WorldState, bindings: Mapping[str, str]) -> PathRehearsal:
        """A rehearsal that takes over the world of this one, which is over, and what of its screens is the same."""
        self.world.prepare(lambda _: state)
        return PathRehearsal(self.world, state, dict(bindings))

    def carry_out(self, move: Move) -> None:
        """Do one move, with those that bring its target into view.

        Raises:
            PathStuck: the world refuses it.
        """
        for one in (*seek(self.world, move), move):
            if not try_move(self.world, one):
                raise PathStuck(f"{one.env} refuses {one.intent}")
            self.moves.append(one)

    def play(self, operations: Sequence[Operation], choose: Choose) -> None:
        """Play operations in order, asking `choose` for what is to stand in a hole that has nothing yet.

        Raises:
            PathStuck: a control is nowhere, or the world refuses a move.
        """
        for operation in operations:
            self.step(operation, choose)

    def bind(self, operations: Sequence[Operation], choose: Choose) -> int:
        """Play operations in order, as far as that is needed to say what stands in each hole; returns how many were.

        Raises:
            PathStuck: see `play`.
        """
        holes = [set(HOLE.findall(f"{one.control} {one.to} {one.text}")) for one in operations]
        last = max((at for at, some in enumerate(holes) if not some <= self.bindings.keys()), default=-1)
        if last < 0:
            return 0
        self.play(operations[:last], choose)
        self._with_bound(operations[last], choose)
        return last

    def step(self, operation: Operation, choose: Choose) -> None:
        """Play one operation, and wait while something loads; see `play`."""
        self._do(operation, choose)
        device: DeviceName = "phone" if operation.env == "phone" else "desktop"
        for _ in range(MOST_WAITS):
            if not is_loading(self.world.state(), device):
                break
            if not any(element.role == "progressbar" for element in self.world.envs[operation.env].ui_tree()):
                break
            self.carry_out(Move(operation.env, Wait(LOADING_SECONDS)))

    def _do(self, operation: Operation, choose: Choose) -> None:
        bound = self._with_bound(operation, choose)
        if bound.verb == "open_app":
            for move in opening(self.world, bound.env, bound.control):
                self.carry_out(move)
            return
        if bound.verb in ("click", "scroll") and (bound.verb == "scroll" or bound.text):
            self.carry_out(self._at_a_place(bound))
            return
        for move in moves_of(bound):
            self.carry_out(move)

    def _with_bound(self, operation: Operation, choose: Choose) -> Operation:
        """The operation with what stands in its holes."""
        control = self._filled(operation.env, operation.control, choose)
        to = self._filled(operation.env, operation.to, choose)
        return replace(operation, control=control, to=to, text=self._text(operation, control, choose))

    def _at_a_place(self, operation: Operation) -> Move:
        """A click on a part of a slider, or a turn of a scroll container: a place that is no control."""
        scene = self.world.envs[operation.env].scene()
        places = [(one.id, one.rect) for one in scene.controls] + [(one.id, one.rect) for one in scene.scrollers]
        found = [rect for id, rect in places if id == operation.control]
        if not found:
            raise PathStuck(f"nothing on the screen is called {operation.control}")
        left, top, right, bottom = found[-1]
        share = float(operation.text.removesuffix("%")) / 100 if operation.text.endswith("%") else 0.5
        place = Point.from_pixels(round(left + (right - left) * share), (top + bottom) // 2, scene.size)
        if operation.verb == "click":
            return Move(operation.env, Click(place))
        if operation.env == "phone":
            return Move("phone", Swipe("down" if operation.text == "up" else "up", start=place))
        return Move(operation.env, Scroll("up" if operation.text == "up" else "down", at=place, amount=1, unit="page"))

    def _text(self, operation: Operation, control: str, choose: Choose) -> str:
        text = operation.text
        for hole in HOLE.findall(text):
            if hole not in self.bindings:
                offers = options_of(self.world, operation.env, control) if operation.verb == "option" else ()
                chosen = choose(hole, offers)
                if chosen is None:
                    raise PathStuck(f"nothing fits {hole} in {control}")
                self.bindings[hole] = chosen
            text = text.replace(f"{{{hole}}}", self._written(self.bindings[hole], is_command(operation)))
        return text

    def _written(self, value: str, in_command: bool) -> str:
        """How something is typed: a file by its path, several words of a command in quotes, else as it is."""
        file = file_of(self.world.state().account, value)
        written = path_of(file) if file is not None and file.id == value else value
        return f'"{written}"' if in_command and " " in written else written

    def _filled(self, env: str, control: str, choose: Choose) -> str:
        last = control.endswith("}") and HOLE.findall(control)[-1]
        while (match := HOLE.search(control)) is not None:
            hole = match[1]
            if hole not in self.bindings:
                chosen = choose(hole, self._fitting(env, control, hole))
                if chosen is None:
                    raise PathStuck(f"nothing on the screen fits {control}")
                self.bindings[hole] = chosen
            control = control.replace(f"{{{hole}}}", self.bindings[hole])
        if last:
            element = self.world.envs[env].ui_tree().by_id(control)
            self.labels.setdefault(last, element.name if element is not None else "")
        return control

    def _fitting(self, env: str, control: str, hole: str) -> list[str]:
        """What stands in a hole of some control on the screen, or out of sight above or below."""
        parts = HOLE.split(control)
        pattern = "".join(
            re.escape(part) if not index % 2 else self._group(part, hole, parts[:index])
            for index, part in enumerate(parts)
        )
        found = (re.fullmatch(pattern, id) for id in control_ids(self.world, env))
        return list(dict.fromkeys(match["wanted"] for match in found if match))

    def _group(self, name: str, hole: str, before: Sequence[str]) -> str:
        if name in self.bindings:
            return re.escape(self.bindings[name])
        return "(?P<wanted>.+)" if name == hole and name not in before[1::2] else ".+"


def is_command(operation: Operation) -> bool:
    """Whether a command is typed: fixed words, and holes for what it is about."""
    text = operation.text
    return operation.verb == "type" and operation.submit and HOLE.search(text) is not None and not HOLE.fullmatch(text)


def control_ids(world: SimWorld, env: str) -> list[str]:
    """The ids of all that can be used on a screen, whether in sight or not."""
    scene = world.envs[env].scene()
    here = [control.id for control in scene.controls[scene.modal :] if control.id]
    return [*here, *world.envs[env].out_of_sight()]


def options_of(world: SimWorld, env: str, control: str) -> list[str]:
    """The options of a control, without the one that is chosen."""
    found = world.envs[env].scene().control(control)
    element = world.envs[env].ui_tree().by_id(control)
    now = element.value if element is not None else ""
    return [text for text, _ in found.options if text != now] if found is not None else []


def moves_of(operation: Operation) -> list[Move]:
    """The moves of one operation without holes; `open_app` is done by `opening`."""
    env, at = operation.env, Ref(operation.control or "screen")
    phone = env == "phone"
    match operation.verb:
        case "click":
            return [Move(env, Click(at))]
        case "double_click":
            return [Move(env, Click(at, count=2))]
        case "menu":
            entry = f"{operation.control}/{slug(operation.text)}"
            opened = LongPress(at) if phone else Click(at, button="right")
            return [Move(env, opened), Move(env, Click(Ref(entry)))]
        case "option":
            if not phone:
                return [Move(env, Select(at, operation.text))]
            return [Move(env, Click(at)), Move(env, Click(Ref(f"{operation.control}/{slug(operation.text)}")))]
        case "type":
            return [Move(env, TypeText(operation.text, at, clear=True, submit=operation.submit))]
        case "drag":
            return [Move(env, Drag(Ref(operation.to), at))]
        case "key":
            pressed = Move(env, Press(tuple(operation.text.split("+"))))
            return [Move(env, Click(at)), pressed] if operation.control else [pressed]
        case "wait":
            return [Move(env, Wait(operation.seconds or 1.0))]
        case "back":
            return [Move(env, System("back"))] if phone else [Move(env, Press(("esc",)))]
    return [Move(env, OpenApp(operation.control))]


def slug(text: str) -> str:
    """The last segment of the id of a menu's entry."""
    return text.lower().replace(" ", "-")


def opening(world: SimWorld, env: str, title: str) -> list[Move]:
    """The moves that bring an app to the front in its first view, wherever it was left; the world is not changed."""
    app = find_app("phone" if env == "phone" else "desktop", title)
    if app is None:
        return [Move(env, OpenApp(title))]
    scratch = world.fork()
    first = next(iter(app.views))
    moves: list[Move] = []

    def do(move: Move) -> bool:
        moves.append(move)
        return try_move(scratch, move)

    do(Move(env, OpenApp(app.title)))
    if env == "phone":
        for _ in range(MOST_TURNS):
            window = scratch.state().phone.window(app.name)
            if window is None or len(window.stack) == 1:
                break
            do(Move(env, System("back")))
        window = scratch.state().phone.window(app.name)
        if window is not None and window.stack[0].name != first:
            do(Move(env, Click(Ref(f"{app.name}/tab/{first}"))))
        return moves
    window = world.state().desktop.window(app.name)
    if window is not None:
        do(Move(env, Click(Ref(f"window/{app.name}/close"))))
        do(Move(env, OpenApp(app.title)))
    return moves


def put_back(rehearsal: PathRehearsal, first: Operation, start: WorldState) -> bool:
    """Open an app and make its first screen look as it did at the start, as far as clicks and options do it.

    Another day or list may be chosen, or a search left in its field. The account is not changed.

    Args:
        first: the operation that opens it. start: the state in which it looked as it should.

    Returns:
        Whether anything was put back.

    Raises:
        PathStuck: the app does not open.
    """
    scratch = SimWorld(memo=REHEARSED)
    scratch.prepare(lambda _: start)
    for move in opening(scratch, first.env, first.control):
        try_move(scratch, move)
    wanted = _look(scratch, first.env)
    rehearsal.play([first], lambda _hole, _offers: None)
    put = False
    for _ in range(MOST_TURNS):
        here = len(_look(rehearsal.world, first.env) ^ wanted)
        tried = [(here, -1, list[Move]())]
        for number, moves in enumerate(_settings(rehearsal.world, first.env)):
            fork = rehearsal.world.fork()
            if all(try_move(fork, move) for move in moves) and fork.state().account == rehearsal.world.state().account:
                tried.append((len(_look(fork, first.env) ^ wanted), number, moves))
        _, _, best = min(tried, key=lambda one: one[:2])
        if not best:
            return put
        for move in best:
            rehearsal.carry_out(move)
        put = True
    return put


def _look(world: SimWorld, env: str) -> set[tuple[str, str]]:
    """What a screen shows, by ids and values."""
    return {(element.id, element.value or "") for element in world.envs[env].ui_tree() if element.id}


def _settings(world: SimWorld, env: str) -> list[list[Move]]:
    """Single things that can be set on a screen: a click, an option, an empty field."""
    found: list[list[Move]] = []
    scene = world.envs[env].scene()
    for control in scene.controls[scene.modal :]:
        if not control.id:
            continue
        element = world.envs[env].ui_tree().by_id(control.id)
        if element is not None and element.role == "textbox":
            found += [moves_of(Operation("type", env, control.id))] if element.value else []
        elif control.options:
            found += [moves_of(Operation("option", env, control.id, text)) for text, _ in control.options]
        else:
            found.append(moves_of(Operation("click", env, control.id)))
    return found


def app_title(name: str) -> str:
    """The title of an app of the embedded world by its name."""
    return APPS[name].title if name in APPS else name
