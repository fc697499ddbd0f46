"""Walking the trees of all programs at once, for as long as there is time."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from omnipilot.envs.desktop.accessibility.bus import Bus
from omnipilot.envs.desktop.accessibility.roles import (
    DESCRIBED,
    LEAVES,
    MANAGES,
    SECRET,
    SHOWING,
    VALUED,
    VISIBLE,
    WRITTEN,
    state_set,
)

REGISTRY = "org.a11y.atspi.Registry"
ROOT = "/org/a11y/atspi/accessible/root"
NULL = "/org/a11y/atspi/null"
ACCESSIBLE = "org.a11y.atspi.Accessible"
COMPONENT = "org.a11y.atspi.Component"
TEXT = "org.a11y.atspi.Text"
VALUE = "org.a11y.atspi.Value"
APPLICATION = "org.a11y.atspi.Application"
PROPERTIES = "org.freedesktop.DBus.Properties"
SCREEN = 0
"""Coordinates are asked for relative to the screen."""
LONGEST_TEXT = 4000
"""Characters of a field's content that are read."""
MOST_ITEMS = 400
"""Children of a table or list that are read where it makes them as they are asked for."""
LABELLED_BY = 2


@dataclass(slots=True, eq=False)
class AccessibleNode:
    """One node of a program's tree.

    Attributes:
        bus, path: where it is reached.
        place: left, top, width and height as the program tells them, None if it has none.
    """

    bus: str
    path: str
    parent: AccessibleNode | None = None
    role: str = ""
    name: str = ""
    description: str = ""
    value: str = ""
    states: frozenset[int] = frozenset()
    place: tuple[int, int, int, int] | None = None
    children: list[AccessibleNode] = field(default_factory=list)

    @property
    def id(self) -> str:
        """Its id: the program's name on the bus, and the number that the program gives it."""
        return f"{self.bus.removeprefix(':')}/{self.path.rpartition('/')[2]}"


@dataclass(slots=True, eq=False)
class AccessibleProgram:
    """One program that shows its elements.

    Attributes:
        windows: its top nodes.
        complete: whether it has answered everything.
    """

    bus: str
    name: str = ""
    pid: int = 0
    toolkit: str = ""
    version: str = ""
    windows: list[AccessibleNode] = field(default_factory=list)
    complete: bool = True

    @property
    def gtk4(self) -> bool:
        """Whether its toolkit is GTK 4, whose nodes are `visible` but never `showing`."""
        return self.toolkit.casefold() == "gtk" and self.version.startswith("4")


