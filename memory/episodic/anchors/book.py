"""The anchors of one episode: what was sighted where and when, under a stable name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from typing import Any

from omnipilot.envs import Absent, Box, Elements, Modality, NotFound, Observation
from omnipilot.envs.types import OriginKind, origin_of, read_origin
from omnipilot.memory.base import ANCHOR, Origin, Recalled
from omnipilot.memory.episodic.anchors import east_asian, normal
from omnipilot.memory.episodic.anchors.entities import ENTITY_TYPES, Entity, EntityType, entities_in
from omnipilot.memory.episodic.anchors.extraction import EntityModel
from omnipilot.memory.episodic.anchors.hearing import Hearing
from omnipilot.memory.episodic.anchors.remembered import anchor_line, named_in
from omnipilot.memory.episodic.anchors.screen import entities_on
from omnipilot.memory.episodic.companion import Companion
from omnipilot.memory.episodic.details import AnchorDetail
from omnipilot.memory.episodic.events import TimelineEvent
from omnipilot.memory.episodic.timeline import Scope
from omnipilot.memory.messages import Usage
from omnipilot.memory.quoting import quote
from omnipilot.memory.warm_up import warm_up
from omnipilot.memory.word_origins import JOINT as ORIGIN_JOINT
from omnipilot.memory.word_origins import origin_words

PLAIN = ".plain"
"""Behind an anchor's name: its value without signs, units and separators ("514" for "$514")."""
_WORD = re.compile(r"\w{2,}")
_WEIGHTS: Mapping[EntityType, float] = {
    **dict.fromkeys(ENTITY_TYPES, 0.3),
    "note": 1.0,
    "code": 0.8,
    "price": 0.6,
    "phone": 0.5,
    "address": 0.5,
    "file": 0.4,
    "time": 0.1,
    "duration": 0.1,
    "url": 0.1,
}
"""How likely an entity of a type is typed later, beside its words and its age; times and addresses are everywhere."""
_COUNTED = frozenset({"number", "time", "duration", "quantity", "percent"})
"""Types that in titles are mostly counts and clocks: "(3) Inbox"."""
_MOST_NAMES = 5
_NEWEST, _NEAREST, _LATEST = 100, 20, 50
"""Anchors looked at for a list: those sighted last, and for each word of the task; and the sightings of each."""
_COMMON = frozenset(
    "the and for with from into that then this what which when where have has was its your you are".split()
)


@dataclass(frozen=True, slots=True)
class Sighting:
    """One sighting of an entity.

    Attributes:
        value: as it was written there. label: the words that say what it is; "" if there are none.
        env: environment; "" for a note.
        source: kind of the event or "elements". modality: what it was derived from; None for the agent's own words.
        place: where on the screen.
        replaces: what the same label said before, if it said something else.
        model: that found it; "" for the rules.
        origin: where its words come from, as of an event.
    """

    value: str
    label: str
    env: str
    time: float
    turn: int
    source: str
    modality: Modality | None
    app: str = ""
    page: str = ""
    place: Box | None = None
    replaces: Sighting | None = field(default=None, repr=False)
    model: str = ""
    origin: str = ""

    def seen_in(self, scope: Scope) -> bool:
        """Whether the scope admits it."""
        return scope.includes(self.env, self.modality)

    def where(self, scope: Scope) -> tuple[str, str]:
        """Its application and page, which the context tells; empty where the scope does not admit that."""
        return (self.app, self.page) if Modality.CONTEXT in scope.modalities else ("", "")


@dataclass(slots=True)
class Anchor:
    """An entity with a stable name, and all of its sightings, oldest first."""

    name: str
    type: EntityType
    key: str
    sightings: list[Sighting] = field(default_factory=list)
    origins: set[tuple[str, Modality | None]] = field(default_factory=set)
    """Where, and by what, it was sighted."""

    def latest_in(self, scope: Scope) -> list[Sighting]:
        """Its latest sightings that the scope admits, oldest first."""
        latest = self.sightings[-_LATEST:]
        return (
            latest
            if all(scope.includes(*origin) for origin in self.origins)
            else [one for one in latest if one.seen_in(scope)]
        )


