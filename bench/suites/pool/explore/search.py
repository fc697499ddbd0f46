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
from omnipilot.bench.suites.pool.worlds import ExplorableWorld, StateChange

COMMIT_WORDS = frozenset(
    "save send create done ok order add join connect apply confirm submit post move rename go search find call".split()
)
"""Words in the id or the name of a control that may commit what was filled in."""
DEPTH_COST = 0.1
EFFECT_BONUS = 2.0
NEW_EFFECT_BONUS = 8.0
"""For a change that was never seen before."""
ELSEWHERE_COST = 3.0
"""For screens of other applications, which are explored for themselves."""
REST_COST = 4.0
"""For what was tried on the same page already, with other drafts or choices."""
NEVER_TRIED, NOT_TRIED_HERE = 2.0, 0.3
"""What an operation is worth that was never tried, and one that was not tried on this page."""
MOST_ALIKE = 2
"""Operations of one kind, such as the options of a list, that are tried again with other drafts or choices; and pages
on which a field is filled in alone."""
MOST_FIELDS = 8
MOST_CHANGES = 5
"""Different changes that a path collects; longer ones only combine shorter ones."""
DIALOG_SHARE = 0.5
"""A screen of the same view is a dialog if it has less than this share of the controls of the one before."""


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """How long an application is explored with the content of one instance.

    Attributes:
        transitions: operations that are carried out at most; the same number always gives the same result.
        seconds: of processor time at most.
    """

    transitions: int = 3000
    seconds: float = 15.0


DEFAULT_BUDGET = SearchBudget()


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
class ScreenChoice:
    """An operation that a screen offers.

    Attributes:
        general: equal for equal operations on other items, with other texts or options. number: among those, from 1.
    """

    operation: Operation
    general: str
    number: int

    @property
    def key(self) -> str:
        """Unique on its screen."""
        return f"{self.general} {self.number}"


@dataclass(frozen=True, slots=True)
class Node:
    """A state that was reached.

    Attributes:
        mark: the way back. via: the edge that led there, at this depth.
        total: what changed since the start.
        promise: what it is worth, apart from what can be tried there. choices: that can.
    """

    situation: SituationRecord
    mark: Any
    via: str
    depth: int
    total: frozenset[str]
    promise: float
    choices: tuple[ScreenChoice, ...] = ()


@dataclass(frozen=True, slots=True)
class Trial:
    """One edge as it was tried, with every change that it made; `subjects` are the items that the screen was about
    before it and is about after it."""

    edge: Edge
    before: SituationRecord
    after: SituationRecord
    changes: Sequence[StateChange]
    subjects: tuple[str, str]