class Walker:
    """Reads the trees of the programs on one accessibility bus.

    What does not change while a node lives is remembered from look to look: roles, labels, process ids.
    """

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._roles: dict[tuple[str, str], str] = {}
        self._known: dict[str, AccessibleProgram] = {}
        self._labels: dict[tuple[str, str], str] = {}
        self._counted = 0

    def walk(self, until: float, cap: int, every: bool = False, skip: Collection[str] = ()) -> list[AccessibleProgram]:
        """The programs with what they show, as far as they have answered until then.

        Args:
            until: by `time.monotonic`. cap: maximum number of nodes, 0 for no limit.
            every: also what is not showing.
            skip: names on the bus of programs that are left out, and are incomplete therefore.

        Raises:
            BusGone: the bus has ended.
        """
        self._counted, self._cap, self._every = 0, cap, every
        programs: list[AccessibleProgram] = []

        def children(answer: tuple[Any, ...] | None) -> None:
            for name, path in answer[0] if answer else ():
                program = self._program(name)
                programs.append(program)
                if name in skip:
                    program.complete = False
                else:
                    self._read_program(program, path)

        self._bus.ask(REGISTRY, ROOT, ACCESSIBLE, "GetChildren", children)
        self._bus.run(until)
        silent = self._bus.waiting_for()
        self._bus.forget()
        for program in programs:
            program.complete = program.complete and program.bus not in silent
        gone = set(self._known) - {program.bus for program in programs}
        if REGISTRY not in silent:
            for name in gone:
                del self._known[name]
            if gone or len(self._roles) > 50_000:
                self._roles = {key: role for key, role in self._roles.items() if key[0] not in gone}
                self._labels = {key: label for key, label in self._labels.items() if key[0] not in gone}
        return programs

    @property
    def full(self) -> bool:
        """Whether the last walk was ended by its cap."""
        return bool(self._cap) and self._counted >= self._cap

    def _program(self, name: str) -> AccessibleProgram:
        known = self._known.get(name, AccessibleProgram(name))
        return AccessibleProgram(name, known.name, known.pid, known.toolkit, known.version)

    def _read_program(self, program: AccessibleProgram, path: str) -> None:
        self._known[program.bus] = program
        ask = self._bus.ask

        def pid(answer: tuple[Any, ...] | None) -> None:
            program.pid = int(answer[0]) if answer else 0

        def toolkit(answer: tuple[Any, ...] | None) -> None:
            program.toolkit = _text(answer)

        def version(answer: tuple[Any, ...] | None) -> None:
            program.version = _text(answer)
            ask(program.bus, path, ACCESSIBLE, "GetChildren", windows)

        def name(answer: tuple[Any, ...] | None) -> None:
            program.name = _text(answer)

        def windows(answer: tuple[Any, ...] | None) -> None:
            for bus, where in answer[0] if answer else ():
                if where != NULL:
                    node = AccessibleNode(bus, where)
                    program.windows.append(node)
                    self._read(program, node)

        if not program.pid:
            ask(
                "org.freedesktop.DBus",
                "/org/freedesktop/DBus",
                "org.freedesktop.DBus",
                "GetConnectionUnixProcessID",
                pid,
                "s",
                (program.bus,),
            )
        if program.toolkit:
            ask(program.bus, path, ACCESSIBLE, "GetChildren", windows)
        else:
            self._property(program.bus, path, ACCESSIBLE, "Name", name)
            self._property(program.bus, path, APPLICATION, "ToolkitName", toolkit)
            self._property(program.bus, path, APPLICATION, "Version", version)

    def _property(self, bus: str, path: str, interface: str, name: str, then: Any) -> None:
        self._bus.ask(bus, path, PROPERTIES, "Get", then, "ss", (interface, name))

    def _read(self, program: AccessibleProgram, node: AccessibleNode) -> None:
        def states(answer: tuple[Any, ...] | None) -> None:
            if answer is None:
                return
            node.states = state_set(tuple(answer[0]))
            shown = VISIBLE if program.gtk4 else SHOWING
            if (shown in node.states or self._every) and not (self._cap and self._counted >= self._cap):
                self._counted += 1
                self._read_more(program, node)

        self._bus.ask(node.bus, node.path, ACCESSIBLE, "GetState", states)

    def _read_more(self, program: AccessibleProgram, node: AccessibleNode) -> None:
        key = (node.bus, node.path)
        told: list[str] = []

        def role(answer: tuple[Any, ...] | None) -> None:
            node.role = str(answer[0]) if answer else "unknown"
            self._roles[key] = node.role
            self._read_content(node)
            if told:
                describe()

        def name(answer: tuple[Any, ...] | None) -> None:
            node.name = " ".join(_text(answer).split())
            told.append(node.name)
            if node.role:
                describe()

        def describe() -> None:
            # What has only a picture on it often says in a tooltip what it does.
            if node.name or node.role not in DESCRIBED:
                return
            if key in self._labels:
                node.description = self._labels[key]
            else:
                self._property(node.bus, node.path, ACCESSIBLE, "Description", description)

        def description(answer: tuple[Any, ...] | None) -> None:
            node.description = self._labels[key] = " ".join(_text(answer).split())

        def place(answer: tuple[Any, ...] | None) -> None:
            node.place = tuple(answer[0]) if answer else None

        def children(answer: tuple[Any, ...] | None) -> None:
            for bus, path in answer[0] if answer else ():
                if path != NULL:
                    self._add(program, node, bus, path)

        def count(answer: tuple[Any, ...] | None) -> None:
            # Each of them is made by asking for it, and a sheet has millions.
            number = int(answer[0][1]) if answer else 0
            if number <= MOST_ITEMS:
                self._bus.ask(node.bus, node.path, ACCESSIBLE, "GetChildren", children)
            elif node.place is not None:
                self._read_visible_items(program, node)

        self._property(node.bus, node.path, ACCESSIBLE, "Name", name)
        self._bus.ask(node.bus, node.path, COMPONENT, "GetExtents", place, "u", (SCREEN,))
        if key in self._roles:
            node.role = self._roles[key]
            self._read_content(node)
        else:
            self._bus.ask(node.bus, node.path, ACCESSIBLE, "GetRoleName", role)
        if MANAGES in node.states:
            self._property(node.bus, node.path, ACCESSIBLE, "ChildCount", count)
        elif node.role not in LEAVES:
            self._bus.ask(node.bus, node.path, ACCESSIBLE, "GetChildren", children)

    def _add(self, program: AccessibleProgram, parent: AccessibleNode, bus: str, path: str) -> None:
        child = AccessibleNode(bus, path, parent)
        parent.children.append(child)
        self._read(program, child)

    def _read_visible_items(self, program: AccessibleProgram, node: AccessibleNode) -> None:
        """The items of a long list that are in view: those between the ones at its first and last corner."""
        assert node.place is not None
        left, top, width, height = node.place
        corners: list[int] = []

        def index(answer: tuple[Any, ...] | None) -> None:
            corners.append(int(answer[0]) if answer else -1)
            if len(corners) == 2 and min(corners) >= 0:
                for number in range(min(corners), min(max(corners), min(corners) + MOST_ITEMS) + 1):
                    self._bus.ask(node.bus, node.path, ACCESSIBLE, "GetChildAtIndex", item, "i", (number,))

        def found(answer: tuple[Any, ...] | None) -> None:
            if answer and answer[0][1] != NULL:
                bus, path = answer[0]
                self._bus.ask(bus, path, ACCESSIBLE, "GetIndexInParent", index)

        def item(answer: tuple[Any, ...] | None) -> None:
            if answer and answer[0][1] != NULL:
                self._add(program, node, *answer[0])

        for x, y in ((left + 2, top + 2), (left + width - 3, top + height - 3)):
            self._bus.ask(node.bus, node.path, COMPONENT, "GetAccessibleAtPoint", found, "iiu", (x, y, SCREEN))

    def _read_content(self, node: AccessibleNode) -> None:
        def length(answer: tuple[Any, ...] | None) -> None:
            # Qt answers nothing at all to a range that is longer than the text. Of a terminal the end is on the screen.
            count = int(answer[0][1]) if answer else 0
            start = max(0, count - LONGEST_TEXT) if node.role == "terminal" else 0
            if count:
                end = min(count, start + LONGEST_TEXT)
                self._bus.ask(node.bus, node.path, TEXT, "GetText", text, "ii", (start, end))

        def text(answer: tuple[Any, ...] | None) -> None:
            if answer:
                node.value = str(answer[0]).replace("\ufffc", "")

        def number(answer: tuple[Any, ...] | None) -> None:
            if answer and not node.value:
                node.value = f"{float(answer[0][1]):g}"

        def related(answer: tuple[Any, ...] | None) -> None:
            for kind, targets in answer[0] if answer else ():
                if kind == LABELLED_BY and targets:
                    bus, path = targets[0]
                    self._property(bus, path, ACCESSIBLE, "Name", label)

        def label(answer: tuple[Any, ...] | None) -> None:
            node.description = self._labels[node.bus, node.path] = _text(answer).strip().removesuffix(":")

        if node.role in SECRET:
            node.value = ""
        elif node.role in WRITTEN:
            self._property(node.bus, node.path, TEXT, "CharacterCount", length)
        if node.role in VALUED:
            self._property(node.bus, node.path, VALUE, "CurrentValue", number)
        if node.role in WRITTEN | VALUED | {"combo box"}:
            if (node.bus, node.path) in self._labels:
                node.description = self._labels[node.bus, node.path]
            else:
                self._labels[node.bus, node.path] = ""
                self._bus.ask(node.bus, node.path, ACCESSIBLE, "GetRelationSet", related)


def _text(answer: tuple[Any, ...] | None) -> str:
    """The text of a property's answer, a variant."""
    return str(answer[0][1]) if answer else ""
