"""`omnipilot score screenspot-pro`: the overall accuracy and the released report's groupings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omnipilot.bench.pointing.given_answers import Given
from omnipilot.bench.pointing.rows import Rows, middle, said_in
from omnipilot.bench.pointing.score import PointingScore
from omnipilot.bench.scoring.data.records import Record
from omnipilot.bench.suites.screenspot.pro.suite import ProItem, ScreenSpotProSuite
from omnipilot.envs import ConfigError

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
