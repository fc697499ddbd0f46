"""Tables of an audit: the findings, and what was tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from omnipilot.bench.audit.audit import AuditFailure
from omnipilot.bench.audit.records import Certificate
from omnipilot.bench.tables import Table

LONGEST_REASON = 110


def audit_tables(found: Sequence[Certificate], failed: Sequence[AuditFailure]) -> list[Table]:
    """The findings, if there are any, and what was tried."""
    rows = tuple(
        (f"{one.task}#{one.instance}", finding.kind, finding.by, finding.reason[:LONGEST_REASON])
        for one in found
        for finding in one.findings
    )
    findings = [Table(("finding in", "kind", "by", "what"), rows, words=("kind", "by", "what"))] if rows else []
    return [*findings, Table(("tried", "tasks", "of"), tuple(_tried(found)), tuple(_notes(found, failed)))]


def _tried(found: Sequence[Certificate]) -> Iterator[tuple[str, str, str]]:
    def row(what: str, hits: Sequence[bool]) -> tuple[str, str, str]:
        return what, str(sum(hits)), str(len(hits))

    for name in dict.fromkeys(name for one in found for name in one.agents):
        rows = [one.agents[name] for one in found if name in one.agents]
        yield row(f"solved by {name}", [bool(one["solved"]) for one in rows])
    for name in dict.fromkeys(name for one in found for name in one.doors):
        rows = [one.doors[name] for one in found if name in one.doors]
        tried = [one for one in rows if "not_tried" not in one]
        yield row(f"sub-goals reached through the door {name}", [bool(one["reached"]) for one in tried])
    unread = [any(str(one).startswith("unread") for one in each.reading.get("judges", {}).values()) for each in found]
    yield row("judges that no rule could read", unread)
    searched = [one for one in found if one.search]
    yield row("solved otherwise in the search", [any(f.by == "search" for f in one.findings) for one in searched])
    yield row("any finding", [bool(one.findings) for one in found])


def _notes(found: Sequence[Certificate], failed: Sequence[AuditFailure]) -> Iterator[str]:
    searched = [one.search for one in found if one.search]
    sequences, seconds = (sum(one[name] for one in searched) for name in ("sequences", "seconds"))
    rate = f", {sequences / seconds:,.0f} a second" if seconds else ""
    yield f"{sequences:,} sequences in {seconds:,.0f} s of processor time{rate}"
    yield f"{sum(one['legitimate'] for one in searched):,} of them solved a task with its demonstration's effects"
    yield from (f"not audited: {one.task}#{one.instance}: {one.reason}" for one in failed)
