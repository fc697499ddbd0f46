"""`omnipilot score screenspot` and `screenspot-v2`: the six cells, their mean, and the share over all items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnipilot.bench.pointing.given_answers import Given
from omnipilot.bench.pointing.rows import said_in
from omnipilot.bench.pointing.score import PointingScore
from omnipilot.bench.scoring.data.records import Record
from omnipilot.bench.suites.screenspot.figures import RULES
from omnipilot.bench.suites.screenspot.suite import ScreenSpotItem, ScreenSpotSuite, ScreenSpotV2Suite

FORMAT = (
    'rows (.jsonl, .json, .csv) of {"id"} or of SeeClick\'s {"img_path" or "img_filename", "text" or "instruction", '
    '"bbox"}, each with "pred" or "point" ([x, y] or [left, top, right, bottom] in 0..1, null where nothing could be '
    'read) or "reply" (text with the two or four numbers), or a directory of `omnipilot ground`'
)


class ScreenSpotScore(PointingScore[ScreenSpotItem]):
    """ScreenSpot v1."""

    name = "screenspot"
    variants = tuple(RULES)
    format = FORMAT

    def suite(self, options: Mapping[str, Any]) -> ScreenSpotSuite:
        """The data."""
        return ScreenSpotSuite(**options)

    def read(self, row: Record, spot: ScreenSpotItem) -> Given | None:  # noqa: ARG002
        """The point of a row."""
        return said_in(row, "pred" if "pred" in row.names else "point")


class ScreenSpotV2Score(ScreenSpotScore):
    """ScreenSpot v2."""

    name = "screenspot-v2"

    def suite(self, options: Mapping[str, Any]) -> ScreenSpotV2Suite:
        """The data."""
        return ScreenSpotV2Suite(**options)
