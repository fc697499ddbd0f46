"""The figures of OSWorld-G: overall, without refusals, and by ability."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from omnipilot.bench.pointing.given_answers import Given
from omnipilot.bench.pointing.rows import numbers_in
from omnipilot.bench.pointing.score import Hit, percent_of, share
from omnipilot.bench.scoring.data.records import Bad
from omnipilot.bench.scoring.score import Scored
from omnipilot.bench.suites.osworld_g.metrics import REFUSED, JudgedTarget, hit
from omnipilot.bench.suites.osworld_g.metrics import score as report_of
from omnipilot.bench.tables import Table

if TYPE_CHECKING:
    from omnipilot.bench.suites.osworld_g.suite import OSWorldGItem

UNCLASSIFIED = "unclassified"
RULE = (
    "the prediction's middle decides; numbers that are all in 0..1 are shares of the sides, others pixels; a refusal "
    "is right where both are negative"
)
_WAIT = re.compile(r"\bwait\b", re.IGNORECASE)


def figures(spots: Sequence[OSWorldGItem], given: Mapping[str, Given], variant: str, bad: tuple[Bad, ...]) -> Scored:
    """All items first, then non-refusals; the tables list abilities, of which an item may have several."""
    items = [item_of(spot, given.get(spot.target.id)) for spot in spots]
    hits = [
        Hit((item.box_type,), spot.screen.name, hit(item), item.void, spot.target.id)
        for spot, item in zip(spots, items, strict=True)
    ]
    report = report_of(items)
    rows = tuple(
        (name, percent_of(cell.correct, cell.total), str(cell.wrong_format)) for name, cell in report.abilities.items()
    )
    kinds = tuple(
        (
            kind,
            percent_of(sum(h.right for h in of), len(of)),
            str(sum(i.prediction is None and not i.void for i in among)),
        )
        for kind in ("bbox", "polygon", "refusal")
        if (of := [h for h in hits if h.cell == (kind,)]) and (among := [i for i in items if i.box_type == kind])
    )
    with_refusals = any(item.box_type == "refusal" for item in items)
    notes = [] if with_refusals else ["the instructions that must be refused are left out"]
    if unclassified := sum(spot.abilities == (UNCLASSIFIED,) for spot in spots):
        notes.append(f"{unclassified} of {len(spots)} items have no ability in the data's classification")
    return Scored(
        "osworld-g",
        variant or "release",
        (share("overall", hits), share("without refusals", [h for h in hits if h.cell != ("refusal",)])),
        (
            Table(("ability", "hit %", "unreadable"), rows, ("an item counts in each of its abilities",)),
            Table(("kind of target", "hit %", "unreadable"), kinds),
        ),
        bad,
        tuple(spot.target.id for spot in spots if spot.target.id not in given),
        notes=("provisional: written after a port, for the official scorer could not be opened", RULE, *notes),
        parts=tuple(
            share(name, [one for one, item in zip(hits, items, strict=True) if name in item.abilities])
            for name in report.abilities
        ),
    )


def item_of(spot: OSWorldGItem, given: Given | None) -> JudgedTarget:
    """A target in the form the metric expects; void without a prediction."""
    prediction = None if given is None else given.numbers
    if given is not None and given.absent:
        prediction = REFUSED
    elif given is not None and given.reply is not None:
        prediction = numbers_in(given.reply) or (REFUSED if _WAIT.search(given.reply) else None)
    return JudgedTarget(spot.box_type, spot.coordinates, spot.size, prediction, spot.abilities, given is None)
