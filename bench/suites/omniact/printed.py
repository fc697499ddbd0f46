"""Rows of OmniACT's table 4, as they are printed in the paper (arXiv 2402.17553)."""

from __future__ import annotations

from omnipilot.bench.scoring.score import PrintedRows
from omnipilot.bench.tables import Table

FIGURES = ("SS", "Mp", "Kp", "Wp", "AS")
"""Sequence score; click, key and write penalty; action score: the table's order."""
PRINTED = PrintedRows(
    {
        "GPT-4, words alone": dict(zip(FIGURES, (32.75, 10.27, 6.99, 3.89, 11.60), strict=True)),
        "GPT-4V": dict(zip(FIGURES, (38.72, 10.53, 7.14, 4.03, 17.02), strict=True)),
        "human": dict(zip(FIGURES, (82.23, 0.12, 0.36, 1.61, 80.14), strict=True)),
    },
    "as printed: copied from the paper's table 4, without intervals, on its whole test split and by code that was not "
    "released whole; compare with the variants release and fixed on all of that split, and with nothing else",
)


def beside_printed(told: tuple[str, ...]) -> Table:
    """The five figures of some predictions above the printed rows.

    Args:
        told: the figures in the order of `FIGURES`.
    """
    rows = [("these predictions", *told)]
    for name, row in PRINTED.rows.items():
        rows.append((f"{name} (as printed)", *(f"{row[figure]:.2f}" for figure in FIGURES)))
    return Table(("model", *(f"{figure} %" for figure in FIGURES)), tuple(rows), (PRINTED.note,))
