"""Searches one application of a world for screens and effects, the most promising screen first.

A screen is promising if it offers much that was not tried on it yet, was visited little, or was reached by something
that had an effect. Besides single operations, three macros are played, without which most goals stay out of reach: fill
and commit, choose and apply, confirm.
"""

from __future__ import annotations

import heapq
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from omnipilot.bench.suites.pool.records import Edge, Operation, SituationRecord
from omnipilot.bench.suites.pool.worlds import Change, ExplorableWorld

COMMIT_WORDS = frozenset(
    "save send create done ok order add join connect apply confirm submit post move rename go search find call".split()
)
"""Words in the id of a control that may commit what was filled in."""
DEPTH_COST = 0.1
EFFECT_BONUS = 2.0
ELSEWHERE_COST = 3.0
"""For screens of other applications, which are explored for themselves."""
REST_COST = 4.0
"""For what was tried on the same page already, with other drafts or choices."""
MOST_FIELDS = 8
MOST_CHANGES = 5
"""Different changes that a path collects; longer ones only combine shorter ones."""
DIALOG_SHARE = 0.5
"""A screen of the same view is a dialog if it has less than this share of the controls of the one before."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long an application is explored.

    Attributes:
        transitions: operations that are carried out at most; the same number always gives the same result.
        seconds: of processor time at most.
    """

    transitions: int = 6000
    seconds: float = 15.0


DEFAULT_BUDGET = Budget()


@dataclass
class Exploration:
    """What the exploration of one application found.

    Attributes:
        edges: those that were kept; one of several that did the same from the same situation.
        tried: operations that were carried out. refused: those that the world refused. seconds: of processor time.
    """

    app: str
    instance: int
    situations: dict[str, SituationRecord] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    tried: int = 0
    refused: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Node:
    """A state that was reached: the situation, the way back, the edge that led there, and how deep it lies.

    Attributes:
        promise: what its discovery is worth, besides what can be tried there."""

    situation: SituationRecord
    mark: Any
    via: str
    depth: int
    total: frozenset[str]
    promise: float


@dataclass(frozen=True, slots=True)
class Trial:
    """One edge as it was tried, with every change that it made; `subject` is the item that the screen is about after
    it, "" where that is the one of before."""

    edge: Edge
    before: SituationRecord
    after: SituationRecord
    changes: Sequence[Change]
    subject: str


def explore(
    world: ExplorableWorld,
    app: str,
    budget: Budget,
    seed: int = 0,
    bookkeeping: Collection[str] = (),
    note: Callable[[Trial], None] | None = None,
) -> Exploration:
    """Search an application of a world, with the content of instance `seed`.

    Args:
        bookkeeping: signatures of changes that count as no effect.
        note: called with every edge that is kept.

    Raises:
        ConfigError: no such application.
    """
    return _Search(world, app, budget, seed, frozenset(bookkeeping), note).run()


