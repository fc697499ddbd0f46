"""`omnipilot score screenspot-pro`: the overall accuracy and the released report's groupings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from omnipilot.bench.pointing.given_answers import Given
from omnipilot.bench.pointing.rows import Rows, middle, numbers_in, said_in
from omnipilot.bench.pointing.score import NO_POINT, Hit, PointingScore, percent_of, share
from omnipilot.bench.scoring.data.records import Bad, Record
from omnipilot.bench.scoring.score import Scored
from omnipilot.bench.suites.screenspot.pro.metrics import GROUPINGS, GROUPS, Item, verdict
from omnipilot.bench.suites.screenspot.pro.metrics import score as report_of
from omnipilot.bench.suites.screenspot.pro.suite import ProItem, ScreenSpotProSuite
from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError

WRONG_FORMAT = NO_POINT.replace("no point", "wrong format")
_RESULTS = ("positive", "negative", "wrong_format")
_JUDGED = {"correct": "negative", "wrong": "positive", "wrong_format": "wrong_format"}
"""What the release's verdict on an item without a target says of the model's answer, which it does not write."""


class ScreenSpotProScore(PointingScore[ProItem]):
    """ScreenSpot-Pro."""

    name = "screenspot-pro"
    format = (
        'the release\'s JSON with "details" (each with img_path, prompt_to_evaluate, gt_type and "pred" in pixels or '
        'null), or rows of {"id", and "point" ([x, y] in 0..1 or null) or "reply"}, where there is no target also '
        '"result" (positive, negative, wrong_format), or a directory of `omnipilot ground`'
    )

    def suite(self, options: Mapping[str, Any]) -> ScreenSpotProSuite:
        """The data."""
        return ScreenSpotProSuite(**options)

    def whole(self, data: str, rows: Sequence[Record]) -> ScreenSpotProSuite:
        """All records in the language and wording of the rows."""
        language = _one(rows, "lang", "en", "language")
        style = _one(rows, "instruction_style", "instruction", "style of instruction")
        kinds = "positive" if language == "cn" else "all"
        return self.suite({"data": data, "language": language, "style": style, "gt_type": kinds})

    def read(self, row: Record, spot: ProItem) -> Given | None:
        """A row's point; for an item without a target, whether the model claims one."""
        if spot.truth == "negative" and (row.has("result") or row.has("correctness")):
            result = (
                row.choice("result", _RESULTS)
                if row.has("result")
                else _JUDGED[row.choice("correctness", tuple(_JUDGED))]
            )
            return Given(absent=result == "negative", unsure=result == "positive")
        if "pred" not in row.names:
            return said_in(row, "point")
        said = said_in(row, "pred")
        if said.numbers is None:
            return said
        x, y = middle(said.numbers)
        return Given((x / spot.size[0], y / spot.size[1]))

    def asked(self, spots: Sequence[ProItem], rows: Rows) -> tuple[tuple[ProItem, ...], tuple[str, ...]]:
        """Only items of a kind (with or without a target) for which the file has a prediction."""
        kinds = {spot.truth for spot in spots if spot.target.id in rows.given}
        if kinds >= {spot.truth for spot in spots}:
            return tuple(spots), ()
        (kind,) = kinds
        return tuple(spot for spot in spots if spot.truth in kinds), (f"all predictions are for {kind} items",)


def _one(rows: Sequence[Record], field: str, default: str, what: str) -> str:
    """The value shared by all rows that state it."""
    found = sorted({row.text(field) for row in rows if row.has(field)}) or [default]
    if len(found) > 1:
        raise ConfigError(
            f"the predictions are in {' and '.join(found)}; put each {what} into a file of its own and score it"
        )
    return found[0]


def figures(spots: Sequence[ProItem], given: Mapping[str, Given], variant: str, bad: tuple[Bad, ...]) -> Scored:
    """Overall over the items, with both kinds of targets; then the groups, and the report's other groupings."""
    items = [item_of(spot, given.get(spot.target.id)) for spot in spots]
    hits = [
        Hit((item.ui_type,), spot.screen.name, verdict(item) == "correct", item.void)
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
    )


def item_of(spot: ProItem, given: Given | None) -> Item:
    """A target in the form the metric expects; void without a prediction."""
    numbers = None if given is None else given.numbers
    if given is not None and given.reply is not None:
        numbers = numbers_in(given.reply)
    sees = numbers is not None or (given is not None and given.unsure)
    result: Literal["positive", "negative"] | None = (
        "negative" if given is not None and given.absent else "positive" if sees else None
    )
    return Item(
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


def groups(items: Sequence[Item]) -> Table:
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


def groupings(items: Sequence[Item]) -> list[Table]:
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
