"""The figures of ScreenSpot v1 and v2: the six cells, their mean, and the share over all items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, get_args

from omnipilot.bench.pointing.given_answers import Given
from omnipilot.bench.pointing.rows import middle, numbers_in
from omnipilot.bench.pointing.score import NO_POINT, Hit, mean_of_cells, percent_of, share, shares_by_part
from omnipilot.bench.scoring.data.records import Bad
from omnipilot.bench.scoring.score import Scored
from omnipilot.bench.suites.screenspot.metrics import PLATFORMS, UI_TYPES, JudgedSpot, Variant, hit
from omnipilot.bench.suites.screenspot.metrics import score as cells_of
from omnipilot.bench.tables import Table

if TYPE_CHECKING:
    from omnipilot.bench.suites.screenspot.suite import ScreenSpotItem

RULES: Mapping[Variant, str] = {
    "release": "a point in the box, edges included, both in shares of the sides",
    "showui": "the box's edges are first cut to whole thousandths, as ShowUI does",
}


def figures(
    name: str, spots: Sequence[ScreenSpotItem], given: Mapping[str, Given], variant: str, bad: tuple[Bad, ...]
) -> Scored:
    """The mean of the cells first, as later tables print it; then the share over all items; the cells in a table."""
    rule: Variant = next(known for known in get_args(Variant) if known == (variant or "release"))
    items = [item_of(spot, given.get(spot.target.id)) for spot in spots]
    hits = [
        Hit((item.platform, item.ui_type), spot.screen.name, hit(item, rule), item.void, spot.target.id)
        for spot, item in zip(spots, items, strict=True)
    ]
    notes = [
        f"macro: the plain mean of the platforms' shares of texts and of icons; micro: of all items; {RULES[rule]}"
    ]
    cells = {(item.platform, item.ui_type) for item in items}
    if empty := [" ".join(cell) for cell in product(PLATFORMS, UI_TYPES) if cell not in cells]:
        notes.append(f"macro is over {len(cells)} cells: no item is of {', '.join(empty)}")
    if off := sum(i.point is not None and not all(0 <= number <= 1 for number in i.point) for i in items):
        notes.append(f"{off} points lie outside of 0..1 and hit nothing; points are shares of the sides, not pixels")
    return Scored(
        name,
        rule,
        (mean_of_cells("macro", hits), share("micro", hits)),
        (table(items, rule),),
        bad,
        tuple(spot.target.id for spot in spots if spot.target.id not in given),
        notes=tuple(notes),
        parts=shares_by_part([f"{item.platform} {item.ui_type}" for item in items], hits),
    )


def item_of(spot: ScreenSpotItem, given: Given | None) -> JudgedSpot:
    """A target in the form the metric expects; void without a prediction."""
    numbers = None if given is None else given.numbers
    if given is not None and given.reply is not None:
        numbers = numbers_in(given.reply)
    point = None if numbers is None else middle(numbers)
    return JudgedSpot(spot.platform, spot.ui_type, spot.box, spot.size, point, given is None)


def table(items: Sequence[JudgedSpot], variant: Variant) -> Table:
    """One row per platform and one for all, one column per kind of target."""
    report = cells_of(items, variant)
    rows = []
    for platform in (*(p for p in PLATFORMS if any(cell[0] == p for cell in report.cells)), "all"):
        found = {kind: [c for key, c in report.cells.items() if key[1] == kind and platform in ("all", key[0])]
                 for kind in UI_TYPES}  # fmt: skip
        every = [cell for cells in found.values() for cell in cells]
        shown = [percent_of(sum(c.correct for c in cells), sum(c.total for c in cells)) for cells in found.values()]
        unread = sum(cell.wrong_format for cell in every)
        total = percent_of(sum(c.correct for c in every), sum(c.total for c in every))
        rows.append((platform, *shown, total, str(unread)))
    return Table(("hit %", *UI_TYPES, "both", "no point"), tuple(rows), (NO_POINT,))
