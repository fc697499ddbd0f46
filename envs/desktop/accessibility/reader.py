"""Reading the elements on a desktop within a deadline."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence

from omnipilot.envs.desktop.accessibility.bus import Bus, BusGone, find_accessibility_bus
from omnipilot.envs.desktop.accessibility.placement import list_elements
from omnipilot.envs.desktop.accessibility.walk import AccessibleNode, AccessibleProgram, Walker
from omnipilot.envs.desktop.address import DesktopAddress
from omnipilot.envs.desktop.x11.windows import XWindow
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.observation import Element, Elements

PATIENT = 5.0
"""Seconds for reading all elements, hidden ones included."""
RESTED = 3
"""Looks for which a program that did not answer is left out."""


class ElementReader:
    """The elements of all programs of a desktop over AT-SPI.

    Args:
        deadline: seconds for one look. cap: maximum number of nodes that are read in a look.
    """

    def __init__(self, address: DesktopAddress, deadline: float = 0.5, cap: int = 4000) -> None:
        self._address, self._deadline, self._cap = address, deadline, cap
        self._bus: Bus | None = None
        self._walker: Walker
        self._resting: dict[str, int] = {}

    def look(self, stack: Sequence[XWindow], size: Size) -> Elements:
        """The elements that are in sight.

        Raises:
            BusGone: there is no accessibility bus; the message says why.
        """
        resting = {bus for bus, looks in self._resting.items() if looks > 0}
        programs, full = self._walk(self._deadline, self._cap, False, resting)
        self._resting = {bus: looks - 1 for bus, looks in self._resting.items() if looks > 1}
        late = []
        for program in programs:
            if not program.complete:
                late.append(_named(program, stack))
                if program.bus not in resting and not program.windows:
                    self._resting[program.bus] = RESTED
        problems = [f"cut after {self._cap} nodes"] if full else []
        if late:
            problems.append(f"no whole answer within {self._deadline:g} s from {', '.join(sorted(late))}")
        items = tuple(element for element, _ in list_elements(programs, stack, size))
        return Elements(items, bool(problems), "; ".join(problems))

    def every(self, stack: Sequence[XWindow], size: Size) -> list[tuple[Element, AccessibleNode]]:
        """All elements with their nodes, those out of sight included, however long it takes within reason.

        Raises:
            BusGone: there is no accessibility bus; the message says why.
        """
        programs, _ = self._walk(PATIENT, 0, True, frozenset())
        return list_elements(programs, stack, size, every=True)

    def programs(self) -> list[AccessibleProgram]:
        """The programs with their whole trees, as they tell them, what is not showing included.

        Raises:
            BusGone: there is no accessibility bus; the message says why.
        """
        return self._walk(PATIENT, 0, True, frozenset())[0]

    def choose(self, node: AccessibleNode, index: int) -> bool:
        """Ask a program to choose one of a node's children; whether it says that it did.

        Raises:
            BusGone: the bus has ended.
        """
        assert self._bus is not None
        answer = self._bus.get(node.bus, node.path, "org.a11y.atspi.Selection", "SelectChild", "i", (index,))
        return bool(answer and answer[0])

    def close(self) -> None:
        """Close the connection. May be called twice."""
        if self._bus is not None:
            self._bus.close()
            self._bus = None

    def _walk(
        self, seconds: float, cap: int, every: bool, skip: Collection[str]
    ) -> tuple[list[AccessibleProgram], bool]:
        fresh = self._bus is None
        try:
            if fresh:
                self._connect()
            return self._walker.walk(time.monotonic() + seconds, cap, every, skip), self._walker.full
        except BusGone:
            self.close()
            if fresh:
                raise
        # The bus may have been started again since the last look.
        return self._walk(seconds, cap, every, skip)

    def _connect(self) -> None:
        self._bus = Bus(find_accessibility_bus(self._address.session_bus, self._address.uid), self._address.uid)
        self._walker = Walker(self._bus)


def _named(program: AccessibleProgram, stack: Sequence[XWindow]) -> str:
    """A program's name, or that of its window's, where it has never told its own."""
    if program.name:
        return program.name
    for window in stack:
        if program.pid and window.pid == program.pid:
            return window.program or window.title
    return f"a program (process {program.pid})" if program.pid else program.bus
