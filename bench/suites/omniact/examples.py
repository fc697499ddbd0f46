"""OmniACT's training split as examples: a task, what of the elements of its screen the script needs, and the script."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence

from omnipilot.bench.suites.omniact.data import ScriptTask
from omnipilot.bench.suites.omniact.script import actions_of
from omnipilot.envs import Absent, Click, Drag, Element, Elements, MouseMove, Point, Scroll
from omnipilot.memory.examples import Example, ExampleElement

ELEMENTS = 12
"""Most elements that an example tells."""


def examples_of(
    items: Sequence[ScriptTask], elements: Callable[[ScriptTask], Elements | Absent]
) -> tuple[Example, ...]:
    """The tasks of the training split as examples.

    Args:
        elements: what was found on the screen of a task; asked once a screen.
    """
    found: dict[str, Elements | Absent] = {}
    examples = []
    for item in items:
        if item.screen not in found:
            found[item.screen] = elements(item)
        seen = found[item.screen]
        needed = [] if isinstance(seen, Absent) else _needed(item, seen.items)
        places = [(one, one.box.center.to_pixel(item.size)) for one in needed[:ELEMENTS]]
        examples.append(
            Example(
                item.id,
                frozenset((wording_of(item), item.screen)),
                item.instruction,
                True,
                tuple(item.script.split("\n")),
                "train",
                item.id,
                demonstration=True,
                elements=tuple(ExampleElement(one.role, one.name, x, y) for one, (x, y) in places),
                script=True,
            )
        )
    return tuple(examples)


def wording_of(item: ScriptTask) -> str:
    """What the wordings of one task have in common, which the data does not name: the screen, and the script for it."""
    lines = "\n".join("".join(line.split()).lower() for line in item.script.split("\n"))
    return f"{item.screen}: {hashlib.sha256(lines.encode()).hexdigest()[:16]}"


def _needed(item: ScriptTask, elements: Sequence[Element]) -> list[Element]:
    """What was found in the boxes that the script points at, and then what the task names."""
    places = [place.to_pixels(item.size) for place in _places(item)]
    boxes = [box for box in item.boxes if any(_holds(box, at) for at in places)]
    asked = item.instruction.casefold()
    pointed: list[Element] = []
    named: list[Element] = []
    for one in elements:
        if any(_holds(box, one.box.center.to_pixels(item.size)) for box in boxes):
            pointed.append(one)
        elif len(one.name) > 2 and one.name.casefold() in asked:
            named.append(one)
    return pointed + named


def _places(item: ScriptTask) -> Iterator[Point]:
    """The places of a recorded script; none of one that cannot be read."""
    for action in actions_of(item.script, item.size) or ():
        if isinstance(action, Click | MouseMove | Scroll) and isinstance(action.at, Point):
            yield action.at
        elif isinstance(action, Drag):
            yield from (place for place in (action.start, action.end) if isinstance(place, Point))


def _holds(box: tuple[float, float, float, float], place: tuple[float, float]) -> bool:
    left, top, right, bottom = box
    return left <= place[0] <= right and top <= place[1] <= bottom