def explore(
    world: ExplorableWorld,
    app: str,
    budget: SearchBudget,
    seed: int = 0,
    bookkeeping: Collection[str] = (),
    note: Callable[[Trial], None] | None = None,
) -> Exploration:
    """Search an application of a world.

    Args:
        seed: of the content, and of the order in which equally promising things are tried.
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
        budget: SearchBudget,
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
        self._effects_seen: set[str] = set()
        self._filled: set[tuple[Any, ...]] = set()
        self._filled_alone: Counter[str] = Counter()
        self._filled_partly: set[str] = set()
        self._filled_otherwise: set[str] = set()
        self._applied: set[tuple[str, str, str]] = set()
        self._tried_anywhere: set[str] = set()
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

    def _effect_bonus(self, effect: frozenset[str]) -> float:
        if not effect:
            return 0.0
        new = effect - self._effects_seen
        self._effects_seen |= effect
        return NEW_EFFECT_BONUS if new else EFFECT_BONUS

    def _next(self) -> Node:
        """The most promising node, as of now; promises only fall, so those that come up are weighed again."""
        while True:
            _, _, node = heapq.heappop(self._frontier)
            worth = self._worth(node)
            if not self._frontier or worth >= -self._frontier[0][0]:
                return node
            heapq.heappush(self._frontier, (-worth, next(self._numbers), node))

    def _worth(self, node: Node) -> float:
        page = node.situation.page
        never = {choice.general for choice in node.choices if choice.general not in self._tried_anywhere}
        here = sum((page, choice.key) not in self._tried_on_page for choice in node.choices)
        unseen = NEVER_TRIED * len(never) + NOT_TRIED_HERE * here
        return node.promise + unseen / (1 + self._visits[page]) - node.depth * DEPTH_COST

    def _push(self, node: Node) -> None:
        """Put a node into the frontier; the world stands there."""
        self._pushed.add((node.situation.id, node.total))
        self._put(replace(node, choices=tuple(self._choices())))

    def _put(self, node: Node) -> None:
        heapq.heappush(self._frontier, (-self._worth(node), next(self._numbers), node))

    def _note(self, situation: SituationRecord) -> SituationRecord:
        return self.found.situations.setdefault(situation.id, situation)

    def _expand(self, node: Node) -> None:
        """Try what was never tried; where there is nothing of that, what was not tried on this page; where there is
        nothing of that either, what was not tried in this situation."""
        page, place = node.situation.page, (node.situation.id, node.total)
        never = [one for one in node.choices if one.general not in self._tried_anywhere]
        here = [one for one in node.choices if (page, one.key) not in self._tried_on_page]
        rest = [one for one in node.choices if (place, one.key) not in self._tried and one.number <= MOST_ALIKE]
        due = list(never or here or rest)
        self._random.shuffle(due)
        for choice in due:
            if self._is_over():
                return
            self._tried_anywhere.add(choice.general)
            self._tried_on_page.add((page, choice.key))
            self._tried.add((place, choice.key))
            reached = self._try(node, (choice.operation,))
            if reached is not None:
                self._continue(node, choice, reached)
        self._fill_and_commit(node)
        if never:
            self._put(node)
        elif here:
            self._put(replace(node, promise=node.promise - REST_COST))

    def _choices(self) -> Iterator[ScreenChoice]:
        seen: Counter[str] = Counter()
        for operation in self._world.operations():
            (general,), _ = self._world.generalise([operation])
            text = "" if general.verb in ("type", "wait", "option") else general.text
            name = f"{general.verb} {general.control} {text} {general.to} {general.submit}"
            seen[name] += 1
            yield ScreenChoice(operation, name, seen[name])

    def _continue(self, node: Node, choice: ScreenChoice, reached: Node) -> None:
        """Play the macros that begin with an operation: its dialog's buttons, or the actions that it enabled."""
        before, after, operation = node.situation, reached.situation, choice.operation
        if (before.app, before.view) != (after.app, after.view) or before.id == after.id:
            return
        new = set(after.enabled) - set(before.enabled)
        is_dialog = _is_dialog(before, after)
        has_draft = after.drafts != before.drafts or after.chosen != before.chosen
        if not (is_dialog or new or has_draft):
            return
        self._world.back(reached.mark)
        for following in list(self._choices()):
            if self._is_over():
                return
            then = following.operation
            if then.verb not in ("click", "double_click", "key") or then == operation:
                continue
            if is_dialog:
                self._try(node, (operation, then), "confirm")
            elif self._is_on(then, new) or self._is_commit(then):
                pair = (before.page, choice.key, following.key)
                if pair not in self._applied:
                    self._applied.add(pair)
                    self._try(node, (operation, then), "choose")

    def _is_on(self, operation: Operation, controls: set[str]) -> bool:
        (general,), _ = self._world.generalise([operation])
        return general.control.replace("{", "<").replace("}", ">") in controls

    def _fill_and_commit(self, node: Node) -> None:
        """Type into all fields in order, into all but one, and into each alone, then try what may commit it."""
        fields: dict[str, ScreenChoice] = {}
        for choice in node.choices:
            if choice.operation.verb == "type" and not choice.operation.submit:
                fields.setdefault(choice.operation.control, choice)
        typed = list(fields.values())[:MOST_FIELDS]
        whole = (node.situation.page, node.total, node.situation.drafts)
        if not typed or whole in self._filled:
            return
        self._filled.add(whole)
        groups = [typed]
        if len(typed) > 1:
            groups += [[one] for one in typed if self._filled_alone[one.general] < MOST_ALIKE]
        if len(typed) > 2 and node.situation.page not in self._filled_partly:
            self._filled_partly.add(node.situation.page)
            groups += [[other for other in typed if other is not one] for one in typed]
        for group in groups:
            if self._is_over():
                return
            if len(group) == 1:
                self._filled_alone[group[0].general] += 1
            operations = tuple(one.operation for one in group)
            if not self._commit(node, operations) and group is typed:
                self._fill_otherwise(node, operations)

    def _fill_otherwise(self, node: Node, typed: tuple[Operation, ...]) -> None:
        """Where filling in had no effect, once for each page: other values in all fields, then in one at a time."""
        if node.situation.page in self._filled_otherwise:
            return
        self._filled_otherwise.add(node.situation.page)
        self._world.back(node.mark)
        values = [self._world.values(operation) for operation in typed]
        for form in range(max(map(len, values)) if len(typed) > 1 else 0):
            others = [
                replace(operation, text=pairs[min(form, len(pairs) - 1)][number % 2])
                for number, (operation, pairs) in enumerate(zip(typed, values, strict=True))
            ]
            if self._is_over() or self._commit(node, tuple(others)):
                return
        for number, (operation, pairs) in enumerate(zip(typed, values, strict=True)):
            for text, _ in pairs:
                other = replace(operation, text=text)
                if self._is_over():
                    return
                if other != operation and self._commit(node, (*typed[:number], other, *typed[number + 1 :])):
                    return

    def _commit(self, node: Node, typed: tuple[Operation, ...]) -> bool:
        """Whether something that may commit the typed texts had an effect; a dialog that it opens is answered."""
        reached = self._try(node, typed, "fill")
        if reached is None:
            return False
        self._world.back(reached.mark)
        totals = {reached.total}
        new = set(reached.situation.enabled) - set(node.situation.enabled)
        last = typed[-1]
        commits = [
            one
            for one in self._world.operations()
            if one.verb in ("click", "key") and (self._is_on(one, new) or self._is_commit(one))
        ]
        enter = replace(last, submit=True)
        for following in ((*typed[:-1], enter), *((*typed, one) for one in commits)):
            if self._is_over():
                break
            ended = self._try(node, following, "fill")
            if ended is None:
                continue
            totals.add(ended.total)
            if ended.situation.view == reached.situation.view and _is_dialog(reached.situation, ended.situation):
                self._world.back(ended.mark)
                for answer in self._world.operations():
                    if answer.verb == "click" and (done := self._try(node, (*following, answer), "fill")):
                        totals.add(done.total)
        return totals != {node.total}

    def _is_commit(self, operation: Operation) -> bool:
        words = re.split(r"[^a-z]+", f"{operation.control} {operation.text} {self._world.label(operation)}".lower())
        return not COMMIT_WORDS.isdisjoint(words)

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
        via = f"{self._app}/{self.found.instance}#{len(self.found.edges) + 1}"
        new = set(after.enabled) - self._enabled_seen
        self._enabled_seen |= new
        promise = len(new) + self._effect_bonus(effect) - ELSEWHERE_COST * (after.app != self._home)
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
            self._told(Trial(edge, node.situation, after, changes, (subject, now)))
        if is_new_place:
            self._push(reached)
        return reached


def _is_dialog(before: SituationRecord, after: SituationRecord) -> bool:
    """Whether a screen of the same view shows little of what was there before."""
    kept = set(before.enabled) & set(after.enabled)
    return bool(after.enabled) and len(kept) < DIALOG_SHARE * len(before.enabled)
