"""`omnipilot score mmbench-l2`: basic, advanced, their average, and the counts of every cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omnipilot.bench.pointing.given_answers import Given
from omnipilot.bench.pointing.rows import Rows, said_in
from omnipilot.bench.pointing.score import PointingScore
from omnipilot.bench.scoring.data.records import Record
from omnipilot.bench.suites.mmbench_gui.level1.replies import FAILED
from omnipilot.bench.suites.mmbench_gui.level2.figures import RULES
from omnipilot.bench.suites.mmbench_gui.level2.suite import L2Item, MMBenchL2Suite


class MMBenchL2Score(PointingScore[L2Item]):
    """MMBench-GUI level 2."""

    name = "mmbench-l2"
    variants = tuple(RULES)
    format = (
        "a table (.csv, .json, .jsonl) with the columns index and prediction (the reply, of which the first pair of "
        'numbers counts), as the release writes it (save its .xlsx as .csv), or with "point" ([x, y] in 0..1 or null) '
        "for prediction, or a directory of `omnipilot ground`"
    )

    def suite(self, options: Mapping[str, Any]) -> MMBenchL2Suite:
        """The data."""
        return MMBenchL2Suite(**options)

    def read(self, row: Record, spot: L2Item) -> Given | None:  # noqa: ARG002
        """The reply in a row; none if the row says that the model could not be called."""
        if "prediction" not in row.names:
            return said_in(row, "point")
        reply = str(row.raw("prediction", ""))
        return None if reply.startswith(FAILED) else Given(reply=reply)

    def asked(self, spots: Sequence[L2Item], rows: Rows) -> tuple[tuple[L2Item, ...], tuple[str, ...]]:
        """Only instructions of modes for which the file has a prediction."""
        modes = {spot.mode for spot in spots if spot.target.id in rows.given}
        if modes >= {spot.mode for spot in spots}:
            return tuple(spots), ()
        (mode,) = modes
        return tuple(spot for spot in spots if spot.mode in modes), (f"all predictions are for {mode} instructions",)
