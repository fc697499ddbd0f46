"""`omnipilot score osworld-g`: overall, without refusals, and by ability."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnipilot.bench.pointing.given_answers import Given
from omnipilot.bench.pointing.rows import said_in
from omnipilot.bench.pointing.score import PointingScore
from omnipilot.bench.scoring.data.records import Record
from omnipilot.bench.suites.osworld_g.suite import OSWorldGItem, OSWorldGSuite


class OSWorldGScore(PointingScore[OSWorldGItem]):
    """OSWorld-G."""

    name = "osworld-g"
    format = (
        'rows (.jsonl, .json, .csv) of {"id", and "point" ([x, y] or [left, top, right, bottom], all in 0..1 or in '
        'pixels; [-1, -1] for a refusal; null where nothing could be read) or "reply" (text with the two or four '
        "numbers, or with the word wait for a refusal)}, or a directory of `omnipilot ground`"
    )

    def suite(self, options: Mapping[str, Any]) -> OSWorldGSuite:
        """The data."""
        return OSWorldGSuite(**options)

    def read(self, row: Record, spot: OSWorldGItem) -> Given | None:  # noqa: ARG002
        """The point of a row."""
        return said_in(row, "point")
