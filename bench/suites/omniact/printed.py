"""Rows of OmniACT's table 4, as they are printed in the paper (arXiv 2402.17553)."""

from __future__ import annotations

from omnipilot.bench.tables import Table

COLUMNS = ("SS %", "Mp %", "Kp %", "Wp %", "AS %")
"""Sequence score; click, key and write penalty; action score: the table's order."""
PRINTED = {
    "GPT-4, words alone": ("32.75", "10.27", "6.99", "3.89", "11.60"),
    "GPT-4V": ("38.72", "10.53", "7.14", "4.03", "17.02"),
    "human": ("82.23", "0.12", "0.36", "1.61", "80.14"),
}
NOTE = (
    "as printed: copied from the paper's table 4, without intervals, on its whole test split and by code that was not "
    "released whole; compare with the variants release and fixed on all of that split, and with nothing else"
)


def beside_printed(told: tuple[str, ...]) -> Table:
    """The five figures of some predictions above the printed rows.

    Args:
        told: the figures in the order of `COLUMNS`.
    """
    rows = (("these predictions", *told), *((f"{name} (as printed)", *row) for name, row in PRINTED.items()))
    return Table(("model", *COLUMNS), rows, (NOTE,))
