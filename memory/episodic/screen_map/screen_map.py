"""The map itself: pages that were seen, the actions that lead from one to another, and what is asked of it."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from omnipilot.envs import Element
from omnipilot.envs.types import INTERACTIVE
from omnipilot.memory.episodic.screen_map.features import features, front
from omnipilot.memory.episodic.screen_map.pages import THRESHOLD, Pages

BY_ITSELF = ""
"""The action of a way that no own action began: something rang, or came up."""
KEPT_VISITS = 50
_OPERABLE = INTERACTIVE | {"listitem"}


@dataclass(frozen=True, slots=True)
class PageVisit:
    """One sighting of a page: when, and the event of the timeline that holds what was written on it (0 for none)."""

    time: float
    turn: int
    event: int


@dataclass(slots=True)
class Page:
    """One page of an application.

    Attributes:
        id: such as "phone-3". number: among its environment's pages, from 0.
        apps, titles: as they were seen, with how often. visits: number of arrivals. first, last: seconds.
        controls: names of its operable elements, with the number of screens that had them. operated: those that were.
        shown: the latest sightings.
    """

    id: str
    env: str
    number: int
    first: float
    last: float
    visits: int = 0
    screens: int = 0
    apps: Counter[str] = field(default_factory=Counter)
    titles: Counter[str] = field(default_factory=Counter)
    controls: Counter[str] = field(default_factory=Counter)
    operated: set[str] = field(default_factory=set)
    shown: list[PageVisit] = field(default_factory=list)

    @property
    def app(self) -> str:
        """Its application, as the context told; "" if it did not."""
        return _commonest(self.apps)

    @property
    def title(self) -> str:
        """Its heading, or the title of its window; "" where it has none."""
        return _commonest(self.titles)


@dataclass(frozen=True, slots=True)
class Way:
    """Own actions that led from one page to another, and how often they did."""

    origin: str
    target: str
    action: str
    count: int


@dataclass(frozen=True, slots=True)
class _Began:
    """An own action whose effect was not seen yet."""

    start: float
    verb: str
    words: str
    at: tuple[float, float] | None


class ScreenMap:
    """A map of the screens of one episode: application → page → element.

    It is made of what was observed and done alone. Pages are recognised by their elements only (see `Pages`); the
    context, where it is granted, gives them the names of their applications.

    Args:
        threshold: least likeness of a screen and the page that it is taken for, 0..1.
    """

    def __init__(self, threshold: float = THRESHOLD) -> None:
        self.threshold = threshold
        self._known: dict[str, Pages] = {}
        self._pages: dict[str, list[Page]] = {}
        self._at: dict[str, Page] = {}
        self._screens: dict[str, Sequence[Element]] = {}
        self._ways: dict[tuple[str, str], Counter[str]] = {}
        self._began: dict[str, list[_Began]] = {}

    def pages(self, env: str = "") -> Iterator[Page]:
        """The pages of an environment, or of all, in the order in which they were first seen."""
        for name, pages in self._pages.items():
            if env in ("", name):
                yield from pages

    def page(self, id: str) -> Page:
        """The page with an id.

        Raises:
            KeyError: there is none.
        """
        env, _, number = id.rpartition("-")
        try:
            return self._pages[env][int(number) - 1]
        except (KeyError, ValueError, IndexError):
            raise KeyError(id) from None

    def where(self, env: str) -> Page | None:
        """The page in front; None before anything was seen."""
        return self._at.get(env)

    def see(
        self, env: str, elements: Sequence[Element], time: float, turn: int, app: str = "", event: int = 0
    ) -> tuple[Page, Page | None, str] | None:
        """Take in a screen.

        Args:
            app: the application in front, as the context tells. event: id of the event that holds its texts.

        Returns:
            The page, where the device was before, and the own actions in between ("" for none), if it is another page
            than before; else None.
        """
        before, last = self._at.get(env), self._screens.get(env)
        began = self._began.pop(env, [])
        self._began[env] = [one for one in began if one.start >= time]
        actions = [self._named(env, one, not number) for number, one in enumerate(began) if one.start < time]
        if before is not None and (last is elements or last == elements):
            before.last = time
            return None
        self._screens[env] = elements
        found = features(elements)
        known = self._known.setdefault(env, Pages(self.threshold))
        number, _ = known.recognise(found)
        number = known.learn(number, found)
        pages = self._pages.setdefault(env, [])
        if number == len(pages):
            pages.append(Page(f"{env}-{number + 1}", env, number, time, time))
        page = pages[number]
        self._note(page, elements, time, turn, app, event)
        self._at[env] = page
        action = ", then ".join(actions)
        if before is not None and (action or before is not page):
            self._ways.setdefault((before.id, action), Counter())[page.id] += 1
        if before is page:
            return None
        page.visits += 1
        return page, before, action

    def act(self, env: str, verb: str, words: str, start: float, at: tuple[float, float] | None = None) -> None:
        """Take in an own action on an environment: its verb, the whole of it in words, when it began, and where it
        pointed."""
        self._began.setdefault(env, []).append(_Began(start, verb, words, at))

    def ways(self) -> Iterator[Way]:
        """Every way that was gone, those that led back to the same page too."""
        for (origin, action), targets in self._ways.items():
            for target, count in targets.items():
                yield Way(origin, target, action, count)

    def route(self, origin: str, target: str) -> tuple[Way, ...] | None:
        """The shortest way from one page to another; () if they are the same, None where none is known.

        Among ways of one length those that led there more surely are preferred: a step costs one divided by the share
        of times that the action led to that page.
        """
        steps: dict[str, list[tuple[float, Way]]] = {}
        for (start, action), targets in self._ways.items():
            if action != BY_ITSELF:
                total = sum(targets.values())
                for end, count in targets.items():
                    if end != start:
                        steps.setdefault(start, []).append((total / count, Way(start, end, action, count)))
        queue: list[tuple[float, int, str, tuple[Way, ...]]] = [(0.0, 0, origin, ())]
        done: set[str] = set()
        pushed = 0
        while queue:
            cost, _, here, gone = heapq.heappop(queue)
            if here == target:
                return gone
            if here in done:
                continue
            done.add(here)
            for price, way in steps.get(here, ()):
                pushed += 1
                heapq.heappush(queue, (cost + price, pushed, way.target, (*gone, way)))
        return None

    def unexplored(self, page: Page) -> list[str]:
        """Names of operable elements that most screens of a page had and that were never operated, commonest first."""
        usual = [(name, times) for name, times in page.controls.items() if 2 * times > page.screens]
        return [name for name, _ in sorted(usual, key=lambda one: -one[1]) if name not in page.operated]

    def _named(self, env: str, began: _Began, first: bool) -> str:
        """An action in words: by the element under it, if it was the first since the screen was seen."""
        elements, page = self._screens.get(env, ()), self._at.get(env)
        under = element_at(elements, *began.at) if first and began.at is not None else None
        if under is None or not under.name or page is None:
            return began.words
        page.operated.add(under.name)
        return f"{began.verb} {element_words(under, elements)}"

    def _note(self, page: Page, elements: Sequence[Element], time: float, turn: int, app: str, event: int) -> None:
        page.last = time
        page.screens += 1
        page.shown.append(PageVisit(time, turn, event))
        del page.shown[:-KEPT_VISITS]
        if app:
            page.apps[app] += 1
        shown = front(elements)
        if title := _title(shown):
            page.titles[title] += 1
        for name in dict.fromkeys(one.name for one in shown if one.role in _OPERABLE and one.name):
            page.controls[name] += 1


def element_at(elements: Sequence[Element], x: float, y: float) -> Element | None:
    """The smallest operable element at a point; None where there is none."""
    under = [
        one
        for one in elements
        if one.role in _OPERABLE and one.box.left <= x <= one.box.right and one.box.top <= y <= one.box.bottom
    ]
    return min(under, key=lambda one: one.box.area, default=None)


def element_words(one: Element, elements: Sequence[Element]) -> str:
    """An element's name in quotes, and which of those of that name it is, from above, where there are several."""
    alike = [other for other in elements if other.name == one.name and other.role in _OPERABLE]
    if len(alike) < 2:
        return f'"{one.name}"'
    alike.sort(key=lambda other: (other.box.top, other.box.left))
    return f'"{one.name}" ({alike.index(one) + 1} of {len(alike)})'


def _title(shown: Sequence[Element]) -> str:
    for role in ("heading", "titlebar"):
        for one in shown:
            if one.role == role and one.name:
                return one.name
    return next((one.name for one in shown if "selected" in one.states and one.name), "")


def _commonest(names: Mapping[str, int]) -> str:
    return max(names, key=lambda name: names[name], default="")