class Anchors(Companion):
    """Gives entities names when they are first seen or heard; a companion of a timeline.

    The same value of the same type is the same anchor, sighted again. Where a label shows another value than before
    (a price of 514, then of 498), the newest counts: the old anchor is kept, and the new one says what it replaced.

    Args:
        model: finds further entities in texts that are new; None for the rules alone.
    """

    def __init__(self, model: EntityModel | None = None) -> None:
        self.model = model
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self._anchors: dict[tuple[EntityType, str], Anchor] = {}
        self._by_name: dict[str, Anchor] = {}
        self._counts: dict[EntityType, int] = {}
        self._fields: dict[tuple[Any, ...], tuple[Anchor, Sighting]] = {}
        self._replaced: dict[int, Sighting] = {}
        self._envs: set[str] = set()
        self._recent: dict[str, None] = {}
        self._words: dict[str, dict[str, None]] = {}
        self._hearing = Hearing()
        self._screens: dict[str, Elements] = {}
        self._shown: dict[str, frozenset[tuple[Any, ...]]] = {}
        self._unread: dict[str, TimelineEvent] = {}
        self._valued: dict[str, Anchor] = {}
        if self.model is not None:
            self.model.clear()

    def warm_up(self) -> None:
        """Load what the first call of the model needs."""
        warm_up(self.model)

    def drain_usage(self) -> Usage:
        """What the model's calls have cost since the last call of this."""
        return Usage() if self.model is None else self.model.drain_usage()

    @property
    def envs(self) -> frozenset[str]:
        """The environments in which anything was sighted."""
        return frozenset(self._envs)

    def __iter__(self) -> Iterator[Anchor]:
        """All anchors, in order of their first sightings."""
        return iter(self._by_name.values())

    def observe(self, seen: Observation, turn: int) -> Iterator[TimelineEvent]:
        """Take in a screen. One that has not changed costs nothing."""
        yield from self._by_rules(seen, turn)
        if (text := self._unread.pop(seen.env, None)) is not None:
            yield from self._by_model(text)

    def _by_rules(self, seen: Observation, turn: int) -> Iterable[TimelineEvent]:
        elements = seen.elements
        if not isinstance(elements, Elements):
            return ()
        before = self._screens.get(seen.env)
        if before is not None and (before is elements or before.items == elements.items):
            return ()
        self._screens[seen.env] = elements
        app, page = ("", "") if isinstance(seen.context, Absent) else (seen.context.app, seen.context.title)
        url = "" if isinstance(seen.context, Absent) else seen.context.url
        placed = entities_on(elements.items, url)
        front = str(origin_of(None, seen.context))
        base = Sighting("", "", seen.env, seen.time, turn, "elements", Modality.ELEMENTS, app, page or url)
        found = [(one.entity, one.box, one.origin or front) for one in placed]
        return self._sight(found, base, f"{seen.env}/elements")

    def take(self, event: TimelineEvent) -> Iterator[TimelineEvent]:
        """Take in what was heard, read, noted, or sighted before."""
        if event.kind == "anchor":
            self._restore(event)
            return
        if event.kind == "text" and event.modality is Modality.ELEMENTS:
            # The screen itself follows, with places; the model reads its text after the rules.
            self._unread[event.env] = event
            return
        found: Iterable[Entity] = ()
        if event.kind == "text":
            found = entities_in(event.text)
        elif event.kind == "context":
            found = [one for one in entities_in(event.text) if one.type not in _COUNTED]
        elif event.kind in ("transcript", "sound"):
            found = self._hearing.entities(event)
        elif event.kind == "note":
            found = _noted(event.text)
        if found:
            screen = f"{event.env}/{event.kind}" if event.kind in ("text", "context") else ""
            yield from self._sight([(entity, event.place, event.origin) for entity in found], _base(event), screen)
        if event.kind in ("text", "transcript"):
            yield from self._by_model(event)

    def _by_model(self, event: TimelineEvent) -> Iterator[TimelineEvent]:
        """What the model finds in a text, after the rules; what these have found there is not sighted again."""
        if self.model is None or (found := self.model.extract(event)) is None:
            return
        entities = []
        for entity in found.entities:
            anchor = self._valued.get(entity.value.casefold())
            if anchor is None:
                entities.append(entity)
            elif not any(
                (one.env, one.turn, one.modality) == (event.env, event.turn, event.modality)
                for one in anchor.sightings[-_LATEST:]
            ):
                entities.append(Entity(anchor.type, entity.value, anchor.key, entity.label))
        source = "elements" if event.modality is Modality.ELEMENTS else event.kind
        base = replace(_base(event), source=source, model=self.model.name)
        for number, sighted in enumerate(self._sight([(one, event.place, event.origin) for one in entities], base, "")):
            if found.dropped and not number:
                assert isinstance(sighted.detail, AnchorDetail)
                sighted = replace(sighted, detail=replace(sighted.detail, dropped=found.dropped))
            yield sighted
        if found.problem or (found.dropped and not entities):
            words = (
                f"the model found nothing: {found.problem}"
                if found.problem
                else "the model named no value that is there"
            )
            detail = AnchorDetail(model=self.model.name, dropped=found.dropped)
            yield TimelineEvent(
                "anchor", event.env, event.start, event.end, event.turn, words, event.modality, detail=detail
            )

    def recall(self, query: str, scope: Scope, characters: int) -> Iterable[Recalled]:
        """A line for each anchor of the scope: newest and nearest to the query first, within so many characters."""
        asked = {word for word in _WORD.findall(query.casefold()) if word not in _COMMON}
        ranked = []
        for age, (anchor, visible) in enumerate(self._candidates(asked, scope)):
            if all(self._outdated(one, scope) for one in visible):
                continue
            told = {(one.label, *one.where(scope)) for one in visible}
            shared = asked & {anchor.type}.union(*(_words_of(*names) for names in told))
            score = _WEIGHTS[anchor.type] + min(len(shared), 4) + 0.8 / (1 + age / 8)
            named = ", ".join(f'"{word}"' for word in sorted(shared))
            why = f"the task names {named}" if named else "among the newest"
            ranked.append((score, anchor, visible, why))
        ranked.sort(key=lambda one: -one[0])
        for _, anchor, visible, why in ranked:
            line, last = self._line(anchor, visible, scope), visible[-1]
            if len(line) > characters:
                continue
            characters -= len(line)
            yield Recalled(line, ANCHOR, last.env, max(0.0, last.time), last.turn, why, last.origin)

    def fill(self, name: str, scope: Scope) -> str:
        """The value of an anchor as it was last written where the scope may look; `.plain` without signs and units.

        Raises:
            NotFound: there is none; the message gives the near names.
        """
        bare, plain = name.removesuffix(PLAIN), name.endswith(PLAIN)
        anchor = self._by_name.get(bare.casefold())
        visible = [one for one in anchor.sightings if one.seen_in(scope)] if anchor else []
        if anchor is None or not visible:
            known = sorted(self._visible(scope), key=lambda pair: -pair[1][-1].time)
            near = _near(bare, [one.name for one, _ in known])
            raise NotFound(f"there is no anchor @{bare}; {near} To type the text itself, double its braces.")
        return _plain(anchor.type, visible[-1].value) if plain else visible[-1].value

    def origins(self) -> Iterator[Origin]:
        """Where each value came from, as it was written there and as it is typed without signs and units."""
        for anchor in self._by_name.values():
            for one in anchor.sightings:
                for value in {one.value, _plain(anchor.type, one.value)}:
                    yield from _origins(value, one)

    def _candidates(self, asked: set[str], scope: Scope) -> list[tuple[Anchor, list[Sighting]]]:
        """The anchors sighted last, and those sighted last whose words are asked for; newest first."""
        names = dict.fromkeys(islice(reversed(self._recent), _NEWEST))
        for word in sorted(asked):
            names.update(dict.fromkeys(islice(reversed(self._words.get(word, {})), _NEAREST)))
        found = [
            (anchor, visible)
            for anchor in map(self._by_name.__getitem__, names)
            if (visible := anchor.latest_in(scope))
        ]
        return sorted(found, key=lambda pair: -pair[1][-1].time)

    def _add(self, anchor: Anchor, one: Sighting) -> None:
        """Add a sighting, and let the anchor be found by its words."""
        anchor.sightings.append(one)
        self._valued[one.value.casefold()] = anchor
        anchor.origins.add((one.env, one.modality))
        self._recent.pop(anchor.name, None)
        self._recent[anchor.name] = None
        for word in {*_words_of(one.label, one.app, one.page), anchor.type}:
            known = self._words.setdefault(word, {})
            known.pop(anchor.name, None)
            known[anchor.name] = None

    def _visible(self, scope: Scope) -> Iterator[tuple[Anchor, list[Sighting]]]:
        for anchor in self._by_name.values():
            if visible := [one for one in anchor.sightings if one.seen_in(scope)]:
                yield anchor, visible

    def _outdated(self, one: Sighting, scope: Scope) -> bool:
        newer = self._replaced.get(id(one))
        return newer is not None and newer.seen_in(scope)

    def _line(self, anchor: Anchor, visible: list[Sighting], scope: Scope) -> str:
        """Such as `@price-2 = "$498" ("Total"; "Shop, Cart"; was "$514" at 31.0 s)`."""
        last = visible[-1]
        label = next((one.label for one in reversed(visible) if one.label), "")
        where = ", ".join(dict.fromkeys(filter(None, last.where(scope))))
        told = [quote(label) if label else anchor.type, quote(where) if where else ""]
        if last.source in ("transcript", "sound"):
            told.append("heard")
        if Modality.CONTEXT in scope.modalities:
            told.append(origin_words(last.origin))
        told.append(f"at {last.time:.1f} s")
        if len(visible) > 1:
            told.append(f"{len(visible)} sightings")
        if (old := last.replaces) is not None and old.seen_in(scope):
            told.append(f"was {quote(old.value)} at {old.time:.1f} s")
        return anchor_line(anchor.name, last.value, "; ".join(filter(None, told)))

    def _sight(
        self, found: Iterable[tuple[Entity, Box | None, str]], base: Sighting, screen: str
    ) -> Iterator[TimelineEvent]:
        """Sightings of entities, each with its place and origin, on one screen, or in one text, for which `screen` is
        ""."""
        pairs = list(found)
        self._envs.add(base.env)
        before = self._shown.get(screen, frozenset()) if screen else frozenset()
        shown = {(entity.type, entity.key, entity.label.casefold(), base.app, base.page) for entity, _, _ in pairs}
        if screen:
            self._shown[screen] = frozenset(shown)
        alone: dict[tuple[Any, ...], set[str]] = {}
        for entity, _, _ in pairs:
            alone.setdefault((entity.type, entity.label.casefold()), set()).add(entity.key)
        for entity, place, origin in pairs:
            label = entity.label.casefold()
            if (entity.type, entity.key, label, base.app, base.page) in before:
                continue
            anchor = self._anchors.get((entity.type, entity.key)) or self._new(entity)
            old = None
            page = base.page if base.source == "elements" else ""
            where = (base.env, base.app, page, base.source in ("transcript", "sound"), entity.type, label)
            if label and len(alone[entity.type, label]) == 1:
                known = self._fields.get(where)
                if known is not None and known[0] is not anchor:
                    old = known[1]
            one = Sighting(
                entity.value, entity.label, base.env, base.time, base.turn, base.source, base.modality, base.app,
                base.page, place, old, base.model, origin,
            )  # fmt: skip
            if old is not None:
                self._replaced[id(old)] = one
            if label and len(alone[entity.type, label]) == 1:
                self._fields[where] = (anchor, one)
            self._add(anchor, one)
            yield _event(anchor, one)

    def _new(self, entity: Entity, name: str = "") -> Anchor:
        if not name and entity.type == "note":
            name = entity.key
        if not name or name in self._by_name:
            stem = name or entity.type
            while name in self._by_name or not name or name == stem:
                self._counts[entity.type] = self._counts.get(entity.type, 0) + 1
                name = f"{stem}-{self._counts[entity.type]}"
        anchor = Anchor(name, entity.type, entity.key)
        self._anchors[entity.type, entity.key] = self._by_name[name] = anchor
        return anchor

    def _restore(self, event: TimelineEvent) -> None:
        """Sight again what an event of an earlier timeline tells."""
        detail = event.detail
        if not isinstance(detail, AnchorDetail) or detail.type not in ENTITY_TYPES or detail.value is None:
            return
        name, value, label, type = detail.name, detail.value, detail.label, detail.type
        if not name:
            return
        key = value if detail.key is None else detail.key
        anchor = self._by_name.get(name)
        if anchor is None:
            anchor = self._new(Entity(type, value, key, label), name)
            number = name.rpartition("-")[2]
            if number.isdigit():
                self._counts[type] = max(self._counts.get(type, 0), int(number))
        replaces = detail.replaces
        old = self._last_sighting(event.env, label, replaces) if replaces is not None else None
        one = Sighting(
            value, label, event.env, event.start, event.turn, detail.source, event.modality, event.app,
            event.page, event.place, old, detail.model, event.origin,
        )  # fmt: skip
        if old is not None:
            self._replaced[id(old)] = one
        self._add(anchor, one)
        self._envs.add(event.env)

    def _last_sighting(self, env: str, label: str, value: str) -> Sighting | None:
        """The latest sighting of a value beside a label on an environment."""
        found = (one for anchor in self for one in anchor.sightings)
        fitting = [one for one in found if (one.env, one.label, one.value) == (env, label, value)]
        return max(fitting, key=lambda one: one.time, default=None)


