"""Finds the changes that a world makes by the way, such as that a mail was read: they are no effect of what was done.

Each application is tried shortly. Four kinds of bookkeeping are told from effects:

* a mark: a switch or number of an item that changes when that item is opened or played;
* a trace: items that most changes of the page add, such as visits of pages;
* a stamp: a field that only ever takes the time at which something else changed;
* a companion: what changes with nearly every effect of an application, such as the lines of a terminal.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from omnipilot.bench.suites.pool.explore.search import Budget, Trial, explore
from omnipilot.bench.suites.pool.worlds import ExplorableWorld

MOST = 0.6
"""Share of the edges on which bookkeeping changes at least."""
NEARLY_ALL = 0.9
FEWEST = 4
"""Edges, or different effects, from which a share is taken at least."""
PROBE = Budget(transitions=300, seconds=5.0)


def find_bookkeeping(world: ExplorableWorld, apps: Sequence[str], seed: int = 0) -> Mapping[str, str]:
    """Signatures of changes that are bookkeeping, each with the reason: "mark", "trace", "stamp" or "companion"."""
    found: dict[str, str] = {}
    for app in apps:
        tally = _Tally()
        explore(world, app, PROBE, seed, note=tally.add)
        for signature, reason in tally.bookkeeping():
            found.setdefault(signature, reason)
    return dict(sorted(found.items()))


@dataclass
class _Tally:
    """What the edges of one application say about each change."""

    opened: Counter[str] = field(default_factory=Counter)
    clicked: Counter[str] = field(default_factory=Counter)
    own: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    moves: int = 0
    on_moves: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    alone: Counter[str] = field(default_factory=Counter)
    stamped: Counter[str] = field(default_factory=Counter)
    effects: Counter[frozenset[str]] = field(default_factory=Counter)

    def add(self, trial: Trial) -> None:
        """Count one edge."""
        edge, before, after = trial.edge, trial.before, trial.after
        signatures = {change.signature for change in trial.changes}
        if signatures:
            self.effects[frozenset(signatures)] += 1
        self.changed.update(signatures)
        if len(signatures) == 1:
            self.alone.update(signatures)
        self.stamped.update({change.signature for change in trial.changes if change.stamp})
        if len(edge.operations) > 1 or edge.operations[0].verb not in ("click", "double_click"):
            return
        (operation,) = edge.operations
        moved = before.page != after.page
        if moved and before.app == after.app:
            self.moves += 1
            self.on_moves.update(signature for signature in signatures if signature.startswith("+"))
        if "{" in operation.control:
            self.clicked[operation.control] += 1
            items = set(edge.bindings.values())
            self.opened[operation.control] += moved or before.playing != after.playing or trial.subject in items
            for change in trial.changes:
                if change.id in items and change.sign == "~" and isinstance(change.after, bool | int | float):
                    self.own[operation.control].add(change.signature)

    def bookkeeping(self) -> list[tuple[str, str]]:
        """What is bookkeeping by these edges, and why."""
        openers = [control for control, count in self.opened.items() if count > MOST * self.clicked[control]]
        found = [(signature, "mark") for control in openers for signature in sorted(self.own[control])]
        if self.moves >= FEWEST:
            found += [(one, "trace") for one, count in sorted(self.on_moves.items()) if count > MOST * self.moves]
        found += [
            (one, "stamp")
            for one, count in sorted(self.stamped.items())
            if count == self.changed[one] and self.alone[one] <= count / 2
        ]
        if len(self.effects) >= FEWEST:
            found += [
                (one, "companion")
                for one, count in sorted(self.changed.items())
                if count >= NEARLY_ALL * self.effects.total()
            ]
        return found