class _Search:
    def __init__(
        self,
        world: ExplorableWorld,
        app: str,
        budget: Budget,
        seed: int,
        bookkeeping: frozenset[str],
        note: Callable[[Trial], None] | None,
    ) -> None:
        self._world, self._app, self._budget = world, app, budget
        self._bookkeeping, self._told = bookkeeping, note
        self._random = random.Random(f"{app} {seed}")
        self.found = Exploration(app, seed)
        self._tried_on_page: set[tuple[str, str]] = set()
        self._tried: set[tuple[Any, ...]] = set()
        self._visits: Counter[str] = Counter()
        self._pushed: set[tuple[str, frozenset[str]]] = set()
        self._kept: set[tuple[Any, ...]] = set()
        self._enabled_seen: set[str] = set()
        self._filled: set[tuple[str, str]] = set()
        self._frontier: list[tuple[float, int, Node]] = []
        self._numbers = count()
        self._began = 0.0

    def run(self) -> Exploration:
        self._began = time.process_time()
        self._world.start(self._app, self.found.instance)
        self._start = self._world.mark()
        root = Node(self._note(self._world.situation()), self._start, "", 0, frozenset(), 1.0)
        self._home = root.situation.app
        self._push(root)
        while self._frontier and not self._is_over():
            node = self._next()
            self._visits[node.situation.page] += 1
            self._expand(node)
        self.found.seconds = time.process_time() - self._began
        return self.found

    def _is_over(self) -> bool:
        spent = time.process_time() - self._began
        return self.found.tried >= self._budget.transitions or spent >= self._budget.seconds

    def _next(self) -> Node:
        """The most promising node, as of now; promises only fall, so those that come up are weighed again."""
        while True:
            _, _, node = heapq.heappop(self._frontier)
            worth = self._worth(node)
            if not self._frontier or worth >= -self._frontier[0][0]:
                return node
            heapq.heappush(self._frontier, (-worth, next(self._numbers), node))

    def _worth(self, node: Node) -> float:
        return node.promise + 10.0 / (1 + self._visits[node.situation.page]) - node.depth * DEPTH_COST

    def _push(self, node: Node) -> None:
        self._pushed.add((node.situation.id, node.total))
        heapq.heappush(self._frontier, (-self._worth(node), next(self._numbers), node))

    def _note(self, situation: SituationRecord) -> SituationRecord:
        return self.found.situations.setdefault(situation.id, situation)

    def _expand(self, node: Node) -> None:
        """Try what was not tried on this page; where there is nothing of that, what was not tried in this situation."""
        self._world.back(node.mark)
        operations = list(self._numbered(self._world.operations()))
        page, situation = node.situation.page, node.situation.id
        fresh = [(key, one) for key, one in operations if (page, key) not in self._tried_on_page]
        due = fresh or [(key, one) for key, one in operations if (situation, node.total, key) not in self._tried]
        self._random.shuffle(due)
        for key, operation in due:
            if self._is_over():
                return
            self._tried_on_page.add((page, key))
            self._tried.add((situation, node.total, key))
            reached = self._try(node, (operation,))
            if reached is not None:
                self._continue(node, operation, reached)
        if (situation, "") not in self._filled:
            self._filled.add((situation, ""))
            self._fill_and_commit(node, [one for _, one in operations])
        if fresh and len(fresh) < len(operations):
            rest = replace(node, promise=node.promise - REST_COST)
            heapq.heappush(self._frontier, (-self._worth(rest), next(self._numbers), rest))

    def _numbered(self, operations: Sequence[Operation]) -> Iterator[tuple[str, Operation]]:
        """Operations with keys, which are equal for equal operations on other items."""
        seen: Counter[str] = Counter()
        for operation in operations:
            (general,), _ = self._world.generalise([operation])
            text = "" if general.verb in ("type", "wait") else general.text
            key = f"{general.verb} {general.control} {text} {general.to} {general.submit}"
            seen[key] += 1
            yield f"{key} {seen[key]}", operation

    def _continue(self, node: Node, operation: Operation, reached: Node) -> None:
        """Play the macros that begin with an operation: its dialog's buttons, or the actions that it enabled."""
        before, after = node.situation, reached.situation
        if (before.app, before.view) != (after.app, after.view) or before.id == after.id:
            return
        new = set(after.enabled) - set(before.enabled)
        if _is_dialog(before, after):
            macro = "confirm"
        elif new or after.drafts != before.drafts or after.chosen != before.chosen:
            macro = "choose"
        elif operation.verb in ("click", "option") and not reached.total - node.total:
            macro = "choose"
        else:
            return
        self._world.back(reached.mark)
        for following in list(self._world.operations()):
            if self._is_over():
                return
            if following.verb not in ("click", "double_click", "key") or following == operation:
                continue
            if macro == "confirm" or self._is_on(following, new) or _is_commit(following):
                self._try(node, (operation, following), macro)

    def _is_on(self, operation: Operation, controls: set[str]) -> bool:
        (general,), _ = self._world.generalise([operation])
        return general.control.replace("{", "<").replace("}", ">") in controls

    def _fill_and_commit(self, node: Node, operations: Sequence[Operation]) -> None:
        """Type into all fields in order, and into each alone, then try what may commit it."""
        fields: dict[str, Operation] = {}
        for operation in operations:
            if operation.verb == "type" and not operation.submit:
                fields.setdefault(operation.control, operation)
        typed = list(fields.values())[:MOST_FIELDS]
        if not typed:
            return
        before = set(node.situation.enabled)
        for chosen in (typed, *([one] for one in typed if len(typed) > 1)):
            if self._is_over():
                return
            done = self._commit(node, tuple(chosen), before)
            if not done and len(chosen) == len(typed):
                self._fill_otherwise(node, typed, before)

    def _fill_otherwise(self, node: Node, typed: Sequence[Operation], before: set[str]) -> None:
        """Where filling in had no effect: other values, one field at a time, once for each page."""
        if (node.situation.page, "other") in self._filled:
            return
        self._filled.add((node.situation.page, "other"))
        filled = list(typed)
        for number, operation in enumerate(typed):
            self._world.back(node.mark)
            for text in self._world.values(operation):
                if self._is_over():
                    return
                if text == operation.text:
                    continue
                other = Operation("type", operation.env, operation.control, text)
                filled[number] = other
                if self._commit(node, tuple(filled), before):
                    return
            filled[number] = operation

    def _commit(self, node: Node, typed: tuple[Operation, ...], before: set[str]) -> bool:
        """Whether something that may commit the typed texts had an effect."""
        reached = self._try(node, typed, "fill")
        if reached is None:
            return False
        self._world.back(reached.mark)
        had_effect = bool(reached.total - node.total)
        new = set(reached.situation.enabled) - before
        last = typed[-1]
        commits = [
            one
            for one in self._world.operations()
            if one.verb in ("click", "key") and (self._is_on(one, new) or _is_commit(one))
        ]
        enter = Operation("type", last.env, last.control, last.text, submit=True)
        for following in ((*typed[:-1], enter), *((*typed, one) for one in commits)):
            if self._is_over():
                return had_effect
            ended = self._try(node, following, "fill")
            if ended is not None:
                had_effect = had_effect or ended.total != node.total
        return had_effect

    def _try(self, node: Node, operations: Sequence[Operation], macro: str = "") -> Node | None:
        """Carry out operations from a node and record the edge; None if the world refuses one of them."""
        world = self._world
        world.back(node.mark)
        began, subject = world.seconds(), world.subject()
        for operation in operations:
            self.found.tried += 1
            if not world.do(operation):
                self.found.refused += 1
                return None
        general, bindings = world.generalise(operations)
        after, mark = self._note(world.situation()), world.mark()
        now, changes = world.subject(), world.changes(node.mark, mark)
        every = {change.signature for change in changes}
        effect = frozenset(every - self._bookkeeping)
        total = world.effect(self._start, mark) - self._bookkeeping
        via = f"{self._app}#{len(self.found.edges) + 1}"
        new = set(after.enabled) - self._enabled_seen
        self._enabled_seen |= new
        promise = len(new) + EFFECT_BONUS * bool(effect) - ELSEWHERE_COST * (after.app != self._home)
        reached = Node(after, mark, via, node.depth + len(operations), total, promise)
        key = (node.situation.id, general, after.id, effect)
        is_new_place = bool(after.app) and len(total) <= MOST_CHANGES and (after.id, total) not in self._pushed
        if key in self._kept and not is_new_place:
            return reached
        self._kept.add(key)
        edge = Edge(
            id=via,
            before=node.situation.id,
            after=after.id,
            operations=general,
            bindings=bindings,
            effect=tuple(sorted(effect)),
            seconds=round(world.seconds() - began, 6),
            macro=macro,
            via=node.via,
            app=self._app,
            instance=self.found.instance,
            total=tuple(sorted(total)),
            noise=tuple(sorted(every & self._bookkeeping)),
        )
        self.found.edges.append(edge)
        if self._told is not None:
            self._told(Trial(edge, node.situation, after, changes, now if now != subject else ""))
        if is_new_place:
            self._push(reached)
        return reached


def _is_dialog(before: SituationRecord, after: SituationRecord) -> bool:
    """Whether a screen of the same view shows little of what was there before."""
    kept = set(before.enabled) & set(after.enabled)
    return bool(after.enabled) and len(kept) < DIALOG_SHARE * len(before.enabled)


def _is_commit(operation: Operation) -> bool:
    words = set(re.split(r"[/_-]", operation.control.lower()))
    return bool(words & COMMIT_WORDS)
