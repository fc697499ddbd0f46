"""Screens of real web pages for pointing: the package `miniwob` in Chromium, one episode each."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from omnipilot.bench.pointing.evaluation import Kind, Shot, Target
from omnipilot.bench.suites.miniwob.suite import UNSEEDED, Miniwob
from omnipilot.bench.suites.pointing.functions import FUNCTIONS
from omnipilot.bench.suites.pointing.looks import colours
from omnipilot.bench.suites.pointing.words import basic, describe_function, nameable
from omnipilot.envs import Absent, Element, Modality, Observation, Thinking
from omnipilot.envs.types import FIELDS, fold, is_covered

PAGES = 60
TARGETS_EACH = 4
SEEN = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS})
_SMALLEST = 6


def web_shots(seed: int) -> Iterator[Shot]:
    """Up to 60 pages with something to press.

    Raises:
        MissingExtra, ConfigError: Playwright, the package `miniwob` or Chromium is missing.
    """
    suite = Miniwob()
    pages = [info.id for info in suite.tasks() if info.id not in UNSEEDED and not info.id.startswith("flight.")]
    rng = random.Random(f"pointing/{seed}/web")
    rng.shuffle(pages)
    world = suite.world(Thinking())
    try:
        found = 0
        for page in pages:
            world.start(page, seed)
            seen = world.browser.observe(SEEN, world.now)
            targets = _targets(page, seen)
            if targets:
                found += 1
                chosen = rng.sample(targets, min(TARGETS_EACH, len(targets)))
                yield Shot(f"web-{page}", "browser", "light", seen, tuple(t for t in targets if t in chosen))
            if found == PAGES:
                return
    finally:
        world.close()


def _targets(page: str, seen: Observation) -> list[Target]:
    if isinstance(seen.elements, Absent) or isinstance(seen.screenshot, Absent):
        return []
    elements = seen.elements.items
    shown = [element for element in elements if "offscreen" not in element.states]
    numbered = enumerate(elements)
    return [target for number, element in numbered if (target := _target(f"web-{page}/{number}", element, shown, seen))]


def _target(id: str, element: Element, elements: Sequence[Element], seen: Observation) -> Target | None:
    small = min(element.box.right - element.box.left, element.box.bottom - element.box.top)
    sides = seen.size.width, seen.size.height
    hidden = element not in elements or is_covered(element, elements) or small * min(sides) < _SMALLEST
    if hidden or not nameable(element) or "disabled" in element.states or isinstance(seen.screenshot, Absent):
        return None
    ground, ink = colours(seen.screenshot, element.box)
    said = basic(element, elements, f"in {ink} on {ground}" if ink and ink != ground else f"in {ground}")
    if not said:
        return None
    kind: Kind = "control" if element.role in FIELDS | {"checkbox", "radio", "slider"} else "text"
    name = fold(element.name)
    twins = [
        o for o in elements if o is not element and fold(o.name) == name and not o.box.contains(element.box.center)
    ]
    good_for = "" if twins else describe_function(element, FUNCTIONS, "")
    return Target(id, element.box, kind, element.role, element.name, said, good_for, bool(twins))
