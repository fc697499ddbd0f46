"""The figures of ScreenSpot-Pro: the overall accuracy and the released report's groupings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from omnipilot.bench.pointing.given_answers import Given
from omnipilot.bench.pointing.rows import middle, numbers_in
from omnipilot.bench.pointing.score import NO_POINT, Hit, percent_of, share, shares_by_part
from omnipilot.bench.scoring.data.records import Bad
from omnipilot.bench.scoring.score import Scored
from omnipilot.bench.suites.screenspot.pro.metrics import GROUPINGS, GROUPS, JudgedProSpot, verdict
from omnipilot.bench.suites.screenspot.pro.metrics import score as report_of
from omnipilot.bench.tables import Table

if TYPE_CHECKING:
    from omnipilot.bench.suites.screenspot.pro.suite import ProItem

WRONG_FORMAT = NO_POINT.replace("no point", "wrong format")


def figures(spots: Sequence[ProItem], given: Mapping[str, Given], variant: str, bad: tuple[Bad, ...]) -> Scored:
    """Overall over the items, with both kinds of targets; then the groups, and the report's other groupings."""
    items = [item_of(spot, given.get(spot.target.id)) for spot in spots]
    hits = [
        Hit((item.ui_type,), spot.screen.name, verdict(item) == "correct", item.void, spot.target.id)
        for spot, item in zip(spots, items, strict=True)
    ]
    shares = [share("overall", hits)]
    for kind in ("text", "icon"):
        if among := [hit for hit in hits if hit.cell == (kind,)]:
            shares.append(share(kind, among))
    asked = sorted({f"language {spot.language}, style {spot.wording}" for spot in spots})
    return Scored(
        "screenspot-pro",
        variant or "release",
        tuple(shares),
        (groups(items), *groupings(items)),
        bad,
        tuple(spot.target.id for spot in spots if spot.target.id not in given),
        notes=(f"overall is the share of all items, not the mean of groups; {'; '.join(asked)}",),
        parts=shares_by_part([item.group for item in items], hits),
    )


def item_of(spot: ProItem, given: Given | None) -> JudgedProSpot:
    """A target in the form the metric expects; void without a prediction."""
    numbers = None if given is None else given.numbers
    if given is not None and given.reply is not None:
        numbers = numbers_in(given.reply)
    sees = numbers is not None or (given is not None and given.unsure)
    result: Literal["positive", "negative"] | None = (
        "negative" if given is not None and given.absent else "positive" if sees else None
    )
    return JudgedProSpot(
        spot.platform,
        spot.application,
        spot.group,
        spot.ui_type,
        spot.box,
        spot.size,
        None if numbers is None else middle(numbers),
        result,
        spot.wording,
        spot.truth,
        given is None,
    )


def groups(items: Sequence[JudgedProSpot]) -> Table:
    """The table usually printed: one row per group, with text, icon, all, and counts."""
    judged = [(item, verdict(item)) for item in items]
    rows = []
    for group in (*(name for name in GROUPS if any(item.group == name for item in items)), "overall"):
        of_group = [pair for pair in judged if group in ("overall", pair[0].group)]
        cells = [
            [one for item, one in of_group if item.ui_type in kinds]
            for kinds in (("text",), ("icon",), ("text", "icon"))
        ]
        unread = sum(one == "wrong_format" for _, one in of_group)
        rows.append((group, *(percent_of(cell.count("correct"), len(cell)) for cell in cells), str(unread)))
    return Table(("hit %", "text", "icon", "avg", "wrong format"), tuple(rows), (WRONG_FORMAT,))


def groupings(items: Sequence[JudgedProSpot]) -> list[Table]:
    """The released report's other groupings; accuracies are 0 without items, as released."""
    tables = []
    for name, cells in report_of(items).groupings.items():
        if name == "leaderboard_simple_style":
            continue
        rows = tuple(
            (
                key,
                f"{cell.num_correct_action}/{cell.num_total}",
                *(f"{100 * share:.1f}" for share in (cell.action_acc, cell.text_acc, cell.icon_acc)),
                str(cell.wrong_format_num),
            )
            for key, cell in cells.items()
        )
        words = ", ".join(word for word, _ in GROUPINGS[name])
        columns = (f"{name} ({words})", "correct", "action %", "text %", "icon %", "wrong format")
        tables.append(Table(columns, rows))
    return tables