@lru_cache(maxsize=4_096)
def _words_of(*names: str) -> frozenset[str]:
    """The words by which a sighting is found."""
    return frozenset(_WORD.findall(" ".join(names).casefold()))


def _near(name: str, known: list[str]) -> str:
    """The known names that are like this one, or else the newest ones.

    Args:
        known: newest first.
    """
    close = difflib.get_close_matches(name.casefold(), known, n=3, cutoff=0.6) or known[:_MOST_NAMES]
    return f"did you mean @{' or @'.join(close)}?" if close else "none is known yet."


def _event(anchor: Anchor, one: Sighting) -> TimelineEvent:
    replaces = one.replaces.value if one.replaces is not None else None
    detail = AnchorDetail(anchor.name, anchor.type, one.value, anchor.key, one.label, one.source, replaces, one.model)
    words = f'@{anchor.name} = "{one.value}"' + (f" ({one.label})" if one.label else "")
    return TimelineEvent(
        "anchor", one.env, one.time, one.time, one.turn, words, one.modality, None, one.app, one.page, one.place,
        detail, origin=one.origin,
    )  # fmt: skip


def _origins(value: str, one: Sighting) -> Iterator[Origin]:
    """Where a value of a sighting came from; from several places, if its text did."""
    heard = one.source in ("transcript", "sound")
    for said in (one.origin or "screen").split(ORIGIN_JOINT):
        origin = read_origin(said, one.app)
        kind: OriginKind = origin.kind if one.env else "note"
        kind = "speech" if heard and kind != "film" else kind
        yield Origin(value, kind, one.env, origin.who, origin.app, one.turn, heard)


def _base(event: TimelineEvent) -> Sighting:
    """What sightings in an event have in common."""
    return Sighting(
        "", "", event.env, event.start, event.turn, event.kind, event.modality, event.app, event.page, event.place
    )


def _noted(text: str) -> list[Entity]:
    """What a note names (`@door-code = 4711`), or the entities in it."""
    if named := named_in(text):
        name, value = named
        return [Entity("note", value, name)]
    return list(entities_in(text))


def _plain(type: EntityType, value: str) -> str:
    """The value without signs, units and separators; as it was written where that would change its meaning."""
    value = east_asian.narrow(value)
    if type == "price" and east_asian.has_scale(value):
        return value
    if type in ("price", "quantity", "duration"):
        found = re.search(r"[-−]?\d[\d.,'’\s\u00a0\u202f]*", value)
        return normal.amount(found[0].rstrip(".,"), decimals=True) if found else value
    if type in ("number", "percent"):
        return normal.amount(re.sub(r"[^\d.,−-]", "", value), decimals=True)
    if type == "code":
        return re.sub(r"[\s-]", "", value)
    return normal.phone(value) if type == "phone" else value
