"""A comparison as Markdown for a pull request: the verdict first, then figures, then what changed."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.bench.experiments.comparison import Comparison
from omnipilot.bench.gates.changes import ChangedInstance
from omnipilot.bench.gates.rule import GateVerdict
from omnipilot.bench.gates.words import gate_lines, gate_table
from omnipilot.bench.report.comparison_table import compare_table
from omnipilot.bench.report.results.formats import markdown
from omnipilot.bench.tables import Table
from omnipilot.memory.secrets.scrub import scrub_error

MOST = 50
"""Changed episodes that the summary has at most: a comment on GitHub holds 65,536 characters."""
_LONG = 240


def summary_markdown(
    found: Comparison, sentences: Sequence[str], changes: Sequence[ChangedInstance], verdicts: Sequence[GateVerdict]
) -> str:
    """The summary. What agents typed stands as code, so that it neither becomes markup nor calls anybody.

    Args:
        sentences: what the comparison says, where there is no gate. changes: those that became worse first.
    """
    parts = [f"## {_verdict(verdicts, changes)}", *(gate_lines(verdicts) or [" ".join(sentences)])]
    tables = [gate_table(verdicts)] if verdicts else []
    tables += [compare_table(found), *([_changes_table(changes)] if changes else [])]
    parts += map(markdown, tables)
    return scrub_error("\n\n".join(parts)) + "\n"


def _verdict(verdicts: Sequence[GateVerdict], changes: Sequence[ChangedInstance]) -> str:
    worse = sum(one.worse for one in changes)
    told = f"{worse} worse, {len(changes) - worse} better"
    if not verdicts:
        return f"Compared: {told}"
    failed = [one.gate.words for one in verdicts if one.failed]
    weak = sum(one.too_weak for one in verdicts if not one.failed)
    if failed:
        return f"Failed: {', '.join(failed)} ({told})"
    return f"Passed ({told})" + (f", but {weak} of {len(verdicts)} gates too weak" if weak else "")


def _changes_table(changes: Sequence[ChangedInstance]) -> Table:
    rows = tuple(
        (
            "worse" if one.worse else "better",
            one.name,
            f"{one.flip.a[0]}/{one.flip.a[1]}",
            f"{one.flip.b[0]}/{one.flip.b[1]}",
            "—" if one.first is None or one.first.turn is None else str(one.first.turn),
            "—" if one.first is None else code(one.first.a),
            "—" if one.first is None else code(one.first.b),
            one.flip.how,
        )
        for one in changes[:MOST]
    )
    notes = ["the first step that differs, and how the failed attempts of the worse run ended"]
    notes += [f"{len(changes) - MOST} more: `omnipilot compare --all`"] * (len(changes) > MOST)
    columns = ("changed", "task#instance", "A", "B", "turn", "A did", "B did", "failures")
    return Table(columns, rows, tuple(notes), labels=2, words=("A did", "B did", "failures"))


def code(text: str) -> str:
    """Text as a span of code in one line; a grave accent in it becomes an apostrophe."""
    plain = " ".join(text.replace("`", "'").split())
    return f"`{plain if len(plain) <= _LONG else plain[: _LONG - 1] + '…'}`"
