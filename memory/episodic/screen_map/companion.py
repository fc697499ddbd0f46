"""The map of screens as a companion of the timeline: learns from its events, and tells planners where they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from omnipilot.envs import Context, Elements, Modality, Observation
from omnipilot.memory.base import Recalled
from omnipilot.memory.episodic.companion import Companion
from omnipilot.memory.episodic.details import ActionDetail, PageDetail
from omnipilot.memory.episodic.events import TimelineEvent
from omnipilot.memory.episodic.excerpts import excerpt, words_of
from omnipilot.memory.episodic.ranking import content_words, ordinal
from omnipilot.memory.episodic.screen_map.screen_map import Page, ScreenMap, Way
from omnipilot.memory.episodic.timeline import Scope
from omnipilot.memory.quoting import plain, quote

MOST_ROUTES, MOST_UNEXPLORED, MOST_PER_RECALL = 6, 8, 1_200
"""Pages that a route is told to, controls that are told as never operated, and characters of one recall."""
MOST_SHOWN, LONGEST_SHOWN = 2, 160
"""Other pages of which it is told what they showed last, if the task names them, and characters of that."""
_DONE = frozenset({"done", "forced", "control"})


class MapCompanion(Companion):
    """Keeps a `ScreenMap`: adds an event of kind "page" where the page in front changes, and recalls the map as text.

    Only a role that is granted elements is told of the map, because pages are
    recognised by them; the names of applications come from the context and go to whom that is granted.
    """

    def __init__(self) -> None:
        self.map = ScreenMap()
        self._texts: dict[str, tuple[float, int]] = {}
        self._said: dict[str, str] = {}
        self._last: dict[str, tuple[int, float, str]] = {}
        self._turn = 0

    def clear(self) -> None:
        """Forget everything."""
        self.map = ScreenMap()
        self._texts, self._said, self._last = {}, {}, {}
        self._turn = 0

    def observe(self, seen: Observation, turn: int) -> Iterator[TimelineEvent]:
        """Find the page in front; an event where it changed."""
        if not isinstance(seen.elements, Elements):
            return
        self._turn = turn
        app = seen.context.app if isinstance(seen.context, Context) else ""
        time, text = self._texts.get(seen.env, (seen.time, 0))
        changed = self.map.see(seen.env, seen.elements.items, seen.time, turn, app, text if time == seen.time else 0)
        if (here := self.map.where(seen.env)) is not None:
            self._last[here.id] = turn, seen.time, self._said.get(seen.env, "")
        if changed is None:
            return
        page, before, action = changed
        detail = PageDetail(page.id, page.visits == 1)
        if before is not None:
            detail = replace(detail, before=before.id, action=action)
        yield TimelineEvent(
            "page", seen.env, seen.time, seen.time, turn, "", Modality.ELEMENTS, None, app, page.title, None, detail
        )

    def take(self, event: TimelineEvent) -> Iterable[TimelineEvent]:
        """Learn from an own action, and remember which event holds a screen's texts."""
        if event.kind == "text" and event.modality is Modality.ELEMENTS:
            self._texts[event.env] = (event.start, event.id)
            self._said[event.env] = event.text
        elif isinstance(event.detail, ActionDetail) and event.env and event.detail.result in _DONE:
            verb = event.detail.verb
            words = verb if verb == "type_text" else event.text
            self.map.act(event.env, verb, words, event.start, event.detail.at)
        return ()

    def recall(self, query: str, scope: Scope, characters: int) -> Iterator[Recalled]:
        """For each environment a text: the page in front, ways to other pages, what those that the query names showed
        last and when, and what was never operated here."""
        if Modality.ELEMENTS not in scope.modalities:
            return
        words = frozenset(content_words(query))
        envs = sorted(scope.envs)
        room = min(characters, MOST_PER_RECALL)
        for left, env in zip(range(len(envs), 0, -1), envs, strict=True):
            if (page := self.map.where(env)) is None:
                continue
            text = self.describe(env, words, Modality.CONTEXT in scope.modalities, room // left)
            if text:
                room -= len(text)
                yield Recalled(text, "map", env, page.last, self._turn, "the page in front and ways from it")

    def describe(self, env: str, words: frozenset[str], apps: bool, characters: int) -> str:
        """What the map says of an environment, in at most so many characters; "" where not even the place fits.

        Args:
            words: of the task; pages whose names hold some come first. apps: whether applications are named.
        """
        here = self.map.where(env)
        if here is None:
            return ""
        text = f"You are at {page_words(here, apps)}, here {_times(here.visits)}."
        if len(text) > characters:
            return ""
        for line in (*self._routes(here, words, apps), *self._shown(here, words, apps), self._unexplored(here)):
            if line and len(text) + 1 + len(line) <= characters:
                text = f"{text}\n{line}"
        return text

    def _shown(self, here: Page, words: frozenset[str], apps: bool) -> Iterator[str]:
        """What pages that the task names showed when they were in front last, the latest first."""
        asked = [
            page
            for page in sorted(self.map.pages(here.env), key=lambda page: -page.last)
            if page is not here and words & _words(page, apps) and page.id in self._last
        ]
        for page in asked[:MOST_SHOWN]:
            turn, time, text = self._last[page.id]
            when = "before the task began" if turn < 0 else f"in turn {turn + 1}"
            if said := excerpt(text, words - _words(page, apps), LONGEST_SHOWN, LONGEST_SHOWN):
                yield f"{page_words(page, apps)} last showed, {when}, at {time:.1f} s: {quote(said)}"

    def _routes(self, here: Page, words: frozenset[str], apps: bool) -> Iterator[str]:
        others = [page for page in self.map.pages(here.env) if page is not here]

        def rank(page: Page) -> tuple[int, float]:
            return -len(words & _words(page, apps)), -page.last

        for page in sorted(others, key=rank)[:MOST_ROUTES]:
            if (route := self.map.route(here.id, page.id)) is not None:
                yield f"To {page_words(page, apps)}: {route_words(route)}."

    def _unexplored(self, here: Page) -> str:
        names = self.map.unexplored(here)
        if not names:
            return ""
        more = f" and {len(names) - MOST_UNEXPLORED} more" if len(names) > MOST_UNEXPLORED else ""
        return "Never operated here: " + ", ".join(map(quote, names[:MOST_UNEXPLORED])) + more + "."


def _words(page: Page, apps: bool) -> frozenset[str]:
    """The words of a page's name, with its application's where that may be told."""
    return frozenset(words_of(f"{page.app if apps else ''} {page.title}"))


def page_words(page: Page, apps: bool = True) -> str:
    """A page in words: its id, its application where that may be told, and its title."""
    app = plain(page.app) if apps and page.app else ""
    title = quote(page.title) if page.title else ""
    return " ".join(filter(None, (page.id, app, title)))


def route_words(route: Iterable[Way]) -> str:
    """A route in words."""
    return ", then ".join(way.action for way in route)


def _times(count: int) -> str:
    return f"for the {'first' if count == 1 else ordinal(count)} time"
