"""How well the map of screens knows the embedded world: `python tests/perf/map_pages.py`.

A page is right where it holds the screens of one true view and no other: an application's view, a page of a site, or a
menu, dialog, call or launcher in front. Each wandering has a map of its own, as each episode has. Pairs of different
screens of one device are counted: precision is the share of pairs on one page that are of one view, recall the share of
pairs of one view that are on one page. Intervals are over wanderings.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

from omnipilot.bench.stats.ratio import ratio_of
from omnipilot.bench.suites.duet.kit.play import ground_move, try_move
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.tables import Table
from omnipilot.envs import Action, ActionRejected, Click, Element, Elements, Modality, NotFound, Point, Scroll, Swipe
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.faults import Faults
from omnipilot.envs.sim.state.display import Look
from omnipilot.envs.types.roles import INTERACTIVE
from omnipilot.memory.episodic.screen_map.screen_map import Page, ScreenMap
from omnipilot.memory.trajectory import Move
from omnipilot.memory.window import verb_text

OPERABLE = INTERACTIVE | {"listitem"}
WAITS = frozenset({"wait", "done", "answer"})
TARGETS, MOST_STEPS, LONGEST_RETURN = 4, 10, 60
"""Pages of a walk that a way back is tried to; steps after which a return with a map and one without are given up."""
CONDITIONS = {
    "plain": (Faults(), Look()),
    "dark and large": (Faults(), Look("dark", "large")),
    "10 % without names": (Faults(names=0.1, seed=11), Look()),
    "10 % with wrong roles": (Faults(roles=0.1, seed=11), Look()),
    "10 % merged": (Faults(merged=0.1, seed=11), Look()),
    "10 % of what is hidden": (Faults(beyond=0.1, seed=11), Look()),
    "10 % of each fault": (Faults(0.1, 0.1, 0.1, 0.1, seed=11), Look()),
}


@dataclass
class Wandering:
    """What one wandering showed of each device: pages beside true views, and the ways back that were tried.

    Attributes:
        told, followed, reached: routes that the map told; those that led to their page as they were told; and those
            that did where the map was asked again after each step, as a planner that is told of it each turn can.
        steps, blind: steps back with the map and without it, of those that were reached.
    """

    name: str
    screens: list[tuple[str, str, str]] = field(default_factory=list)
    told: int = 0
    followed: int = 0
    reached: int = 0
    steps: list[int] = field(default_factory=list)
    blind: list[int] = field(default_factory=list)

    def pairs(self) -> tuple[int, int, int]:
        """Pairs of screens of one device: on one page and of one view, on one page, of one view."""
        both = paged = viewed = 0
        for (env, page, view), (other, other_page, other_view) in combinations(self.screens, 2):
            if env == other:
                same_page, same_view = page == other_page, view == other_view
                both, paged, viewed = both + (same_page and same_view), paged + same_page, viewed + same_view
        return both, paged, viewed


class Walker:
    """Acts on a world, keeps a map of what is observed, and notes the true view beside each page."""

    def __init__(self, world: SimWorld, name: str) -> None:
        self.world, self.map, self.found = world, ScreenMap(), Wandering(name)
        self.actions: dict[str, Action] = {}
        self.views: dict[str, Counter[str]] = {}
        self._seen: set[tuple[str, tuple[Element, ...]]] = set()
        self.look()

    def look(self) -> None:
        """Observe both devices."""
        for name, env in self.world.envs.items():
            elements = env.observe({Modality.ELEMENTS}, self.world.now).elements
            assert isinstance(elements, Elements)
            self.map.see(name, elements.items, self.world.now, 0)
            page, view = self.map.where(name), view_of(self.world, name)
            assert page is not None
            self.views.setdefault(page.id, Counter())[view] += 1
            if (name, elements.items) not in self._seen:
                self._seen.add((name, elements.items))
                self.found.screens.append((name, page.id, view))

    def act(self, env: str, action: Action) -> bool:
        """Carry out an action and look; whether the device could."""
        start, words = self.world.now, verb_text(action)
        try:
            self.world.envs[env].act(action)
        except ActionRejected:
            return False
        at = getattr(action, "at", None)
        self.map.act(env, action.kind, words, start, (at.x, at.y) if isinstance(at, Point) else None)
        self.actions[words] = action
        self.look()
        return True

    def follow(self, env: str, target: Page) -> bool:
        """Whether a told way, gone as it was told at the start, leads to its page."""
        here = self.map.where(env)
        assert here is not None
        for way in self.map.route(here.id, target.id) or ():
            action = self.read(env, way.action)
            if action is None:
                return False
            try:
                self.world.envs[env].act(action)
            except ActionRejected:
                return False
        return view_of(self.world, env) == self.views[target.id].most_common(1)[0][0]

    def find(self, env: str, target: Page) -> int | None:
        """Return to a page by asking the map after each step: the number of steps; None where that does not succeed."""
        wanted = self.views[target.id].most_common(1)[0][0]
        for step in range(MOST_STEPS):
            if view_of(self.world, env) == wanted:
                return step
            here = self.map.where(env)
            route = self.map.route(here.id, target.id) if here is not None else None
            action = self.read(env, route[0].action) if route else None
            if action is None or not self.act(env, action):
                return None
        return None

    def read(self, env: str, words: str) -> Action | None:
        """The action that the map told of, on the screen as it is; None where what it names is not there."""
        named = re.fullmatch(r'(\w+) "(.*?)"(?: \((\d+) of \d+\))?', words, re.DOTALL)
        if named is None:
            return self.actions.get(words)
        alike = [one for one in self.world.envs[env].ui_tree() if one.name == named[2]]
        alike = [one for one in alike if one.role in OPERABLE] or alike
        alike.sort(key=lambda one: (one.box.top, one.box.left))
        number = int(named[3] or 1)
        return Click(alike[number - 1].box.center) if len(alike) >= number else None


def view_of(world: SimWorld, name: str) -> str:
    """What is in front on a device, in truth."""
    device = world.state().device("phone" if name == "phone" else "desktop")
    front = device.front
    if device.alerts:
        return f"alert {device.alerts[0].title}"
    if device.ringing:
        return f"ringing {device.ringing.kind}"
    if device.launcher:
        return "launcher"
    if front is None:
        return "home"
    if device.popup:
        return f"{front.app} {device.popup.kind} {re.sub(r'[a-z]+-[0-9]+', 'item', device.popup.id)}"
    site = re.sub(r"[0-9]+", "#", front.view.arg) if front.app == "browser" else ""
    return " ".join(filter(None, (front.app, front.view.name, site)))


def demonstrations(faults: Faults, look: Look, instance: int, every: int = 1) -> Iterator[Wandering]:
    """The demonstrations of all tasks of duet."""
    suite = Duet("all")
    for info in suite.tasks()[::every]:
        task, world = suite.instantiate(info.id, instance), SimWorld(faults=faults)
        task.setup(world)
        world.prepare(lambda state: state.looking(look, "phone").looking(look, "desktop"))
        assert task.solution is not None
        moves = task.solution(world)
        walker = Walker(world, info.id)
        for move in moves:
            if not (move.intent.kind not in WAITS and _acted(walker, move)):
                try_move(world, move)
                walker.look()
        yield walker.found


def _acted(walker: Walker, move: Move) -> bool:
    try:
        return walker.act(move.env, ground_move(walker.world, move))
    except NotFound:
        return False


def walks(faults: Faults, look: Look, seeds: range, steps: int = 100) -> Iterator[Wandering]:
    """Random walks: most steps operate a control that is on the screen, some scroll; then ways back are tried."""
    for seed in seeds:
        world, draw = SimWorld(faults=faults), Random(seed)
        world.reset(seed)
        world.prepare(lambda state: state.looking(look, "phone").looking(look, "desktop"))
        walker = Walker(world, f"walk {seed}")
        for _ in range(steps):
            env = draw.choice(("phone", "desktop"))
            if (action := step_of(world, env, draw)) is not None:
                walker.act(env, action)
        for env in world.envs:
            back(walker, env, draw)
        yield walker.found


def step_of(world: SimWorld, env: str, draw: Random) -> Action | None:
    """A random action on a device; None where nothing can be done."""
    if draw.random() < 0.1:
        way = draw.choice(("up", "down"))
        return Swipe(way) if env == "phone" else Scroll(way, at=Point(0.5, 0.5))  # type: ignore[arg-type]
    tree = [one for one in world.envs[env].ui_tree() if one.role in INTERACTIVE and "disabled" not in one.states]
    return Click(draw.choice(tree).box.center) if tree else None


def back(walker: Walker, env: str, draw: Random) -> None:
    """Try to return to pages of a walk by the ways that the map tells, and by operating at random."""
    here = walker.map.where(env)
    assert here is not None
    known = [page for page in walker.map.pages(env) if page is not here and walker.map.route(here.id, page.id)]
    for target in draw.sample(known, min(TARGETS, len(known))):
        stand, view = walker.world.snapshot(), walker.views[target.id].most_common(1)[0][0]
        walker.found.told += 1
        walker.found.followed += walker.follow(env, target)
        walker.world.restore(stand)
        steps = walker.find(env, target)
        walker.world.restore(stand)
        walker.look()
        if steps is not None:
            walker.found.reached += 1
            walker.found.steps.append(steps)
            walker.found.blind.append(wander(walker.world, env, view, draw))
            walker.world.restore(stand)


def wander(world: SimWorld, env: str, view: str, draw: Random) -> int:
    """Steps until a view is in front again when controls are operated at random; at most `LONGEST_RETURN`."""
    for step in range(1, LONGEST_RETURN):
        if (action := step_of(world, env, draw)) is not None:
            try:
                world.envs[env].act(action)
            except ActionRejected:
                continue
        if view_of(world, env) == view:
            return step
    return LONGEST_RETURN


def rates(found: Sequence[Wandering]) -> tuple[float, float, tuple[str, str]]:
    """Precision and recall of pages, and both as text with intervals."""
    names, pairs = [one.name for one in found], [one.pairs() for one in found]
    both, paged, viewed = (list(map(float, column)) for column in zip(*pairs, strict=True))
    precision, recall = (ratio_of(both, wholes, names, "wanderings") for wholes in (paged, viewed))
    assert precision is not None and recall is not None
    return precision.estimate, recall.estimate, (precision.text(), recall.text())


def row(name: str, kind: str, found: Sequence[Wandering]) -> tuple[str, ...]:
    """One row of the table."""
    told, followed, reached = (sum(getattr(one, name) for one in found) for name in ("told", "followed", "reached"))
    steps, blind = [n for one in found for n in one.steps], [n for one in found for n in one.blind]
    back = f"{sum(steps) / len(steps):.1f} / {sum(blind) / len(blind):.1f}" if steps else "–"
    routes = [f"{100 * part / told:.1f} ({part}/{told})" if told else "–" for part in (followed, reached)]
    return (name, kind, str(sum(len(one.screens) for one in found)), *rates(found)[2], *routes, back)


def milliseconds(count: int = 1_000) -> tuple[float, float]:
    """Time to take in a new screen on a map of so many pages, and an unchanged one."""
    draw, map, world = Random(0), ScreenMap(), SimWorld()
    tree = list(world.envs["phone"].ui_tree())
    words = [f"word{n}" for n in range(3_000)]

    def screen() -> tuple[Element, ...]:
        return tuple(
            Element("button", f"{draw.choice(words)} {draw.choice(words)}", one.box) for one in tree for _ in range(4)
        )

    for number in range(count):
        map.see("phone", screen(), float(number), number)
    new, times = [screen() for _ in range(50)], []
    for number, one in enumerate(new):
        began = time.perf_counter()
        map.see("phone", one, float(count + number), number)
        times.append(time.perf_counter() - began)
    began = time.perf_counter()
    for _ in range(1_000):
        map.see("phone", new[-1], 1e6, 0)
    return 1e3 * sorted(times)[len(times) // 2], time.perf_counter() - began


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--walks", type=int, default=20)
    parser.add_argument("--every", type=int, default=1, help="only every so many of duet's tasks")
    options = parser.parse_args()
    rows = []
    for name, (faults, look) in CONDITIONS.items():
        rows.append(row(name, "demonstrations", list(demonstrations(faults, look, 1, options.every))))
        rows.append(row(name, "walks", list(walks(faults, look, range(100, 100 + options.walks)))))
    columns = ("world", "wanderings", "screens", "precision %", "recall %", "route as told %", "asked each step %")
    print(Table((*columns, "steps back with / without"), tuple(rows)).text())
    new, same = milliseconds()
    print(f"a new screen on a map of 1,000 pages: {new:.2f} ms; an unchanged one: {same:.4f} ms")


if __name__ == "__main__":
    main()
